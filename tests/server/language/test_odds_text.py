"""Odds in lines for people."""

from fractions import Fraction

import pytest

from engine.errors import InputError
from engine.state import State
from engine.wording.phrases import percent
from server.language.hint_text import ESTIMATE, odds_lines
from server.table.snapshot import Sitter, Snapshot
from tests.support.positions import at
from tests.support.random_games import TABLES, random_game
from tests.support.snapshots import snapshot_of

LONG_NAMES = tuple(Sitter(f"an_odd_long_name{n}"[:16]) for n in range(4))


def shown_to(state: State, seat: int | None = 0) -> Snapshot:
    """What this seat sees, of players with long names."""
    return snapshot_of(state, seat, sitters=LONG_NAMES)


def test_a_whole_answer() -> None:
    """Hidden cards by rank, the draw, each rank one could play, and that it is an estimate."""
    state = at(
        "quatch",
        "hand 7c Th / up 9c / down 4c",
        "hand 3h 4s",
        options={"deck.copies": {"2": 1, "10": 1, **dict.fromkeys("568JQA", 0)}},
        pile="3c 3d",
        stock="9h",
    )
    assert odds_lines(shown_to(state)) == [
        "17 cards are hidden from you: a 2, two 3s, four 4s, three 7s, three 9s and four kings.",
        "The next card drawn could be played on this pile: 100%.",
        "After 7 an_odd_long_name can follow: 89%.",
        "After 10 you move again.",
        ESTIMATE,
    ]


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (Fraction(0), "0%"),
        (Fraction(1, 400), "under 1%"),
        (Fraction(1, 3), "33%"),
        (Fraction(399, 400), "over 99%"),
        (Fraction(1), "100%"),
    ],
)
def test_only_the_certain_is_shown_as_certain(chance: Fraction, shown: str) -> None:
    """0% and 100% are promises."""
    assert percent(chance) == shown


def test_only_what_matters_now_is_told() -> None:
    """No draw while the first card is laid down by the rules; face-down cards once they are next."""
    opening = at("life", "hand 3c 9d / up 5c", "hand 4h 6h", stock="9h", must_lead="3")
    assert not [line for line in odds_lines(shown_to(opening)) if "next card drawn" in line]
    blind = at("quatch", "down 4c 9d", "hand 4h 6h", pile="8c")
    assert [
        line
        for line in odds_lines(shown_to(blind))
        if line.startswith("A face-down card of yours could be played on it: ")
    ]


def test_without_a_game_there_are_none() -> None:
    """Said in a line."""
    state = at("quatch", "hand 7c", "hand 3h")
    snapshot = shown_to(state)
    with pytest.raises(InputError):
        odds_lines(Snapshot(1, snapshot.rules, 0, snapshot.sitters, None, 0))


def test_each_fact_is_a_line_and_nothing_fails_in_whole_games() -> None:
    """Every rule set and mix of options, every state, players and spectators."""
    for table in TABLES:
        for state in random_game(table, "odds").states:
            if state.phase == "over" or (len(state.stock) % 5 and state.phase == "play"):
                continue
            for seat in (None, 0):
                assert all(line and "\n" not in line for line in odds_lines(shown_to(state, seat)))
