"""Attacks with what is permitted: every command of the registry, as fast as may be.

They are made from the registry itself, so that a new command cannot be forgotten. One address has its twenty
connections and eighty sessions, and each session types on without end; the same once more from five addresses.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Final

from server.bench.attackers import Attack, Attacker, Ports, Score, act_on, let_in
from server.bench.people import Process
from server.commands.registry import Command, commands_with
from server.features import load
from server.limits import LINE_LENGTH, SESSIONS_ASKED, SESSIONS_PER_CONNECTION, USUAL_SIZE
from server.table.place import LOBBY, TABLE, WATCHING, Place

CONNECTIONS: Final = 20
ADDRESSES: Final = (1, 5)
PAUSE_SECONDS: Final = 0.05
"""Between two logins of an address, so that it does not fall foul of the limits on connections."""
LINES_AT_ONCE: Final = 50
"""Lines typed in one write."""
ARGUMENTS: Final[Mapping[str, str]] = {
    "RULES": "life",
    "KEY=VALUE": "seats=5",
    "N": "1",
    "SEAT": "1",
    "ID": "00000001",  # the finished game that `growth.add_finished_games` puts first into a log
    "COMMAND": "all",
    "LEVEL": "easy",
    "STYLE": "miser",
    "NAME": "attack",
    "SETTING": "tips",
    "VALUE": "off",
    "TIME": "30m",
}
"""What the words in capitals of a usage may stand for; any other is a word that means nothing."""
COME_IN: Final[Mapping[str, str]] = {
    "table": "set pace 0\nplay seats=4",
    "watching": "watch 1",
    "lobby": "",
}
"""What brings a session to a place of the core.

The first session of each connection plays where the others watch, so that there is a table to be watched.
"""
NONSENSE: Final = "qu\u0301x" * 20
HOSTILE: Final = (NONSENSE, "=" * LINE_LENGTH, "0" * 200, "(" * LINE_LENGTH)


def lines_of(command: Command) -> list[str]:
    """A command alone, with what may follow its name, and with what may not."""
    wanted = re.findall(r"[A-Z=]{1,}", command.usage.partition(", or")[0])
    given = " ".join(ARGUMENTS.get(word, NONSENSE) for word in wanted)
    return [command.name, f"{command.name} {given}".strip(), *(f"{command.name} {text}" for text in HOSTILE)]


def is_given_over_ssh(command: Command) -> bool:
    """Whether ssh carries it out in a session of its own, which ends with its answer."""
    return command.ssh not in {"", "bot", "screen", "session"}


def _floods() -> Iterator[tuple[str, Attacker]]:
    features = load()
    ways = {
        each: " ".join(ARGUMENTS.get(word, word) for word in each.reached_by.split()) for each in features.all(Place)
    }
    ways |= {each: COME_IN[each.name] for each in (TABLE, WATCHING, LOBBY)}
    for command in commands_with(features):
        place = next((each for each in ways if command.works(each)), None)
        if place is not None:
            yield f"{command.name} ({place.name})", sessions(lines_of(command), ways[place])
        if is_given_over_ssh(command):
            yield f"ssh {command.name}", _execs(lines_of(command))
        for word in command.answers_with:
            alone, given, *_ = lines_of(command)
            yield f"ssh {alone} {word}", _execs([f"{given} {word}"])
    yield "unknown command", sessions([NONSENSE, "frob", "", "x" * LINE_LENGTH], "")


def sessions(lines: Sequence[str], begin: str, *, bot: bool = False) -> Attacker:
    """Log in, open as many sessions as may be, and type in each without end: half of them on a full screen."""

    async def attacker(ports: Ports, source: str, score: Score) -> None:
        async with let_in(ports, source, score) as connection, asyncio.TaskGroup() as sessions:
            for number in range(SESSIONS_PER_CONNECTION):
                screen = not bot and number % 2 == 0
                process = await connection.create_process(
                    "bot" if bot else None, term_type="xterm" if screen else None, term_size=USUAL_SIZE, encoding=None
                )
                end = "\r" if screen else "\n"
                first = COME_IN["table"] if begin == COME_IN["watching"] and number == 0 else begin
                typed = (first.replace("\n", end) + end) if first else ""
                more = "".join(line + end for line in islice(cycle(lines), LINES_AT_ONCE)).encode()
                write = partial(_write, more)
                sessions.create_task(act_on(process, typed.encode(), write, score))

    return attacker


def _write(text: bytes, process: Process) -> None:
    process.stdin.write(text)


def _execs(lines: Sequence[str]) -> Attacker:
    """Log in, and give one command after the other, each in a session of its own."""

    async def attacker(ports: Ports, source: str, score: Score) -> None:
        async with let_in(ports, source, score) as connection:
            free = asyncio.Semaphore(SESSIONS_PER_CONNECTION)

            async def run(line: str) -> None:
                async with free:
                    await connection.run(line, encoding=None)
                    score.acts += 1

            async with asyncio.TaskGroup() as running:
                for number, line in enumerate(cycle(lines), 1):
                    running.create_task(run(line))
                    await asyncio.sleep(
                        0 if number < SESSIONS_ASKED.share.burst else 1 / SESSIONS_ASKED.share.per_second
                    )

    return attacker


def from_addresses(floods: Iterable[tuple[str, Attacker]]) -> dict[str, Attack]:
    """These floods by name, from one address and from several."""
    return {
        f"{name}{'' if count == 1 else f', {count} addresses'}": Attack(
            attacker, CONNECTIONS * count, count, PAUSE_SECONDS / count
        )
        for name, attacker in floods
        for count in ADDRESSES
    }


def command_floods() -> dict[str, Attack]:
    """Every flood of commands."""
    return from_addresses(_floods())
