"""The sentences of a review say what its judgements say."""

from msgspec.structs import replace

from engine.ai.judging import Judgement
from engine.moves import PICK_UP, play_of
from engine.wording.phrases import move_words
from server.pieces import at_once
from server.records.record import decisions_of
from server.review.review import Review, ReviewSubject
from server.review.text import costliest_sentence, review_lines
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
    """From which chance to which, from one turn to the next."""
    found = review()
    first, second, third, fourth = (turn.ply for turn in found.turns)
    told = review_lines(found, plot=False)

    fell, rose = (line for line in told if line.startswith("Turning point"))
    assert fell == f"Turning point: the chance fell from 50 at move {first} to 20 at move {second}; your move cost 28."
    assert rose.startswith(f"Turning point: the chance rose from 25 at move {third} to 80 at move {fourth}; ")
    assert rose.endswith("; your move cost nothing to speak of.")


def test_a_sentence_names_the_one_costliest_move() -> None:
    """And nothing if no move has cost anything to speak of."""
    found = review()
    told = f"Move {found.turns[0].ply} cost most: you {move_words(found.turns[0].made, 'did')}; better "
    assert costliest_sentence(found) == f"{told}take the pile."
    found = replace(found, judgements=tuple(map(Judgement, CHANCES)))
    assert costliest_sentence(found) == ""


def test_a_plot_marks_the_turning_points() -> None:
    """Under the column of the turn."""
    found = review()
    told = review_lines(found, plot=True)
    (marks,) = [line for line in told if set(line) == {" ", "^"}]

    assert [at - 4 for at, mark in enumerate(marks) if mark == "^"] == [0, 6]
    assert f"^ marks the turning points: after move {found.turns[0].ply} and {found.turns[2].ply}." in told


def test_the_plot_of_a_game_with_low_chances_is_no_flat_line() -> None:
    """Its top is as low as the chances allow, and nobody is praised for moves in a game that was lost all along."""
    record = golden()
    turn = at_once(decisions_of(record, 0))[0]

    def told(*chances: float) -> list[str]:
        judged = tuple(map(Judgement, chances))
        return review_lines(Review(ReviewSubject(record, 0, is_own=True), (turn,) * len(chances), judged), plot=True)

    assert [line.rstrip() for line in told(0.25, 0.0, 0.13)[2:8]] == [
        " 25|###",
        "   |###",
        "   |###",
        " 12|###   ###",
        "   |###   ###",
        "  0|#########",
    ]
    assert [told(top)[2][:4] for top in (0.25, 0.26, 0.51, 1.0)] == [" 25|", " 50|", "100|", "100|"]
    assert told(0.05, 0.04)[-1] == "No move cost anything to speak of; there was hardly a chance."
    assert told(0.5, 0.9)[-1] == "No move cost anything to speak of: well played."


def test_a_player_who_has_lost_without_a_mistake_reads_that_the_cards_decided() -> None:
    """A chance that was there, and went although no move cost much, is no game that was well played."""
    record = golden()
    turn = at_once(decisions_of(record, 0))[0]
    judged = (Judgement(0.5), Judgement(0.1))
    found = Review(ReviewSubject(record, 0, is_own=True), (turn, turn), judged)
    assert review_lines(found, plot=False)[-1] == "No single move cost anything to speak of: the cards decided."


def test_the_better_line_is_told_with_the_names() -> None:
    """After the reason for the better move."""
    found = review()
    told = review_lines(found, plot=False)[-1]
    other = found.subject.record.players[1].name

    line = f"It could have gone on: {other} plays two 7s and you play a king."
    assert told.endswith(f"Better to take the pile: you keep your good cards. {line}")


def test_a_mark_is_under_the_column_of_its_turn_in_a_long_game() -> None:
    """With more turns than columns each column shows the mean of some."""
    record = golden()
    turn = at_once(decisions_of(record, 0))[0]
    judgements = tuple(map(Judgement, [0.1, 1.0, *[0.1] * 58]))
    told = review_lines(Review(ReviewSubject(record, 0, is_own=True), (turn,) * 60, judgements), plot=True)
    (marks,) = [line for line in told if set(line) == {" ", "^"}]

    assert (told[2], marks) == ("100| #", "    ^^")
