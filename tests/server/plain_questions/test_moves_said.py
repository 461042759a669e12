"""Moves that are said in sentences, as `parse` understands them at a table."""

from contextlib import suppress

import pytest
from msgspec.structs import replace

from engine.cards import RANKS
from engine.errors import BadMove, InputError
from engine.moves import READY, Flip, Move
from engine.view import View, view_of
from server.commands.finding import spoken
from server.commands.typed_line import ParsedCommand, parse
from server.plain_questions.moves_said import line_of_move
from server.render.scene import Scene
from server.table.place import TABLE
from server.table.snapshot import Sitter, Snapshot
from tests.support.asking import Asking
from tests.support.each import for_each
from tests.support.positions import at, usual_view
from tests.support.sentences import NO_FLIPS


def said(typed: str, view: View) -> Move | ParsedCommand:
    """What a line means to the player of this view."""
    snapshot = Snapshot(1, view.rules, 0, (Sitter("ana"), Sitter("Fox", "easy")), view, 1)
    return parse(typed, Asking(TABLE, Scene("ana", snapshot=snapshot)))


ROWS = {
    "down 9c 9d 9h": {
        0: "1, one, first one, the left one, number one, first card, the first one, leftmost, left card please, left, "
        "flip left, the one on the left, any, any one, whichever, surprise me, flip, flip it, flip first, "
        "turn one over, flip a card, one of them, Turn over face-down card 1, "
        "i choose the left one, I'll take the left one, i'd like the left one",
        1: "2, two, hmm 2, second, i'll go with the second, the second one, "
        "flip the second, turn over 2, the middle, the one in the middle, card 2, "
        "choose the middle one, let me flip the middle one, play two, centre, 2nd one",
        2: "3, three, third, the right one, the rightmost one, open the last one, number 3, take the right one",
    },
    "down - 9d 9h": {1: "left, the left one, first one, second, any, 2", 2: "flip right, third, last one"},
    "down 9c 9d -": {0: "left, 1", 1: "the right one, the last one, 2, the middle one"},
    "down 9c 9d 9h 9s": {0: "left", 1: "second", 2: "third", 3: "rightmost, the last one, fourth, 4"},
    "down - - 9h": {2: "left, flip right, flip it, turn it over, open it, the last one, 3"},
}
"""What players call a face-down card, by the row that is left and the slot that it is in."""


@for_each(("row", "slot", "typed"), [(row, slot, each) for row in ROWS for slot, typed in ROWS[row].items()
                                      for each in typed.split(", ")])  # fmt: skip
def test_a_face_down_card_is_called_by_its_place(row: str, slot: int, typed: str) -> None:
    """In the row that is left, when nothing else can be played."""
    assert said(typed, usual_view(seat=row)) == Flip(slot)


@for_each("typed", ["flip the second", "turn over 2", "turn over the second card", "reveal number two"])
def test_who_turns_a_card_too_early_is_refused_by_the_rules(typed: str) -> None:
    """They say what is to be played first."""
    assert said(typed, usual_view()) == Flip(1)


@for_each("typed", ["the king", "first turn", "whose turn is it", "what is left", "last move", "one more", "go on"])
def test_other_words_turn_no_card_while_others_are_held(typed: str) -> None:
    """Though they have a word that can name one."""
    with suppress(InputError):
        assert not isinstance(said(typed, usual_view()), Flip)


@for_each(("command", "typed"), [(command, each) for command, said in NO_FLIPS.items() for each in said.split(", ")])
def test_no_sentence_that_is_meant_otherwise_turns_a_card(command: str, typed: str) -> None:
    """For that cannot be taken back: also where nothing but face-down cards can be played."""
    for row in ("down 9c 9d 9h", "hand 7c / down 9c 9d 9h"):
        try:
            meant = said(typed, usual_view(seat=row))
        except InputError:
            assert not command
        else:
            assert isinstance(meant, ParsedCommand)
            assert command in {"", meant.command.name}


SWAPS = (
    "put my king on the 4, put K for 4, put king for 4, replace 4 with king, replace my 4 with the king, "
    "king for the 4, the king on the four please, put king up for 4, put a king on a 4, use king instead of 4, "
    "4 out king in, king goes on the 4, let me put the king on the 4, I want to put my king on the 4, place king on 4, "
    "k -> 4, trade king w/ 4, change k to 4, swap a king for a 4, swap the king and the 4, put king of hearts on the 4"
    ", put the king on the table instead of a four, and the king with the other four, swap king with one of my fours"
    ", king up, k up, put the king face up, move the king to my face up cards"
)


def test_two_cards_in_a_sentence_are_swapped_while_cards_are_arranged() -> None:
    """Whatever stands beside them, if it is nothing else."""
    view = usual_view(phase="arrange")
    for typed in SWAPS.split(", "):
        assert (typed, str(said(typed, view)).replace("Kh", "K")) == (typed, "swap K 4")
    assert str(said("swap a 10 for an ace", view)) == "swap T A"
    for typed in ("i dont want to change any cards", "don't swap any cards"):
        assert said(typed, view) == READY
    with pytest.raises(BadMove, match=r"^a swap names a hand card and a face-up card, as s 10 4 does$"):
        said("put 2 and 10 on 4", view)
    several = usual_view(seat="hand Kh Ts 2s / up 4c 5c / down 9c 9d", phase="arrange")
    with pytest.raises(BadMove, match=r"^a swap names a hand card and a face-up card, as s k 4 does$"):
        said("king up", several)
    for typed in ("in 2", "in 5", "4 on", "2 out", "on 4"):
        try:
            assert isinstance(said(typed, view), ParsedCommand)
        except InputError as error:
            assert "swap" not in error.message  # noqa: PT017 - some mean a command


def test_several_cards_whose_rank_is_not_named_are_those_of_one_rank_or_the_proposed_ones() -> None:
    """What is not clear moves nothing."""
    view = usual_view(seat="hand 7c 7d Kh Ks Kc 2s")
    for typed in ("both", "play both", "both of them", "the pair"):
        assert line_of_move(typed, view) == "7 7", typed
    for typed in ("all of them", "play all", "all"):
        assert line_of_move(typed, view) == "", typed
    assert line_of_move("play them all", view, hinted="k k k") == "k k k"
    assert line_of_move("both", usual_view(seat="hand 7c 7d 9h 9s")) == ""


def test_where_cards_are_laid_a_swap_is_told_so() -> None:
    """In the words for laying them."""
    laying = usual_view("life", "hand 4c 5d Kh 6c 7c 8d", "arrange")
    with pytest.raises(BadMove, match=r"^Choose 3 cards to lay face up"):
        said("king for the 4", laying)
    assert str(said("put 4, 5 and the king down", laying)) == "lay 4 5 K"


@pytest.mark.parametrize(
    ("phrases", "move"),
    [
        ("put my king on the 5, king on the pile, king on top, put the king on it, the king over 5", "play K"),
        (
            "I'll go with the king, slap down the king, king it is, beat it with the king, let's go with my king",
            "play K",
        ),
        ("7s on top of the 5, my sevens from my hand on the pile", "play 7 7 7"),
        ("put both sevens on the pile, two sevens on top", "play 7 7"),
        ("play the 7 from my hand, 7 on the five, seven on it", "play 7"),
        ("not the queen the 7, I play the 7 not the king, the 7 instead of the king", "play 7"),
        ("oh well i take them all, haha wait i take the pile, all right I take it", "pickup"),
    ],
)
def test_cards_that_are_put_on_the_pile_are_played(phrases: str, move: str) -> None:
    """They can go nowhere else."""
    for typed in phrases.split(", "):
        assert (typed, str(said(typed, usual_view()))) == (typed, move)


@for_each("typed", ["the last one", "i play my last card"])
def test_the_last_card_that_can_be_named_is_played(typed: str) -> None:
    """If it is the only one; of more nobody knows which one is meant."""
    assert str(said(typed, usual_view(seat="up Kh / down 9c 9d"))) == "play K"
    with suppress(InputError):
        assert isinstance(said(typed, usual_view(seat="up 9h Kh / down 9c 9d")), ParsedCommand)


def test_a_card_is_put_on_no_card_that_is_not_on_top() -> None:
    """Nor does a question play one, nor a sentence that goes on in another way."""
    with pytest.raises(BadMove, match=r"^no king lies on top of the pile"):
        said("7 on the king", usual_view())
    mirrored = replace(usual_view(), pile=(*usual_view().pile, RANKS.index("3") << 2))
    assert mirrored.top != mirrored.pile[-1] >> 2
    assert str(said("7 on the 3", mirrored)) == "play 7"
    for typed in ("put the king on the 5?", "7 on second thought no"):
        with pytest.raises(InputError):
            said(typed, usual_view())
    blind = view_of(at("quatch", "down 9c 9d", "hand 3c", pile="4d"), 0)
    with pytest.raises(InputError, match=r"^that is a question"):
        said("the left one?", blind)


@for_each("typed", ["put aside jack, queen and 2", "put jack queen 2 aside", "lay the j q 2 aside"])
def test_cards_are_laid_aside_in_words(typed: str) -> None:
    """Where a rule set has them laid aside."""
    view = replace(view_of(at("cathedral", "hand Jc Qh 2d", "hand 9h"), 0), phase="arrange")
    assert line_of_move(spoken(typed), view) == "j q 2"
