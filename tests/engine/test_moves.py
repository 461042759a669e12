"""Moves as text, and the cards that a move picks."""

import pickle

import pytest

from engine.cards import CardSet, card_from, card_set
from engine.errors import BadMove
from engine.moves import (
    LONGEST_MOVE,
    PASS,
    PICK_UP,
    READY,
    Flip,
    Lay,
    Move,
    Pick,
    PickUp,
    Play,
    Swap,
    cards_for,
    parse_move,
    pick,
    play_of,
)
from engine.rank_powers import powers_of
from engine.rules import Json
from engine.rulesets import DEFAULT, rulesets
from tests.support.each import for_each
from tests.support.positions import OTHER, at, legal

SEVEN, EIGHT, TEN, KING = 5, 6, 8, 11
SEVEN_OF_HEARTS = Pick(SEVEN, 22)


def cards(names: str) -> CardSet:
    """The set of these cards."""
    return card_set(card for name in names.split() if (card := card_from(name)) is not None)


@for_each(
    ("text", "move"),
    [
        ("play 7", play_of(SEVEN, 1)),
        ("play 7 7", play_of(SEVEN, 2)),
        ("play 7 8", Play((Pick(SEVEN), Pick(EIGHT)))),
        ("play 7h", Play((SEVEN_OF_HEARTS,))),
        ("play 7h 7", Play((SEVEN_OF_HEARTS, Pick(SEVEN)))),
        ("play 7h 7h", Play((SEVEN_OF_HEARTS, SEVEN_OF_HEARTS))),
        ("flip 2", Flip(1)),
        ("pickup", PICK_UP),
        ("pickup K K", PickUp((Pick(KING), Pick(KING)))),
        ("pass", PASS),
        ("swap 7h K", Swap(SEVEN_OF_HEARTS, Pick(KING))),
        ("lay 7h 8 T", Lay((SEVEN_OF_HEARTS, Pick(EIGHT), Pick(TEN)))),
        ("ready", READY),
    ],
)
def test_a_move_is_its_text(text: str, move: Move) -> None:
    """Each form of text is read as its move, and the move is written as that text."""
    assert parse_move(text) == move
    assert str(move) == text


@for_each(
    ("text", "plain"),
    [
        ("PLAY 10h", "play Th"),
        ("play tH 10", "play Th T"),
        ("  Flip \t 2 ", "flip 2"),
        ("flip 02", "flip 2"),
        ("pickup k", "pickup K"),
        ("Ready", "ready"),
    ],
)
def test_spelling_is_free(text: str, plain: str) -> None:
    """Letter case, blanks and 10 for T make no difference."""
    assert str(parse_move(text)) == plain


@for_each(
    "text",
    [
        *(
            "",
            "   ",
            "7",
            "plya 7",
            "play",
            "play x",
            "play 1",
            "play 11",
            "play 7x",
            "play 7hh",
            "play 101",
            "play ??",
        ),
        *("flip", "flip x", "flip -1", "flip 1.5", "flip 1 2", "flip 7h", "flip \u0662", "flip \u00b2"),
        *("pass 7", "pass now", "ready 1", "swap", "swap 7", "swap 7 8 9", "lay", "lay 7 x", "pickup x", "pick up"),
        *("play 7\x00", "ready\x00", "\u212aing", "play \u212a"),
        *("pass" + " " * LONGEST_MOVE + "not", "play 7" + " 7" * 60 + " x"),
    ],
)
def test_what_is_no_move(text: str) -> None:
    """Any other text is no move at all, however long; the refusal is one short line."""
    with pytest.raises(BadMove) as caught:
        parse_move(text)
    assert caught.value.code == "bad_move"
    assert "\n" not in caught.value.message
    assert len(caught.value.message) < 200


def test_slots_count_from_one() -> None:
    """The first slot is 1; 0 is no slot at all."""
    assert parse_move("flip 1") == Flip(0)
    with pytest.raises(BadMove):
        parse_move("flip 0")


def test_pick_is_a_rank_or_a_card() -> None:
    """A pick by rank leaves the card open, a pick by card says its rank too."""
    assert pick("10") == pick("t") == Pick(TEN)
    assert pick("10h") == pick("TH") == Pick(TEN, 34)
    with pytest.raises(BadMove):
        pick("h")


@for_each(
    ("text", "held", "taken"),
    [
        ("play 7", "7s 7d 8c", [21]),
        ("play 7 7", "7s 7h 8c", [22, 23]),
        ("play 7 7s", "7s 7c 8c", [23, 20]),
        ("play 7s 7", "7s 7c 8c", [23, 20]),
        ("play 7 7c", "7s 7c 8c", [20, 23]),
        ("play 7s 7c", "7s 7c 8c", [23, 20]),
        ("lay 8 7", "7s 7c 8c", [20, 24]),
        ("play 7 7 7", "7s 7c 8c", None),
        ("play 7h", "7s 7c 8c", None),
        ("play 7s 7s", "7s 7c 8c", None),
        ("play 7s 7c 7", "7s 7c 8c", None),
        ("play 9", "", None),
    ],
)
def test_picks_take_these_cards(text: str, held: str, taken: list[int] | None) -> None:
    """Named cards come first, then the lowest suits; None if a card is not held."""
    move = parse_move(text)
    assert isinstance(move, Play | Lay)
    found = cards_for(move.picks, cards(held))
    assert (None if found is None else list(found)) == taken


def test_plays_by_rank_and_count() -> None:
    """Every count of every rank, lowest first, as far as so many may go at once."""

    def ways(zone: str, **options: Json) -> list[str]:
        state = at("life", f"{zone} 2c 5c 5d 6s Tc Td Th Ts Ac", OTHER, options=options)
        return [move.removeprefix("play ") for move in legal(state)]

    assert ways("up", **{"play.up_at_once": 3}) == ["2", "5", "5 5", "6", "T", "T T", "T T T", "A"]
    assert ways("hand", **{"play.whole_sets": True}) == ["2", "5 5", "6", "T T T T", "A"]
    assert ways("up", **{"play.whole_sets": True, "play.up_at_once": 2}) == ["2", "5 5", "6", "T T", "A"]


def test_tables_are_not_pickled() -> None:
    """Powers come out of a pickle as those that this process has, so that equal moves are the same object."""
    powers = powers_of(rulesets()[DEFAULT])
    pickled = pickle.dumps(powers)
    assert pickle.loads(pickled) is powers  # noqa: S301 - made one line above
    assert len(pickled) < 5_000
