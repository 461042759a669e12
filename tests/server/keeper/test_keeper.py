"""Several processes that are one server, and a server that is renewed while games go on."""

import argparse
import asyncio
import fcntl
import math
import os
import resource
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import asyncssh
import pytest
from structlog.testing import capture_logs

from server import VERSION
from server.app.app import FAREWELL, GOOD_BYE
from server.app.main_process import NotStarted
from server.app.run_process import SHARED
from server.config import ONE_PROCESS, Config, ConfigError
from server.keeper.keeper import Keeper
from server.keeper.plan import Plan, changed_settings, moved_settings, plan_of
from server.keeper.reload import NOT_RELOADED, OUTCOME_FILE, RENEWED, RULES_LEFT_OUT, Reachable, reload
from server.keeper.spawn import Program
from tests.support.bots import BotClient, bot, bots_at_both
from tests.support.hosted import HostedServer, hosted_server, is_running
from tests.support.patience import PATIENCE

PLAN = Plan([], 1, watchdog=0.0, settings=plan_of(Config()).settings)
FEW = 20
"""Plies after which two processes have heard of each other's moves often enough; they look five times a second."""


async def play(client: BotClient, message: dict[str, Any], ply: float = math.inf) -> None:
    """Play from this turn until this ply, or until the game is over.

    A move is made again that another process was faster than.
    """
    turn = message
    while message["type"] != "over" and turn["ply"] < ply:
        turn = turn if message["type"] == "refused" else message
        client.send(type="move", ply=turn["ply"], move=turn["legal"][0])
        message = await client.until("turn", "over", "refused")


async def lives(client: BotClient) -> bool:
    """Whether the connection is still there."""
    try:
        client.send(type="ping", id=1)
        return bool(await client.until("pong"))
    except ConnectionError:
        return False


@pytest.mark.features("cluster", "metrics")
async def test_processes_are_one_server(tmp_path: Path) -> None:
    """Players of different processes play; if a process is killed the others go on, and it is started again.

    If their keeper is killed they say so to their players and stop, and the port is free.
    """
    async with hosted_server(tmp_path, "--processes", "2", QUATCH_METRICS_PORT="0") as server:
        assert sum(line.startswith("ready ssh ") for line in server.lines) == 1
        both = server.children()
        async with AsyncExitStack() as stack:
            one, *_, other = bots = await bots_at_both(server, stack)
            table = (await one.ask_again("joined", type="new", rules="quatch", seats=2))["table"]
            await other.ask_again("joined", type="join", table=table)
            turn = await one.ask_again("turn", type="start")
            playing = [
                asyncio.create_task(play(*each, FEW)) for each in ((one, turn), (other, await other.until("turn")))
            ]
            await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)  # the other one waits for this one's move
            assert sum(player.cancel() for player in playing) == 1
            moves = await server.figures("moves_total")
            assert moves > 10
            assert await server.figures("sessions") == len(bots)
            assert await server.figures("tables") == 1
            os.kill(both[0], signal.SIGKILL)
            assert (await server.logged("a process has ended"))["problem"] == "signal SIGKILL"
            assert sorted([await lives(one), await lives(other)]) == [False, True]
        await server.until(lambda: len(server.children()) == 2)
        assert both[1] in server.children()
        assert await server.figures("moves_total") == moves
        async with bot(server.port) as player:
            processes = server.children()
            server.process.kill()
            assert (await player.until("error"))["message"] == GOOD_BYE
            await server.until(lambda: is_free(server.port))
            await server.until(lambda: not [each for each in processes if is_running(each)])


class ServiceManager:
    """Notes the names of what a server tells it, as sd_notify(3) has them."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.address = f"@quatch-test-{os.getpid()}"

    async def until_told_of_the_start(self, server: HostedServer) -> None:
        """Wait until it knows that the server is ready and lives; before, it starts still."""
        await server.until(lambda: self.told[-2:] == ["READY", "WATCHDOG"])
        assert set(self.told[:-2]) <= {"EXTEND_TIMEOUT_USEC"}


@pytest.fixture
async def manager() -> AsyncIterator[ServiceManager]:
    """A service manager that listens."""
    manager = ServiceManager()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(manager.address.replace("@", "\0"))
        loop = asyncio.get_running_loop()
        loop.add_reader(listening, lambda: manager.told.append(listening.recv(99).decode().partition("=")[0]))
        yield manager
        loop.remove_reader(listening)


@pytest.mark.features("telnet")
async def test_a_server_is_renewed_while_a_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], manager: ServiceManager
) -> None:
    """Who comes in later plays in the new process; wrong settings and a port in use change nothing.

    `quatch reload` tells whether the settings were taken, and which house rules were not. The service manager is told
    how the server is.
    """
    config = tmp_path / "quatch.toml"
    config.write_text("pace = 0\n")
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "life.toml").touch()
    named = argparse.Namespace(config=None, data=str(tmp_path / "data"))
    async with hosted_server(tmp_path, "--config", str(config), NOTIFY_SOCKET=manager.address) as server:
        await manager.until_told_of_the_start(server)
        (old,) = server.children()
        async with bot(server.port, "before") as before:
            turn = await before.ask_again("turn", type="new", rules="quatch", seats=3, fill="easy")
            with socket.create_server(("127.0.0.1", 0)) as taken:
                port = taken.getsockname()[1]
                for wrong, problem in (
                    ("pace = false\n", "pace: must be a number, not False"),
                    (f"telnet_port = {port}\n", f"telnet_port {port} is in use on 127.0.0.1"),
                    (
                        "database = 'postgresql://127.0.0.1/other'\n",
                        "database is not changed while the server runs: stop it, and start it again",
                    ),
                ):
                    config.write_text(wrong)
                    assert await asyncio.to_thread(reload, named) == 1
                    assert (await server.logged(NOT_RELOADED))["problem"] == problem
                    assert capsys.readouterr().err == f"quatch: {NOT_RELOADED}: {problem}\n"
            assert server.children() == [old]
            manager.told.clear()
            config.write_text(f"level = 'easy'\nrules_dir = '{rules}'\nper_address = 19\n")
            assert await asyncio.to_thread(reload, named) == RULES_LEFT_OUT
            reloaded = await server.logged("reloaded")
            problem = "life.toml: there is a rule set of that name already"
            assert (reloaded["version"], reloaded["not_loaded"]) == (VERSION, [problem])
            assert capsys.readouterr() == (
                f"Changed: errors in house rules, level, pace, per_address, rules_dir. {RENEWED.format(VERSION)}\n",
                f"quatch: house rules not loaded: {problem}\n",
            )
            await server.until(lambda: {"RELOADING", "READY"} <= {*manager.told})
            os.kill(old, signal.SIGSTOP)
            async with bot(server.port, "after"):
                await server.logged("came in")
            os.kill(old, signal.SIGCONT)
            await play(before, turn)
            assert (await before.until("error"))["message"] == FAREWELL
        await server.until(lambda: old not in server.children())
        assert await server.stop() == 0
        await server.until(lambda: manager.told[-1] == "STOPPING")
    with pytest.raises(ConfigError, match="no server runs on"):
        reload(named)


@pytest.mark.features("cluster")
async def test_a_second_server_on_a_folder_says_so_and_leaves_quatch_reload_to_the_first(tmp_path: Path) -> None:
    """In its last ready line, and in its log."""
    config = tmp_path / "quatch.toml"
    config.touch()
    named = argparse.Namespace(config=None, data=str(tmp_path / "data"))
    started = ("--config", str(config))
    async with hosted_server(tmp_path, *started) as first, hosted_server(tmp_path, *started) as second:
        assert second.process.stdout is not None
        assert await second.process.stdout.readline() == f"{SHARED.format(tmp_path / 'data')}\n".encode()
        config.write_text("clock = 35\n")
        assert await asyncio.to_thread(reload, named) == 0
        await first.logged("reloaded")
        await second.logged("quatch reload does not reach this server")


@pytest.mark.features("postgres")
def test_a_database_is_the_same_under_another_password() -> None:
    """Also with options that do not lead to other tables: a renewal may take them."""
    before = plan_of(Config(database="postgresql://ann:old@127.0.0.1/quatch"))
    for url, moved in (
        ("postgres://ann:new@127.0.0.1:5432/quatch?sslmode=require&passfile=pass&password=new", []),
        ("postgresql://127.0.0.1/quatch?user=ann&connect_timeout=9&application_name=q&keepalives=1&gssencmode=no", []),
        ("postgresql://ann:old@127.0.0.1/other", ["database"]),
        ("postgresql://ann:old@127.0.0.2/quatch", ["database"]),
        ("postgresql://ann:old@127.0.0.1:5433/quatch", ["database"]),
        ("postgresql://127.0.0.1/quatch?user=bo", ["database"]),
        ("postgresql://bo:old@127.0.0.1/quatch", ["database"]),
        ("postgresql://ann:old@127.0.0.1/quatch?search_path=other", ["database"]),
        ("postgresql://ann@/quatch?host=/run/other", ["database"]),
        ("", ["database"]),
    ):
        now = plan_of(Config(database=url))
        assert (moved_settings(before, now), changed_settings(before, now)) == (moved, ("database",))


@pytest.mark.features("metrics", "moderation")
async def test_a_server_that_is_renewed_and_then_drained_ends_with_the_games_of_its_old_process(tmp_path: Path) -> None:
    """Until then the new one lets players in, who read of the stop, and no newer one takes its place."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    settings = {"QUATCH_PACE": "0", "QUATCH_OPS": key.get_fingerprint(), "QUATCH_METRICS_PORT": "0"}
    async with hosted_server(tmp_path, **settings) as server:
        async with bot(server.port, "before") as before:
            turn = await before.ask_again("turn", type="new", rules="quatch", seats=3, fill="easy")
            server.process.send_signal(signal.SIGHUP)
            await server.logged("reloaded")
            async with server.connection("op", key) as connection:
                assert "in 10 min at the latest" in str((await connection.run("admin drain 10")).stdout)
            await server.until_health("draining")  # whichever process the op was in
            async with bot(server.port, "after") as after:
                refusal = await after.ask("error", type="new", rules="quatch", seats=3)
                assert refusal["message"].startswith("the server stops soon")
            server.process.send_signal(signal.SIGHUP)
            assert (await server.logged(NOT_RELOADED))["problem"] == "the server stops soon: type drain off first"
            assert len(server.children()) == 2
            await play(before, turn)
        assert await asyncio.wait_for(server.process.wait(), PATIENCE) == 0


def is_free(port: int) -> bool:
    """Whether nobody listens on this port."""
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


async def test_a_service_manager_is_told_that_a_failed_renewal_is_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Here the program is gone."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "manager"))
        manager.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "manager"))
        keeper = Keeper(Program([str(tmp_path / "quatch")]), PLAN, lambda: None, Reachable(tmp_path))
        await keeper.reload(is_hang_up=False)
        assert manager.recv(99).startswith(b"RELOADING=1")
        assert manager.recv(99) == b"READY=1"


async def test_quatch_reload_counts_also_when_the_terminal_has_just_gone(tmp_path: Path) -> None:
    """A signal does not, since the terminal may have sent it. Here the program is gone, too."""
    reachable = Reachable(tmp_path)
    reachable.begin()
    keeper = Keeper(Program([str(tmp_path / "quatch")]), PLAN, lambda: None, reachable)
    with capture_logs() as logs, (tmp_path / OUTCOME_FILE).open("rb") as asking:
        await keeper.reload(is_hang_up=True)
        assert not logs
        fcntl.flock(asking, fcntl.LOCK_EX)
        await keeper.reload(is_hang_up=True)
    assert [each["event"] for each in logs] == [NOT_RELOADED]
    reachable.close()


DRAINS_AT_ONCE = """
import os, socket, sys
from server.app.main_process import Drained, Ready
from server.config import Config
from server.keeper import LINK_VARIABLE, PLAN_VARIABLE
from server.keeper.link import line_of, wait_for_welcome
from server.keeper.plan import plan_of
if PLAN_VARIABLE in os.environ:
    sys.stdout.buffer.write(line_of(plan_of(Config())))
else:
    link = socket.socket(fileno=int(os.environ[LINK_VARIABLE]))
    wait_for_welcome(link)
    link.sendall(line_of(Ready([])) + line_of(Drained()))
"""


async def test_a_server_that_has_drained_is_not_renewed(tmp_path: Path) -> None:
    """It ends, perhaps with the games of an older process, and has closed its sockets."""
    ends, program = asyncio.Event(), Program([sys.executable, "-c", DRAINS_AT_ONCE])
    keeper = Keeper(program, PLAN, ends.set, Reachable(tmp_path))
    await keeper.start()
    await asyncio.wait_for(ends.wait(), PATIENCE)
    with capture_logs() as logs:
        await keeper.reload(is_hang_up=False)
    assert [each.get("problem") for each in logs] == ["the server stops soon: type drain off first"]
    assert await keeper.stop() == 0


async def test_a_group_for_which_there_are_no_free_file_descriptors_is_not_started(tmp_path: Path) -> None:
    """The host reads why."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, before[1]))
    try:
        with pytest.raises(NotStarted, match="Too many open files"):
            await Keeper(Program(["quatch"]), PLAN, lambda: None, Reachable(tmp_path)).start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.features("metrics")
async def test_without_a_keeper_a_server_serves_and_stops_and_a_renewal_is_refused(
    tmp_path: Path, manager: ServiceManager
) -> None:
    """Players and monitoring connect to the one process, which tells them and the service manager that it stops."""
    settings = {"QUATCH_METRICS_PORT": "0", "QUATCH_WORKERS": "0", "NOTIFY_SOCKET": manager.address}
    async with hosted_server(tmp_path, "--without", "keeper", **settings) as server:
        await manager.until_told_of_the_start(server)
        assert server.children() == []
        async with bot(server.port) as player:
            server.process.send_signal(signal.SIGHUP)
            assert ONE_PROCESS in (await server.logged("not reloaded, the server goes on as before"))["problem"]
            await server.until_health("ready")
            assert await server.figures("sessions") == 1
            server.process.send_signal(signal.SIGINT)
            assert (await player.until("error"))["message"] == GOOD_BYE
        async with asyncio.timeout(PATIENCE):
            assert await server.process.wait() == 0
        await server.until(lambda: manager.told[-1] == "STOPPING")
