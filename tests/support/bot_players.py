"""Bots that go on playing whatever happens to their connections, and an audit of what the log has kept of it."""

import asyncio
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any, Final, TypeAlias

import asyncssh

from server.people.accounts import Accounts
from server.records.record import RecordedMove
from server.records.record_reader import read_record
from server.storage.database import Database, LogEntry
from server.table.apply_changes import follow, read_log
from server.table.entries import Moved, read_change
from tests.soak import long
from tests.support.bots import BotClient
from tests.support.log_entries import heads

KINDS: Final = {"play": "played", "flip": "flipped", "pickup": "picked-up", "pass": "passed"}
"""The kind of event that a move becomes."""
ARRANGED: Final = "ready"
"""While arranging all players move at once, so these moves have no ply of their own."""

COME_AGAIN_SECONDS: Final = long(200, 50) / 1000
"""How long a bot waits before it connects again: each time is a login, perhaps at a server that is not there yet."""

Made: TypeAlias = tuple[str, int, int, str]
"""A move as a bot knows it: game, ply, seat, text."""


class BotPlayer:
    """A bot with a key that goes on playing whatever happens to its connection."""

    def __init__(
        self,
        come_in: Callable[[], AbstractAsyncContextManager[BotClient]],
        identity: str,
        seed: int,
        *,
        pace: float = 0.0,
    ) -> None:
        """``come_in`` connects as this bot, whose key has this fingerprint.

        ``pace``: seconds before each move.
        """
        self._come_in, self._pace = come_in, pace
        self._chance = random.Random(seed)
        self.identity = identity
        self.sent: set[Made] = set()
        self.acknowledged: set[Made] = set()
        self.moved_at = 0.0
        self.told: list[dict[str, Any]] = []
        """The messages of the last connection."""
        self.table: int | None = None
        self.opened = asyncio.Event()
        self._hangs_up = False

    def hang_up(self) -> None:
        """Come in again after the next message."""
        self._hangs_up = True

    async def run(self, join: "BotPlayer | None") -> None:
        """Play until cancelled, at a new table or at another player's."""
        while True:
            with suppress(OSError, asyncssh.Error, AssertionError, TimeoutError):
                async with self._come_in() as client:
                    self.told = client.told
                    await self._play(client, join)
            await asyncio.sleep(COME_AGAIN_SECONDS)

    async def _play(self, client: BotClient, join: "BotPlayer | None") -> None:
        if self.table is None:
            if join is None:
                client.send(type="new", rules="quatch", seats=3)
            else:
                await join.opened.wait()
                client.send(type="join", table=join.table)
        seat, made = -1, None
        while message := await client.next():
            match message["type"]:
                case "joined":
                    self.table, seat = message["table"], message["seat"]
                    self.opened.set()
                    if join is not None:
                        client.send(type="start")
                case "turn":
                    await asyncio.sleep(self._pace)
                    move = self._chance.choice(message["legal"])
                    made = None if move == ARRANGED else (message["game"], message["ply"], seat, move)
                    self.sent |= {made} if made else set()
                    client.send(type="move", ply=message["ply"], move=move)
                case "event":
                    if made and message["event"].get("seat") == seat and shows(message["event"], made[-1]):
                        self.acknowledged.add(made)
                        self.moved_at = time.monotonic()
                        made = None
                case "over":
                    client.send(type="again")
                case "error" if seat < 0:
                    return  # the table is not known here yet, or the log cannot be read now
            if self._hangs_up:
                self._hangs_up = False
                return


def shows(event: Mapping[str, Any], move: str) -> bool:
    """Whether this event of the bot's own seat shows that the move was made.

    A bot that has come back to another node may be asked once more for a move that it made, and then see its first one.
    """
    verb, *words = move.split()
    if event["kind"] != KINDS[verb]:
        return False
    if verb == "play":
        return len(event["cards"]) == len(words) and all(map(str.startswith, event["cards"], words))
    return verb != "flip" or event["slot"] == int(words[0]) - 1


class Audit:
    """What the log has kept, read once or again and again, against what the bots know."""

    def __init__(self, players: Sequence[BotPlayer]) -> None:
        self._players = players
        self.of_bots: set[Made] = set()
        """The moves that bots made themselves, of games that the log has still."""
        self._hashes: dict[tuple[int, int], bytes] = {}
        self.logged: set[Made] = set()
        """The moves that the log had, of everybody."""
        self._times: dict[int, list[float]] = {}
        """When each entry of a table was written, in seconds since 1970."""
        self.forked: set[tuple[int, int]] = set()
        """The entries, by table and number, that were other ones at another time."""

    @property
    def lost(self) -> set[Made]:
        """The acknowledged moves that are not in the log."""
        return set[Made]().union(*(player.acknowledged for player in self._players)) - self.logged

    @property
    def doubled(self) -> set[Made]:
        """The moves of bots in the log that no bot has sent."""
        return self.of_bots - set[Made]().union(*(player.sent for player in self._players))

    async def read(self, log: Database) -> None:
        """Read all tables. Raises ValueError if an entry does not follow from those before it."""
        accounts = {await Accounts(log).of(player.identity) for player in self._players}
        for table in await heads(log):
            entries = await log.read(table)
            for entry in entries:
                if self._hashes.setdefault((table, entry.seq), entry.hash) != entry.hash:
                    self.forked.add((table, entry.seq))
            self._times[table] = [entry.at for entry in entries]
            for move, player_id in moves(entries):
                self.logged.add(move)
                if player_id in accounts:
                    self.of_bots.add(move)

    def waits(self, since: float) -> dict[int, float]:
        """After how many seconds something happened at each table, counted from this time since 1970."""
        later = {table: [at for at in times if at > since] for table, times in self._times.items()}
        return {table: min(times) - since for table, times in later.items() if times}

    async def read_finished(self, log: Database) -> None:
        """Read the records of the finished games, whose entries are deleted after a while."""
        after = 0
        while page := await log.games(after):
            after = page[-1][0]
            for _, listed in page:
                game = await log.game(listed.id)
                assert game is not None
                made = (step for step in read_record(game.record).steps if isinstance(step, RecordedMove))
                self.logged.update((game.id, ply, step.seat, step.text) for ply, step in enumerate(made))


def moves(entries: Sequence[LogEntry]) -> Iterator[tuple[Made, str]]:
    """Every move in the log of a table, with the id of the player who made it; empty if an AI player did."""
    state, _ = read_log(entries[:1])
    for entry in entries[1:]:
        change = read_change(entry.data)
        if isinstance(change, Moved) and change.move != ARRANGED and state.deal is not None:
            seat = state.seats[change.seat]
            by = seat.player.id if seat is not None and not seat.played_by_ai else ""
            yield (state.deal.game, state.ply, change.seat, change.move), by
        state, _ = follow(state, entry)
