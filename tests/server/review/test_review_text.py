"""The sentences of a review say what its judgements say."""

import re

import pytest
from msgspec.structs import replace

from engine.ai.judging import Judgement
from engine.moves import PICK_UP, play_of
from engine.wording.phrases import move_words
from server.pieces import at_once
from server.records.record import decisions_of, seat_taken
from server.review import text
from server.review.review import Review, ReviewSubject
from server.review.text import costliest_sentence, review_lines, review_ready
from tests.server.review.reviews import golden

CHANCES = [0.5, 0.2, 0.25, 0.8]


def review() -> Review:
    """A review of four turns: the first fell by an error, after the third it rose by the others' moves."""
    record = golden()
    turns = tuple(at_once(decisions_of(record, 0))[: len(CHANCES)])
    judgements = [Judgement(chance) for chance in CHANCES]
    judgements[0] = Judgement(0.5, PICK_UP, 0.28, "you keep your good cards", ((1, play_of(5, 2)), (0, play_of(11, 1))))
    return Review(ReviewSubject(record, 0, is_own=True), turns, tuple(judgements))


def test_lines_tell_the_turning_points_and_whose_doing_they_were() -> None:
    """From which chance to which, from one turn to the next; what the move cost and what others did make the change."""
    found = review()
    first, second, third, fourth = (turn.ply for turn in found.turns)
    told = review_lines(found)

    fell, rose = (line for line in told if line.startswith("Turning point"))
    own = "your move cost 28, the others and the cards took 2."
    assert fell == f"Turning point: your chance to win fell from 50 at move {first} to 20 at move {second}; {own}"
    others = "your move cost nothing, the others and the cards gave 55."
    assert rose == f"Turning point: your chance to win rose from 25 at move {third} to 80 at move {fourth}; {others}"


def test_every_turn_that_a_turning_point_names_is_in_the_list_of_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside those at equal distances."""
    monkeypatch.setattr(text, "CHANCES_TOLD", 1)
    found = review()
    chances = review_lines(found)[-1]
    assert re.findall(r"\d+ before move (\d+)", chances) == [str(turn.ply) for turn in found.turns]


def test_a_sentence_names_a_move_that_cost_much() -> None:
    """In the words of the review, and nothing if no move has cost anything to speak of."""
    found = review()
    cost = f"Move {found.turns[0].ply} cost 28 of your 50 percent chance to win: you "
    made = move_words(found.turns[0].made, "did")
    assert costliest_sentence(found) == f"{cost}{made}; better take the pile."
    assert any(line.startswith(f"{cost}{made}. Better to take the pile") for line in review_lines(found))
    found = replace(found, judgements=tuple(map(Judgement, CHANCES)))
    assert costliest_sentence(found) == ""


def test_the_better_line_is_told_with_the_names() -> None:
    """After the reason for the better move."""
    found = review()
    told = next(line for line in review_lines(found) if "It could have gone on" in line)
    other = found.subject.record.players[1].name

    line = f"It could have gone on: {other} plays two 7s and you play a king."
    assert told.endswith(f"Better to take the pile: you keep your good cards. {line}")


@pytest.mark.parametrize(("left_after", "told"), [(0, "Owl plays two 7s"), (1_000, "Fox plays two 7s")])
def test_the_better_line_names_who_had_the_seat_then(left_after: int, told: str) -> None:
    """If its first player had left by that move; not one who came later."""
    found = review()
    steps = [*found.subject.record.steps]
    steps.insert(left_after, seat_taken("Fox", "Owl", 1))
    found = replace(found, subject=replace(found.subject, record=replace(found.subject.record, steps=tuple(steps))))
    assert f"It could have gone on: {told}" in "".join(review_lines(found))


def test_of_another_player_reasons_tell_as_all_else_does() -> None:
    """What the player keeps is not that of who reads it."""
    found = review()
    found = replace(found, subject=replace(found.subject, is_own=False))
    assert "Better to take the pile: they keep their good cards. It" in "".join(review_lines(found))


def test_nobody_is_praised_for_a_game_that_was_lost_or_not_looked_at_closely() -> None:
    """If no move has cost anything. By the cards: a chance was there, and went although no move cost much."""
    turn = review().turns[0]

    def told(*chances: float, unchecked: int = 0) -> str:
        judged = tuple(map(Judgement, chances))
        subject = ReviewSubject(golden(), 0, is_own=True)
        return review_lines(Review(subject, (turn,) * len(chances), judged, unchecked))[1]

    assert told(0.05, 0.04) == "No move cost anything to speak of; there was hardly a chance."
    assert told(0.5, 0.9) == "No move cost anything to speak of: well played."
    assert told(0.5, 0.1) == "No single move cost anything to speak of: the cards decided."
    assert told(0.5, 0.9, unchecked=1) == "None of the 6 moves looked at closely cost anything to speak of."


@pytest.mark.parametrize(("is_last", "is_own", "typed"), [(True, True, "c"), (True, False, "review {} 1")])
def test_a_review_that_is_ready_names_the_shortest_way_to_it(is_last: bool, is_own: bool, typed: str) -> None:  # noqa: FBT001
    """A letter, if that means this review where the player is."""
    subject = ReviewSubject(golden(), 0, is_own=is_own)
    assert review_ready(subject, is_last=is_last).endswith(f": type {typed.format(subject.record.id)}")
