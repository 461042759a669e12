"""The result of a game: who took part, and in which order they finished; and the points of a table. Pure.

The log keeps it as JSON beside the record.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from engine.errors import InputError
from engine.wording.phrases import listed
from server.clean_text import clean
from server.typed_json import Versioned, read_versioned

GUEST: Final = ""
"""The key of every guest."""
_AI: Final = "ai:"
COUNTS: Final = "the game counts as "
"""What `counts_as` begins with if it names a winner, or those who have lost."""

Why: TypeAlias = Literal["", "left", "away", "ai-moves", "remover", "removed", "absent"]
"""Why a seat counts otherwise than its cards say; empty if it does not."""
WHY_TEXT: Final[Mapping[Why, str]] = {
    "left": "left",
    "away": "was away at the end, which counts as leaving",
    "ai-moves": "let an AI player make more than a third of the moves",
    "remover": "removed a player",
    "removed": "was removed",
    "absent": "was not there for the whole game",
}
EXCUSED: Final = frozenset({"removed", "absent"})
"""These have not lost by it, but the game is not rated for them."""
SCORES: Final[Mapping[int, tuple[int, ...]]] = {4: (12, 8, 4, 0), 3: (12, 6, 0), 2: (10, 2), 1: (6,)}
"""The points of each place, by the seats of the table; a player who sits alone gets the average. They are whole
numbers, also if equals share those of their places."""
AVERAGE: Final = 6
"""What a seat gets on average, whatever the size of the table."""
HOUSE_GAMES: Final = 6
"""How many average games the house score adds to those of each player, so that one lucky game wins no night."""
LISTED_FROM: Final = 5
"""With fewer games a house score is provisional."""


def ai_key(level: str) -> str:
    """The key that all AI players of a level share."""
    return _AI + level


def are_rated(keys: Collection[str]) -> bool:
    """Whether a game of players with these keys is rated: an account has played with another, or with AI players."""
    return any(key != GUEST and ai_level(key) is None for key in keys) and len({*keys} - {GUEST}) > 1


def ai_level(key: str) -> str | None:
    """The level of the AI players with this key; None if it is not a key of AI players."""
    return key.removeprefix(_AI) if key.startswith(_AI) else None


class Finish(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How one seat finished."""

    key: str
    """The id of an account, `ai_key` of a level, or `GUEST`."""
    name: str
    """The name of the player who was dealt in."""
    rank: Annotated[int, Meta(ge=1)]
    """The rank that counts: 1 is best; equal ranks are a tie."""
    by_cards: int = 0
    """The rank by the cards alone; 0 if it is the same."""
    successor: str = ""
    """The AI player who had the seat at the end, if the player had left it."""
    why: Why = ""
    left: int = 0
    """The cards that the seat had left; not known of a game that nobody stayed to end."""

    @property
    def rank_by_cards(self) -> int:
        """The rank by the cards alone, also if others played them."""
        return self.by_cards or self.rank

    @property
    def played_by(self) -> str:
        """The player who had the seat at the end, and the one they replaced: "ann", "Fox (played for ann)"."""
        return f"{self.successor} (played for {self.name})" if self.successor else self.name

    @property
    def is_demoted(self) -> bool:
        """Whether its seat counts for less than its cards: for what its player did, not only for others."""
        return bool(self.why) and (self.why not in EXCUSED or self.rank > self.rank_by_cards)


class Secret(Struct, frozen=True, forbid_unknown_fields=True):
    """How long a finished game is secret from all but its players."""

    until: float
    """In seconds since 1970."""
    why: str
    """Behind "game 7KQ2M9XA": "has a daily deal: its cards are secret until 05:00"."""
    unlisted: str
    """Behind "The games so far", if there are no others: "have today's daily deal: they are listed at 05:00"."""


class OccasionResult(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The result of a game for its occasion, and what the table promised; see `server.table.occasion.Occasion`."""

    kind: str
    data: dict[str, Any]
    title: str
    ranks: tuple[int, ...]
    """By seat, 1 is best: first those who went out, then those with cards, the fewest first, last those who have lost
    by leaving. In a game that nobody stayed to end all are the same."""
    absent: tuple[int, ...] = ()
    """The seats whose players were not there at the end."""
    turns: tuple[int, ...] = ()
    """By seat: its moves after arranging."""
    alone: bool = False
    practice: bool = False
    secret: Secret | None = None
    counts_in: str = ""


class Result(Versioned, frozen=True):
    """The result of one game."""

    finishes: tuple[Finish, ...]
    """By seat; empty if the game was abandoned and nobody has lost it."""
    drawn: bool
    """Whether the players who were still in the game tied."""
    plies: int
    abandoned: bool | UnsetType = UNSET
    """Whether nobody stayed to end the game; only there if so."""
    rated_as: str | UnsetType = UNSET
    """The name of the house rules that the game is rated under, or empty if its rules were changed; only there for
    these."""
    occasion: OccasionResult | UnsetType = UNSET
    """The result for the occasion on which it was played; only there for these."""

    source: str | UnsetType = UNSET
    """The mark of where its deal was asked for, so that lists are fair; see `addresses.mark_of`."""

    @property
    def winner(self) -> int | None:
        """The seat of the only winner; None if there is none, or the game was abandoned."""
        first = [seat for seat, finish in enumerate(self.finishes) if finish.rank == 1]
        return first[0] if len(first) == 1 and self.abandoned is not True else None

    def __post_init__(self) -> None:
        """Raises ValueError if a rank is greater than the number of seats."""
        if any(finish.rank > len(self.finishes) for finish in self.finishes):
            raise ValueError(f"finishes: a rank is greater than {len(self.finishes)}")


def ranks(places: tuple[int, ...], seats: int, lost: frozenset[int], drawn: tuple[int, ...]) -> tuple[int, ...]:
    """The rank of every seat: placed players in their order, then those who drew or have no place, then those who lost.

    ``lost`` are the seats that are last whatever became of their cards (`table.finished_game.losers`). Players who tie
    share the best of their ranks: after two seconds comes a fourth.

    >>> ranks(places=(2, 0), seats=4, lost=frozenset({0}), drawn=())
    (4, 2, 1, 2)
    """
    placed = [seat for seat in places if seat not in lost and seat not in drawn]
    unplaced, after_all = dict.fromkeys(range(seats), len(placed)), dict.fromkeys(lost, seats)
    order = unplaced | {seat: place for place, seat in enumerate(placed)} | after_all
    return shared_places([order[seat] for seat in range(seats)])


def result_text(result: Result) -> str:
    """A result in one line: how it counts, and, if it differs, how the seats finished by their cards.

    As in "won by bob: ann left; by the cards Fox (played for ann) won against bob"; those who only have not won stand
    in the order of the cards that they have left, as in "bob won against cy and ann". "Fox, then bob, then ann" if all
    have places.
    """
    is_same = all((each.rank == 1) == (each.rank_by_cards == 1) for each in result.finishes)
    has_won = is_same and _has_only_a_winner(result)
    counts = counts_as(result, is_headed=has_won)
    if not result.finishes or result.abandoned is True:
        return "; ".join(filter(None, ("nobody stayed to the end", counts)))
    best_first = sorted(result.finishes, key=lambda finish: (finish.rank_by_cards, finish.left))
    names = [clean(finish.played_by) for finish in best_first]
    if _has_only_a_winner(result):
        whys = [f" ({WHY_TEXT[each.why]})" if has_won and each.is_demoted else "" for each in best_first]
        cards = f"{names[0]} won against {listed([*map(str.__add__, names[1:], whys[1:])], 'and')}"
    else:
        order = _in_order((each.rank_by_cards, name) for each, name in zip(best_first, names, strict=True))
        cards = f"drawn: {order}" if result.drawn else order
    if (counted := counts.removeprefix(COUNTS)) != counts:
        return f"{counted}; by the cards {cards}"
    return f"{cards}; {counts}" if counts else cards


def won_because(result: Result) -> str:
    """Why the winner is not the one by the cards, as in "bob left"; empty if it is."""
    first = [(finish.rank == 1, finish.rank_by_cards == 1) for finish in result.finishes]
    return _whys_not_first(result) if any(counted != by_cards for counted, by_cards in first) else ""


def _whys_not_first(result: Result) -> str:
    """Why others than the winner count otherwise than their cards say, as in "bob left and cy was removed"."""
    others = [finish for finish in result.finishes if finish.is_demoted and finish.rank > 1]
    return listed([f"{clean(each.name)} {WHY_TEXT[each.why]}" for each in others], "and")


def counts_as(result: Result, *, is_headed: bool = False) -> str:
    """How a result counts, also on its occasion, if not all seats count as their cards say; else empty.

    ``is_headed``: who has won is told already.
    """
    found = list[str]()
    if any(finish.is_demoted or finish.by_cards for finish in result.finishes):
        best_first = sorted(result.finishes, key=lambda finish: finish.rank)
        whys = {each: f"{clean(each.name)} ({WHY_TEXT[each.why]})" for each in best_first if each.is_demoted}
        winners = [clean(finish.played_by) for finish in best_first if finish.rank == 1]
        if result.abandoned is True or (whys and winners[1:]):
            found.append(f"{COUNTS}lost by {listed(list(whys.values()), 'and')}")
        elif _has_only_a_winner(result):
            won = f"{COUNTS}won by {listed(winners, 'and')}"
            found += [] if is_headed else [": ".join(filter(None, [won, _whys_not_first(result)]))]
        else:
            order = _in_order((each.rank, whys.get(each) or clean(each.name)) for each in best_first)
            found.append(f"{COUNTS}{order.replace(', then', ' first, then', 1)}")
    if result.rated_as != "" and (missing := rated_without(result.finishes)):
        found.append(f"the game is {missing}")
    in_order = shared_places([(finish.rank, finish.left) for finish in result.finishes])
    if (its := result.occasion) and its.counts_in and its.ranks != in_order:
        best_first = [finish for _, finish in sorted(zip(its.ranks, result.finishes, strict=True), key=itemgetter(0))]
        found.append(f"{its.counts_in}: {', '.join(clean(finish.name) for finish in best_first)}")
    return "; ".join(found)


def rated_without(finishes: Collection[Finish]) -> str:
    """Whether a game is rated although players were missing, and which, in words; empty if none of them were."""
    missing = listed([f"{clean(each.name)} {WHY_TEXT[each.why]}" for each in finishes if each.why in EXCUSED], "and")
    is_rated = are_rated([finish.key for finish in finishes])
    return missing and f"{'rated for the others' if is_rated else 'not rated'}: {missing}"


def _in_order(ranked: Iterable[tuple[int, str]]) -> str:
    """Names by their ranks, the best first: "ana, then bo and cy"."""
    return ", then ".join(listed([name for _, name in tied], "and") for _, tied in groupby(ranked, itemgetter(0)))


def _has_only_a_winner(result: Result) -> bool:
    """Whether one seat has won by its cards, and all others share what comes after that."""
    ranks_by_cards = sorted(finish.rank_by_cards for finish in result.finishes)
    return not result.drawn and ranks_by_cards == [1, *[2] * (len(ranks_by_cards) - 1)]


def read_result(text: str) -> Result:
    """A result from JSON. Raises InputError, which names the key that is wrong or the newer version."""
    try:
        return read_versioned(text, Result)
    except ValueError as error:
        raise InputError("bad_record", f"the result of this game cannot be read: {error}") from None


def table_scores(ranks: Sequence[int]) -> tuple[int, ...]:
    """The points by seat, from the ranks by seat: 1 is best, and equal ranks share the points of their places.

    >>> table_scores((1, 2, 2, 4))
    (12, 6, 6, 0)
    """
    scores = SCORES[len(ranks)]
    by_place = sorted(ranks)
    shared = {rank: (by_place.index(rank), by_place.count(rank)) for rank in ranks}
    return tuple(sum(scores[first : first + many]) // many for first, many in map(shared.__getitem__, ranks))


def ranks_at_cap(out: Sequence[int], cards_left: Mapping[int, int]) -> tuple[int, ...]:
    """The ranks by seat of a game that was ended by the clock.

    Args:
        out: The seats that went out, the first one first.
        cards_left: For every other seat, how many cards it has left in all its zones: fewer are better.

    >>> ranks_at_cap(out=[2], cards_left={0: 9, 1: 4, 3: 4})
    (4, 2, 1, 2)
    """
    left = {**cards_left, **{seat: place - len(out) for place, seat in enumerate(out)}}  # less than no cards
    return shared_places([left[seat] for seat in range(len(left))])


def shared_places(values: Sequence[Any]) -> tuple[int, ...]:
    """The place of each value among them, the least first; equals share theirs.

    >>> shared_places((7, 3, 7, 9))
    (2, 1, 2, 4)
    """
    return tuple(1 + sum(other < value for other in values) for value in values)


def house_score(points: int, games: int) -> Fraction:
    """The house score, 0 to 12: the mean points of games, as if there had been some average games more."""
    return Fraction(points + HOUSE_GAMES * AVERAGE, games + HOUSE_GAMES)
