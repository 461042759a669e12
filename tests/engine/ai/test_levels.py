"""How the levels of AI players choose: second-best plays, no endless games, and how long they think."""

from random import Random
from typing import Final, Protocol

import pytest

from engine.ai import LEVELS, AIPlayer, player
from engine.ai.easy_medium_hard import ANTI_LOOP_PLIES, HARD_SECOND_BEST, MEDIUM_SECOND_BEST, hard, medium
from engine.ai.extreme_and_master import CONTEMPT, SIMULATIONS, STEP, choose_by_search
from engine.ai.hesitation import hesitation
from engine.ai.search import Prospects, Search
from engine.ai.style import PLAIN, STYLES, Style
from engine.ai.weights import model_for
from engine.game import deal
from engine.legality import legal_moves
from engine.moves import Move, parse_move, play_of
from engine.rulesets import ruleset
from engine.state import Outcome, State
from engine.view import View, view_of
from tests.support.each import for_each
from tests.support.positions import OTHER, at
from tests.support.random_games import some_states, table


class Level(Protocol):
    """Medium or Hard."""

    def __call__(self, view: View, rng: Random, *, second_best: float = ...) -> Move:
        """The move."""


def opening(seats: int) -> View:
    """The view of the seat that leads freely with a five, a seven and a nine."""
    state, _ = deal(ruleset("cathedral"), seats, "any")
    state.phase, state.to_move = "play", 0
    state.hands[0] = 1 << 4 * 3 | 1 << 4 * 5 | 1 << 4 * 7
    return view_of(state, 0)


@for_each("level", [medium, hard])
@for_each(("seats", "second_best", "played"), [(4, 1.0, 5), (3, 1.0, 5), (2, 1.0, 3), (4, 0.0, 3)])
def test_the_second_best_play(level: Level, seats: int, second_best: float, played: int) -> None:
    """With two seats the level plays its lowest card all the same. Random(1) makes neither level slip."""
    assert level(opening(seats), Random(1), second_best=second_best) == play_of(played, 1)


def test_medium_errs_more_often_than_hard() -> None:
    """And each about as often as it says."""
    view = opening(4)

    def share(level: Level) -> float:
        moves = [level(view, Random(number)) for number in range(400)]
        return moves.count(play_of(5, 1)) / len(moves)

    assert share(hard) == pytest.approx(HARD_SECOND_BEST, abs=0.06)
    assert share(medium) == pytest.approx(MEDIUM_SECOND_BEST, abs=0.08)


def test_a_forced_move_takes_no_thought_and_others_take_some() -> None:
    """Between 0 and 1, the same each time; arranging and flips take none."""
    seen = set[bool]()
    for state in some_states(table("quatch", 4), 3):
        if state.phase != "over":
            view = view_of(state, state.to_move if state.phase == "play" else 0)
            share = hesitation(view)
            choices = len(legal_moves(view, view.seat or 0)) if state.phase == "play" else 0
            assert 0 <= share <= 1
            assert share == hesitation(view)
            assert not (choices < 2 and share)
            seen.add(share > 0.5)
    assert seen == {False, True}


PLAYERS: Final[dict[str, AIPlayer]] = {**LEVELS, "master": player("master", simulations=60)}


def circling(quiet: int = 0) -> State:
    """Many moves are about as good as each other."""
    return at("quatch", "hand 5c 6c 7c 8c 9c Jc", "hand 5d 6d 7d 8d 9d", pile="4h", quiet=quiet)


@for_each("level", PLAYERS)
def test_after_quiet_plies_a_level_varies_its_moves(level: str) -> None:
    """After some quiet plies a level also plays other moves than its best one; the seed decides which."""
    before, after = (
        {str(PLAYERS[level](view_of(circling(quiet), 0), Random(seed))) for seed in range(40)}
        for quiet in (ANTI_LOOP_PLIES - 1, ANTI_LOOP_PLIES)
    )
    assert len(before) < len(after)
    assert after <= {str(move) for move in legal_moves(circling(), 0)}


@for_each("rules", ["quatch", "life"])
@for_each("seats", [2, 3, 4])
def test_with_contempt_a_draw_is_worth_less(rules: str, seats: int) -> None:
    """It is still worth more than the last place. The others gain what this seat loses, so the sum stays the same."""

    def prospects(quiet: int, contempt: float) -> list[float]:
        state = at(rules, *(f"hand 5{suit} 9{suit}" for suit in "cdhs"[:seats]), pile="4h", quiet=quiet)
        if quiet == 200:
            state.phase, state.to_move, state.outcome = "over", None, Outcome(None, tuple(range(seats)))
        return Prospects(state, model_for(state.rules, seats).value, 1, contempt).of(state)

    fair, contempt = prospects(200, 0.0), prospects(200, 0.4)
    assert len(set(fair)) == 1
    assert contempt[1] == pytest.approx(0.6 * fair[1])
    assert min(share for seat, share in enumerate(contempt) if seat != 1) > fair[0]
    for quiet in (0, 100, 200):
        assert sum(prospects(quiet, 0.4)) == pytest.approx(sum(fair))
    assert prospects(0, 0.4)[1] > prospects(100, 0.4)[1] > contempt[1]


def test_contempt_does_not_change_a_known_last_place() -> None:
    """One seat is left, so its place is known, and contempt changes nothing."""
    state = at("life", "hand 5c", "hand 9c", OTHER, order=[1], places=[0, 2])
    assert Prospects(state, model_for(state.rules, 3).value, 1, 0.4).of(state) == [1.0, 0.0, 0.5]


def test_master_burns_the_pile_rather_than_draw() -> None:
    """At the last quiet ply every move but the burn is a draw; without contempt both are worth the same."""
    view = view_of(at("quatch", "hand 10c 6c 9c", "hand 5d Jd Qd Kd", pile="4h", quiet=199), 0)
    model = model_for(view.rules, 2)

    def burns(contempt: float) -> int:
        chosen = [choose_by_search(view, Random(seed), model, SIMULATIONS, contempt=contempt) for seed in range(8)]
        return chosen.count(parse_move("play 10"))

    assert burns(CONTEMPT) >= 4
    assert burns(0.0) <= 2


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
    chosen(circling(), simulations)
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
