"""What grows as a server lives on, and how `quatch bench growth` fills a log with so much of it.

Whatever is kept for ever, or for long, belongs into `GROWING`.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Final, TypeAlias

from engine.ai import LEVELS
from server.people.players import Player
from server.records.results import Finish, Result, write_result
from server.storage.memory_log import MemoryLog
from server.storage.table_log import EMPTY, FinishedGame, LogEntry, TableLog, TakenSeat
from server.table.entries import Change, Committed, Dealt, Moved, Sat, TableSettings
from server.table.journal import Journal

Fill: TypeAlias = Callable[[TableLog, int], Awaitable[None]]
"""Puts so many things of one kind into an empty log."""
PLAYERS: Final = 1000
"""So many people have played the finished games."""
OWNERS: Final = 100
"""So many people have left the sleeping tables."""
TOGETHER: Final = 2000
"""So many things are written at once, which is faster."""
BEGAN: Final = 1_700_000_000.0
FOR_EVER: Final = 1e12
"""So far in the future that no table closes."""
APART: Final = 60.0
"""Seconds from one finished game to the next."""


async def add_finished_games(log: TableLog, games: int) -> None:
    """Games of two players each, with the moves of one real game; the table that they were played at has closed."""
    played, chance = await _finished_game(), Random("finished games")

    def writes() -> Iterator[Awaitable[None]]:
        head = EMPTY
        for number in range(1, games + 1):
            entry = LogEntry(1, number, b"%08d" % number, BEGAN, b"{}")
            game = replace(played, id=f"{number:08X}", at=BEGAN + number * APART, result=_result(chance))
            yield log.append(head, entry, game, keep_from=number)
            head = entry.head
        yield log.delete(1, head)

    await _write(writes())


async def add_sleeping_tables(log: TableLog, tables: int) -> None:
    """Tables in the middle of a game, which is kept for a player with a key."""
    logs = [await _sleeping_table(number) for number in range(min(OWNERS, tables))]

    def writes() -> Iterator[Awaitable[None]]:
        for number in range(tables):
            head = EMPTY
            for entry in logs[number % len(logs)]:
                yield log.append(head, replace(entry, table=number + 1))
                head = entry.head
            owner = number % len(logs)
            seat = TakenSeat(_identity(owner), f"owner{owner}", (f"owner{owner}",))
            yield log.put_to_sleep(number + 1, head, FOR_EVER, [seat])

    await _write(writes())


async def add_names(log: TableLog, names: int) -> None:
    """Names of players with keys, all of them like the name that the bench's guests wish for."""
    await _write(log.put_text("name", _identity(number), f"guest{number or ''}") for number in range(names))


GROWING: Final[dict[str, Fill]] = {
    "finished games": add_finished_games,
    "sleeping tables": add_sleeping_tables,
    "names": add_names,
}


async def _write(writes: Iterable[Awaitable[None]]) -> None:
    todo = iter(writes)
    while some := list(islice(todo, TOGETHER)):
        await asyncio.gather(*some)


async def _finished_game() -> FinishedGame:
    """A game that two AI players have played to its end."""
    log, chance = MemoryLog(), Random("a game")
    journal = await _begun(log, Player("ai:Owl", "Owl", "ai", "easy"))
    while journal.state.playing:
        seat = journal.state.deciding[0]
        if (view := journal.state.view(seat)) is not None:
            await journal.add(Moved(seat, str(LEVELS["easy"](view, chance))))
    ((_, listed),) = await log.games()
    game = await log.game(listed.id)
    assert game is not None  # noqa: S101 - it was just listed
    return game


def _result(chance: Random) -> str:
    one, other = chance.sample(range(PLAYERS), 2)
    finishes = [Finish(_identity(player), f"player{player}", rank) for rank, player in enumerate((one, other), 1)]
    return write_result(Result(tuple(finishes), drawn=False, plies=60))


async def _sleeping_table(owner: int) -> list[LogEntry]:
    """The log of a table at which a game has begun."""
    log = MemoryLog()
    await _begun(log, Player(_identity(owner), f"owner{owner}"))
    return await log.read(1)


async def _begun(log: TableLog, player: Player) -> Journal:
    """A table at which this player and an AI player have been dealt a game."""
    settings = TableSettings("quatch", {}, 2, "easy", secret=player.name)
    journal = await Journal.begin(log, 1, settings, lambda: BEGAN)
    fox = Player("ai:Fox", "Fox", "ai", "easy")
    changes: list[Change] = [Sat(0, player), Sat(1, fox), Committed("00000000", f"{0:064x}"), Dealt(None)]
    for change in changes:
        await journal.add(change)
    return journal


def _identity(number: int) -> str:
    """A fingerprint."""
    return f"SHA256:{hashlib.sha256(b'%d' % number).hexdigest()[:43]}"
