"""Logins that are admitted or refused: the allow-list, bans, and that a question about a key tells nothing."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from ipaddress import ip_address
from pathlib import Path

import asyncssh
import pytest

from server.addresses import AddressSet
from server.config import Config, ConfigError
from server.people.accounts import Accounts
from server.people.admission import NOT_LOOKED_UP, Admission, allowed_keys
from server.people.players import Caller
from server.people.sanctions import Sanctions
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from tests.support.logins import DISCONNECT, FAILURE, KEY_IS_FINE, SUCCESS, KnownKey, Login, ssh_carrier
from tests.support.ops import against
from tests.support.people import RunningServer, running_server
from tests.support.ssh_keys import write_key

OP, LISTED, UNLISTED = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(3))
PRIVATE = "this server is private: ask its host to list your key"


@pytest.fixture
def allow_file(tmp_path: Path) -> Path:
    """A list of one."""
    file = tmp_path / "allowed"
    file.write_text(f"# friends\n\n{LISTED.get_fingerprint()}  # ana\n")
    return file


@pytest.fixture
async def private(tmp_path: Path, allow_file: Path) -> AsyncIterator[RunningServer]:
    """A server for those on the list."""
    async with running_server(tmp_path, allow_file=str(allow_file), ops=[OP.get_fingerprint()]) as running:
        yield running


async def comes_in(server: RunningServer, key: asyncssh.SSHKey | None) -> bool:
    """Whether a login with this key, or without one, is admitted. A denial is one line with the reason."""
    try:
        return (await server.run("who", key))[0] == 0
    except asyncssh.DisconnectError as error:
        reason = error.reason
    assert reason == PRIVATE + (f", {key.get_fingerprint()}" if key else "")
    return False


def write(file: Path, *lines: str) -> None:
    """The host edits the list."""
    file.write_text("".join(f"{line}\n" for line in lines))


async def test_only_listed_keys_are_admitted(private: RunningServer) -> None:
    """And ops; no guest."""
    assert await comes_in(private, LISTED)
    assert await comes_in(private, OP)
    assert not await comes_in(private, UNLISTED)
    assert not await comes_in(private, None)
    assert private.app.counters.refused["unlisted"].value == 2


async def test_an_empty_list_admits_no_player(tmp_path: Path) -> None:
    """Except ops, who are named in the config."""
    (tmp_path / "nobody").touch()
    async with running_server(tmp_path, allow_file=str(tmp_path / "nobody"), ops=[OP.get_fingerprint()]) as server:
        assert not await comes_in(server, LISTED)
        assert not await comes_in(server, None)
        assert await comes_in(server, OP)


def test_a_line_that_is_no_fingerprint_is_told(allow_file: Path) -> None:
    """With its number, and with what would be right."""
    write(allow_file, LISTED.get_fingerprint(), "everybody")
    with pytest.raises(ConfigError, match="line 2: 'everybody' is no fingerprint"):
        allowed_keys(allow_file)


def test_a_list_that_is_missing_stops_the_start(tmp_path: Path) -> None:
    """In one line; neither open to all nor closed without a word."""
    store = MemoryDatabase()
    bans = Sanctions(store, "ban", AddressSet([]), lambda: 0.0)
    with pytest.raises(ConfigError, match=r"^allow_file: .*/nowhere: No such file or directory$"):
        Admission(Config(allow_file=f"{tmp_path}/nowhere"), Accounts(store), bans)


async def unreadable(*_: object) -> str:
    """What a log does that cannot be read."""
    raise NotSaved("the disk does not answer")


async def test_a_key_that_cannot_be_looked_up_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its account may be banned: a second key must not come in while the log cannot be read. Ops and guests may."""
    store = MemoryDatabase()
    bans = Sanctions(store, "ban", AddressSet([]), lambda: 0.0)
    accounts = Accounts(store)
    await Accounts(store).add_account("account:first", "SHA256:first", 0)
    await Accounts(store).link("SHA256:second", "account:first", "account:second")
    await bans.put(against("account:first"))
    admission = Admission(Config(ops=(f"SHA256:{'o' * 43}",)), accounts, bans)
    assert (await admission.judge_key("SHA256:second")).startswith("you are banned from this server")
    monkeypatch.setattr(Accounts, "account_of", unreadable)
    assert await admission.judge_key("SHA256:second") == NOT_LOOKED_UP
    op = f"SHA256:{'o' * 43}"
    assert not await admission.judge_key(op)
    assert not await admission.denial(Caller("guest", None, None))


async def test_a_player_whose_key_cannot_be_looked_up_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, also an op, who would get another player's seat and name otherwise."""
    async with running_server(tmp_path, ops=[OP.get_fingerprint()]) as server:
        monkeypatch.setattr(Accounts, "account_of", unreadable)
        with pytest.raises(asyncssh.DisconnectError, match=NOT_LOOKED_UP):
            await server.run("who", LISTED)
        assert await server.run("who", OP) == (1, "The server cannot read its log now: try again in a moment.\n")


async def test_a_question_about_a_key_tells_nothing(allow_file: Path) -> None:
    """Listed, unlisted, banned, an op's: the answer is the same until the key is proved; then it is what it is."""
    listed, unlisted, banned, op = (KnownKey() for _ in range(4))
    write(allow_file, listed.fingerprint, banned.fingerprint)
    store = MemoryDatabase()
    bans = Sanctions(store, "ban", AddressSet([]), lambda: 0.0)
    await bans.put(against(banned.fingerprint))
    config = Config(ops=(op.fingerprint,), allow_file=str(allow_file))
    carrier = ssh_carrier(Admission(config, Accounts(store), bans))
    outcomes = {listed: SUCCESS, unlisted: FAILURE, banned: DISCONNECT, op: SUCCESS}
    for key, outcome in outcomes.items():
        login = Login(carrier, ip_address("192.0.2.7"))
        for request in (login.probe(key), login.garbage(key), login.probe(key), login.sign(key)):
            login.send(request)
            await login.settle()
        assert login.answers[1:5] == [KEY_IS_FINE, FAILURE, KEY_IS_FINE, outcome]
        assert login.cut is (outcome == DISCONNECT)
    # Who has several keys comes in by the one that is listed.
    login = Login(carrier, ip_address("192.0.2.7"))
    for request in (login.sign(unlisted), login.sign(listed)):
        login.send(request)
        await login.settle()
    assert login.succeeded
    assert login.key == listed.fingerprint


@pytest.mark.needs("ssh")
async def test_a_real_client_shows_why(private: RunningServer, tmp_path: Path) -> None:
    """Under the words of ssh itself; the second key of two is as good as the first."""
    write_key(tmp_path / "unlisted", UNLISTED)
    write_key(tmp_path / "listed", LISTED)
    run = await run_ssh(private, "-i", str(tmp_path / "unlisted"), "127.0.0.1", "who")
    assert run.returncode == 255
    assert f"{PRIVATE}, {UNLISTED.get_fingerprint()}" in run.stderr
    run = await run_ssh(private, "-i", str(tmp_path / "unlisted"), "-i", str(tmp_path / "listed"), "127.0.0.1", "who")
    assert run.returncode == 0


async def run_ssh(server: RunningServer, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the real client to its end."""
    process = await asyncio.create_subprocess_exec(
        *server.openssh(*arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, error = await asyncio.wait_for(process.communicate(), 20)
    return subprocess.CompletedProcess([], process.returncode or 0, out.decode(), error.decode())
