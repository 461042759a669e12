"""Steps about the zones after the hand: the face-up row, the face-down row, the reserve; and the last card."""

from collections.abc import Iterator

from engine.cards import ALL_RANKS
from engine.events import Flipped, PickedUp, TookReserve, WentOut
from engine.lessons.example import LEARNER, Example, LessonStep, goes, happened, low_top_high, plain_ranks, played, the
from engine.moves import Flip, Pick, PickUp, play_of
from engine.rank_powers import powers_of
from engine.rules import Rules
from engine.wording.rules_sheet import aim_note, has_up_row, last_card_note, up_at_once


def face_up(rules: Rules) -> Iterator[LessonStep]:
    """Play from the face-up row."""
    if not has_up_row(rules):
        return
    slots = rules.arrange_lay if rules.arrange_mode == "lay-up" else rules.deal_up
    for low, top, high in low_top_high(rules, 7):
        row = (high, low, low)[:slots]
        for down in ((low, top, high)[: rules.deal_down], ()):
            for position in Example(rules).position(up=row, down=down, pile=(top,)):
                yield LessonStep(
                    "Face-up cards",
                    f"Once your hand is empty you play from your face-up cards, {up_at_once(rules)}. "
                    "If you take the pile, its cards become your hand, and you play those first.",
                    f"Play {the(high)} that lies face up",
                    position,
                    play_of(high, 1),
                    played(high),
                    "Right. Everybody sees these cards, so the others can plan against them.",
                )


def lift(rules: Rules) -> Iterator[LessonStep]:
    """Take face-up cards with the pile."""
    if not (rules.pickup_lift_up and has_up_row(rules)):
        return
    most = rules.pickup_lift_up
    count = min(most, 2)
    cards = "a face-up card" if most == 1 else f"up to {most} face-up cards of one rank"
    for low, top, high in low_top_high(rules, 4):
        for position in Example(rules).position(up=(low,) * count, pile=(top, high)):
            yield LessonStep(
                "Lifting",
                f"If none of your face-up cards can go, you take the pile, and you may take {cards} with it.",
                f"Take the pile, and {the(low, count)} with it",
                position,
                PickUp((Pick(low),) * count),
                lambda events: any(isinstance(event, PickedUp) and event.lifted for event in events),
                "Right: all of it is in your hand now, so you play from there next.",
            )


def face_down(rules: Rules) -> Iterator[LessonStep]:
    """Turn a face-down card."""
    if not rules.deal_down:
        return
    for low, top, high in low_top_high(rules, 5):
        for position in Example(rules).position(down=(high, low, high)[: rules.deal_down], pile=(low, top)):
            yield LessonStep(
                "Face-down cards",
                "Your face-down cards come last, and not even you know them. Turn over one each turn. "
                "If it can go, it is played; if not, it comes to your hand with the pile.",
                "Turn over your first face-down card",
                position,
                Flip(0),
                happened(Flipped),
                "You cannot know which one is best: these cards are luck.",
            )


def reserve(rules: Rules) -> Iterator[LessonStep]:
    """Take the reserve."""
    if rules.arrange_mode != "lay-reserve" or not rules.arrange_lay:
        return
    for low, top, high in low_top_high(rules, 8):
        for position in Example(rules).position(
            hand=(high,), reserve=(high, low, low)[: rules.arrange_lay], pile=(top,)
        ):
            yield LessonStep(
                "Your reserve",
                "When your hand and the stock are both gone you take your whole reserve into your hand.",
                f"Play {the(high)}, the last card of your hand",
                position,
                play_of(high, 1),
                happened(TookReserve),
                "Right: you go on with the cards that you put aside.",
            )


def last_special(rules: Rules) -> Iterator[LessonStep]:
    """Play a special card before it is the last card."""
    clearing = [rank for rank in rules.special if powers_of(rules).clearing >> 4 * rank & 1 and rules.deck_copies[rank]]
    if not last_card_note(rules):
        return
    plain = plain_ranks(rules)
    for rank in clearing:
        for top in plain:
            for other in plain:
                if not (goes(rules, rank, top) and goes(rules, other, top)) or other == top:
                    continue
                for position in Example(rules).position(hand=(rank, other), pile=(top,)):
                    yield LessonStep(
                        "The last card but one",
                        f"{last_card_note(rules)} You have two cards left, so mind which goes first.",
                        f"Play {the(rank)} while it is not your last",
                        position,
                        play_of(rank, 1),
                        played(rank),
                        f"Right: {the(other)} is left, and may be your last card.",
                    )


def win(rules: Rules) -> Iterator[LessonStep]:
    """Go out."""
    piles = [(high, (top,)) for _, top, high in low_top_high(rules, 9)]
    for rank, pile in [*piles, *((rank, ()) for rank in ALL_RANKS)]:
        for position in Example(rules).position(hand=(rank,), pile=pile):
            yield LessonStep(
                "Winning",
                f"{aim_note(rules)} You have one card left.",
                f"Play {the(rank)}",
                position,
                play_of(rank, 1),
                lambda events: any(isinstance(event, WentOut) and event.seat == LEARNER for event in events),
                "That is how a game is won!",
            )
