"""The puzzles of this server: those that the program brings, and those found in games that were finished here.

Now and then a worker looks for a puzzle in the latest finished game, in short steps, so that no AI player at a table
has to wait for it. All processes that share a log share the puzzles found.
"""

from collections import deque
from contextlib import suppress
from functools import lru_cache, partial
from random import Random
from typing import Final

import structlog

from engine.ai.verdict import Line
from engine.errors import InputError
from engine.rulesets import DEFAULT, rulesets
from engine.view import View
from engine.wording.phrases import listed
from server.ai.pool import WorkerFailed
from server.bounded_dict import make_room
from server.history.archive import find_game, record_of, source_of
from server.lobby.lobby import Lobby
from server.lobby.service import Service
from server.people.players import Player
from server.pieces import collected, in_pieces
from server.puzzles import PROGRESS
from server.puzzles.puzzle import FOUND, MOST_FOUND, Puzzle, PuzzleProgress, bundled_puzzles, puzzle_of, read_puzzle
from server.puzzles.solving import PuzzleSearch, line_of
from server.records.record import decisions_of
from server.records.results import read_result
from server.storage.database import FinishedGame
from server.storage.key_value_store import KeyValueStore
from server.typed_json import readable, write_versioned

SEARCHED: Final = "puzzle-searched"
"""The kind of the text with the id of the game that was searched last."""
SEARCH_SECONDS: Final = 60.0
"""How often the latest game is looked through."""
REST_SECONDS: Final = 0.5
"""How long the search rests before each step, so that it takes a small part of a worker."""
MOST_POSITIONS: Final = 12
"""How many positions of a game are looked at."""
REMEMBERED: Final = 1_000
"""The process remembers so many players whose progress the log does not keep, the latest."""
SEARCHED_AMONG: Final = 200
SOURCES_REMEMBERED: Final = 20
"""Puzzles are looked for in the latest of so many games whose source is none of the last ones."""

log = structlog.get_logger("quatch.puzzles")


@lru_cache(2 * MOST_FOUND)
def _found_in(text: str) -> Puzzle | None:
    """The puzzle in a text of the log; None if it cannot be read here."""
    try:
        return read_puzzle(text)
    except ValueError as error:
        log.warning("puzzle left out", problem=str(error))
        return None


class Puzzles(Service):
    """The puzzles of one server, and how its players get on with them."""

    def __init__(self, lobby: Lobby, rest_seconds: float = REST_SECONDS) -> None:
        self._lobby, self._rest_seconds = lobby, rest_seconds
        self._texts = KeyValueStore(lobby.store, FOUND)
        self._remembered: dict[str, PuzzleProgress] = {}
        """By id: of guests, and of accounts whose progress cannot be kept, or was written by a newer version."""
        self._sources = deque[str](maxlen=SOURCES_REMEMBERED)
        """The sources of the games in which puzzles were looked for lately."""

    def open(self) -> None:
        """Look for puzzles from now on, if there are workers to do it."""
        if self._lobby.ai_pool.has_workers:
            self._background.repeat(self.search, SEARCH_SECONDS, "looking for puzzles", first_after=SEARCH_SECONDS)

    async def all(self) -> list[Puzzle]:
        """Every puzzle that can be read here. Raises NotSaved."""
        await self._texts.load()
        found = await in_pieces(collected(map(_found_in, [*self._texts.texts.values()])))
        return [*bundled_puzzles(), *filter(None, found)]

    async def next_for(self, player: Player, rules: str = DEFAULT) -> tuple[Puzzle, PuzzleProgress]:
        """The next puzzle of a player in this rule set, and their progress.

        Raises InputError if there is none, or if the progress cannot be read now; NotSaved.
        """
        progress = await self.progress_of(player)
        known = await self.all()
        puzzles = [puzzle for puzzle in known if puzzle.rules == rules]
        if not puzzles:
            others = listed([*dict.fromkeys(puzzle.rules for puzzle in known)], "and")
            why = f"they come from games that are played. There are some for {others}" if known else "play makes some"
            raise InputError("bad_request", f"there is no puzzle for {rules} yet: {why}")
        return progress.next_of(puzzles), progress

    async def answered(self, player: Player, puzzle: Puzzle, *, is_right: bool) -> PuzzleProgress:
        """Note a player's answer. Returns their progress after it. Raises InputError if it cannot be read now."""
        kept = await self._kept_progress(player)
        progress = (self._remembered.pop(player.id, None) or kept or PuzzleProgress()).after(puzzle, is_right=is_right)
        is_kept = kept is not None and await self._lobby.profiles.keep_text(PROGRESS, player, write_versioned(progress))
        if player.id and not is_kept:
            make_room(self._remembered, REMEMBERED)
            self._remembered[player.id] = progress
        return progress

    def forget(self, account: str) -> None:
        """Keep nothing of a player who was forgotten."""
        self._remembered.pop(account, None)

    async def line_of(self, puzzle: Puzzle) -> Line:
        """How the game could go on after the solution, as a search in a worker finds it.

        Empty if the worker fails.
        """
        with suppress(WorkerFailed):
            return await self._lobby.ai_pool.run(partial(line_of, puzzle.position(), puzzle.best))
        return ()

    async def progress_of(self, player: Player) -> PuzzleProgress:
        """A player's progress. Raises NotSaved."""
        return self._remembered.get(player.id) or await self._kept_progress(player) or PuzzleProgress()

    async def _kept_progress(self, player: Player) -> PuzzleProgress | None:
        """The progress in the log; None for guests, and if a newer version has written it: that must stay."""
        if not player.account:
            return None
        text = await self._lobby.profiles.text_of(PROGRESS, player)
        return readable(text, PuzzleProgress) if text else PuzzleProgress()

    # Finding puzzles.

    async def search(self) -> None:
        """Look for a puzzle in the latest finished game of another source than lately, unless that was done.

        Raises NotSaved, OutcomeUnknown.
        """
        if latest := await self._lobby.store.latest(SEARCHED_AMONG):
            game = next((each for each in latest if source_of(each) not in self._sources), latest[0])
            if game.id == await self._lobby.store.text(SEARCHED, "last"):
                return
            self._sources.append(source_of(game))
            await self._lobby.store.put_text(SEARCHED, "last", game.id)
            try:
                puzzle = await self._puzzle_in(await self._views_in(game), game.id)
            except (InputError, WorkerFailed) as error:
                log.info("no puzzle", game=game.id, problem=str(error))
                return
            if puzzle is not None:
                await self._lobby.store.put_text(FOUND, puzzle.id, write_versioned(puzzle))
                too_many = await self._lobby.store.count_texts(FOUND) - MOST_FOUND
                for row in await self._lobby.store.oldest_texts(FOUND, max(0, too_many)):
                    await self._lobby.store.put_text(FOUND, row.key, None)
                log.info("puzzle found", id=puzzle.id, rules=puzzle.rules, level=puzzle.level)

    async def _views_in(self, game: FinishedGame) -> list[View]:
        """What the seats of a game saw when they had to decide; nothing if it was played alone or under house rules.

        Raises InputError if the record cannot be read here.
        """
        if (its := read_result(game.result).occasion) and its.alone:
            return []
        record = await record_of(await find_game(self._lobby.store, game.id))
        if record.rules not in rulesets() or record.options:
            return []
        seats = range(len(record.players))
        return [each.view for seat in seats for each in await in_pieces(decisions_of(record, seat))]

    async def _puzzle_in(self, views: list[View], game: str) -> Puzzle | None:
        """A puzzle among these positions, of which some are looked at. Raises WorkerFailed."""
        for number, view in enumerate(Random(game).sample(views, min(MOST_POSITIONS, len(views)))):
            search = PuzzleSearch(view, f"{game} {number}")
            while not search.is_over:
                await self._lobby.ai_pool.rest(self._rest_seconds)
                search = await self._lobby.ai_pool.run(search.step)
            if search.solution:
                return puzzle_of(view, search.solution)
        return None
