"""`quatch find` and `quatch join`, with servers of our own in place of the network."""

import io
import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
from asyncssh import generate_private_key
from msgspec.structs import replace

from server.cli.main import main
from server.joining import fingerprint_words, join_lines
from server.lan import local_servers
from server.lan.announcement import FoundServer
from server.lan.interfaces import NO_LIBRARY
from server.lan.local_network import poster
from server.lan.local_servers import Found, has_seen
from tests.server.lan.machine import KEY

ANA = FoundServer(
    *("Ana's night (95e5)", 2222, KEY, "0.1.0"), people=3, who=("Ana", "Bo"), rules=("life",), address="192.168.1.23"
)
OTHER_KEY = f"SHA256:{'B' * 43}"
BO = FoundServer("Bo (1234)", 22222, OTHER_KEY, "", "closing", 1, address="192.168.1.24")
EVIL = FoundServer("-oProxyCommand=touch x", 2222, OTHER_KEY, "", address="192.168.1.66")

Announced = Callable[..., None]


class Typed(io.StringIO):
    """What a person types at a terminal."""

    def isatty(self) -> bool:
        """See `io.IOBase.isatty`."""
        return True


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> Announced:
    """Sets which servers are found; ssh is only named."""

    def announce(*servers: FoundServer, more: bool = False, problem: str = "") -> None:
        async def find_servers(_: object) -> Found:
            return Found([*servers], more, problem)

        monkeypatch.setattr(local_servers, "find_servers", find_servers)

    return announce


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """The programs that have taken the place of this one."""
    programs: list[tuple[str, list[str]]] = []

    def execv(path: str, command: list[str]) -> NoReturn:
        programs.append((path, command))
        raise SystemExit

    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    return programs


def test_find_lists_servers_with_who_is_there(announced: Announced, capsys: pytest.CaptureFixture[str]) -> None:
    """What to type, how many people, some of their names, and the key with its words."""
    announced(ANA, BO, more=True)
    assert main(["find"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Ana's night (95e5)",
        "    ssh -p 2222 192.168.1.23",
        "    3 people: Ana, Bo, ...",
        f"    key {KEY}: acorn album amber anchor ankle apple",
        "Bo (1234)",
        "    ssh -p 22222 192.168.1.24",
        "    1 person",
        "    It stops when the running games are over.",
        f"    key {OTHER_KEY}: {fingerprint_words(OTHER_KEY)}",
        "More servers are announced than the 2 servers that were looked at.",
    ]


def test_find_answers_programs(announced: Announced, capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object, also if there is no server; that is the exit status, as for people."""
    announced(ANA)
    assert main(["find", "--json"]) == 0
    (server,) = json.loads(capsys.readouterr().out)["servers"]
    assert server["line"] == "ssh -p 2222 192.168.1.23"
    assert (server["people"], server["who"], server["fingerprint"]) == (3, ["Ana", "Bo"], KEY)
    announced()
    assert main(["find", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"v": 1, "servers": [], "more": False}


@pytest.mark.parametrize("command", ["find", "join"])
def test_no_server_is_said_in_one_line(announced: Announced, capsys: pytest.CaptureFixture[str], command: str) -> None:
    """With what may be the reason."""
    announced()
    assert main([command]) == 1
    error = capsys.readouterr().err
    assert "no server was announced on this network within 2.5 seconds: its host starts it with --lan;" in error
    assert error.count("\n") == 1
    announced(problem="this is WSL")
    assert main([command]) == 1
    assert capsys.readouterr().err.endswith("within 2.5 seconds: this is WSL\n")


@pytest.mark.parametrize("name", [None, "ana", "Ana's night (95E5)"])
def test_join_runs_ssh(announced: Announced, started: list[tuple[str, list[str]]], name: str | None) -> None:
    """That of the system, without a shell; the beginning of a name is enough, and of one server none is needed."""
    announced(*((ANA,) if name is None else (ANA, BO)))
    with pytest.raises(SystemExit):
        main(["join", *([name] if name else [])])
    assert started == [("/usr/bin/ssh", ["ssh", f"-oHostKeyAlias={ANA.alias}", "-p", "2222", "192.168.1.23"])]


def test_no_name_becomes_an_option_of_ssh(announced: Announced, started: list[tuple[str, list[str]]]) -> None:
    """Only the address, the port and the digits of the key are arguments."""
    announced(EVIL)
    with pytest.raises(SystemExit):
        main(["join", "--", "-oProxy"])
    assert started == [("/usr/bin/ssh", ["ssh", f"-oHostKeyAlias={EVIL.alias}", "-p", "2222", "192.168.1.66"])]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (
            ["join"],
            "several servers here may be meant, so type a line: Ana's night (95e5) (ssh -p 2222 192.168.1.23) or",
        ),
        (["join", "cy"], "no server here has a name that begins with 'cy'; there is \"Ana's night (95e5)\" and"),
    ],
)
def test_join_says_which_servers_there_are(
    announced: Announced,
    started: list[tuple[str, list[str]]],
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    problem: str,
) -> None:
    """In one line."""
    announced(ANA, BO)
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1
    assert not started


FORGED = replace(EVIL, name="ana")
"""Announced with exactly the name that people type."""


@pytest.mark.parametrize(("answer", "goes_to"), [("1", ANA), ("2", FORGED), ("3", None), ("", None)])
def test_at_a_terminal_join_asks_which_server(
    announced: Announced,
    started: list[tuple[str, list[str]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    goes_to: FoundServer | None,
) -> None:
    """With the words of each key; a name that is exactly right is not preferred, for anybody can announce it."""
    announced(ANA, FORGED)
    monkeypatch.setattr(sys, "stdin", Typed(f"{answer}\n"))
    if goes_to is None:
        assert main(["join", "ana"]) == 2
        assert not started
    else:
        with pytest.raises(SystemExit):
            main(["join", "ana"])
        assert started[0][1][1] == f"-oHostKeyAlias={goes_to.alias}"
    assert f"key: {fingerprint_words(ANA.fingerprint)}" in capsys.readouterr().out


def test_a_server_that_was_joined_before_is_preferred(
    announced: Announced, started: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the key that ssh remembers under its alias; a machine that only tells the same key is asked about, too."""
    seen = [ANA.alias]
    monkeypatch.setattr(local_servers, "has_seen", lambda server: server.alias in seen)
    announced(FORGED, ANA)
    with pytest.raises(SystemExit):
        main(["join", "ana"])
    assert started[0][1][-1] == ANA.address
    announced(replace(FORGED, fingerprint=KEY), ANA)
    assert main(["join", "ana"]) == 2


def test_a_server_is_known_by_what_ssh_remembers(tmp_path: Path) -> None:
    """Under the alias that ssh was given, in its own file."""
    known = tmp_path / "known_hosts"
    assert not has_seen(ANA, "-f", str(known))
    known.write_text(f"{ANA.alias} {generate_private_key('ssh-ed25519').export_public_key().decode()}")
    assert has_seen(ANA, "-f", str(known))
    assert not has_seen(EVIL, "-f", str(known))


def test_without_ssh_the_line_is_still_told(
    announced: Announced, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For another machine, or after ssh was installed."""
    announced(ANA)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert main(["join"]) == 1
    assert "install OpenSSH, then type ssh -p 2222 192.168.1.23" in capsys.readouterr().err


def test_without_the_library_find_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plain installation does not have it."""
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert main(["find"]) == 1
    assert capsys.readouterr().err == f"quatch: {NO_LIBRARY}\n"


KEY = "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"


def test_without_a_terminal_the_poster_is_plain_lines() -> None:
    """As in a journal."""
    assert poster(join_lines(["10.0.0.5", "192.168.1.23"], 2222, KEY), None) == [
        "guests type: ssh -p 2222 10.0.0.5",
        "or: ssh -p 2222 192.168.1.23",
        "or scan: ssh://guest@10.0.0.5:2222",
        "The key of this server is SHA256:AAECAwQF..., in words: acorn album amber anchor ankle apple",
    ]


@pytest.mark.parametrize(("columns", "rows", "shown"), [(80, 24, True), (80, 17, False), (33, 24, False)])
def test_the_code_is_on_the_poster_if_it_fits(columns: int, rows: int, *, shown: bool) -> None:
    """A part of one would be scanned in vain."""
    pytest.importorskip("segno")
    lines = poster(join_lines(["10.0.0.5"], 2222, KEY), (columns, rows))
    assert any("\u2588" in line for line in lines) is shown
    assert any("ssh -p 2222 10.0.0.5" in line for line in lines)
