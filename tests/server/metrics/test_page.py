"""The page for monitoring: all processes as one server, and an answer whatever else happens."""

import asyncio
import os
import signal
import socket
import urllib.error
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric

from server.app.main_process import READY
from server.config import Config
from server.metrics.page import MetricsPage, counted, health_of_all, merge, read_page
from server.net.listening_sockets import open_all
from tests.support.hosted import hosted_server


def process(moves: int, tables: int) -> list[Metric]:
    """What a process measures that has seen so many moves and runs so many tables."""
    registry = CollectorRegistry()
    counter = Counter("moves", "Moves.", ["kind"], namespace="quatch", registry=registry)
    counter.labels("person").inc(moves)
    Gauge("tables", "Tables.", namespace="quatch", registry=registry).set(tables)
    Gauge("sessions", "Sessions.", namespace="quatch", registry=registry).set(1)
    Histogram("move_seconds", "Time.", namespace="quatch", registry=registry, buckets=(1.0,)).observe(moves)
    return read_page(generate_latest(registry).decode())


def page(*processes: list[Metric]) -> list[str]:
    """The figures of all these together, as they stand on the page."""
    return [
        f"{sample.name} {sample.value}" if not sample.labels else f"{sample.name} {sample.labels} {sample.value}"
        for metric in merge(processes)
        for sample in metric.samples
        if "created" not in sample.name
    ]


def test_figures_are_summed_up_but_for_what_all_processes_share() -> None:
    """Each process runs every table that is awake."""
    assert page(process(1, 7), process(2, 8)) == [
        "quatch_moves_total {'kind': 'person'} 3.0",
        "quatch_tables 8.0",
        "quatch_sessions 2.0",
        "quatch_move_seconds_bucket {'le': '1.0'} 1.0",
        "quatch_move_seconds_bucket {'le': '+Inf'} 2.0",
        "quatch_move_seconds_count 2.0",
        "quatch_move_seconds_sum 3.0",
    ]


def test_what_an_ended_process_has_counted_stays() -> None:
    """Its sessions do not."""
    ended = counted(process(5, 9))
    assert page(ended, process(0, 7))[:3] == [
        "quatch_moves_total {'kind': 'person'} 5.0",
        "quatch_move_seconds_bucket {'le': '1.0'} 1.0",
        "quatch_move_seconds_bucket {'le': '+Inf'} 2.0",
    ]
    assert "quatch_sessions 1.0" in page(ended, process(0, 7))


def test_a_server_is_as_ready_as_the_least_ready_of_its_processes() -> None:
    """Nobody chooses the process in which a player lands."""
    assert health_of_all([READY, READY]) == READY
    assert health_of_all([READY, "draining", READY]) == "draining"
    assert health_of_all([]) != READY


def read(port: int) -> tuple[int, str]:
    """The status and the text of the page of health."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=10) as answer:
            return answer.status, str(answer.read(), "utf-8")
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, str(refusal.read(), "utf-8")


async def test_a_silent_reader_does_not_keep_others_from_reading(capfd: pytest.CaptureFixture[str]) -> None:
    """Nor does a client that sends nonsense or another method, and nothing of it is printed."""
    page = MetricsPage(list)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        await page.open([listening])
        port = listening.getsockname()[1]
        for said in (
            b"GET",
            b"GET /metrics HTTP/1.0\r\nA: " + b"a" * 70_000,
            b"\x00\xff\r\n\r\n",
            b"PUT / HTTP/1.0\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", port)) as other:
                other.sendall(said)
                assert await asyncio.to_thread(read, port) == (503, "no process is ready\n")
    page.close()
    assert "127.0.0.1" not in capfd.readouterr().err


async def test_it_is_served_at_its_address_alone() -> None:
    """On this machine unless told otherwise; a port in use is told with its setting."""
    config = Config.load(None, {"QUATCH_METRICS_PORT": "0"}, {"port": 0})
    (place,) = (each for each in config.listens_at() if each.answers)
    (opened,) = await open_all([place])
    assert opened.ready_line.startswith("ready metrics 127.0.0.1 ")
    with pytest.raises(OSError, match=f"metrics_port {opened.port} is in use on 127.0.0.1"):
        await open_all([place._replace(port=opened.port)])
    opened.close()


async def test_a_process_that_does_not_answer_is_told_of(tmp_path: Path) -> None:
    """Its last figures stand on the page, and the health says that it is blocked; then it goes on."""
    keeper = pytest.importorskip("server.keeper.child", reason="it is what asks a process")
    async with hosted_server(tmp_path, QUATCH_METRICS_PORT="0") as server:
        await server.until_health(READY)
        before = await server.figures("log_writable")
        (process,) = server.children()
        os.kill(process, signal.SIGSTOP)
        try:
            await server.until_health(keeper.BLOCKED)
            assert await server.figures("log_writable") == before == 1
        finally:
            os.kill(process, signal.SIGCONT)
        await server.until_health(READY)
        assert await server.stop() == 0


def test_there_are_no_metrics_unless_asked_for() -> None:
    """Off by default."""
    assert not [place for place in Config.load(None, {}, {}).listens_at() if place.answers]
