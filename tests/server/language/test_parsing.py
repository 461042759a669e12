"""What typed text means."""

import pytest

from engine.errors import InputError
from engine.moves import PASS, PICK_UP, READY, Flip, Lay, Move, Swap, parse_move
from engine.view import View, view_of
from engine.wording.typed_moves import typed_form
from server.commands.actions import ACTS
from server.commands.queries import ANSWERS
from server.language.parsing import COMMANDS, ParsedCommand, parse
from tests.support.positions import at


def usual_view(
    rules: str = "quatch", seat: str = "hand 7c 7d 7h Kh Ts 2s / up 4c / down 9c 9d 9h", phase: str = "play"
) -> View:
    """What the seat to move sees."""
    return view_of(at(rules, seat, "hand 3c 4h / down 8c", pile="4d 5d" if phase == "play" else "", phase=phase), 0)


@pytest.mark.parametrize(
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
        ("k", "play K"),
        ("10", "play T"),
        ("t", "play T"),
        ("10s", "play Ts"),
        ("7h 7c", "play 7h 7c"),
        ("play 7 7", "play 7 7"),
        ("7K", "play 7 K"),
        ("p", "pickup"),
        ("p k k", "pickup K K"),
        ("d", "pass"),
        ("pass", "pass"),
        ("flip 2", "flip 2"),
        ("2", "play 2"),
    ],
)
def test_moves_as_typed(typed: str, move: str) -> None:
    """Ranks in all the ways that people write them; the rank two is a rank while cards can be named."""
    found = parse(typed, usual_view(), at_table=True)
    assert str(found) == move
    assert found == parse_move(move)


@pytest.mark.parametrize(("typed", "slot"), [("1", 0), ("2", 1), ("3", 2)])
def test_slots_when_only_the_face_down_row_is_left(typed: str, slot: int) -> None:
    """Then 2 and 3 can be no ranks."""
    assert parse(typed, usual_view(seat="down 9c 9d 9h"), at_table=True) == Flip(slot)


def test_a_slot_that_is_not_next_is_refused_by_the_rules() -> None:
    """They say what is to be played first; 2 and 3 are ranks as long as there are some."""
    assert parse("1", usual_view(), at_table=True) == Flip(0)
    assert parse("2", usual_view(), at_table=True) == parse_move("play 2")


@pytest.mark.parametrize("move", ["play 7 7", "play T", "pickup", "pickup K K", "pass", "ready", "swap K 4"])
def test_moves_as_they_are_suggested_mean_themselves(move: str) -> None:
    """What a lesson or a tip says to type is that move."""
    assert parse(typed_form(parse_move(move)), usual_view(), at_table=True) == parse_move(move)


def test_slots_as_they_are_suggested() -> None:
    """By number alone where that is no rank."""
    blind = usual_view(seat="down 9c 9d 9h 9s")
    assert [typed_form(Flip(slot)) for slot in range(4)] == ["1", "2", "3", "flip 4"]
    assert [parse(typed_form(Flip(slot)), blind, at_table=True) for slot in range(4)] == [
        Flip(slot) for slot in range(4)
    ]


def test_arranging_moves() -> None:
    """Swapping where cards are swapped, laying where they are laid."""
    swapping = usual_view(phase="arrange")
    assert parse("s K 4", swapping, at_table=True) == parse_move("swap K 4")
    assert isinstance(parse("swap k 4", swapping, at_table=True), Swap)
    assert parse("d", swapping, at_table=True) == parse("ready", swapping, at_table=True) == READY
    laying = usual_view("life", "hand 4c 5d Kh 6c 7c 8d", "arrange")
    assert parse("4 5 k", laying, at_table=True) == parse("lay 4 5 K", laying, at_table=True) == parse_move("lay 4 5 K")
    assert isinstance(parse("45k", laying, at_table=True), Lay)


def test_a_rank_wins_over_a_command() -> None:
    """Q plays a queen, qu hangs up; nobody leaves by a slip."""
    assert str(parse("q", usual_view(), at_table=True)) == "play Q"
    assert parse("qu", usual_view(), at_table=True) == ParsedCommand("quit")


@pytest.mark.parametrize(
    ("typed", "name", "rest"),
    [
        ("?", "help", ""),
        ("he", "help", ""),
        ("h", "hint", ""),
        ("why 7", "why", "7"),
        ("/hello there", "say", "hello there"),
        ("'hello", "say", "hello"),
        ("say hi", "say", "hi"),
        ("leave", "leave", ""),
        ("lo", "log", ""),
        ("ru life", "rules", "life"),
    ],
)
def test_commands_by_any_clear_beginning(typed: str, name: str, rest: str) -> None:
    """At a table."""
    assert parse(typed, usual_view(), at_table=True) == ParsedCommand(name, rest)


@pytest.mark.parametrize("typed", ["xyzzy", "s", "s 7", "lay", "7 x", "", "flip x", "\x00"])
def test_what_means_nothing_says_so(typed: str) -> None:
    """In one line; nothing is guessed."""
    with pytest.raises(InputError) as caught:
        parse(typed, usual_view(), at_table=True)
    assert "\n" not in caught.value.message


def test_moves_are_commands_to_nobody_without_a_game() -> None:
    """In the lobby a rank is no move."""
    with pytest.raises(InputError):
        parse("7 7", None, at_table=False)


def test_every_command_is_carried_out_somewhere() -> None:
    """The table of commands and what obeys it agree."""
    assert {command.name for command in COMMANDS} == {*ANSWERS, *ACTS, "set", "again", "quit"}


def test_short_forms_are_no_ranks() -> None:
    """One-letter commands keep clear of a, j, k, q, t and the digits."""
    assert not any(command.short in set("ajkqt0123456789") for command in COMMANDS if command.short)


def test_a_pass_and_a_pick_up_are_the_engine_s_own() -> None:
    """No second spelling of the same move."""
    moves: list[Move | ParsedCommand] = [
        parse("d", usual_view(), at_table=True),
        parse("p", usual_view(), at_table=True),
    ]
    assert moves == [PASS, PICK_UP]
