"""`quatch bench attacks`: how long an honest player waits for answers while a server is attacked, and what it costs.

Server, attackers and the honest player are separate processes. Each attack stands beside the figures of a quiet server,
and of a server beside a process that uses a whole core: on a machine with two cores that alone costs time.
"""

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.sharedctypes import RawValue
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Final, NamedTuple

import asyncssh

from server.bench.attackers import ATTACKS, Attack, Ports, Process, Score, attack
from server.bench.command_floods import command_floods
from server.bench.figures import percentile
from server.bench.growth_data import add_finished_games
from server.bench.people import connect_guest
from server.bench.servers import Server, Serving, Usage, quatch, server_process
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog

BETWEEN_SECONDS: Final = 0.03
"""Seconds from one answer to the honest player's next question."""
ATTACK_SECONDS: Final = 3.0
"""The shortest time of an attack: bursts are over by then, and rates apply."""
AFTERWARDS_SECONDS: Final = 30.0
PATIENCE_SECONDS: Final = 90.0
"""After so much longer than an attack the server counts as dead."""
LOGINS: Final = 5
"""Newcomers, one after the other."""
MEGABYTE: Final = 1 << 20
P99_MS: Final = 100.0
MOST_MS: Final = 500.0
LOGIN_MS: Final = 1000.0
MEMORY_MB: Final = 32.0
"""Limits that no attack should exceed: on the honest player's answers, and on the server."""


class AttackFigures(NamedTuple):
    """The figures of one attack."""

    delays: list[float]
    """Seconds that each answer took."""
    login: float
    """Seconds that the slowest login of a newcomer took."""
    memory: int
    """The most memory that the server took more than before, in bytes."""
    acts: int
    left: str


Work = Callable[[Ports, Score], None]


def all_attacks() -> dict[str, Attack]:
    """Every attack by its name: those with what is forbidden, and those with every command that is permitted."""
    return {**ATTACKS, **command_floods()}


def bench_attacks(seconds: float, only: str = "") -> Iterator[str]:
    """Measure every attack whose name contains this text, each against a new server."""
    seconds = max(seconds, ATTACK_SECONDS)
    yield (f"{'':<34}{'answer p50':>12}{'p99':>12}{'most':>12}{'login':>12}{'memory':>12}{'left over':>12}{'acts':>10}")
    limits = f"{P99_MS:>9.1f} ms{MOST_MS:>9.1f} ms{LOGIN_MS:>9.1f} ms{MEMORY_MB:>9.1f} MB{'nothing':>12}"
    yield f"{'at most':<34}{'':>12}{limits}"
    attacks = {name: each for name, each in all_attacks().items() if only in name}
    works: dict[str, Work | None] = {"baseline: quiet": None, "baseline: a busy core": _spin}
    works |= {name: partial(_carry_out, name, each.connections) for name, each in attacks.items()}
    for name, work in works.items():
        try:
            with server_process(quatch_with_a_game) as server:
                figures = asyncio.run(_watch(work, attacks.get(name), server, seconds))
        except (OSError, EOFError, asyncssh.Error, asyncio.IncompleteReadError) as error:
            yield f"{name:<34} failed: {type(error).__name__}: {error}"
            continue
        half, most_of_all, most = (1e3 * percentile(figures.delays, percent) for percent in (50, 99, 100))
        delays = f"{half:>9.1f} ms{most_of_all:>9.1f} ms{most:>9.1f} ms{1e3 * figures.login:>9.1f} ms"
        yield f"{name:<34}{delays}{figures.memory / MEGABYTE:>9.1f} MB{figures.left:>12}{figures.acts:>10}"


async def quatch_with_a_game(folder: Path) -> Serving:
    """The whole program, with a finished game in its log."""
    log = SqliteLog(folder / FILE_NAME)
    await log.open()
    await add_finished_games(log, 1)
    await log.close()
    return await quatch(folder)


async def _watch(work: Work | None, attack: Attack | None, server: Server, seconds: float) -> AttackFigures:
    """Let an honest player ask again and again and newcomers log in, and watch the server.

    Raises TimeoutError if that takes far too long.
    """
    async with asyncio.timeout(seconds + PATIENCE_SECONDS):
        connection = await connect_guest(server.port, "honest")
        async with connection, connection.create_process(encoding=None) as honest:
            await honest.stdout.readuntil(b"Type play")
            await _answer(honest)
            before = server.usage()
            memory = server.memory()
            with _meanwhile(work, Ports(*server.ports)) as score:
                if attack is not None:
                    await asyncio.sleep(attack.connections * attack.between_seconds)
                delays, most = await _ask(server, honest, seconds)
                login = max([await _log_in(server) for _ in range(LOGINS)])
            left = await _left_over(server, before)
    return AttackFigures(delays, login, most - memory, score.acts, left)


async def _log_in(server: Server) -> float:
    """Come in as a newcomer; return the seconds until the greeting."""
    begin = time.perf_counter()
    connection = await connect_guest(server.port, "newcomer")
    try:
        newcomer = await connection.create_process(encoding=None)
        await newcomer.stdout.readuntil(b"Type play")
        return time.perf_counter() - begin
    finally:
        connection.abort()


async def _ask(server: Server, honest: Process, seconds: float) -> tuple[list[float], int]:
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
    end = time.perf_counter() + AFTERWARDS_SECONDS
    while True:
        now, tables = server.usage(), len(server.tables())  # a table is a task, and is kept for a while
        tasks = now.tasks - tables - before.tasks
        if now.descriptors <= before.descriptors and tasks <= 0:
            return "nothing"
        if time.perf_counter() > end:
            return f"{now.descriptors - before.descriptors} fd {tasks} tasks"
        await asyncio.sleep(BETWEEN_SECONDS)


@contextmanager
def _meanwhile(work: Work | None, ports: Ports) -> Iterator[Score]:
    """Run an attack, or nothing, in another process; yield its score, which grows meanwhile."""
    if work is None:
        yield Score()
        return
    context = multiprocessing.get_context("spawn")
    score, begun = RawValue(Score), context.Event()
    process = context.Process(target=_begin, args=(begun, work, ports, score), daemon=True)
    process.start()
    begun.wait()
    try:
        yield score
    finally:
        process.kill()
        process.join()


def _begin(begun: Event, work: Work, ports: Ports, score: Score) -> None:
    begun.set()
    work(ports, score)


def _spin(ports: Ports, score: Score) -> None:  # noqa: ARG001
    while True:
        pass


def _carry_out(name: str, connections: int, ports: Ports, score: Score) -> None:
    asyncio.run(attack(all_attacks()[name]._replace(connections=connections), ports, score))
