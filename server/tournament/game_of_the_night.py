"""Chooses the game of the night: that game of a tournament whose winner had come closest to losing it.

Only games count that a person has won alone and by the cards, with another person at the table. A worker reads each of
them and finds the winner's turns with the most cards more than the player who had fewest. In the games where that was
most, the review judges these turns. The game in which the winner's chance was lowest is chosen, with the turn at which
it was. As a review gives the same answer to the same question, each server chooses the same game.
"""

import asyncio
from functools import partial
from typing import Final

from msgspec import Struct

from engine.ai.verdict import Depth
from server.ai.pool import AIPool
from server.bounded_dict import make_room
from server.pieces import at_once
from server.records.record import Decision, decisions_of
from server.records.record_reader import parse_record
from server.records.results import read_result
from server.storage.database import Database
from server.tournament.pairing import AI_SEAT
from server.tournament.standings import PlayedBoard
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

    board: PlayedBoard
    ply: int
    """The move before which the winner's chance was lowest."""
    chance: float
    """The winner's chance then, 0 to 1."""

    @property
    def winner(self) -> str:
        """The id of the winner."""
        return self.board.seats[self.board.ranks.index(1)]


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
        won = [(board, turns) for board in state.boards if (turns := await self._winners_turns(board))]
        won.sort(key=lambda each: -max(map(_behind, each[1])))
        found = list[BestGame]()
        for board, turns in won[:REVIEWED]:
            for turn in turns:
                judged = await self._ai_pool.judge(turn.view, turn.made, f"{board.game} {turn.ply}", DEPTH)
                found.append(BestGame(board, turn.ply, round(judged.chance, 3)))
        return min(found, key=lambda game: game.chance, default=None)

    async def _winners_turns(self, board: PlayedBoard) -> list[Decision]:
        """The `hardest_turns` of the winner of a board; none if the game does not count."""
        if board.void or len(board.people) < 2 or board.ranks.count(1) != 1:
            return []
        winner, game = board.ranks.index(1), await self._log.game(board.game)
        if board.seats[winner] == AI_SEAT or game is None:
            return []
        finishes = read_result(game.result).finishes
        # Not if a correction made them first, or since the one ahead of them had stayed away.
        if not finishes or (finishes[winner].by_cards or finishes[winner].rank) != 1:
            return []
        return await self._ai_pool.run(partial(hardest_turns, game.record, winner))


def hardest_turns(record: str, seat: int) -> list[Decision]:
    """The turns of a seat at which it had the most cards more than another, in a worker. Raises InputError."""
    turns = at_once(decisions_of(at_once(parse_record(record)).record, seat))
    return sorted(turns, key=lambda turn: (-_behind(turn), turn.ply))[:TURNS]


def _behind(turn: Decision) -> int:
    view = turn.view
    seat = view.seat or 0
    return view.cards_of(seat) - min(view.cards_of(other) for other in view.seats if other != seat)
