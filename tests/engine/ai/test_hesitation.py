"""For how long an AI player seems to think: not at all about a forced move, longest about a dilemma."""

from engine.ai.hesitation import hesitation
from engine.legality import legal_moves
from engine.view import view_of
from tests.support.random_games import some_states, table


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
