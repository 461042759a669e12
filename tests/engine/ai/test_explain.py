"""Hints and reviews: the move, its reason in a sentence, the chances at each turn, and mistakes."""

import re
from random import Random

import pytest

from engine.ai import LEVELS
from engine.ai.easy_medium_hard import ANTI_LOOP_PLIES
from engine.ai.explain import MOST_WORDS, explain, glance
from engine.ai.judging import CLOSER, Judgement, confirmed, costliest, doubtful, judge, turning_points
from engine.ai.mistakes import MISTAKES, Mistake, mistake_of, opposite
from engine.ai.verdict import Depth
from engine.ai.worlds import World, Worlds, advance
from engine.game import deal, play
from engine.legality import legal_moves, refusal
from engine.moves import PASS, PICK_UP, Move, play_of
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from tests.soak import long
from tests.support.positions import OTHER, at, large_pile
from tests.support.random_games import some_states, table

QUICK = Depth(simulations=40, proposed=3, playouts=100)
A_LOOK = Depth(simulations=60, proposed=3)


def game(rules: str, seats: int) -> list[tuple[State, int, Move]]:
    """A game that Hard plays: each position, the seat that moved, its move."""
    rng, steps = Random(rules), list[tuple[State, int, Move]]()
    state, _ = deal(ruleset(rules), seats, "a seed")
    while state.phase != "over":
        seat = state.to_move if state.to_move is not None else state.ready.index(False)
        move = LEVELS["hard"](view_of(state, seat), rng)
        steps.append((state, seat, move))
        state, _ = play(state, seat, move)
    return steps


@pytest.mark.parametrize("rules", rulesets())
def test_every_hint_is_a_legal_move_and_one_line(rules: str) -> None:
    """With and without search, while arranging and in play."""
    for state, seat, _ in game(rules, 3)[:: long(40, 1)]:
        view = view_of(state, seat)
        for found in (glance(view, Random(1)), explain(view, "a seed", Depth(8, proposed=2, playouts=40))):
            assert refusal(state, seat, found.move) is None
            assert re.fullmatch("[^:]+: .+\\.", found.sentence), "it has a reason, or says how to read it"
            assert "\n" not in found.sentence
            assert len(found.sentence.partition(": ")[2].split()) <= MOST_WORDS
            assert found.details.startswith(found.sentence.partition(":")[0].rstrip("."))


def test_a_hint_says_what_decided() -> None:
    """That a move is the only one, and that a move goes out, are given as reasons."""
    assert explain(view_of(at("quatch", "hand 9c", OTHER, pile="Kh"), 0), "hint", QUICK).sentence == (
        "Take the pile: you have no other move."
    )
    found = explain(view_of(at("college", "hand 8c 8d", "hand 3c 4c", pile="6h"), 0), "hint", QUICK)
    assert str(found.move) == "play 8 8"
    assert found.sentence == "Play two 8s: then you are out of cards."


def test_a_hint_is_the_best_move_even_when_nothing_has_happened_for_long() -> None:
    """Although the level itself would vary its moves there."""
    quiet = at("quatch", "hand 5c 6c 7c 8c 9c Jc", "hand 5d 6d 7d 8d 9d", pile="4h", quiet=ANTI_LOOP_PLIES)
    assert len({glance(view_of(quiet, 0), Random(seed)) for seed in range(20)}) == 1


def test_a_review_finds_the_blunder() -> None:
    """A player who could have gone out is shown that move, its reason and its cost."""
    state = at("college", "hand 8c 8d", "hand Kc Ac", pile="6h")
    found = judge(view_of(state, 0), play_of(6, 1), "turn", QUICK)

    assert found.chance > 0.9
    assert (str(found.better), found.reason) == ("play 8 8", "then you are out of cards")
    assert found.cost > 0.2
    assert costliest([Judgement(0.5), found]) == [1]


def test_a_review_names_no_cost_without_a_closer_look() -> None:
    """A quick look alone is wrong too often; of the turn that it was about only the chance is told."""
    quick = [Judgement(0.5, play_of(rank, 1), 0.2 + rank / 100) for rank in range(8)]
    closer = {number: Judgement(0.5, play_of(number, 1), 0.1) for number in doubtful(quick)[1:]}
    found = confirmed(quick, closer)

    assert doubtful(quick) == [7, 6, 5, 4, 3, 2]
    assert set(costliest(found)) < set(closer) == {2, 3, 4, 5, 6}
    assert [each.chance for each in found] == [0.5] * 8
    assert [number for number, each in enumerate(found) if each.better] == [2, 3, 4, 5, 6]


def test_a_review_does_not_blame_a_player_who_leaves_a_large_pile() -> None:
    """The search alone thought so in this position, in which taking the pile wins 15 of 100 games and a 2 wins 37."""
    found = judge(view_of(large_pile(), 0), play_of(0, 1), "turn", CLOSER)
    assert found.better is None
    assert str(judge(view_of(large_pile(), 0), PICK_UP, "turn", CLOSER).better) == "play 2"


def test_a_review_of_a_whole_game() -> None:
    """A chance for every turn of play, the same every time, and no more than three moves that cost something."""
    turns = [
        (view_of(state, 1), move) for state, seat, move in game("quatch", 3) if seat == 1 and state.phase == "play"
    ]
    found = [judge(view, made, "turn", A_LOOK) for view, made in turns]

    assert all(0 <= each.chance <= 1 for each in found)
    assert all((each.cost > 0) == (each.better is not None) for each in found)
    assert any(each.reason for each in found)
    assert 0 < len(costliest(found)) <= 3
    assert sorted(costliest(found), key=lambda at: -found[at].cost) == costliest(found)
    assert set(costliest(found)) <= set(doubtful(found))
    assert found[::4] == [judge(view, made, "turn", A_LOOK) for view, made in turns[::4]]


MOST_WORLDS = 3_000


def test_turning_points_are_the_largest_changes_in_their_order() -> None:
    """At most three; small changes are none, and the last turn is followed by no other."""
    chances = [0.5, 0.55, 0.3, 0.31, 0.9, 0.75, 0.2, 0.25]
    assert turning_points([Judgement(chance) for chance in chances]) == [1, 3, 5]
    assert turning_points([Judgement(0.5), Judgement(0.58)]) == []
    assert turning_points([]) == []


@pytest.mark.parametrize("seats", [2, 4])
def test_the_better_line_is_possible_as_far_as_the_player_can_know(seats: int) -> None:
    """It begins after the better move, and some world that agrees with the view allows every move of it."""
    told, rng = 0, Random("made")
    for state in some_states(table("quatch", seats), 7):
        if state.phase != "play" or state.to_move is None or len(legal_moves(state, state.to_move)) < 3:
            continue
        view = view_of(state, state.to_move)
        found = judge(view, rng.choice(legal_moves(view, state.to_move)), "turn", Depth(40))
        if found.better is not None:
            told += 1
            assert found.line == () or possible(Worlds(view), (state.to_move, found.better), *found.line)
    assert told > 3


def possible(worlds: Worlds, *line: tuple[int, Move]) -> bool:
    """Whether a world allows these moves of these seats."""
    rng = Random("worlds")
    return any(allows(worlds.draw(rng), line) for _ in range(MOST_WORLDS))


def allows(world: World, line: tuple[tuple[int, Move], ...]) -> bool:
    """Whether these moves of these seats are legal in a world, one after the other."""
    for seat, move in line:
        if world.phase != "play" or world.to_move != seat or move not in legal_moves(world, seat):
            return False
        advance(world, move)
    return True


TWO, FIVE, NINE, TEN = 0, 3, 7, 8


@pytest.mark.parametrize(
    ("made", "better", "mistake"),
    [
        (PICK_UP, play_of(FIVE, 1), "takes"),
        (play_of(TWO, 1), play_of(FIVE, 1), "powers early"),
        (play_of(NINE, 1), play_of(FIVE, 2), "high"),
        (play_of(FIVE, 2), play_of(FIVE, 1), "many"),
        (PASS, play_of(FIVE, 1), None),
        (play_of(TEN, 1), play_of(TWO, 1), None),
    ],
)
def test_a_mistake_has_a_name_and_the_contrary_its_opposite(made: Move, better: Move, mistake: Mistake | None) -> None:
    """The 2 and the 10 are special cards in Quatch, and neither is the higher one."""
    view = view_of(at("quatch", "hand 2c 5c 5d 9c Tc", OTHER), 0)

    assert mistake_of(view, made, better) == mistake
    assert mistake is None or mistake_of(view, better, made) == opposite(mistake)


def test_opposites_come_in_pairs() -> None:
    """Each mistake is the opposite of its opposite."""
    assert all(opposite(opposite(mistake)) == mistake != opposite(mistake) for mistake in MISTAKES)
