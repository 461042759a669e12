"""Servers on which tournaments are played: players who make any legal move at once, and time that passes by itself."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeVar

import pytest

from engine.errors import InputError
from engine.events import Event
from server.ai.pool import AIPool, any_moves
from server.lobby.lobby import Lobby
from server.people.players import Caller, Kind
from server.player.player_session import PlayerSession
from server.records.results import read_result
from server.storage.database import Database
from server.table.snapshot import Snapshot
from server.tournament.events import Called, Entered
from server.tournament.known import TournamentLog
from server.tournament.service import tournaments_of
from server.tournament.state import Opened
from tests.server.tournament.chance import TABLE
from tests.support.accounts import keep_account, key_named
from tests.support.clock import Clock
from tests.support.emulator import open_lobby
from tests.support.features import FEATURES
from tests.support.front_end import Remembering

T = TypeVar("T")
SPREAD: Final = {4: (12, 8, 4, 0), 3: (12, 6, 0), 2: (10, 2), 1: (6,)}
"""The points of the places at a table with so many seats, as players are told."""


def pair_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have pairings computed without a thread, for which a virtual time does not wait."""

    async def at_once(_: AIPool, work: Callable[[], T], **__: object) -> T:
        return work()

    monkeypatch.setattr(AIPool, "run", at_once)


class Contestant(Remembering):
    """A player who makes any legal move as soon as there is one."""

    def __init__(self, lobby: Lobby, name: str, *, key: str | None = None, kind: Kind = "person") -> None:
        """``key``: the proven key; by default one that belongs to the name. Empty for a guest."""
        super().__init__()
        fingerprint = key_named(name) if key is None else key or None
        self.session = PlayerSession(lobby, Caller(name, fingerprint), self, kind)
        self.plays = True
        self.refusal: InputError | None = None
        """Why they could not take their seat again as they came in; what they are told then is to try again."""
        self._moving = set[asyncio.Task[None]]()

    async def come(self) -> None:
        """Come in."""
        await keep_account(self.session.lobby, self.session.caller)
        await self.session.identify()
        await self.session.begin()

    async def go(self) -> None:
        """Hang up."""
        for task in self._moving:
            task.cancel()
        await self.session.finish()

    def updated(self, before: Snapshot | None, snapshot: Snapshot, events: tuple[Event, ...]) -> None:
        """The table has changed."""
        super().updated(before, snapshot, events)
        if self.plays and snapshot.my_turn and not snapshot.away:
            task = asyncio.create_task(self._move(snapshot))
            self._moving.add(task)
            task.add_done_callback(self._moving.discard)

    def refused(self, error: InputError) -> None:
        """The seat cannot be taken again."""
        super().refused(error)
        self.refusal = error

    def answered(self, asked: str, lines: list[str], *, number_means: str = "") -> None:  # noqa: ARG002
        """Lines to read."""
        self.lines += lines

    async def _move(self, snapshot: Snapshot) -> None:
        assert snapshot.view is not None
        assert snapshot.seat is not None
        try:
            move = any_moves(snapshot.view, snapshot.seat)[0]
            await self.session.table.move(self.session, snapshot.ply, move, snapshot.game)
        except InputError:
            pass  # the table has moved on


@asynccontextmanager
async def tournament_lobby(store: Database | None = None, clock: Clock | None = None) -> AsyncIterator[Lobby]:
    """A server with AI players that move at once. Players who are here at the end hang up."""
    async with open_lobby(store, features=FEATURES, wall=clock or Clock(), grace=5.0) as lobby:
        with pytest.MonkeyPatch.context() as monkeypatch:
            pair_at_once(monkeypatch)
            try:
                yield lobby
            finally:
                for session in [each for each in lobby.visitors.here if isinstance(each, PlayerSession)]:
                    await session.finish()


def opened(lobby: Lobby, **settings: object) -> Opened:
    """What a tournament is opened for: a swiss of three rounds, which the host starts."""
    usual: dict[str, object] = {
        "name": "friday",
        "format": "swiss",
        "host": "account:p0",
        "host_name": "p0",
        "at": tournaments_of(lobby).now(),
        "seed": "seed",
        "table": TABLE,
        "rounds": 3,
        "start": "host",
    }
    return Opened(**{**usual, **settings})  # type: ignore[arg-type]


async def enter(its: TournamentLog, lobby: Lobby, *people: Contestant) -> None:
    """Players enter a tournament."""
    for each in people:
        player = each.session.player
        await its.write(Entered(at=tournaments_of(lobby).now(), by=player.id, player=player))


async def contestants(lobby: Lobby, count: int, *, plays: bool = True) -> list[Contestant]:
    """So many players who have come in: p0, p1 and so on."""
    people = [Contestant(lobby, f"p{number}") for number in range(count)]
    for each in people:
        each.plays = plays
        await each.come()
    return people


async def started(
    lobby: Lobby, count: int, *, plays: bool = True, **settings: object
) -> tuple[TournamentLog, list[Contestant]]:
    """A tournament that so many players have entered, and that has been started."""
    its = await tournaments_of(lobby).open_tournament(opened(lobby, **settings))
    people = await contestants(lobby, count, plays=plays)
    await enter(its, lobby, *people)
    if its.state.opened.start == "host":
        await its.write(Called(at=tournaments_of(lobby).now(), by="account:p0", round=1))
    return its, people


@asynccontextmanager
async def evening(
    count: int, *, plays: bool = True, store: Database | None = None, clock: Clock | None = None, **settings: object
) -> AsyncIterator[tuple[Lobby, TournamentLog, list[Contestant]]]:
    """A server, a tournament there that has been started, and its players."""
    async with tournament_lobby(store, clock) as lobby:
        yield lobby, *await started(lobby, count, plays=plays, **settings)


async def points_by_records(log: Database, its: TournamentLog) -> dict[str, int]:
    """The points of all entrants, from the finished games alone, by another sum than that of the standings."""
    found = dict.fromkeys(its.state.entrants, 0)
    for played in its.state.rounds:
        for board in played.boards:
            game = await log.game(board.game)
            assert game is not None, "a game that counts is in the log"
            result = read_result(game.result).occasion
            assert result
            for rank in {*result.ranks}:
                tied = [player for player, own in zip(board.seats, result.ranks, strict=True) if own == rank]
                ahead = sum(own < rank for own in result.ranks)
                share = sum(SPREAD[len(result.ranks)][ahead : ahead + len(tied)]) // len(tied)
                for player in filter(None, tied):
                    found[player] += share
    return found


async def until(holds: Callable[[], bool], seconds: float = 3600.0) -> None:
    """Wait until this holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.5)


def is_over(its: TournamentLog) -> bool:
    """Whether a tournament is over."""
    return its.state.phase == "over"
