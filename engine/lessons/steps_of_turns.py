"""Steps about a turn: what may follow, several cards, refusals, the pile, the stock, four of a rank, passing."""

from collections.abc import Iterator

from engine.cards import Rank
from engine.events import Burned, Drew, Passed, PickedUp
from engine.legality import refusal
from engine.lessons.example import LEARNER, Example, LessonStep, goes, happened, low_top_high, plain_ranks, played, the
from engine.moves import PASS, PICK_UP, play_of
from engine.rules import Rules
from engine.wording.phrases import a_card
from engine.wording.refusals import refusal_reason
from engine.wording.rules_sheet import draw_note, four_note, pick_up_note, turn_note


def follow(rules: Rules) -> Iterator[LessonStep]:
    """Play a card that may follow."""
    for low, top, high in low_top_high(rules, 6):
        for position in Example(rules).position(hand=(low, high), pile=(top,)):
            yield LessonStep(
                "Your turn",
                turn_note(rules),
                f"The top of the pile is {a_card(top)}. Play {the(high)}",
                position,
                play_of(high, 1),
                played(),
                f"Right: {a_card(high)} is higher than {a_card(top)}.",
            )


def several(rules: Rules) -> Iterator[LessonStep]:
    """Lay two cards of a rank together."""
    if rules.play_whole_sets:
        rule = "Cards of one rank go together: all those you have, or none of them."
    else:
        rule = "You may play cards of one rank together, which is quicker."
    plain = plain_ranks(rules)
    for top in sorted(plain, key=lambda rank: abs(rank - 7)):
        for rank in sorted(plain, key=lambda rank: (rank != top, abs(rank - top))):
            spare = next((other for other in plain if other not in {rank, top}), None)
            if not goes(rules, rank, top) or spare is None:
                continue
            equal = " The same rank as the top is high enough." if rank == top else ""
            for position in Example(rules).position(hand=(rank, rank, spare), pile=(top,)):
                yield LessonStep(
                    "Several at once",
                    rule + equal,
                    f"Play {the(rank, 2)} together",
                    position,
                    play_of(rank, 2),
                    played(rank, 2),
                    "Right: two cards gone in one turn.",
                )


def too_low(rules: Rules) -> Iterator[LessonStep]:
    """See a card that cannot go, and how the game says so."""
    for low, top, high in _too_low_first(rules):
        for position in Example(rules).position(hand=(low, high), pile=(top,)):
            move = play_of(low, 1)
            code = refusal(position, 0, move)
            if code is None:
                continue
            yield LessonStep(
                "What cannot go",
                f"You cannot play {the(low)} now: {refusal_reason(position, LEARNER, move, code)}. "
                "Try it if you like: the game says why a card cannot go, and nothing is lost.",
                f"Play {the(high)}",
                position,
                play_of(high, 1),
                played(),
                "Right. Whatever you type, only legal moves are played.",
            )


def _too_low_first(rules: Rules) -> Iterator[tuple[Rank, Rank, Rank]]:
    """Like `low_top_high`, but the same rank first if that is not high enough: it surprises most."""
    for _, top, high in low_top_high(rules, 9):
        if not goes(rules, top, top):
            yield top, top, high
    yield from low_top_high(rules, 9)


def pick_up(rules: Rules) -> Iterator[LessonStep]:
    """Take the pile because no card can be played."""
    plain = sorted(plain_ranks(rules))
    for top in reversed(plain):
        low = [rank for rank in plain if not goes(rules, rank, top)]
        if len(low) < 2:
            continue
        pile = (*low[-2:], top)
        for position in Example(rules).position(hand=low[:2], pile=pile):
            yield LessonStep(
                "Picking up",
                f"{pick_up_note(rules)} None of your cards can go on {the(top)}.",
                "Take the pile",
                position,
                PICK_UP,
                happened(PickedUp),
                f"The {len(pile)} cards are yours now, and the next player may play anything on the empty pile.",
            )


def draw(rules: Rules) -> Iterator[LessonStep]:
    """Draw after playing."""
    if rules.draw_rule == "up-to" and not rules.draw_to:
        return
    for low, top, high in low_top_high(rules, 4):
        hand = (high, low, low) if rules.draw_rule == "one" else (high, low, low)[: rules.draw_to]
        for position in Example(rules).position(hand=hand, pile=(top,), stock=6):
            yield LessonStep(
                "Drawing",
                f"{draw_note(rules)} The stock is the rest of the deck, face down.",
                f"Play {the(high)}",
                position,
                play_of(high, 1),
                happened(Drew),
                "Right. Cards are drawn for you; you need not type anything.",
            )


def four(rules: Rules) -> Iterator[LessonStep]:
    """Burn the pile with four of a rank."""
    if not rules.fours_burn:
        return
    plain = plain_ranks(rules)
    for rank in sorted(plain, key=lambda rank: abs(rank - 4)):
        under = next((other for other in sorted(plain) if other != rank and goes(rules, rank, other)), None)
        spare = next((other for other in plain if other not in {rank, under}), None)
        if under is None or spare is None:
            continue
        # Two on the pile already show best that anybody may lay them; not all rules count those.
        for lying in (2, 0):
            hand = (*[rank] * (4 - lying), spare)
            for position in Example(rules).position(hand=hand, pile=(under, *[rank] * lying)):
                yield LessonStep(
                    "Four of a kind",
                    f"{four_note(rules)} Burned cards are out of the game.",
                    f"Play {the(rank, 4 - lying)} together",
                    position,
                    play_of(rank, 4 - lying),
                    lambda events: any(isinstance(event, Burned) and event.cause == "four" for event in events),
                    "Right: the pile is gone, nobody has to beat it or take it.",
                )


def decline(rules: Rules) -> Iterator[LessonStep]:
    """Pass a bonus turn."""
    offered = [power.again for rank, power in rules.special.items() if rules.deck_copies[rank]]
    if "may" not in [*offered, rules.four_again if rules.fours_burn else "no"]:
        return
    plain = plain_ranks(rules)
    for position in Example(rules).position(hand=plain[:2], may_pass=True):
        yield LessonStep(
            "Passing",
            "When you may go again you can play on, or pass and keep your cards. This is such a turn.",
            "Pass",
            position,
            PASS,
            happened(Passed),
            "Right. You cannot pass an ordinary turn if you have another move.",
        )
