"""`quatch bench attacks`: how long an honest player waits for answers while a server is attacked, and what it costs.

Server, attackers and the honest player are separate processes. Each attack stands beside the same server just before:
a machine that does other things is slow then, too. The last lines name the attacks that miss the limits.
"""

import asyncio
import os
import time
from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr, suppress
from multiprocessing.sharedctypes import RawValue
from pathlib import Path
from pkgutil import resolve_name
from typing import Final, NamedTuple

from server.bench.attackers import ATTACKS, Attack, Ports, Score, attack, command_floods, is_given_over_ssh
from server.bench.figures import Figure, percentile, until
from server.bench.growth import add_finished_games
from server.bench.people import HOMES, Person, Process, answer, connect_guest, in_lines
from server.bench.servers import MEGABYTE, Server, Serving, UsedResources, forked, quatch, server_process
from server.command_line import command_lines
from server.commands.registry import commands_with
from server.features import load
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME

BETWEEN_SECONDS: Final = 0.05
"""Seconds from one answer to the honest player's next question; nobody types faster."""
QUIET_SECONDS: Final = 0.5
"""How long the honest player asks before the attack."""
ATTACK_SECONDS: Final = 2.0
"""The shortest time of an attack: bursts are over by then, and rates apply."""
FIRST_ACT_SECONDS: Final = 5.0
"""How long an attack may take to begin."""
AFTERWARDS_SECONDS: Final = 10.0
"""How long a server may take to clear away what an attack has left."""
PATIENCE_SECONDS: Final = 60.0
"""After so much longer than an attack the server counts as dead."""
LOGINS: Final = 3
"""Newcomers, one after the other."""
P99_MS: Final = 50.0
LOGIN_MS: Final = 1000.0
MEMORY_MB: Final = 32.0
"""The limits for the honest player's answers, for a newcomer's login and for the server's memory."""


class AttackFigures(NamedTuple):
    """The figures of one attack."""

    before: float
    p99: float
    """Milliseconds within which 99 of 100 answers to the honest player came, before the attack and during it."""
    login: float
    """Milliseconds that the slowest login of a newcomer took."""
    memory: float
    """The most memory that the server took more than before, in megabytes."""
    acts: int
    left: str
    """What the server has not cleared away afterwards; empty if nothing."""

    def missed(self) -> str:
        """Which limits the attack exceeds, in words; empty if none."""
        missed = [f"p99 {self.p99:.0f} > {P99_MS:.0f} ms"] * (self.p99 > P99_MS)
        missed += [f"login {self.login:.0f} > {LOGIN_MS:.0f} ms"] * (self.login > LOGIN_MS)
        missed += [f"memory {self.memory:.0f} > {MEMORY_MB:.0f} MB"] * (self.memory > MEMORY_MB)
        return ", ".join([*missed, *([f"left over: {self.left}"] if self.left else [])])


def all_attacks() -> dict[str, Attack]:
    """Every attack by its name: with input that is forbidden, and with every command that is permitted."""
    of_features = [resolve_name(each.attacks) for each in command_lines().values() if each.attacks]
    return {name: attack for attacks in (ATTACKS, *of_features, command_floods()) for name, attack in attacks.items()}


def bench_attacks(options: Namespace) -> Generator[str, None, int]:
    """Measure every attack whose name contains the text of `--only`, each against a new server.

    Returns the exit status: 1 if an attack missed a limit.
    """
    attacks = {name: each for name, each in all_attacks().items() if options.only in name}
    misses = dict[str, str]()
    yield "99 of 100 answers to an honest player, beside before the attack; and how often it was made:"
    for name, each in attacks.items():
        try:
            figures = measure(name, each, max(options.seconds, ATTACK_SECONDS))
        except Exception as error:  # noqa: BLE001 - whatever this attack has broken, the next one is measured
            line, missed = f"  {name}", f"failed: {type(error).__name__}: {error}"
        else:
            figure = Figure(f"attacks: {name}", figures.p99, figures.before, "ms")
            line, missed = f"{figure}, {figures.acts} times", figures.missed()
        yield f"{line}  {missed}".rstrip()
        misses |= {name: missed} if missed else {}
    yield f"{len(attacks) - len(misses)} of {len(attacks)} attacks are within the limits."
    yield from (f"  {name}: {missed}" for name, missed in misses.items())
    return int(bool(misses))


async def quatch_with_a_game(folder: Path) -> Serving:
    """The whole program, with a finished game in its log, and all that can be attacked."""
    async with SqliteDatabase(folder / FILE_NAME) as log:
        await add_finished_games(log, 1)
    settings = {name: value for each in command_lines().values() for name, value in each.attacked_with.items()}
    return await quatch(folder, settings)


def measure(name: str, attack: Attack, seconds: float) -> AttackFigures:
    """Measure a new server during this attack."""
    with server_process(quatch_with_a_game) as server:
        return asyncio.run(_watch(server, name, attack, seconds))


async def _watch(server: Server, name: str, attack: Attack, seconds: float) -> AttackFigures:
    """Let an honest player ask again and again and newcomers log in, and watch the server.

    Raises TimeoutError if that takes far too long.
    """
    async with asyncio.timeout(seconds + PATIENCE_SECONDS), in_lines(server.port, "honest") as (honest, _):
        # First the server loads what it loads for its first screen, and for the first command that is given over ssh.
        await (await Person().come_in(server.port, "first")).go()
        async with await connect_guest(server.port, "first", next(HOMES)) as connection:
            for command in filter(is_given_over_ssh, commands_with(load())):
                await connection.run(command.name, encoding=None)
        await _ask(server, honest, 0.0)
        before, memory = server.ask(Serving.used_resources), server.memory()
        quiet, _ = await _ask(server, honest, QUIET_SECONDS)
        with _attacked(name, attack.connections, server.ports) as score:
            await asyncio.sleep(attack.connections * attack.between_seconds)
            with suppress(TimeoutError):
                await until(lambda: bool(score.acts), FIRST_ACT_SECONDS)
            delays, most = await _ask(server, honest, seconds)
            login = 0.0
            for _ in range(LOGINS):
                async with in_lines(server.port, "newcomer") as (_, took):
                    login = max(login, took)
        left = await _left_over(server, before)
    p99_before, p99 = (1e3 * percentile(each, 99) for each in (quiet, delays))
    return AttackFigures(p99_before, p99, 1e3 * login, (most - memory) / MEGABYTE, score.acts, left)


async def _ask(server: Server, honest: Process, seconds: float) -> tuple[list[float], int]:
    """Type lines without a meaning; return the seconds until each answer, and the most memory of the server."""
    end, delays, memory = time.perf_counter() + seconds, list[float](), 0
    while not delays or time.perf_counter() < end:
        delays.append(await answer(honest, "frob", b"help lists all"))
        memory = max(memory, server.memory())
        await asyncio.sleep(BETWEEN_SECONDS)
    return delays, memory


async def _left_over(server: Server, before: UsedResources) -> str:
    end = time.perf_counter() + AFTERWARDS_SECONDS
    while True:
        now = server.ask(Serving.used_resources)
        # A table is a task, and is kept for a while.
        tasks = now.tasks - len(server.ask(Serving.listings)) - before.tasks
        if now.sockets <= before.sockets and tasks <= 0:
            return ""
        if time.perf_counter() > end:
            return f"{now.sockets - before.sockets} sockets {tasks} tasks"
        await asyncio.sleep(BETWEEN_SECONDS)


@contextmanager
def _attacked(name: str, connections: int, ports: Ports) -> Generator[Score]:
    """An attack in another process, inside the context; what it has done so far."""
    score = RawValue(Score)
    process = forked().Process(target=_carry_out, args=(name, connections, ports, score), daemon=True)
    process.start()
    try:
        yield score
    finally:
        process.kill()
        process.join()


def _carry_out(name: str, connections: int, ports: Ports, score: Score) -> None:
    # What attackers see is not what is measured.
    with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        asyncio.run(attack(all_attacks()[name]._replace(connections=connections), ports, score))
