"""How long a usual game takes: a newcomer, who plays what the arrow keys show first, among two easy AI players."""

from random import Random
from statistics import median

import pytest

from engine.ai import LEVELS
from engine.ai.arranging import better_arrangements
from engine.cards import MOST_COPIES
from engine.legality import legal_moves, must_lay
from engine.moves import READY, Move, Play
from engine.rulesets import ruleset, rulesets
from engine.view import View
from engine.wording.typed_moves import example_play
from server.config import Config
from server.language.table_settings import USUAL_SEATS, read_table_settings
from server.rulebook import Rulebook, minutes
from server.training.arena import arranged_deal, generators, play_ply
from tests.soak import long

GAMES = long(60, 120)
NEWCOMER = 0


def newcomer(view: View, _: Random) -> Move:
    """Plays what the right arrow key shows first."""
    if view.phase == "arrange":
        return better_arrangements(view, NEWCOMER)[0] if must_lay(view, NEWCOMER) else READY
    moves = legal_moves(view, NEWCOMER)
    plays = [move for move in moves if isinstance(move, Play)]
    return example_play(view, plays, copies=MOST_COPIES) if plays else moves[0]


def plies(rules: str, number: int) -> int:
    """How many moves are made until the game ends, or until the newcomer is out and the rest is played at once."""
    players, seed = [newcomer, *[LEVELS["easy"]] * (USUAL_SEATS - 1)], f"length/{number}"
    chances = generators(seed, USUAL_SEATS)
    state, made = arranged_deal(ruleset(rules), players, seed, chances), 0
    while state.phase == "play" and state.cards_of(NEWCOMER):
        play_ply(state, players, chances)
        made += 1
    return made


@pytest.mark.parametrize("rules", rulesets())
def test_the_usual_length_is_that_of_half_of_all_games(rules: str) -> None:
    """Within the chance of so many games. If it fails after a change of the AI players, state the new length."""
    measured = median(plies(rules, number) for number in range(GAMES))
    assert ruleset(rules).usual_plies == pytest.approx(measured, rel=0.12)


def test_the_list_of_rule_sets_tells_minutes_and_house_rules_are_like_their_base() -> None:
    """Four to ten seconds for a move of a person; AI players take less than one."""
    assert minutes(ruleset("quatch")) == "2-5 min"
    assert all(" min" in line for line in Rulebook().listed())
    changed = ruleset("quatch").with_options({"draw.to": 4})
    assert minutes(changed) == minutes(ruleset("quatch"))


@pytest.mark.parametrize("rules", rulesets())
def test_a_new_table_has_three_seats(rules: str) -> None:
    """If none are named."""
    assert read_table_settings(rules, Rulebook(), Config()).seats == USUAL_SEATS
