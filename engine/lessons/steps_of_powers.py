"""Steps about special ranks: one for each, and one for a card that asks for a lower one."""

from collections.abc import Iterator, Sequence

from engine.cards import ALL_RANKS, NO_RANK, RANK_NAMES, Rank
from engine.game import play
from engine.lessons.example import LEARNER, Example, LessonStep, goes, plain_ranks, played, the
from engine.moves import play_of
from engine.powers import POWERS
from engine.rules import Rules
from engine.state import State
from engine.wording.phrases import a_card, listed
from engine.wording.pile_text import target_words
from engine.wording.rules_sheet import power_note


def power(rules: Rules, rank: Rank) -> Iterator[LessonStep]:
    """Play a card of this special rank."""
    special = rules.special[rank]
    for pile in _piles(rules, rank):
        for hand in _hands(rules, rank):
            facts = POWERS[special.effect]
            for position in Example(rules).position(hand=hand, pile=pile, players=facts.players):
                move = play_of(rank, 1)
                is_single = "This deck has only one." if rules.deck_copies[rank] == 1 else ""
                yield LessonStep(
                    f"The {RANK_NAMES[rank]}",
                    " ".join(filter(None, (power_note(rank, special), facts.lesson, is_single))),
                    f"Play {the(rank)}",
                    position,
                    move,
                    played(rank),
                    _outcome(position, rank),
                )


def asked_for_less(rules: Rules, rank: Rank) -> Iterator[LessonStep]:
    """Follow a card that asks for a lower one."""
    if rules.special[rank].effect != "lower":
        return
    plain = sorted(plain_ranks(rules))
    for low in reversed([other for other in plain if other < rank and goes(rules, other, rank)]):
        for high in (other for other in plain if other > rank and not goes(rules, other, rank)):
            for position in Example(rules).position(hand=(low, high), pile=(rank,)):
                yield LessonStep(
                    f"After the {RANK_NAMES[rank]}",
                    f"Now {the(rank)} is on top and asks you for a lower card: {the(high)} cannot go. "
                    "The next player must beat your card as usual.",
                    f"Play {the(low)}",
                    position,
                    play_of(low, 1),
                    played(low),
                    f"Right: {a_card(low)} is lower than {a_card(rank)}.",
                )


def _piles(rules: Rules, rank: Rank) -> Iterator[Sequence[Rank]]:
    """Yield piles that this rank may go on; those that show its effect best come first."""
    special = rules.special[rank]
    plain = plain_ranks(rules)
    higher = sorted((top for top in plain if top > rank), reverse=True)
    lower = sorted((top for top in plain if top <= rank), reverse=True)
    tops = [*higher[1:], *higher[:1], *lower] if special.on == "any" else [*lower, *higher]
    for top in [*tops, *(other for other in ALL_RANKS if other not in plain)]:
        if rules.deck_copies[top] and goes(rules, rank, top):
            # A burn shows best on a pile of several cards.
            under = [other for other in sorted(plain) if other < top][:2] if special.effect == "burn" else []
            yield (*under, top)
    yield ()


def _hands(rules: Rules, rank: Rank) -> Iterator[Sequence[Rank]]:
    """Yield hands: the card and two others, or fewer if the deck has no more."""
    others = [other for other in plain_ranks(rules) if other != rank][:2]
    yield (rank, *others)
    yield (rank, *others[:1])
    yield (rank,)


def _outcome(position: State, rank: Rank) -> str:
    """What the play has changed: what may follow, and whose turn it is."""
    if not goes(position.rules, rank, position.top):
        return ""
    after, _ = play(position, LEARNER, play_of(rank, 1))
    if after.phase == "over":
        return "Right."
    again = ""
    if after.to_move == LEARNER:
        again = " You may go again." if after.may_pass else " It is your turn again."
    if after.top == NO_RANK:
        return f"Right: on the empty pile anything goes.{again}"
    if (target := target_words(after)) == "any card":
        return f"Right. Now any card may follow{_but_not(after)}.{again}"
    return f"Right. What may follow: {target}{_or_free(after)}{_but_not(after)}.{again}"


def _or_free(position: State) -> str:
    """A phrase for ranks that go on anything, if the target does not include them."""
    rules, effect = position.rules, position.powers.effect[position.top]
    free = [rank for rank, special in rules.special.items() if special.on == "any" and rules.deck_copies[rank]]
    if effect == "reset" or not any(goes(rules, rank, position.top) for rank in free):
        return ""
    return ", or a card that goes on anything"


def _but_not(position: State) -> str:
    """A phrase for ranks that may not follow the top card, though they go on anything."""
    special = position.rules.special.get(position.top)
    return f", but no {listed([RANK_NAMES[rank] for rank in special.blocks])}" if special and special.blocks else ""
