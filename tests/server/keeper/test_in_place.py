"""Settings that a running server takes in place: nobody is cut off, and no process is renewed."""

import argparse
import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from server.config import Config, in_place
from server.keeper.keeper import plan_of
from server.keeper.reload import IN_PLACE, NOT_RELOADED, RENEWED, reload
from server.version import VERSION
from tests.support.bots import bots_at_both
from tests.support.hosted import HostedServer, hosted_server
from tests.support.patience import PATIENCE

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


@pytest.mark.features("moderation")
async def test_the_journal_has_what_a_reload_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As after a renewal."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with hosted(tmp_path, capsys, QUATCH_OPS=key.get_fingerprint()) as host, asyncio.timeout(PATIENCE):
        await host.reload("clock = 35\n")
        while "setting clock: 60.0 -> 35.0" not in (await host.server.run("admin journal", key))[1]:  # it is noted soon
            pass


@pytest.mark.features("tournament")
async def test_a_tournament_that_waits_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With those who wait, and with the clock that it was opened with."""
    keys = [asyncssh.generate_private_key("ssh-ed25519") for _ in range(2)]
    async with (
        hosted(tmp_path, capsys) as host,
        host.server.person("ana", key=keys[0]) as ana,
        host.server.person("bo", key=keys[1]) as bo,
    ):
        await ana.enter("tournament new Friday format=swiss rounds=2", "Others type: tournament join Friday")
        await ana.enter("tournament join Friday", "You are in Friday")
        await bo.enter("tournament join Friday", "You are in Friday")
        assert await host.reload("clock = 35\n") == (0, f"Changed: clock. {IN_PLACE}\n", "")
        ana.type("tournament start Friday")
        await bo.until("bo  (you)")
        await bo.enter("clock", "60 seconds")


@pytest.mark.features("cluster", "bot_protocol")
async def test_all_processes_take_new_settings_or_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If one cannot, it says why, and those of before stay."""
    async with hosted(tmp_path, capsys, "--processes", "2", QUATCH_WORKERS="0") as host, AsyncExitStack() as stack:
        server = host.server
        first, *_, last = await bots_at_both(server, stack)
        processes = server.children()
        (host.rules / "nan.toml").write_text(NAN)
        soft, hard = resource.prlimit(processes[1], resource.RLIMIT_NOFILE)
        resource.prlimit(processes[1], resource.RLIMIT_NOFILE, (0, hard))
        status, _, why = await host.reload("clock = 35\n")
        resource.prlimit(processes[1], resource.RLIMIT_NOFILE, (soft, hard))
        assert status == 1
        assert why.startswith(f"quatch: {NOT_RELOADED}: ")
        assert "Too many open files" in why
        for each in (first, last):
            assert (await each.ask("error", type="new", rules="nan", seats=2))["code"] == "unknown_rules"
        assert await host.reload("clock = 35\n") == (0, f"Changed: clock, house rules nan. {IN_PLACE}\n", "")
        for each in (first, last):
            await each.ask("joined", type="new", rules="nan", seats=2)
        assert server.children() == processes


async def test_a_reload_that_finds_nothing_changed_renews(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So a host key that was put beside the other one is taken. Another file than the server's own is not read."""
    async with hosted(tmp_path, capsys) as host:
        (process,) = host.server.children()
        other = tmp_path / "other.toml"
        other.write_text("clock = 35\n")
        renewed = f"Changed: nothing. {RENEWED.format(VERSION)}\n"
        told = f"quatch: the server reads {host.file}, as it was started with, and not {other}\n"
        assert await host.reload("", other) == (0, renewed, told)
        await host.server.until(lambda: process not in host.server.children())


def test_a_plan_tells_what_only_new_processes_take(tmp_path: Path) -> None:
    """A setting that does not say that it is read at each use, and what is in a file that a setting names."""
    file = tmp_path / "allowed"
    file.touch()
    before = Config(allow_file=str(file))
    fixed = plan_of(before).fixed
    assert {"clock", "ops", "rules_dir"} <= in_place()
    assert plan_of(replace(before, clock=35.0, ops=("SHA256:" + 43 * "a",), rules_dir="others")).fixed == fixed
    assert plan_of(replace(before, per_address=9)).fixed != fixed
    file.write_text("# nobody\n")
    assert plan_of(before).fixed != fixed


def test_a_server_starts_with_a_setting_of_many_texts() -> None:
    """It is too long for the name of a file, and names none."""
    assert plan_of(Config(exempt=tuple(f"192.0.2.{number}" for number in range(99)))).fixed


async def test_a_server_with_another_database_is_reloaded(
    tmp_path: Path, database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its folder of data says which process it is."""
    async with hosted(tmp_path, capsys, QUATCH_DATABASE=database) as host:
        assert await host.reload("clock = 35\n") == (0, f"Changed: clock. {IN_PLACE}\n", "")
