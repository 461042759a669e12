"""A review as text."""

import argparse
import asyncio
from collections.abc import Iterator
from typing import Final

from engine.ai.judging import DOUBTFUL_TURNS, LEAST_COST, Judgement
from engine.wording.phrases import line_words, move_words, quantity
from server.ai.pool import AIPool
from server.clean_text import clean_name
from server.command_line import print_lines
from server.history.archive import record_text
from server.pieces import at_once
from server.records.record import Note, RecordedMove, decisions_of, read_seat_taken, rules_of
from server.records.record_reader import read_record
from server.review.review import Review, ReviewSubject, review_game, review_subject, reviewed_game
from server.terminal.progress_bar import progress_bar
from server.typed_json import json_line

CHANCES_TOLD: Final = 6
"""At how many decisions the chance is told."""


def review_progress(subject: ReviewSubject, done: int = 0, turns: int = 0) -> str:
    """What to show until the review is done, when so many turns are."""
    closer = "; looking closer at the costly ones" if done == turns else ""
    how_far = f"{done} of {turns}{closer}" if done else "this takes a few seconds"
    return f"Reviewing {_whose(subject)} turns in game {subject.record.id}: {how_far}."


def review_ready(subject: ReviewSubject, *, is_last: bool) -> str:
    """What to say if the player does something else by now. ``is_last``: a review without more words is of it."""
    game = subject.record.id
    typed = "c" if is_last and subject.is_own else f"review {game} {subject.seat + 1}"
    return f"The review of game {game} is ready: type {typed}"


def review_lines(review: Review) -> list[str]:
    """The whole review."""
    subject = review.subject
    title = rules_of(subject.record).title
    return [
        f"Game {subject.record.id}, {title}: {_whose(subject)} {quantity(len(review.turns), 'turn')}.",
        *_costs(review),
        *_turning_points(review),
        _chances(review),
    ]


def how_to_see_moves(review: Review, command: str, *, on_page: bool) -> str:
    """How to look at a move of the review: by its number on a page, else by this command with {} for the number."""
    if on_page:
        return "Type a move's number to see it. From there review leads back here."
    turn = review.turns[next(iter(review.costliest), 0)]
    return f"Type {command.format(turn.ply)} to see move {turn.ply}. From there review tells this again."


def _turning_points(review: Review) -> Iterator[str]:
    """The turns after which the chance changed most, with what the player's own move cost of it."""
    who = "your move" if review.subject.is_own else "the move"
    what = f"{_whose(review.subject)} {'place to expect' if _counts_places(review.subject) else 'chance to win'}"
    for number in review.turning_points:
        turn, judgement, after = review.turns[number], review.judgements[number], review.judgements[number + 1]
        before, then = _in_hundred(judgement.chance), _in_hundred(after.chance)
        cost = _in_hundred(judgement.cost) if judgement.cost >= LEAST_COST else 0
        went, rest = "fell" if then < before else "rose", then - before + cost
        others = f"{'took' if rest < 0 else 'gave'} {abs(rest) or 'nothing'}"
        until = review.turns[number + 1].ply
        yield (
            f"Turning point: {what} {went} from {before} at move {turn.ply} to {then} at move {until}; "
            f"{who} cost {cost or 'nothing'}, the others and the cards {others}."
        )


def _chances(review: Review) -> str:
    """The chances at a few decisions, and at those that turning points name."""
    turns = len(review.turns)
    count = min(CHANCES_TOLD, turns)
    spread = {at * (turns - 1) // max(1, count - 1) for at in range(count)}
    numbers = sorted(spread.union(*((turning, turning + 1) for turning in review.turning_points)))
    told = [f"{_in_hundred(review.judgements[at].chance)} before move {review.turns[at].ply}" for at in numbers]
    return f"{_measure(review.subject)}, by what could be seen: {', '.join(told)}."


def _measure(subject: ReviewSubject) -> str:
    what = "place to expect, 0 last and 100 first" if _counts_places(subject) else "chance to win in percent"
    return f"{'Your' if subject.is_own else _whose(subject)} {what}"


def _counts_places(subject: ReviewSubject) -> bool:
    return rules_of(subject.record).out_ends != "first" and len(subject.record.players) > 2


def _costs(review: Review) -> Iterator[str]:
    subject, numbers = review.subject, review.costliest
    who = "you" if subject.is_own else subject.name
    if not numbers:
        chances = [each.chance for each in review.judgements]
        is_lost = chances[-1] < max(chances) / 2  # praise would sound like mockery
        praise = "" if review.unchecked else ": well played"
        why = ": the cards decided" if is_lost else praise
        why = why if max(chances) >= LEAST_COST else "; there was hardly a chance"
        which = "No single move" if is_lost else "No move"
        which = f"None of the {DOUBTFUL_TURNS} moves looked at closely" if review.unchecked else which
        yield f"{which} cost anything to speak of{why}."
        return
    most = "move that cost" if len(numbers) == 1 else f"{len(numbers)} moves that cost"
    yield f"The {most} most, against the best one at that turn:"
    for number in numbers:
        turn, judgement = review.turns[number], review.judgements[number]
        if judgement.better is not None:
            reason = judgement.reason or "it did better in trial games"
            if not subject.is_own:  # others are told what it tells the player
                reason = reason.replace("your ", "their ").replace("you ", "they ")
            yield (
                f"{_cost(review, number)}: {who} {move_words(turn.made, 'did')}. "
                f"Better to {move_words(judgement.better)}: {reason}.{_line(subject, turn.ply, judgement)}"
            )


def costliest_sentence(review: Review) -> str:
    """The move that cost the player most, for the end of the game; empty if none cost anything to speak of."""
    for number in review.costliest[:1]:
        turn, better = review.turns[number], review.judgements[number].better
        if better is not None:
            return f"{_cost(review, number)}: you {move_words(turn.made, 'did')}; better {move_words(better)}."
    return ""


def _cost(review: Review, number: int) -> str:
    """Which move cost how much of what could be expected with the best one."""
    judgement, subject = review.judgements[number], review.subject
    cost, chance = _in_hundred(judgement.cost), _in_hundred(judgement.chance)
    what = "points of place" if _counts_places(subject) else "percent chance to win"
    return f"Move {review.turns[number].ply} cost {cost} of {_whose(subject)} {chance} {what}"


def _line(subject: ReviewSubject, ply: int, judgement: Judgement) -> str:
    """How the game could have gone on after the better move; empty if that is not known."""
    if not judgement.line:
        return ""
    names, moves = {seat: player.name for seat, player in enumerate(subject.record.players)}, 0
    for step in subject.record.steps:
        moves += isinstance(step, RecordedMove)
        if moves < ply and isinstance(step, Note) and (taken := read_seat_taken(step.text)):
            names[taken[1]] = clean_name(taken[0])
    own = subject.seat if subject.is_own else None
    return f" It could have gone on: {line_words(judgement.line, [*names.values()], own)}."


def _whose(subject: ReviewSubject) -> str:
    return "your" if subject.is_own else f"{subject.name}'s"


def _in_hundred(chance: float) -> int:
    return round(100 * chance)


def review(options: argparse.Namespace) -> int:
    """Print the review of a seat. Raises InputError."""
    record = read_record(record_text(options.game, options.data, options.config))
    subject = review_subject(record, "" if options.seat is None else str(options.seat))
    # This process serves no other player, so it may compute in its event loop.
    with progress_bar("looking back", len(at_once(decisions_of(record, subject.seat)))) as add:
        reviewed = asyncio.run(review_game(subject, AIPool(), lambda done, _: add(min(done, 1))))
    lines = [json_line(reviewed_game(reviewed))] if options.json else review_lines(reviewed)
    return print_lines(iter(lines))
