"""How many simulations a move of Master takes: fewer if its choice is clear."""

from random import Random

import pytest

from engine.ai.easy_medium_hard import ANTI_LOOP_PLIES
from engine.ai.extreme_and_master import CONTEMPT, STEP, choose_by_search
from engine.ai.search import Search
from engine.ai.style import PLAIN, STYLES, Style
from engine.ai.weights import model_for
from engine.moves import Move, parse_move
from engine.state import State
from engine.view import view_of
from tests.support.positions import at

BUDGET = 10 * STEP


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of simulations that searches were asked to run."""
    asked, run = list[int](), Search.run

    def noted(search: Search, simulations: int) -> object:
        asked.append(simulations)
        return run(search, simulations)

    monkeypatch.setattr(Search, "run", noted)
    return asked


def clear(quiet: int = 0) -> State:
    """The last two cards of this seat may go at once."""
    return at("quatch", "hand 7c 7d", "hand 5d 6d 8d 9d", pile="4h", quiet=quiet)


def close(quiet: int = 0) -> State:
    """Several moves are about as good as each other."""
    return at("quatch", "hand 5c 6c 7c 8c 9c Jc", "hand 5d 6d 7d 8d 9d", pile="4h", quiet=quiet)


def chosen(state: State, simulations: int, style: Style = PLAIN) -> Move:
    """The choice of a search with at most so many simulations."""
    return choose_by_search(view_of(state, 0), Random(1), model_for(state.rules, 2), simulations, style)


def test_a_clear_choice_ends_the_search(runs: list[int]) -> None:
    """It is the same choice as that of a search that runs all of twice as many simulations."""
    found = chosen(clear(), BUDGET)
    assert sum(runs) < BUDGET
    view, model = view_of(clear(), 0), model_for(clear().rules, 2)
    stats = Search(view, model.value, model.moves, Random(1), CONTEMPT).run(2 * BUDGET)
    assert found == parse_move("play 7 7") == max(stats, key=lambda each: each.visits).move


@pytest.mark.parametrize("simulations", [1, STEP - 1, STEP, STEP + 1, BUDGET])
def test_a_close_choice_takes_at_most_all_simulations(runs: list[int], simulations: int) -> None:
    """Also if they are no multiple of the step."""
    chosen(close(), simulations)
    assert simulations / 2 < sum(runs) <= simulations


def test_a_style_can_keep_a_choice_open(runs: list[int]) -> None:
    """A move that the style prefers may still overtake one that has more visits."""
    state = at("quatch", "hand 5c Tc Kc", "hand 5d 6d 7d 8d", stock="8c 8h 9h", pile="4h")
    chosen(state, BUDGET)
    plain = sum(runs)
    chosen(state, BUDGET, STYLES["arsonist"])
    assert sum(runs) - plain > plain


def test_a_drawn_move_takes_all_simulations(runs: list[int]) -> None:
    """After quiet plies the move is drawn, so no choice is clear."""
    chosen(clear(ANTI_LOOP_PLIES), BUDGET)
    assert sum(runs) == BUDGET
