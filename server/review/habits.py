"""The mistakes that a player makes again and again, counted over their games.

A player who asks for them has the games looked through that are not counted yet: a decision at a time, as in a review.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import structlog
from msgspec import field
from msgspec.structs import replace

from engine.ai.judging import CLOSER
from engine.ai.mistakes import MISTAKES, Mistake, mistake_of, opposite
from engine.ai.verdict import Depth
from engine.errors import InputError
from server.ai.pool import WorkerFailed
from server.fair_queue import PAYER
from server.history.archive import find_game, games_of, record_of
from server.limits import SEARCHES_PER_ADDRESS
from server.lobby.lobby import Lobby
from server.lobby.service import Service
from server.people.players import Player
from server.pieces import in_pieces
from server.records.record import Decision, decisions_of
from server.review import HABITS
from server.storage.database import FinishedGame
from server.typed_json import Keeping, Versioned, read_or_new, write_versioned

GAMES_NEEDED: Final = 20
"""In fewer games a mistake may be chance."""
LEAST_COST: Final = 0.05
"""A move that costs less, 0 to 1, does not count as a mistake: the search may be wrong about it."""
LEAST_TIMES: Final = 5
TIMES_THE_OPPOSITE: Final = 2
"""A mistake is a habit if it was made so often, and so many times as often as its opposite."""
LISTED: Final = 3
LOOKED_AMONG: Final = 1_000
MOST_AT_ONCE: Final = 40
"""How many of a player's latest games are searched for new ones, and how many new ones are looked through at once."""
DEPTH: Final = Depth(simulations=150)
"""How closely each decision is looked at first."""

log = structlog.get_logger("quatch.habits")


class Counted(Keeping, frozen=True):
    """How often a mistake was made, and what that cost in all: 1 is a won game."""

    times: int = 0
    cost: float = 0.0


class Habits(Versioned, frozen=True):
    """The mistakes of one account."""

    last: float = 0.0
    """When the last game ended that is counted, in seconds since 1970: older ones are not looked at again."""
    counted: int = 0
    """How many games are counted."""
    turns: int = 0
    """The player's decisions in them."""
    mistakes: dict[Mistake, Counted] = field(default_factory=dict)

    def with_game(self, ended: float, turns: int, found: list[tuple[Mistake, float]]) -> "Habits":
        """The habits after one more game: when it ended, the decisions in it, the mistakes and their costs."""
        mistakes = dict(self.mistakes)
        for mistake, cost in found:
            before = mistakes.get(mistake, Counted())
            mistakes[mistake] = replace(before, times=before.times + 1, cost=round(before.cost + cost, 3))
        return replace(self, last=ended, counted=self.counted + 1, turns=self.turns + turns, mistakes=mistakes)

    @property
    def worst(self) -> list[Mistake]:
        """The mistakes that are habits, the costliest first; none before there are enough games."""
        if self.counted < GAMES_NEEDED:
            return []
        habits = [
            mistake
            for mistake, counted in self.mistakes.items()
            if counted.times >= max(LEAST_TIMES, TIMES_THE_OPPOSITE * self.of(opposite(mistake)).times)
        ]
        return sorted(habits, key=lambda mistake: -self.of(mistake).cost)[:LISTED]

    def of(self, mistake: Mistake) -> Counted:
        """How often a mistake was made."""
        return self.mistakes.get(mistake, Counted())


class HabitSearch(Service):
    """Counts the mistakes of players on one server."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._running = set[str]()
        """The accounts whose games are looked through now."""

    async def of(self, player: Player) -> tuple[Habits, int]:
        """Returns a player's habits, and how many of their games are still to count; begins to count them.

        Raises InputError for a guest, and if they cannot be read here or now; NotSaved.
        """
        if not player.account:
            raise InputError("bad_request", "habits need an ssh key: the games of guests are under no name")
        habits = await self.known_habits(player)
        todo = await self._new_games(player.account, habits)
        if todo and player.account not in self._running:
            self._running.add(player.account)
            self._background.begin(self._look_through(player, player.account, todo), "looking for habits")
        return habits, len(todo)

    async def known_habits(self, player: Player) -> Habits:
        """Returns a player's habits as far as their games are looked through.

        Raises InputError if they cannot be read: they must stay then.
        """
        text = await self._lobby.profiles.text_of(HABITS, player)
        try:
            return read_or_new(text, Habits)
        except ValueError as error:
            raise InputError("not_saved", f"your habits stay as they are, since they cannot be read: {error}") from None

    async def _new_games(self, account: str, habits: Habits) -> list[tuple[FinishedGame, int]]:
        """The account's latest games that are not counted, the oldest first, and its seat in each."""
        own = await games_of(self._lobby.store, account, LOOKED_AMONG)
        later = [each for each in own if each.game.at > habits.last]
        # Who plays a game again knows the cards.
        new = [(game, seat) for game, result, seat in later if not (result.occasion and result.occasion.practice)]
        return new[MOST_AT_ONCE - 1 :: -1]

    async def _look_through(self, player: Player, account: str, games: list[tuple[FinishedGame, int]]) -> None:
        try:
            with self._lobby.ledger.held(SEARCHES_PER_ADDRESS, PAYER.get().address.share):
                for game, seat in games:
                    counted = await self._counted(game.id, seat)
                    habits = await self.known_habits(player)
                    if game.at > habits.last:  # another process may have counted it meanwhile
                        after = habits.with_game(game.at, *counted)
                        await self._lobby.profiles.keep_text(HABITS, player, write_versioned(after))
        except (InputError, WorkerFailed) as error:
            log.info("habits not counted", problem=str(error))
        finally:
            self._running.discard(account)

    async def _counted(self, game_id: str, seat: int) -> tuple[int, list[tuple[Mistake, float]]]:
        """Returns how many decisions the seat had in a game, and its mistakes; none if the record cannot be read here.

        Raises WorkerFailed, NotSaved.
        """
        turns = list[Decision]()
        with suppress(InputError):  # of a newer version
            record = await record_of(await find_game(self._lobby.store, game_id))
            turns = await in_pieces(decisions_of(record, seat))
        found = list[tuple[Mistake, float]]()
        for turn in turns:
            judged = partial(self._lobby.ai_pool.judge, turn.view, turn.made, f"{game_id} {turn.ply}")
            if (await judged(DEPTH)).cost >= LEAST_COST:
                judgement = await judged(CLOSER)
                mistake = mistake_of(turn.view, turn.made, judgement.better) if judgement.better else None
                if mistake is not None and judgement.cost >= LEAST_COST:
                    found.append((mistake, judgement.cost))
        return len(turns), found


def many_habits(accounts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The habits of these accounts, for `quatch bench growth`."""
    habits = Habits(counted=GAMES_NEEDED, turns=300, mistakes=dict.fromkeys(MISTAKES, Counted(times=9, cost=1.5)))
    return ((HABITS, account, write_versioned(habits)) for account in accounts)
