"""Settings that a running server takes in place: nobody is cut off, and no process is renewed."""

import argparse
import asyncio
import os
import resource
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest
from msgspec import structs

from server import VERSION
from server.app.app import App
from server.command_line import FeatureSettings
from server.config import Config, in_place, setting_names
from server.features import load
from server.keeper.plan import can_be_taken, changed_settings, plan_of
from server.keeper.reload import FILES, IN_PLACE, NOTHING, RENEWED, reload
from server.rulebook import Rulebook
from server.storage.sqlite_database import MemoryDatabase
from server.transport.host_keys import KEY_NAME, NEXT_KEY_NAME
from tests.support.bots import bots_at_both
from tests.support.hosted import HostedServer, hosted_server
from tests.support.ops import admin
from tests.support.patience import PATIENCE
from tests.support.people import RunningServer

NAN = 'title = "Nan\'s Life"\nbase = "life"\npickup.lift_up = 0\n'


class Host:
    """A server with a file of settings, and a folder of house rules."""

    def __init__(self, folder: Path, server: HostedServer, capsys: pytest.CaptureFixture[str]) -> None:
        self.server, self.file, self.rules = server, folder / "quatch.toml", folder / "rules"
        self._data, self._capsys = str(folder / "data"), capsys

    async def reload(self, settings: str, file: Path | None = None) -> tuple[int, str, str]:
        """Write these settings; what `quatch reload` returns and says. ``file``: what is given to it as `--config`."""
        self.file.write_text(settings)
        named = argparse.Namespace(config=file or self.file, data=self._data)
        self._capsys.readouterr()
        status = await asyncio.to_thread(reload, named)
        return status, *self._capsys.readouterr()


@asynccontextmanager
async def hosted(
    folder: Path, capsys: pytest.CaptureFixture[str], *options: str, **settings: str
) -> AsyncIterator[Host]:
    """A server, before anything is reloaded."""
    (folder / "rules").mkdir()
    (folder / "quatch.toml").touch()
    options = ("--config", str(folder / "quatch.toml"), *options)
    async with hosted_server(folder, *options, QUATCH_RULES_DIR=str(folder / "rules"), **settings) as server:
        yield Host(folder, server, capsys)


async def test_a_player_in_the_lobby_stays_while_clock_ops_and_house_rules_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They have each at once, and the host reads what has changed. A process that is started again has it too."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with hosted(tmp_path, capsys) as host, host.server.person(key=key) as ana:
        server = host.server
        await ana.until("lobby")
        (process,) = server.children()
        await ana.enter("admin who", "is not under ops")
        (host.rules / "nan.toml").write_text(NAN)
        said = await host.reload(f"clock = 35\nops = ['{key.get_fingerprint()}']\n")
        assert said == (0, f"Changed: clock, house rules nan, ops. {IN_PLACE}\n", "")
        assert (await server.logged("reloaded"))["changed"] == ["clock", "house rules nan", "ops"]
        await ana.enter("admin who", "1 here: ana (lobby)")
        await ana.enter("new nan", "a turn has 35 seconds")
        assert server.children() == [process]
        os.kill(process, signal.SIGKILL)
        await server.logged("a process has ended")
        await server.until(lambda: server.children() not in ([], [process]))
        async with server.person("bo") as bo:
            await bo.enter("new nan", "a turn has 35 seconds")


def take(server: RunningServer, clock: float) -> None:
    """Have a process take a setting."""
    server.app.take(replace(server.app.lobby.config, clock=clock), Rulebook())


@pytest.mark.features("moderation")
async def test_the_journal_has_what_a_process_has_taken(server: RunningServer) -> None:
    """As after a renewal."""
    server.app.serve(lambda: None)
    assert "setting" not in await admin(server, "journal")
    take(server, 35.0)
    async with asyncio.timeout(PATIENCE):
        while "setting clock: 60.0 -> 35.0" not in await admin(server, "journal"):  # it is noted soon
            pass


@pytest.mark.features("tournament")
async def test_a_tournament_that_waits_goes_on(open_server: RunningServer) -> None:
    """With those who wait, and with the clock that it was opened with."""
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(2)]
    async with open_server.person("ana", key=keys[0]) as ana, open_server.person("bo", key=keys[1]) as bo:
        await ana.enter("tournament new Friday format=swiss rounds=2", "Others type: tournament join Friday")
        await ana.enter("tournament join Friday", "You are in Friday")
        await bo.enter("tournament join Friday", "You are in Friday")
        take(open_server, 35.0)
        ana.type("tournament start Friday")
        await bo.until("bo  (you)")
        await bo.enter("clock", "60 seconds")


@pytest.mark.features("cluster", "bot_protocol")
async def test_all_processes_take_new_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also one that can open no file: it is told what they are."""
    async with hosted(tmp_path, capsys, "--processes", "2", QUATCH_WORKERS="0") as host, AsyncExitStack() as stack:
        server = host.server
        first, *_, last = await bots_at_both(server, stack)
        processes = server.children()
        (host.rules / "nan.toml").write_text(NAN)
        soft, hard = resource.prlimit(processes[1], resource.RLIMIT_NOFILE)
        resource.prlimit(processes[1], resource.RLIMIT_NOFILE, (0, hard))
        assert await host.reload("clock = 35\n") == (0, f"Changed: clock, house rules nan. {IN_PLACE}\n", "")
        resource.prlimit(processes[1], resource.RLIMIT_NOFILE, (soft, hard))
        for each in (first, last):
            await each.ask("joined", type="new", rules="nan", seats=2)
        assert server.children() == processes


async def test_nothing_happens_if_nothing_has_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Another file than the server's own is not read. A signal alone renews, and so does a key that is to come."""
    async with hosted(tmp_path, capsys) as host:
        server = host.server
        before = server.children()
        other = tmp_path / "other.toml"
        other.write_text("clock = 35\n")
        told = f"quatch: the server reads {host.file}, as it was started with, and not {other}\n"
        nothing = f"Changed: nothing. {NOTHING.format(server.process.pid)}\n"
        assert await host.reload("", other) == (0, nothing, told)
        assert server.children() == before
        server.process.send_signal(signal.SIGHUP)
        await server.until(lambda: not {*before} & {*server.children()})
        before = server.children()
        (tmp_path / "keys" / NEXT_KEY_NAME).write_bytes((tmp_path / "keys" / KEY_NAME).read_bytes())
        (tmp_path / "keys" / NEXT_KEY_NAME).chmod(0o600)
        assert await host.reload("") == (0, f"Changed: {FILES}. {RENEWED.format(VERSION)}\n", "")
        await server.until(lambda: not {*before} & {*server.children()})


def test_each_setting_is_taken_in_place_or_needs_new_processes() -> None:
    """As it says itself."""
    before = plan_of(Config())
    for name in setting_names():
        config = Config()
        of_core = hasattr(config, name)
        object.__setattr__(config, name if of_core else "of_features", "other" if of_core else {name: "other"})
        now = plan_of(config)
        assert changed_settings(before, now) == (name,)
        assert can_be_taken(before, now) == (name in in_place()), name


def test_what_is_in_a_file_that_a_setting_names_needs_new_processes(tmp_path: Path) -> None:
    """So does everything, if the program that reads the settings is of 1.0.0, which takes nothing in place."""
    file = tmp_path / "allowed"
    file.touch()
    before, now = (plan_of(Config(allow_file=str(file), clock=clock)) for clock in (30.0, 35.0))
    assert can_be_taken(before, now)
    file.write_text("# nobody\n")
    assert not can_be_taken(before, plan_of(Config(allow_file=str(file), clock=35.0)))
    assert not can_be_taken(structs.replace(before, fixed=""), structs.replace(now, fixed=""))


async def test_what_is_taken_in_place_is_not_kept_by_anything_that_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until somebody uses the server, it reads no such setting but where the house rules are."""
    config, read = Config(data=str(tmp_path), hostkeys=str(tmp_path), workers=0), set[str]()
    for kind in (Config, FeatureSettings):

        def noted(self: object, name: str, get: Callable[[object, str], object] = kind.__getattribute__) -> object:
            read.add(name)
            return get(self, name)

        monkeypatch.setattr(kind, "__getattribute__", noted)
    listening = socket.create_server(("127.0.0.1", 0))
    app = App(config, MemoryDatabase(), [("ssh", listening)], features=load(()))
    await app.start()
    app.serve(lambda: None)
    assert read & in_place() == {"rules_dir"}
    await app.stop()


def test_a_server_starts_with_a_setting_of_many_texts() -> None:
    """It is too long for the name of a file, and names none."""
    assert plan_of(Config(exempt=tuple(f"192.0.2.{number}" for number in range(99)))).fixed


async def test_a_server_with_another_database_is_reloaded(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its folder of data says which process it is."""
    async with hosted(tmp_path, capsys, QUATCH_DATABASE=database) as host:
        assert await host.reload("clock = 35\n") == (0, f"Changed: clock. {IN_PLACE}\n", "")
