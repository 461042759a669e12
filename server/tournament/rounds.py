"""Carries out the rounds of tournaments: opens and deals their tables, brings the players there, notes the results.

Every process does this for every tournament that goes on. The log decides which of two equal events counts, and a table
does nothing twice, so it does no harm if several processes do the same, or if one is killed in the middle.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final
from weakref import WeakKeyDictionary

import structlog
from msgspec.structs import replace

from engine.errors import InputError
from server.lobby.lobby import Lobby
from server.lobby.visitor import LocalVisitor
from server.people.players import Player
from server.records.fairness import new_game_id
from server.records.results import read_result
from server.table.entries import TableSettings
from server.table.occasion import Next, Occasion
from server.table.table import Table
from server.tournament import events
from server.tournament.due import Publish
from server.tournament.events import Event
from server.tournament.known import TournamentLog
from server.tournament.pairing import AI_SEAT, PairingRequest, Seated, pair
from server.tournament.standings import Board, PlayedBoard
from server.tournament.state import Tournament

TOGETHER: Final = 8
"""How many tables are opened, or looked after, at once."""
MOVED_SECONDS: Final = 20.0
"""How long after the deal players are still brought to their tables. Later they come by themselves."""
PAUSED: Final = "the tournament is paused: wait until its host goes on"
COMES_NEXT: Final = Next("tournament", ("tournament",), ("Type tournament to see what comes next.",))

log = structlog.get_logger("quatch.tournaments")


class Rounds:
    """The tables of all rounds that are played now."""

    def __init__(self, lobby: Lobby, now: Callable[[], float]) -> None:
        """``now`` returns the time in seconds since 1970, on a clock that nobody sets."""
        self._lobby, self._now = lobby, now
        self._brought: WeakKeyDictionary[LocalVisitor, set[str]] = WeakKeyDictionary()
        """The games to whose tables each visitor has come."""

    # A round begins.

    async def publish(self, its: TournamentLog, planned: Publish) -> None:
        """Pair a round, open its tables and publish it. Raises InputError, NotSaved."""
        self._lobby.drain.must_allow_games()  # before others leave the round to this process
        await its.write(events.Claimed(at=self._now(), round=planned.round))
        seats = await self.draft(its.state, planned)
        gate = asyncio.Semaphore(TOGETHER)

        async def opened(number: int, board: Seated) -> Board:
            async with gate:
                return await self._open(its.state, planned, number, board)

        boards = await asyncio.gather(*(opened(number, board) for number, board in enumerate(seats, 1)))
        published = events.Published(at=self._now(), round=planned.round, boards=tuple(boards), final=planned.final)
        await its.write(published)
        log.info("round published", tournament=its.state.name, round=planned.round, players=len(planned.players))

    async def draft(self, state: Tournament, planned: Publish) -> tuple[Seated, ...]:
        """The players of each table by seat, the same as long as the same players are in. Raises WorkerFailed."""
        if planned.final:
            return (planned.players,)
        opened = state.opened
        request = PairingRequest(
            opened.seed,
            planned.round,
            planned.players,
            tuple(tuple(board.seats for board in played.boards) for played in state.rounds),
            state.points(),
            opened.format,
            opened.table.seats,
            opened.fill,
        )
        return await self._lobby.ai_pool.run(partial(pair, request), in_background=True)

    async def _open(self, state: Tournament, planned: Publish, number: int, seats: Seated) -> Board:
        """Open the table of a board; a player who is alone gets none. Raises InputError, NotSaved."""
        if len(seats) == 1:
            return Board(seats)
        players = tuple("" if player == AI_SEAT else self._player(state, player) for player in seats)
        settings = _settings(state, planned, number, players)
        table = await self._lobby.tables.open_table(settings)
        return Board(seats, table.number, settings.occasion.game if settings.occasion else "")

    def _player(self, state: Tournament, player_id: str) -> Player:
        """An entrant, under the name that they have now."""
        known = state.entrants[player_id].player
        here = next((each.player for each in self._lobby.visitors.came if each.player.id == player_id), known)
        return Player(player_id, here.name, known.kind)

    # A round is played.

    async def look_after(self, its: TournamentLog) -> None:
        """Do what is due at the tables at which somebody plays, bring the players there, and note results.

        A table at which this fails holds up no other. Raises InputError, NotSaved.
        """
        gate = asyncio.Semaphore(TOGETHER)

        async def look(running: PlayedBoard) -> None:
            async with gate:
                board = its.state.board(running.round, running.number)  # the host may have decided something meanwhile
                if not board.is_over:
                    table = await self._table(board)
                    if table is not None:
                        await self._keep_going(its.state, board, table)
                    if table is None or table.has_ended:
                        await self._note_end(its, board)

        done = await asyncio.gather(*map(look, its.state.running), return_exceptions=True)
        for error in filter(None, done):
            raise error

    async def _keep_going(self, state: Tournament, board: PlayedBoard, table: Table) -> None:
        """Prepare a table, have it pause or go on, deal its cards when it is time, and end its game by the clock."""
        now, is_paused = self._now(), state.paused_at is not None
        has_changed = bool(table.runtime.paused) != is_paused
        if not table.director.is_prepared or (has_changed and not table.director.is_dealt):
            await table.director.prepare(board.deals_at - now)  # after a pause its cards are dealt later
        if has_changed:
            await table.director.pause(PAUSED if is_paused else "")
        await self._bring(board, table)
        if not is_paused and now >= board.deals_at and not table.director.is_dealt:
            await table.director.deal()
        if not is_paused and now >= board.ends_at:
            await table.director.end_by_time()

    async def _table(self, board: PlayedBoard) -> Table | None:
        """The table of a board, loaded; None if it has closed. Raises InputError, NotSaved."""
        table = self._lobby.tables.here.get(board.table)
        if table is None:
            try:
                table = await self._lobby.tables.bring_up(str(board.table))
            except InputError as error:
                if error.code != "no_such_table":
                    raise
        occasion = table.occasion if table is not None else None
        return table if occasion is not None and occasion.game == board.game else None

    async def _note_end(self, its: TournamentLog, board: PlayedBoard) -> None:
        """Note how the game of a board ended; if its table is gone without a result, open another one."""
        game = await self._lobby.store.game(board.game)
        result = read_result(game.result) if game is not None else None
        if result is not None and result.finishes and (its_result := result.occasion):
            ranks, absent = its_result.ranks, its_result.absent
            await its.write(self._of(board, events.Finished, game=board.game, ranks=ranks, absent=absent))
        elif game is not None or await self._table(board) is None:
            await self.reopen(its, board)

    async def reopen(self, its: TournamentLog, board: PlayedBoard) -> int:
        """Have a board play again at another table, whose number is returned. Raises InputError, NotSaved."""
        planned = Publish(board.round, board.people, board.final)
        new = await self._open(its.state, planned, board.number + 1, board.seats)
        await its.write(self._of(board, events.Reopened, table=new.table, game=new.game))
        if (table := await self._table(board)) is not None:
            await table.director.abandon()
        return new.table

    def _of(self, board: PlayedBoard, kind: Callable[..., Event], **fields: object) -> Event:
        return kind(at=self._now(), round=board.round, board=board.number, **fields)

    # The players of a round.

    async def _bring(self, board: PlayedBoard, table: Table) -> None:
        """Bring the players of a board who are here to their table when its cards are dealt.

        Players in the lobby go there at once. Nobody is brought twice, so that they can leave.
        """
        now = self._now()
        if now >= board.deals_at + MOVED_SECONDS:
            return
        people = {each for each in board.people if not table.is_barred(each)}
        for visitor in [each for each in self._lobby.visitors.here if each.player.id in people]:
            brought = self._brought.setdefault(visitor, set())
            elsewhere = self._lobby.tables.here.get(visitor.table_number or 0)
            is_due = now >= board.deals_at or not visitor.table_number or elsewhere is None or not elsewhere.playing
            if is_due and board.game not in brought:
                with suppress(InputError):  # it is tried again soon
                    if visitor.table_number != table.number:
                        await visitor.be_brought_to(table, "a tournament's table")
                    brought.add(board.game)


def _settings(state: Tournament, planned: Publish, board: int, seats: tuple[Player | str, ...]) -> TableSettings:
    """The settings of the table of a board. ``seats``: its players by seat; empty for an AI player."""
    opened, stage = state.opened, "final" if planned.final else f"round {planned.round}"
    title = f"{state.name}, {stage}"
    occasion = Occasion(
        kind="tournament",
        data={"round": planned.round, "board": board},
        game=new_game_id(),
        part_of=state.id,
        seats=seats,
        title=title,
        name="a game of a tournament",
        strangers=f"is for those who play {title}",
        left="While your game goes on, your seat is kept: tournament tells where.",
        next=COMES_NEXT,
        people_only=opened.people_only,
        others_wait=True,
        counts_in="in the tournament",
    )
    return replace(opened.table, seats=len(seats), occasion=occasion)
