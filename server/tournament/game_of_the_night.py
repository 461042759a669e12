"""Chooses the game of the night: that game of a tournament whose winner had come closest to losing it.

Only games count that a person has won alone and by the cards, with another person at the table. A worker reads each of
them and finds the winner's turns with the most cards more than the player who had fewest. In the games where that was
most, the review judges these turns. The game in which the winner's chance was lowest is chosen, with the turn at which
it was. As a review gives the same answer to the same question, each server chooses the same game.
"""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from msgspec import Struct

from engine.ai.verdict import Depth
from server.ai.pool import AIPool
from server.bounded_dict import make_room
from server.pieces import at_once
from server.records.record import Decision, decisions_of
from server.records.record_reader import parse_record
from server.records.results import read_result
from server.storage.database import Database, FinishedGame
from server.tournament.pairing import AI_SEAT, Seated
from server.tournament.state import Tournament

REVIEWED: Final = 4
"""How many games are reviewed."""
TURNS: Final = 5
"""How many turns of each game are judged."""
DEPTH: Final = Depth(simulations=100)
"""How closely each turn is looked at."""
REMEMBERED: Final = 50


class BestGame(Struct, frozen=True):
    """The game of the night: the one whose winner had come closest to losing it."""

    game: str
    """Its id."""
    seats: Seated
    winner: int
    """The winner's seat."""
    ply: int
    """The move before which the winner's chance was lowest."""
    chance: float
    """The winner's chance then, 0 to 1."""


class _Won(NamedTuple):
    """A game that a person has won, and the `hardest_turns` of the winner."""

    game: str
    seats: Seated
    winner: int
    turns: list[Decision]

    @property
    def behind(self) -> int:
        """How many cards the winner had more than the player with fewest, at the most."""
        return max(map(_behind, self.turns), default=0)


class GamesOfTheNight:
    """The games of the night of tournaments that are over; the last ones that were chosen are remembered."""

    def __init__(self, log: Database, ai_pool: AIPool) -> None:
        self._log, self._ai_pool = log, ai_pool
        self._chosen: dict[tuple[str, int], BestGame | None] = {}
        """By the id of the tournament and how many events it had: a correction may change the game."""
        self._choosing = asyncio.Lock()

    async def of(self, state: Tournament) -> BestGame | None:
        """The game of the night; None if no game counts. It may take seconds. Raises NotSaved, WorkerFailed."""
        async with self._choosing:
            key = (state.id, state.events)
            if key not in self._chosen:
                chosen = await self._choose(state)
                make_room(self._chosen, REMEMBERED)
                self._chosen[key] = chosen
            return self._chosen[key]

    async def _choose(self, state: Tournament) -> BestGame | None:
        games = list[_Won]()
        for game_id, seats, winner in _won_by_people(state):
            if (finished := await self._log.game(game_id)) is not None and _won_by_cards(finished, winner):
                turns = await self._ai_pool.run(partial(hardest_turns, finished.record, winner))
                games.append(_Won(game_id, seats, winner, turns))
        found = list[BestGame]()
        for game in sorted(games, key=lambda game: -game.behind)[:REVIEWED]:
            for turn in game.turns:
                seed = f"{game.game} {turn.ply}"
                chance = (await self._ai_pool.judge(turn.view, turn.made, seed, DEPTH)).chance
                found.append(BestGame(game.game, game.seats, game.winner, turn.ply, round(chance, 3)))
        return min(found, key=lambda game: game.chance, default=None)


def _won_by_people(state: Tournament) -> Iterator[tuple[str, Seated, int]]:
    """The id, the seats and the winner's seat of each game that counts."""
    for board in state.boards:
        ranks, seats = board.ranks, board.seats
        if not board.void and len(board.people) > 1 and ranks.count(1) == 1 and seats[ranks.index(1)] != AI_SEAT:
            yield board.game, seats, ranks.index(1)


def _won_by_cards(finished: FinishedGame, seat: int) -> bool:
    """Whether a seat was first by its cards: not by a correction, nor since the one ahead of it had stayed away."""
    finishes = read_result(finished.result).finishes
    return bool(finishes) and (finishes[seat].by_cards or finishes[seat].rank) == 1


def hardest_turns(record: str, seat: int) -> list[Decision]:
    """The turns of a seat at which it had the most cards more than another, in a worker. Raises InputError."""
    turns = at_once(decisions_of(at_once(parse_record(record)).record, seat))
    return sorted(turns, key=lambda turn: (-_behind(turn), turn.ply))[:TURNS]


def _behind(turn: Decision) -> int:
    view = turn.view
    seat = view.seat or 0
    return view.cards_of(seat) - min(view.cards_of(other) for other in view.seats if other != seat)
