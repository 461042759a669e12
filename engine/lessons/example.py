"""The step of a lesson, and the small invented positions in which it is practised."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from msgspec import Struct

from engine.cards import ALL_RANKS, RANK_NAMES, Card, Rank, card_set
from engine.errors import Refused
from engine.events import Event, Played
from engine.game import play
from engine.moves import Move
from engine.pile import add_to_pile
from engine.rank_powers import powers_of
from engine.rules import Rules
from engine.state import State

Goal: TypeAlias = Callable[[Sequence[Event]], bool]
"""Whether these events are what the step is about."""

LEARNER: Final = 0
"""The learner's seat."""
OTHERS_HOLD: Final = 3
MOST_SEATS: Final = 4
"""No example has more players, even if the rules allow more."""
MIDDLE_FIRST: Final = tuple(sorted(ALL_RANKS, key=lambda rank: (abs(rank - 6), rank)))
"""The ranks in the order in which examples prefer them: an 8 has lower and higher ranks."""
_SCATTERED: Final = tuple((3 + 5 * n) % len(ALL_RANKS) for n in ALL_RANKS)
_COUNTS: Final = ("no", "the", "the two", "the three", "the four")


class LessonStep(Struct, frozen=True):
    """One thing to learn, in a position that shows it."""

    title: str
    text: str
    """The rule, in a few sentences."""
    task: str
    """What to do, without a full stop: "Play the jack"."""
    position: State
    move: Move
    """A move that does it; others may do it too."""
    goal: Goal
    praise: str


StepMaker: TypeAlias = Callable[[Rules], Iterator[LessonStep]]
"""Yields examples of one step, the best first; none if the rules do not have such a thing."""


def first_that_works(steps: Iterator[LessonStep]) -> LessonStep | None:
    """The first of these examples whose move is legal and reaches the goal, or None."""
    return next((step for step in steps if _works(step)), None)


def _works(step: LessonStep) -> bool:
    try:
        _, events = play(step.position, LEARNER, step.move)
    except Refused:
        return False
    return step.goal(events)


class Example:
    """Builds one position from ranks, with the cards of the rules' deck."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._left = list(rules.deck_copies)

    def position(
        self,
        *,
        hand: Sequence[Rank] = (),
        up: Sequence[Rank] = (),
        down: Sequence[Rank] = (),
        reserve: Sequence[Rank] = (),
        pile: Sequence[Rank] = (),
        stock: int = 0,
        players: int = 2,
        may_pass: bool = False,
    ) -> Iterator[State]:
        """Yield the position with these ranks in the learner's zones and on the pile; nothing if the deck is too small.

        The other players hold cards that are left.
        """
        rules = self._rules
        seats = min(max(players, rules.seats_min), rules.seats_max)
        playing = min(max(players, seats), seats, MOST_SEATS)
        try:
            zones = [self._take(ranks) for ranks in (hand, up, down, reserve, pile)]
            others = [self._take(self._scattered(OTHERS_HOLD)) for _ in range(playing - 1)]
            drawn = self._take(self._scattered(stock))
        except IndexError:
            return
        empty = [0] * (seats - playing)
        state = State(
            rules=rules,
            powers=powers_of(rules),
            hands=[card_set(zones[0]), *map(card_set, others), *empty],
            ups=[card_set(zones[1]), *[0] * (seats - 1)],
            downs=[tuple(zones[2]), *[()] * (seats - 1)],
            reserves=[card_set(zones[3]), *[0] * (seats - 1)],
            stock=drawn,
            ready=[False] * seats,
            order=tuple(range(playing)),
            to_move=LEARNER,
            may_pass=may_pass,
            public_hands=[0] * seats,
            declined=[0] * seats,
        )
        for card in zones[4]:
            add_to_pile(state, (card,))
        yield state

    def _take(self, ranks: Sequence[Rank]) -> list[Card]:
        """A card of each of these ranks. Raises IndexError if the deck has none left."""
        return [self._card(rank) for rank in ranks]

    def _card(self, rank: Rank) -> Card:
        if not self._left[rank]:
            raise IndexError
        self._left[rank] -= 1
        return rank * 4 + (rank + self._left[rank]) % 4

    def _scattered(self, count: int) -> list[Rank]:
        """Ranks of cards that are left, for hidden hands. Raises IndexError if none are left."""
        ranks = [rank for n in range(4) for rank in _SCATTERED if self._left[rank] > n]
        if count and not ranks:
            raise IndexError
        return ranks[:count]


def plain_ranks(rules: Rules) -> list[Rank]:
    """The ordinary ranks of the deck, in the order in which examples prefer them."""
    return [rank for rank in MIDDLE_FIRST if rank not in rules.special and rules.deck_copies[rank]]


def goes(rules: Rules, rank: Rank, top: Rank) -> bool:
    """Whether a rank may be laid on another one."""
    return bool(powers_of(rules).follow[top] >> 4 * rank & 1)


def low_top_high(rules: Rules, near: Rank) -> Iterator[tuple[Rank, Rank, Rank]]:
    """Yield ordinary ranks, the first too low for the second, the third high enough: 5, 8 and jack.

    The second is as close as possible to ``near``, so that steps look different from each other.
    """
    plain, follow = sorted(plain_ranks(rules)), powers_of(rules).follow
    for top in sorted(plain, key=lambda rank: abs(rank - near)):
        for low, high in sorted(
            product(plain, plain), key=lambda pair: (abs(top - pair[0] - 3), abs(pair[1] - top - 2))
        ):
            if low < top < high and not follow[top] >> 4 * low & 1 and follow[top] >> 4 * high & 1:
                yield low, top, high


def the(rank: Rank, count: int = 1) -> str:
    """Cards of a rank as tasks name them: "the jack", "the two 9s"."""
    return f"{_COUNTS[count]} {RANK_NAMES[rank]}{'' if count == 1 else 's'}"


def played(rank: Rank | None = None, least: int = 1) -> Goal:
    """The goal that the learner lays at least this many cards, of this rank or (None) of any."""

    def goal(events: Sequence[Event]) -> bool:
        return any(
            isinstance(event, Played)
            and event.seat == LEARNER
            and len(event.cards) >= least
            and rank in {None, event.cards[0] >> 2}
            for event in events
        )

    return goal


def happened(*kinds: type[Event]) -> Goal:
    """The goal that an event of one of these kinds happens."""
    return lambda events: any(isinstance(event, kinds) for event in events)
