"""`quatch bench cluster`: what it costs that several nodes share a PostgreSQL.

It starts a PostgreSQL of its own, which syncs as a real one does. First moves are on their way to the disk and to
another node (`fan_out.py`), then come what nodes tell each other of their players (`presence.py`), and real servers
with games going on (`restarts.py`, `nodes.py`).
"""

from collections.abc import Iterator
from typing import Final

from server.bench.fan_out import bench_fan_out
from server.bench.figures import Line, Missing
from server.bench.nodes import NodeFailed, bench_processes
from server.bench.presence import bench_presence
from server.bench.private_postgres import running_postgres
from server.bench.restarts import FULL, SHORT, bench_restarts
from server.storage.table_log import NotSaved, OutcomeUnknown

SHORTEST: Final = 0.2
"""The shortest time that gives a figure, in seconds."""


def bench_cluster(seconds: float, *, is_full: bool = False) -> Iterator[Line]:
    """All of it. With ``is_full`` a hundred games go on while each node is restarted ten times."""
    seconds = max(seconds, SHORTEST)
    with running_postgres() as postgres:
        if postgres is None:
            yield Missing("there is no PostgreSQL: apt-get install postgresql, or name the folder of initdb in PG_BIN")
            return
        yield from _or_why_not("moves", bench_fan_out(postgres, seconds))
        yield from _or_why_not("presence", bench_presence(postgres, seconds))
        yield from _or_why_not("restarts", bench_restarts(postgres, FULL if is_full else SHORT))
        yield from _or_why_not("processes", bench_processes(seconds))


def _or_why_not(what: str, lines: Iterator[Line]) -> Iterator[Line]:
    """These lines; if they come to no end, a last one that says why."""
    try:
        yield from lines
    except (NodeFailed, NotSaved, OutcomeUnknown, OSError) as error:  # also TimeoutError
        yield Missing(f"no more figures of {what}: {error or 'it took too long'}")
