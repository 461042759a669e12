"""What a balancer reads of a server: whether new players should come to it."""

import asyncio
import urllib.error
from pathlib import Path
from urllib.request import urlopen

import pytest

from server.app.health import DRAINING
from server.app.metrics_http import BLOCKED, READY
from server.app.supervisor import health_of_all
from server.storage.memory_log import MemoryLog
from tests.support.people import RunningServer, running_server


def read(running: RunningServer) -> tuple[int, str]:
    """The status and the text of the page, without a word of the event loop's."""
    try:
        with urlopen(f"http://127.0.0.1:{running.metrics_port}/health", timeout=10) as page:
            return page.status, str(page.read(), "utf-8")
    except urllib.error.HTTPError as refusal:
        return refusal.code, str(refusal.read(), "utf-8")


async def test_a_server_is_ready_unless_it_drains_or_cannot_save(tmp_path: Path) -> None:
    """The reason is one line, and the page stays while the reason does."""
    log = MemoryLog()
    async with running_server(tmp_path, log, metrics_port=0) as running:
        assert await asyncio.to_thread(read, running) == (200, "ready\n")
        running.app.lobby.drain.begin(60)
        assert await asyncio.to_thread(read, running) == (503, "draining\n")
        log.problem = "the disk is full"
        assert await asyncio.to_thread(read, running) == (503, "database down: the disk is full\n")
        log.problem = ""
        running.app.lobby.drain.cancel()
        assert await asyncio.to_thread(read, running) == (200, "ready\n")


async def test_a_server_whose_event_loop_is_held_up_is_not_ready(tmp_path: Path) -> None:
    """This very test holds it up until it has the answer."""
    async with running_server(tmp_path, metrics_port=0) as running:
        assert read(running) == (503, f"{BLOCKED}\n")


async def test_health_can_be_asked_from_another_machine_if_the_host_says_so(tmp_path: Path) -> None:
    """At the address of the setting alone."""
    async with running_server(tmp_path, metrics_port=0, metrics_host="127.0.0.2") as running:
        with pytest.raises(OSError, match="refused"):
            await asyncio.to_thread(urlopen, f"http://127.0.0.1:{running.metrics_port}/health")
        page = await asyncio.to_thread(urlopen, f"http://127.0.0.2:{running.metrics_port}/health")
        assert page.read() == b"ready\n"
        page.close()


def test_a_server_is_as_ready_as_the_least_ready_of_its_processes() -> None:
    """Nobody chooses the process in which a player lands."""
    assert health_of_all([READY, READY]) == READY
    assert health_of_all([READY, DRAINING, READY]) == DRAINING
