"""The powers of a rule set's special ranks, computed once into tables.

The tables answer three questions about a rank: which cards may follow it, what happens when it is laid, and whether its
player goes again. Only this module knows what the name of a power means for legality; `engine.game` knows what it does
to the cards.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from engine.cards import ALL_CARDS, ALL_RANKS, MOST_COPIES, RANK_CARDS, CardSet, Rank
from engine.effects import PlayEffects, effects_by_count
from engine.moves import PlayTables, play_tables
from engine.powers import Effect
from engine.rules import Power, Rules


@dataclass(frozen=True, slots=True)
class Powers:
    """The powers of one rule set, as tables by rank, and the tables of plays. It is pickled as the rules alone."""

    rules: Rules = field(repr=False)
    follow: tuple[CardSet, ...]
    """For each rank on top of the pile, and last for an empty pile (`NO_RANK`): the cards that may be laid on it."""
    effect: tuple[Effect | None, ...]
    laid: tuple[tuple[PlayEffects, ...], ...] = field(repr=False, compare=False)
    """For each rank: the effects of laying none of it, one, two, three and four."""
    fours: tuple[tuple[PlayEffects, ...], ...] = field(repr=False, compare=False)
    """The same if four of the rank burn by it."""
    clearing: CardSet
    """Every card whose printed rank resets or burns: the cards that ``out.last_special`` is about."""
    never_last: CardSet
    """The same cards if none of them may be played as a seat's last cards, else none."""
    plain: CardSet
    """Every card without a power."""
    hand_plays: PlayTables = field(repr=False, compare=False)
    """The plays of cards from a hand."""
    up_plays: PlayTables = field(repr=False, compare=False)
    """The plays of cards from a face-up row."""

    def __reduce__(self) -> tuple[Callable[[Rules], "Powers"], tuple[Rules]]:
        return powers_of, (self.rules,)


@lru_cache(256)
def powers_of(rules: Rules) -> Powers:
    """The tables of a rule set."""
    effects = tuple(power.effect if (power := rules.special.get(rank)) else None for rank in ALL_RANKS)
    clearing = sum(RANK_CARDS[rank] for rank in ALL_RANKS if effects[rank] in {"reset", "burn"})
    return Powers(
        rules,
        follow=(*(_followers(rules, top) for top in ALL_RANKS), ALL_CARDS),
        effect=effects,
        laid=tuple(effects_by_count(rules.special.get(rank), None) for rank in ALL_RANKS),
        fours=tuple(effects_by_count(rules.special.get(rank), rules.four_again) for rank in ALL_RANKS),
        clearing=clearing,
        never_last=clearing if rules.out_last_special == "unplayable" else 0,
        plain=sum(RANK_CARDS[rank] for rank in ALL_RANKS if effects[rank] is None),
        hand_plays=play_tables(MOST_COPIES, rules.play_whole_sets),
        up_plays=play_tables(min(rules.play_up_at_once, MOST_COPIES), rules.play_whole_sets),
    )


def _followers(rules: Rules, top: Rank) -> CardSet:
    return sum(RANK_CARDS[rank] for rank in ALL_RANKS if _may_follow(rules, rank, top))


def _may_follow(rules: Rules, rank: Rank, top: Rank) -> bool:
    """Whether a card of this rank may be laid on a pile whose top counts as ``top``."""
    laid, under = rules.special.get(rank), rules.special.get(top)
    if under is not None:
        if rank in under.blocks:
            return False
        if under.effect == "reset":
            return True
        if under.effect == "lower":
            return rank < top or _goes_anywhere(laid) or (rank == top and _beats(rules, rank, top))
    return _goes_anywhere(laid) or _beats(rules, rank, top)


def _goes_anywhere(power: Power | None) -> bool:
    return power is not None and power.on == "any"


def _beats(rules: Rules, rank: Rank, top: Rank) -> bool:
    power = rules.special.get(rank)
    equal_is_enough = rules.beat == "equal-or-higher" or (power is not None and power.on == "rank-or-lower")
    return rank > top or (rank == top and equal_is_enough)
