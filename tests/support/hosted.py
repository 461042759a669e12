"""A server as a host runs it: a program with settings, signals, a log and ready lines."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.app.main_process import Beginning
from server.app.run_process import OneProcess
from server.cli.failures import FAILURES, explain
from server.config import Config
from server.storage.folder_in_use import folder_in_use
from tests.support.patience import PATIENCE
from tests.support.people import ReachedServer
from tests.support.programs import SERVE, as_a_host


class HostedServer(ReachedServer):
    """A server in processes of its own."""

    def __init__(self, process: asyncio.subprocess.Process, lines: list[str]) -> None:
        """``lines``: its ready lines."""
        self.process = process
        self.lines = lines
        ports = {line.split()[1]: int(line.split()[-1]) for line in lines if line.startswith("ready ")}
        self.port = ports["ssh"]
        self.telnet_port, self.web_port = ports.get("telnet", 0), ports.get("web", 0)
        self._metrics_port = ports.get("metrics", 0)

    def children(self) -> list[int]:
        """The numbers of its processes in which players are."""
        return children(self.process.pid)

    async def logged(self, event: str) -> dict[str, Any]:
        """Wait until this is logged; the line."""
        assert self.process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            while line := await self.process.stderr.readline():
                if line.startswith(b"{") and (said := json.loads(line))["event"] == event:
                    return dict(said)
        raise AssertionError(f"never logged: {event}")

    async def figures(self, name: str) -> float:
        """The sum of the figures of one metric, over its labels."""
        return await asyncio.to_thread(figure_at, self._metrics_port, name)

    async def until_health(self, expected: str) -> None:
        """Wait until a balancer reads this."""
        async with asyncio.timeout(PATIENCE):
            while await asyncio.to_thread(health_at, self._metrics_port) != expected:
                await asyncio.sleep(0.1)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until this holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.02)

    async def stop(self) -> int:
        """Tell it to stop; its exit status."""
        self.process.terminate()
        async with asyncio.timeout(PATIENCE):
            await self.process.communicate()
        return self.process.returncode or 0


def figure_at(metrics_port: int, name: str, seconds: float = 10) -> float:
    """The sum of the figures of one metric, over its labels. Raises OSError if nobody answers in time."""
    with urlopen(f"http://127.0.0.1:{metrics_port}/metrics", timeout=seconds) as page:
        families = text_string_to_metric_families(str(page.read(), "utf-8"))
    return sum(sample.value for family in families for sample in family.samples if sample.name == f"quatch_{name}")


def health_at(metrics_port: int, seconds: float = 10) -> str:
    """What a balancer reads there. Raises OSError if nobody answers in time."""
    try:
        with urlopen(f"http://127.0.0.1:{metrics_port}/health", timeout=seconds) as page:
            return str(page.read(), "utf-8").strip()
    except HTTPError as refusal:
        with refusal:
            return str(refusal.read(), "utf-8").strip()


@asynccontextmanager
async def hosted_server(folder: Path, *arguments: str, **settings: str) -> AsyncIterator[HostedServer]:
    """A server on a free port, with settings in its environment; killed at the end if it still runs."""
    places = {"QUATCH_HOSTKEYS": str(folder / "keys"), "QUATCH_DATA": str(folder / "data")}
    process = await asyncio.create_subprocess_exec(
        *(*SERVE, *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=as_a_host(**places, **settings),
    )
    assert process.stdout is not None
    lines: list[str] = []
    try:
        async with asyncio.timeout(PATIENCE):
            while not (lines and lines[-1].startswith("data in ")):
                lines.append((await process.stdout.readline()).decode().rstrip("\n"))
                assert lines[-1], (await process.communicate())[1].decode()
        yield HostedServer(process, lines)
    finally:
        if process.returncode is None:
            kill_server(process.pid)
            await process.communicate()


async def not_started(config: Config) -> tuple[str, int]:
    """Why a server of one process does not start with these settings: the line for the host, and the exit status."""
    with folder_in_use(Path(config.data)) as folder_is_shared, pytest.raises(FAILURES) as why:
        await OneProcess(config, lambda: None).start(Beginning(folder_is_shared, None))
    return explain(why.value)


def children(process: int) -> list[int]:
    """The numbers of the processes that this one has started."""
    return [int(text) for text in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()]


def send_to_server(keeper: int, number: signal.Signals) -> None:
    """Send a server a signal: the processes in which the players are, and its keeper.

    The keeper is last, since a process that has lost it ends in peace.
    """
    for process in (*children(keeper), keeper):
        with suppress(ProcessLookupError):
            os.kill(process, number)


def kill_server(keeper: int) -> None:
    """Kill a server at once, with all its processes; does nothing if it has ended."""
    with suppress(FileNotFoundError):
        send_to_server(keeper, signal.SIGKILL)


def is_running(process: int) -> bool:
    """Whether a process runs; one that has ended may be known to its parent still."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
