"""`quatch bench growth`: what a start, a login and commands take as there is more and more of everything that is kept.

For each thing that grows by itself, `quatch serve` starts on a database with so much of it, and players come by ssh.
Whatever is kept for ever, or for long, belongs into `GROWING`, or a feature says that it grows: a test compares it with
the tables of the database. What is bounded, such as codes that are valid, does not grow.
"""

import asyncio
import hashlib
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from pkgutil import resolve_name
from random import Random
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import asyncssh

from engine.ai import LEVELS
from server.addresses import AddressSet
from server.bench.figures import Figure, Line
from server.bench.people import answer, in_lines
from server.bench.servers import MEGABYTE, program
from server.command_line import command_lines
from server.features import load
from server.history.ratings import Standings
from server.ledger import Ledger
from server.limits import SANCTIONS
from server.people.accounts import Accounts
from server.people.names import looks
from server.people.players import ACCOUNT, Player
from server.people.profiles import Profiles
from server.people.sanctions import Sanction
from server.people.settings import Settings
from server.records.results import Finish, Result
from server.storage.database import EMPTY, Database, FinishedGame, LogEntry, TakenSeat
from server.storage.sqlite_database import MemoryDatabase, SqliteDatabase
from server.storage.sqlite_file import FILE_NAME
from server.table.entries import Change, Committed, Dealt, Moved, Sat, TableSettings
from server.table.journal import Journal
from server.typed_json import write_versioned

Fill: TypeAlias = Callable[[Database, int], Awaitable[None]]
"""Puts so many things of one kind into a log."""
TOGETHER: Final = 2000
"""How many things are written together, which is faster."""
GAMES_OF_A_PLAYER: Final = 20
"""On average each player has played so many of the finished games."""
BEGAN: Final = 1_700_000_000.0
FOR_EVER: Final = 1e12
"""So far in the future that no table closes."""
APART: Final = 60.0
"""Seconds from one finished game to the next."""
WISHED: Final = "pablo"
"""The name that the bench's guests wish for, and that all names are like."""
SIZES: Final = (100, 10_000, 100_000)
FLAT: Final = 1.5
"""A figure is flat if the last is at most so many times the first."""
STARTS: Final = 3
LOGINS: Final = 9
PATIENCE_SECONDS: Final = 120.0
"""After this time a player gives up."""
ASKED: Final = {
    "play": b"Arrange your cards",
    **{typed: answer for each in load() for typed, answer in each.asked.items()},
}
"""What is typed, and a part of the answer."""
FIGURES: Final = {"start": "s", **dict.fromkeys((f"first {each}" for each in ASKED), "ms"), "login": "ms"} | {
    **dict.fromkeys(ASKED, "ms"),
    "memory": "MB",
}
"""The measured figures with their units. Those of starts, logins and later commands are the fastest of several."""


def bench_growth(options: Namespace) -> Iterator[Line]:
    """For each kind whose name contains the text of `--only`: its figures with much of it, beside those with little."""
    sizes, growing_figures = options.sizes or SIZES, list[str]()
    yield f"A server with so much of each kind, beside one with {sizes[0]:,}:"
    for kind, fill in growing().items():
        if options.only in kind:
            found = {size: asyncio.run(measure(fill, size)) for size in sizes}
            for what, unit in FIGURES.items():
                for size in sizes[1:] or sizes:
                    name = f"growth: {kind}, {what}, {size} beside {sizes[0]}"
                    figure = Figure(name, found[size][what], found[sizes[0]][what], unit)
                    yield figure
                if figure.ratio is not None and figure.ratio > FLAT:
                    growing_figures.append(f"{kind}, {what}")
    yield f"more than {FLAT} x: {'; '.join(growing_figures) or 'nothing'}"


async def measure(fill: Fill, size: int) -> dict[str, float]:
    """All figures of a server with so much of one kind; infinite if there was no answer."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with SqliteDatabase(folder / FILE_NAME) as log:
            await fill(log, size)
        figures = dict.fromkeys(FIGURES, inf)
        try:
            for _ in range(STARTS):
                async with program(folder) as server:
                    figures["start"] = min(figures["start"], server.seconds)
            async with program(folder) as server:
                figures |= await _ask(server.port)
                figures["memory"] = server.memory() / MEGABYTE
        except (OSError, asyncssh.Error, EOFError):
            pass  # the figures that are missing say so
        return figures


async def _ask(port: int) -> dict[str, float]:
    """Milliseconds of the first answers, and of the fastest of those that follow. Raises TimeoutError if none comes."""
    taken: dict[str, list[float]] = {what: [] for what in ("login", *ASKED)}
    for _ in range(LOGINS):
        async with asyncio.timeout(PATIENCE_SECONDS), in_lines(port, WISHED) as (player, took):
            taken["login"].append(1e3 * took)
            for command, expected in ASKED.items():
                taken[command].append(1e3 * await answer(player, command, expected))
    firsts = {f"first {command}": taken[command][0] for command in ASKED}
    return firsts | {what: min(times[1:]) for what, times in taken.items()}


async def add_finished_games(log: Database, games: int) -> None:
    """Games of two players each, with the moves of one real game; they are rated, and their table has closed.

    The last one has ended just now, so that the month has as many as a busy server's.
    """
    played, chance = await _finished_game(), Random("finished games")
    players, first = range(max(3, 2 * games // GAMES_OF_A_PLAYER)), time.time() - games * APART

    def writes() -> Iterator[Awaitable[object]]:
        head = EMPTY
        for number in range(1, games + 1):
            entry = LogEntry(1, number, b"%08d" % number, BEGAN, b"{}")
            both = {player: account(player) for player in chance.sample(players, 2)}
            finishes = (Finish(both[player], f"player{player}", rank) for rank, player in enumerate(both, 1))
            result = write_versioned(Result(tuple(finishes), drawn=False, plies=60))
            at, accounts = first + number * APART, tuple(both.values())
            game = replace(played, id=f"{number:08X}", at=at, result=result, accounts=accounts)
            yield log.append(head, entry, game, keep_from=number)
            head = entry.head
        yield log.delete(1, head)

    await write_all(writes())
    await Standings(log).count_all()


async def add_sleeping_tables(log: Database, tables: int) -> None:
    """Tables in the middle of a game, each of which keeps a seat for its only player."""
    log_of_one = MemoryDatabase()
    await _begun(log_of_one)
    entries = await log_of_one.read(1)

    def writes() -> Iterator[Awaitable[object]]:
        for number in range(1, tables + 1):
            owner, head = f"owner{number}", EMPTY
            seat = TakenSeat(account(number), owner, tuple(looks(owner)))
            for entry in entries:
                openers = () if head != EMPTY else (f"address 10.{number >> 16}.{number >> 8 & 255}.{number & 255}/32",)
                yield log.append(head, replace(entry, table=number), seats=[seat], openers=openers)
                head = entry.head
            yield log.put_to_sleep(number, head, FOR_EVER)

    await write_all(writes())


def _profiles(log: Database) -> Profiles:
    return Profiles(log, time.time, Ledger((), AddressSet(()), AddressSet(())))


async def add_names(log: Database, names: int) -> None:
    """Names of players with keys, all of them like the name that the bench's guests wish for."""
    profiles = _profiles(log)
    players = (Player(account(number), f"{WISHED}{number or ''}") for number in range(names))
    await write_all(Accounts(log).add_account(account(number), fingerprint(number), 0) for number in range(names))
    await write_all(map(profiles.claim_name, players))


async def add_the_rest(log: Database, number: int) -> None:
    """Settings, linked keys, bans, mutes, and texts that were deleted; no more than their limits allow."""
    profiles, chosen = _profiles(log), Settings(cards="suits")

    def writes() -> Iterator[Awaitable[object]]:
        for each in range(number):
            yield profiles.remember_settings(Player(account(each), ""), chosen)
            yield Accounts(log).link(fingerprint(number + each), account(each), account(number + each))
            for kind in ("ban", "mute"):
                yield log.put_text(kind, fingerprint(each), "{}")
                yield log.put_text(kind, fingerprint(each), None)
        for each in range(min(number, SANCTIONS.share)):
            for kind in ("ban", "mute"):
                sanction = Sanction(account(each), f"banned{each}", None, fingerprint(0))
                yield log.put_text(kind, sanction.target, write_versioned(sanction))

    await write_all(writes())


GROWING: Final[dict[str, Fill]] = {
    "finished games": add_finished_games,
    "sleeping tables": add_sleeping_tables,
    "names": add_names,
    "settings, links, bans": add_the_rest,
}


def growing() -> dict[str, Fill]:
    """All that grows, that of features too."""

    async def add_texts(texts: str, log: Database, accounts: int) -> None:
        rows: Iterable[tuple[str, str, str]] = resolve_name(texts)([account(each) for each in range(accounts)])
        await write_all(log.put_text(*row) for row in rows)

    of_features = {name: fill for each in command_lines().values() for name, fill in each.growing.items()}
    return GROWING | {name: partial(add_texts, texts) for name, texts in of_features.items()}


async def write_all(writes: Iterable[Awaitable[object]]) -> None:
    """Carry out these writes, many together."""
    todo = iter(writes)
    while some := list(islice(todo, TOGETHER)):
        await asyncio.gather(*some)


async def _finished_game() -> FinishedGame:
    """A game of a player with a key, which is kept, in which the moves of both are chosen as AI players do."""
    log, chance = MemoryDatabase(), Random("a game")
    journal = await _begun(log)
    while journal.state.playing:
        seat = journal.state.deciding[0]
        if (view := journal.state.view(seat)) is not None:
            await _write(journal, Moved(seat, str(LEVELS["easy"](view, chance))))
    ((_, listed),) = await log.games()
    game = await log.game(listed.id)
    assert game is not None  # noqa: S101 - it was just listed
    return game


async def _write(journal: Journal, change: Change) -> None:
    await journal.write(lambda _: change)


async def _begun(log: Database) -> Journal:
    """A table at which a player with a key and an AI player have been dealt a game."""
    player, fox = Player(account(0), "owner"), Player("ai:Fox", "Fox", "ai", "easy")
    journal = await Journal.begin(log, 1, TableSettings("quatch", {}, 2, "easy", secret=player.name), lambda: BEGAN)
    for change in (Sat(0, player), Sat(1, fox), Committed("00000000", f"{0:064x}"), Dealt(None)):
        await _write(journal, change)
    return journal


def account(number: int) -> str:
    """The id of an account."""
    return f"{ACCOUNT}{number:016x}"


def fingerprint(number: int) -> str:
    """A fingerprint."""
    return f"SHA256:{hashlib.sha256(b'%d' % number).hexdigest()[:43]}"
