"""The pages for the host's monitoring and balancer, over HTTP, on this machine only by default.

`/health` says whether new players should come: 200 with `ready`, or 503 with the reason. Every other path has the
metrics of all processes as those of one server: most figures are summed up. Some are the same in every process, such as
the number of tables: of these the largest or the smallest counts.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from server.app.main_process import READY, Measurable

HEALTH_PATH: Final = b"/health"
MEASURE_SECONDS: Final = 0.5
"""How long to wait for the metrics of the processes."""
READER_SECONDS: Final = 1.0
"""How long a client may take to send its request, and to read the answer."""
COUNTING: Final = frozenset({"counter", "histogram"})
"""The kinds of metric that only grow."""
_MERGED_BY: Final[Mapping[str, Callable[[float, float], float]]] = {
    "quatch_tables": max,
    "quatch_tables_asleep": max,
    "quatch_seats": max,
    "quatch_database_bytes": max,
    "quatch_players_today": max,
    "quatch_processes": max,
    "quatch_backup_age_seconds": min,
    "quatch_log_writable": min,
    "process_start_time_seconds": min,
}


class MetricsPage:
    """Serves metrics and health."""

    def __init__(self, processes: Callable[[], Sequence[tuple[Measurable, bool]]]) -> None:
        """``processes``: those that serve players, and whether each accepts new ones. See `open`."""
        self._processes = processes
        self._ended: list[Metric] = []
        """What processes have counted that have ended."""
        self._servers: list[asyncio.Server] = []

    async def open(self, sockets: Sequence[socket.socket]) -> None:
        """See `main_process.Page`."""
        for listening in sockets:
            self._servers.append(await asyncio.start_server(self._answer, sock=listening.dup()))

    def note_end(self, process: Measurable) -> None:
        """See `main_process.Page`. What the process has counted stays on the page, so that no counter falls."""
        self._ended = merge([self._ended, counted(read_page(process.page))])

    def close(self) -> None:
        """See `main_process.Page`."""
        for server in self._servers:
            server.close()

    def collect(self) -> Iterable[Metric]:
        """What the processes have told last, as `prometheus_client` reads it."""
        return merge([self._ended, *(read_page(process.page) for process, _ in self._processes())])

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one request. A client that sends nonsense, or nothing, gets no answer."""
        with suppress(OSError, TimeoutError, ValueError, EOFError, asyncio.LimitOverrunError):
            async with asyncio.timeout(READER_SECONDS):
                _method, path, _ = (await reader.readuntil(b"\r\n\r\n")).split(maxsplit=2)
            status, kind, page = await (self._health() if path == HEALTH_PATH else self._metrics())
            head = f"HTTP/1.0 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(page)}\r\n\r\n"
            writer.write(head.encode() + page)
            async with asyncio.timeout(READER_SECONDS):
                await writer.drain()
        writer.close()

    async def _health(self) -> tuple[str, str, bytes]:
        said = health_of_all(process.health for process, accepts in self._processes() if accepts)
        return (
            "200 OK" if said == READY else "503 Service Unavailable",
            "text/plain; charset=utf-8",
            f"{said}\n".encode(),
        )

    async def _metrics(self) -> tuple[str, str, bytes]:
        """The metrics of now; of a process that is late, the last ones count."""
        if asking := [asyncio.create_task(process.measure()) for process, _ in self._processes()]:
            _, late = await asyncio.wait(asking, timeout=MEASURE_SECONDS)
            for task in late:
                task.cancel()
        return "200 OK", CONTENT_TYPE_LATEST, generate_latest(self)


def merge(processes: Iterable[Iterable[Metric]]) -> list[Metric]:
    """The metrics of these processes as those of one server."""
    merged: dict[str, Metric] = {}
    figures: dict[str, dict[tuple[str, ...], Sample]] = {}
    for metrics in processes:
        for metric in metrics:
            merged.setdefault(metric.name, Metric(metric.name, metric.documentation, metric.type))
            by_labels = figures.setdefault(metric.name, {})
            for sample in metric.samples:
                key = (sample.name, *sample.labels.values())
                before, value = by_labels.get(key), sample.value
                if before is not None:
                    by = _MERGED_BY.get(metric.name)
                    value = by(before.value, value) if by else before.value + value
                by_labels[key] = Sample(sample.name, sample.labels, value)
    for name, metric in merged.items():
        metric.samples = [*figures[name].values()]
    return [*merged.values()]


def read_page(page: str) -> list[Metric]:
    """The metrics that a process has measured."""
    return [*text_string_to_metric_families(page)]


def counted(metrics: Iterable[Metric]) -> list[Metric]:
    """The metrics among these that only grow."""
    return [metric for metric in metrics if metric.type in COUNTING]


def health_of_all(processes: Iterable[str]) -> str:
    """The health of a server of several processes: `ready` if all are, otherwise that of the first that is not."""
    found = list(processes)
    return next((health for health in found if health != READY), READY if found else "no process is ready")
