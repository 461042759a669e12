"""Moves and settings of tables as people type them."""

import pytest

from engine.errors import BadMove, InputError
from engine.moves import PASS, PICK_UP, READY, Flip, Lay, Swap, parse_move
from engine.rulesets import ruleset
from engine.view import view_of
from engine.wording.typed_moves import typed_form
from server.config import Config
from server.language.parsing import parse_typed_move
from server.language.table_settings import read_table_settings
from server.rulebook import Rulebook
from tests.support.each import for_each
from tests.support.positions import at, usual_view


@for_each(
    ("typed", "move"),
    [
        ("7", "play 7"),
        ("7 7", "play 7 7"),
        ("77", "play 7 7"),
        ("2x7", "play 7 7"),
        ("7*", "play 7 7 7"),
        ("K", "play K"),
        ("queen", "play Q"),
        ("aces", "play A"),
        ("7s", "play 7 7 7"),
        ("7 of spades", "play 7s"),
        ("the ace of hearts", "play Ah"),
        ("deuce", "play 2"),
        ("play a king", "play K"),
        ("an 8", "play 8"),
        ("an ace", "play A"),
        ("play a ace", "play A"),
        ("a a", "play A A"),
        ("play a a", "play A A"),
        ("both 6", "play 6 6"),
        ("play all my lowest cards", "play 7 7 7"),
        ("play something that goes", "play 7"),
        ("play 7 instead", "play 7"),
        ("k", "play K"),
        ("10", "play T"),
        ("t", "play T"),
        ("10s", "play T"),
        ("7h 7c", "play 7h 7c"),
        ("7h7c", "play 7h 7c"),
        ("Ah", "play Ah"),
        ("play 7 7", "play 7 7"),
        ("7K", "play 7 K"),
        ("p", "pickup"),
        ("take", "pickup"),
        ("pick", "pickup"),
        ("p k k", "pickup K K"),
        ("d", "pass"),
        ("pass", "pass"),
        ("flip 2", "flip 2"),
        ("2", "play 2"),
    ],
)
def test_moves_as_typed(typed: str, move: str) -> None:
    """Ranks in all the ways that people write them; the rank two is a rank while cards can be named."""
    found = parse_typed_move(typed, usual_view())
    assert str(found) == move
    assert found == parse_move(move)


@for_each(
    ("phrases", "move"),
    [
        (
            "my king please, the king, I play the king!, I'll play a king, ok then king, the king., ill play a king",
            "play K",
        ),
        ("I think I play the king now, il lay my highst card, the higher one", "play K"),
        ("play 7 please, lay the seven, put the seven down, I\u2019ll lay 7, fine, 7", "play 7"),
        ("both sevens, the two sevens, put down the two sevens, I play both sevens, 7 and 7", "play 7 7"),
        ("sevens, my sevens, Sevens!, I play sevens, play my 7s, all sevens, all three 7's plz", "play 7 7 7"),
        ("pick it up, take it, take them, I'll take them, fine pick up, I pick up the pile, I take the pile", "pickup"),
        ("ugh ok pick it all up", "pickup"),
    ],
)
def test_moves_in_whole_sentences(phrases: str, move: str) -> None:
    """Words that change nothing are passed over."""
    for typed in phrases.split(", "):
        if typed != "fine":
            assert (typed, str(parse_typed_move(typed, usual_view()))) == (typed, move)


NOTHING = (
    "I have nothing, nothing to play, I can't play, I can\u2019t play anything, I cannot move, I have nothing left!, "
    "can't go, can't play"
)


@for_each(("typed", "move"), [("9", "play 9 9"), ("play 9", "play 9 9"), ("9d", "play 9d"), ("k", "play K")])
def test_a_rank_is_all_its_cards_where_they_must_go_together(typed: str, move: str) -> None:
    """As it can mean nothing else; a card that is named with its suit is that one."""
    state = at("quatch", "hand 9c 9d Kh 8s", "hand 4c 5d", pile="8c", options={"play.whole_sets": True})
    assert parse_typed_move(typed, view_of(state, 0)) == parse_move(move)


def test_all_cards_of_a_rank_are_as_many_as_may_be_played() -> None:
    """Of the face-up row one at a time."""
    state = at("quatch", "up 7c 7d Kh", "hand 4c 5d", pile="6c")
    assert parse_typed_move("7*", view_of(state, 0)) == parse_move("play 7")


def test_a_jack_is_a_word_although_it_could_be_four_cards() -> None:
    """J, the ace of clubs, K; in the plural also the king of spades. The plural is all of them."""
    view = usual_view(seat="hand Jc Jd Ac Ks Kh")
    for typed, move in (("jack", "play J"), ("Jack", "play J"), ("JACKS", "play J J"), ("jack*", "play J J")):
        assert (typed, str(parse_typed_move(typed, view))) == (typed, move)


def test_players_with_nothing_to_play_pick_up_if_that_is_so() -> None:
    """Else they are told what they can play, and the pile is not theirs by a mistake."""
    stuck = view_of(at("life", "hand 3c", "hand 4h", pile="Kd"), 0)
    able = view_of(at("life", "hand 3c Ah", "hand 4h", pile="Kd"), 0)
    for typed in NOTHING.split(", "):
        assert parse_typed_move(typed, stuck) == PICK_UP
        with pytest.raises(BadMove, match=r"^You can play "):
            parse_typed_move(typed, able)


READY_WORDS = (
    "start, go, begin, done, I am ready, I'm ready, ready now, no swap, keep, keep them, I keep my cards, "
    "I like my cards, just start already, ok let's go, start the game, Ready!, I'm done arranging, "
    "all set, done swapping, I'm good to go, ready to play, ok im redy lets go, do not swap, do not change cards, "
    "I think I'm done now"
)


def test_what_players_say_who_have_arranged_is_ready() -> None:
    """Only in full, and only while they arrange."""
    for typed in READY_WORDS.split(", "):
        assert (typed, parse_typed_move(typed, usual_view(phase="arrange"))) == (typed, READY)
    for typed in (
        "sta",
        "keep 7",
        "go back",
        "not ready",
        "I",
        "no",
        "yes",
        "keep them",
        "start",
        "set",
        "can you play for me",
    ):
        phase = "play" if typed in READY_WORDS.split(", ") else "arrange"
        assert (typed, parse_typed_move(typed, usual_view(phase=phase))) == (typed, None)


@for_each(
    "typed",
    [
        "swap the king and the 4",
        "swap king with four",
        "swap the four for my king",
        "I swap k, 4",
        "s 4 k",
        "switch king for 4",
        "change my king with the 4",
    ],
)
def test_a_swap_is_known_by_its_two_cards(typed: str) -> None:
    """Whichever is named first."""
    assert parse_typed_move(typed, usual_view(phase="arrange")) == parse_move("swap K 4")


@pytest.mark.parametrize(("typed", "slot"), [("1", 0), ("2", 1), ("3", 2)])
def test_slots_when_only_the_face_down_row_is_left(typed: str, slot: int) -> None:
    """Then 2 and 3 can be no ranks."""
    assert parse_typed_move(typed, usual_view(seat="down 9c 9d 9h")) == Flip(slot)


def test_a_slot_that_is_not_next_is_refused_by_the_rules() -> None:
    """They say what is to be played first; 2 and 3 are ranks as long as there are some."""
    assert parse_typed_move("1", usual_view()) == Flip(0)
    assert parse_typed_move("2", usual_view()) == parse_move("play 2")


@for_each("move", ["play 7 7", "play T", "pickup", "pickup K K", "pass", "ready", "swap K 4"])
def test_moves_as_they_are_suggested_mean_themselves(move: str) -> None:
    """What a lesson or a tip says to type is that move."""
    assert parse_typed_move(typed_form(parse_move(move)), usual_view()) == parse_move(move)


def test_slots_as_they_are_suggested() -> None:
    """By number alone where that is no rank."""
    blind = usual_view(seat="down 9c 9d 9h 9s")
    assert [typed_form(Flip(slot)) for slot in range(4)] == ["1", "2", "3", "flip 4"]
    assert [parse_typed_move(typed_form(Flip(slot)), blind) for slot in range(4)] == [Flip(slot) for slot in range(4)]


def test_arranging_moves() -> None:
    """Swapping where cards are swapped, laying where they are laid."""
    swapping = usual_view(phase="arrange")
    assert parse_typed_move("s K 4", swapping) == parse_move("swap K 4")
    assert isinstance(parse_typed_move("swap k 4", swapping), Swap)
    assert parse_typed_move("d", swapping) == parse_typed_move("ready", swapping) == READY
    assert parse_typed_move("rea", swapping) == READY
    assert parse_typed_move("sw 7 4", swapping) == parse_typed_move("swap 7 4", swapping)
    laying = usual_view("life", "hand 4c 5d Kh 6c 7c 8d", "arrange")
    assert parse_typed_move("4 5 k", laying) == parse_typed_move("lay 4 5 K", laying) == parse_move("lay 4 5 K")
    assert parse_typed_move("la 4 5 k", laying) == parse_move("lay 4 5 K")
    assert isinstance(parse_typed_move("45k", laying), Lay)


@for_each("typed", ["s", "s 7", "lay", "flip x"])
def test_half_a_move_says_what_is_missing(typed: str) -> None:
    """In one line; nothing is guessed."""
    with pytest.raises(InputError) as caught:
        parse_typed_move(typed, usual_view())
    assert "\n" not in caught.value.message


@for_each("typed", ["aha", "aah", "Ah.", "ah!", "ah ok", "ok ah", "ah, king then", "as well", "attack"])
def test_no_sigh_plays_a_card(typed: str) -> None:
    """Although each can be spelled by cards, or a card and words that change nothing."""
    assert parse_typed_move(typed, usual_view(seat="hand Ac Ah As")) is None


@for_each("typed", ["xyzzy", "", "\x00", "leave", "why 7", "play life"])
def test_other_text_is_no_move(typed: str) -> None:
    """It may be a command."""
    assert parse_typed_move(typed, usual_view()) is None


def test_players_without_a_move_to_make_type_none() -> None:
    """Spectators, and all players when the game is over."""
    state = at("quatch", "hand 7c", "hand 3c", pile="4d")
    assert parse_typed_move("7", view_of(state, None)) is None


def test_a_pass_and_a_pick_up_are_the_engine_s_own() -> None:
    """No second spelling of the same move."""
    assert [parse_typed_move("d", usual_view()), parse_typed_move("p", usual_view())] == [PASS, PICK_UP]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("k h", "'h' is not a card: name a rank"),
        ("7 x 7", "'x' is not a card: name a rank"),
        ("ready 7", "ready takes nothing behind it"),
    ],
)
def test_a_move_with_a_word_too_many_is_told_so(typed: str, told: str) -> None:
    """And not that the first word is no command."""
    with pytest.raises(BadMove, match=f"^{told}"):
        parse_typed_move(typed, usual_view())


@pytest.mark.parametrize(
    ("typed", "seats"),
    [
        *(("against two", 3), ("vs 3", 4), ("against two hard players", 3), ("against one", 2), ("2 easy bots", 3)),
        *(("two opponents", 3), ("1v1", 2), ("1 vs 2", 3), ("with 3 players", 3), ("life 2 next", 2), ("four", 4)),
        *(("4 with bots", 4), ("4 vs bots", 4), ("4 and bots", 4), ("4 with ai", 4), ("life 4 with others", 4)),
        *(("3 against computers", 3), ("2 against bots", 2), ("3 bots", 4)),
    ],
)
def test_as_many_are_seated_as_are_said(typed: str, seats: int) -> None:
    """The player who says how many they play against is one more."""
    assert read_table_settings(typed, Rulebook(), Config()).seats == seats


@for_each("typed", ["[10,K]", '["10","K"]', "10,k", "10+k"])
def test_ranks_are_listed_as_people_list_them(typed: str) -> None:
    """As a program writes them, and without its signs."""
    options = read_table_settings(f"special.7.effect=lower special.7.blocks={typed}", Rulebook(), Config()).options
    assert ruleset("quatch").with_options(options).special[5].blocks == (8, 11)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("sets=3", "did you mean seats?"),
        ("pickup.by_chioce=true", "did you mean pickup.by_choice?"),
        ("frob=3", "there are seats, level, clock, "),
    ],
)
def test_an_unknown_option_is_answered_with_a_like_one_or_with_all(typed: str, said: str) -> None:
    """One that is not like it would lead away."""
    with pytest.raises(InputError) as caught:
        read_table_settings(typed, Rulebook(), Config())
    assert said in caught.value.message
