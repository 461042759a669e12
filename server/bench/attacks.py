"""`quatch bench attacks`: how long an honest player waits for answers while a server is attacked, and what it costs.

Server, attackers and the honest player are separate processes. Each attack stands beside the figures of a quiet server,
and of a server beside a process that uses a whole core: on a machine with two cores that alone costs time.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawValue
from typing import Final, NamedTuple

from server.bench.attackers import ADDRESS, ATTACKS, Ports, Process, Score, attack, connected
from server.bench.servers import Server, Usage, besieged, server_process

BETWEEN_SECONDS: Final = 0.03
"""Seconds from one answer to the honest player's next question."""
ATTACK_SECONDS: Final = 3.0
"""The shortest time of an attack: bursts are over by then, and rates apply."""
AFTERWARDS_SECONDS: Final = 30.0
"""How long the traces of an attack may take to disappear."""
MEGABYTE: Final = 1 << 20
P99_MS: Final = 100.0
MOST_MS: Final = 500.0
MEMORY_MB: Final = 32.0
"""Limits that no attack should exceed: on the honest player's answers, and on the server."""


class AttackFigures(NamedTuple):
    """The figures of one attack."""

    delays: list[float]
    """Seconds for each answer."""
    memory: int
    """The most memory that the server took more than before, in bytes."""
    acts: int
    """How often the attack was made."""


def bench_attacks(seconds: float, only: str = "") -> Iterator[str]:
    """Measure every attack whose name contains this text, each against a new server."""
    seconds = max(seconds, ATTACK_SECONDS)
    yield f"{'':<34}{'answer p50':>12}{'p99':>12}{'most':>12}{'memory':>12}{'left over':>12}{'acts':>10}"
    yield f"{'at most':<34}{'':>12}{P99_MS:>9.1f} ms{MOST_MS:>9.1f} ms{MEMORY_MB:>9.1f} MB{'nothing':>12}"
    yield _measured("baseline: quiet", None, seconds)
    yield _measured("baseline: a busy core", _spin, seconds)
    for name in ATTACKS:
        if only in name:
            yield _measured(name, _carry_out, seconds)


Work = Callable[[str, Ports, Score], None]


def _measured(name: str, work: Work | None, seconds: float) -> str:
    with server_process(besieged) as server:
        figures, left = asyncio.run(_watch(name, work, server, seconds))
    half, most_of_all, most = (1e3 * _percentile(figures.delays, percent) for percent in (50, 99, 100))
    grown = f"{figures.memory / MEGABYTE:.1f} MB"
    return f"{name:<34}{half:>9.1f} ms{most_of_all:>9.1f} ms{most:>9.1f} ms{grown:>12}{left:>12}{figures.acts:>10}"


def _percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


async def _watch(name: str, work: Work | None, server: Server, seconds: float) -> tuple[AttackFigures, str]:
    """Let an honest player ask again and again, and watch the server."""
    async with (
        connected(Ports(*server.ports), ADDRESS) as connection,
        connection.create_process(encoding=None) as honest,
    ):
        await honest.stdout.readuntil(b"Type play")
        await _answer(honest)
        before = server.usage()
        memory = server.memory()
        with _somebody_else(name, work, Ports(*server.ports)) as score:
            delays, most = await _ask(server, honest, seconds)
        left = await _left_over(server, before)
    return AttackFigures(delays, most - memory, score.acts), left


async def _ask(server: Server, honest: Process, seconds: float) -> tuple[list[float], int]:
    """The seconds for each answer, and the server's peak memory."""
    end = time.perf_counter() + seconds
    delays = list[float]()
    memory = 0
    while time.perf_counter() < end:
        delays.append(await _answer(honest))
        memory = max(memory, server.memory())
        await asyncio.sleep(BETWEEN_SECONDS)
    return delays, memory


async def _answer(honest: Process) -> float:
    """Type a line without a meaning; return the seconds until the answer."""
    begin = time.perf_counter()
    honest.stdin.write(b"frob\n")
    await honest.stdout.readuntil(b"nknown command")
    return time.perf_counter() - begin


async def _left_over(server: Server, before: Usage) -> str:
    """What is left of the attackers after they have gone."""
    end = time.perf_counter() + AFTERWARDS_SECONDS
    while (now := server.usage()).descriptors > before.descriptors or now.tasks > before.tasks:
        if time.perf_counter() > end:
            return f"{now.descriptors - before.descriptors} fd {now.tasks - before.tasks} tasks"
        await asyncio.sleep(BETWEEN_SECONDS)
    return "nothing"


@contextmanager
def _somebody_else(name: str, work: Work | None, ports: Ports) -> Iterator[Score]:
    """Run something in another process meanwhile, and return its result."""
    if work is None:
        yield Score()
        return
    context = multiprocessing.get_context("spawn")
    score = RawValue(Score)
    ours, theirs = context.Pipe()
    process = context.Process(target=_begin, args=(name, work, ports, score, theirs), daemon=True)
    process.start()
    ours.recv()
    try:
        yield score
    finally:
        process.kill()
        process.join()


def _begin(name: str, work: Work, ports: Ports, score: Score, pipe: "Connection[str, None]") -> None:
    pipe.send("ready")
    work(name, ports, score)


def _spin(name: str, ports: Ports, score: Score) -> None:  # noqa: ARG001
    while True:
        pass


def _carry_out(name: str, ports: Ports, score: Score) -> None:
    asyncio.run(attack(name, ports, score))
