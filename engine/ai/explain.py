"""Suggests a move, and says why it is better than the next best one."""

from collections.abc import Sequence
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.ai.easy_medium_hard import own_seat
from engine.ai.extreme_and_master import choose_by_weights
from engine.ai.features import move_features, weighted_sums
from engine.ai.next_seat import NextSeat
from engine.ai.reasons import reasons, way_out_reason
from engine.ai.verdict import Depth, Verdict
from engine.ai.weights import model_for
from engine.legality import legal_moves
from engine.moves import Flip, Lay, Move, Pass, PickUp, Play, Swap
from engine.view import View
from engine.way_out import way_out
from engine.wording.phrases import listed, move_words, sentence_case

HINT_DEPTH: Final = Depth(simulations=200, proposed=6, playouts=500)
"""For a suggestion, which takes half a second: as long as some four moves of Master."""
ALIKE: Final = 0.02
"""If a move is worth so little less, and neither kind of players finds it much worse, it is as good."""
ALIKE_TO_EACH: Final = 0.06
"""By so much it may be worse to one kind of players: that is the standard error with a hundred games."""
MOST_WORDS: Final = 12
"""A longer reason is one of the details."""
MOST_ALIKE: Final = 2
"""So many moves that are as good are named."""


class Suggestion(Struct, frozen=True):
    """A move, and what speaks for it."""

    move: Move
    reason: str
    is_certain: bool = False
    """Whether nothing else need be looked at: there is no other move, or this one leads out for certain."""
    one_reason: str = ""
    """The strongest reason alone; empty if there is none, or if no other is known."""

    @property
    def sentence(self) -> str:
        """The move and one short reason: "Play a 5: it saves your king."; or how to read the longer one."""
        move, why = sentence_case(move_words(self.move)), self.one_reason
        return f"{move}: {why if why and len(why.split()) <= MOST_WORDS else 'why tells more'}."

    @property
    def details(self) -> str:
        """The move and all that is known of the reason."""
        return f"{sentence_case(move_words(self.move))}: {self.reason}."


def glance(view: View, rng: Random) -> Suggestion:
    """A move that is found at once, and the reason for it.

    ``view`` is that of the seat to move; ``rng`` draws one of face-down cards.
    """
    seat, model = own_seat(view), model_for(view.rules, len(view.hands))
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if way := way_out(view):
        reason = way_out_reason(view, way)
        is_short = len(reason.split()) <= MOST_WORDS
        return _plain(way[0], reason, short="" if is_short else "all your cards can go in this turn", is_certain=True)
    # Without the quiet plies, because a player who asks wants the best move, not one drawn against loops.
    move = choose_by_weights(replace(view, quiet=0), rng, model)
    if view.phase == "arrange" or isinstance(moves[0], Flip) or len(moves) == 1:
        return _plain(move, _plain_reason(move, moves), is_certain=True)
    reason = reason_for_move(view, move)
    return _plain(move, reason) if reason else Suggestion(move, "no other move looks better")


def _plain(move: Move, reason: str, *, short: str = "", is_certain: bool = False) -> Suggestion:
    """A suggestion with one reason, which may be said in a shorter way."""
    return Suggestion(move, reason, is_certain, short or reason)


def explain(view: View, seed: str, depth: Depth = HINT_DEPTH) -> Suggestion:
    """A good move and the reason for it, all at once; ``seed`` draws all chance."""
    found = glance(view, Random(seed))
    if found.is_certain:
        return found
    verdict = Verdict(view, seed, depth)
    while not verdict.is_over:
        verdict.step()
    return suggestion_of(view, verdict) or found


def suggestion_of(view: View, verdict: Verdict) -> Suggestion | None:
    """The best move of a verdict that is over, and the reason for it; None if no world agrees with the view."""
    if not verdict.ranked:
        return None
    first, *others = verdict.ranked
    alike = [move for move in others if _is_as_good(verdict, first, move)]
    if not alike:
        is_sure = verdict.played is not None and verdict.played.is_better(first, others[0])
        if not (found := reasons(view, first, others[0])):
            no_fact = _no_fact(view, others[0], is_sure=is_sure)
            return Suggestion(first, no_fact, one_reason=no_fact if is_sure else "")
        return Suggestion(first, found, one_reason=reasons(view, first, others[0], 1))
    if len(alike) > 1 and len(alike) + 1 == len(legal_moves(view, own_seat(view))):
        return _plain(first, "all your moves are about as good")
    return _of_some_alike(view, first, alike)


def _is_as_good(verdict: Verdict, first: Move, other: Move) -> bool:
    """Whether a move is about as good as the best one, also to each kind of players."""
    played = verdict.played
    if verdict.worth(first) - verdict.worth(other) > ALIKE or played is None or played.worlds_of(other) < 2:
        return False
    return not played.is_better(first, other) and max(played.leads(first, other)) <= ALIKE_TO_EACH


def _of_some_alike(view: View, first: Move, alike: Sequence[Move]) -> Suggestion:
    """The best one of moves about as good, what speaks for it, and which the others are."""
    others = f"{listed([_named(move) for move in alike[:MOST_ALIKE]])} would do about as well"
    # That one need not take the pile says little if one may as well take it.
    found = "" if isinstance(alike[0], PickUp) else reasons(view, first, alike[0])
    one_reason = reasons(view, first, alike[0], 1) if found else ""
    return Suggestion(first, f"{found}; {others}" if found else others, one_reason=one_reason)


def _no_fact(view: View, other: Move, *, is_sure: bool) -> str:
    """The reason for a move if nothing but the games that were played on speaks for it, surely or not."""
    if not is_sure:
        return f"in trial games it does a little better than {_named(other)}"
    does = "wins more often" if view.rules.out_ends == "first" or len(view.hands) == 2 else "does better"
    return f"in trial games it {does} than {_named(other)}"


def _named(move: Move) -> str:
    """A move as the subject of a sentence: "two 8s", "taking the pile"."""
    verb, _, what = move_words(move).partition(" ")
    if isinstance(move, Play):
        return what
    return f"{verb.removesuffix('e')}ing {what}".strip()


def reason_for_move(view: View, best: Move, other: Move | None = None) -> str:
    """The strongest reasons for a legal move against another one, or (None) against the best of all others.

    Empty if no fact speaks for it.
    """
    if other is None:
        seat, model = own_seat(view), model_for(view.rules, len(view.hands))
        moves = [move for move in legal_moves(view, seat) if move != best]
        features = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, model.value.classes)
        sums = weighted_sums(features, model.moves)
        other = moves[sums.index(max(sums))]
    return reasons(view, best, other)


def _plain_reason(move: Move, moves: Sequence[Move]) -> str:
    match move:
        case Swap():
            return "a better card then lies face up for the end"
        case Lay():
            return "these are your best cards for the end"
        case Flip():
            is_alone = sum(isinstance(each, Flip) for each in moves) == 1
            return "it is the only one left" if is_alone else "any of them is as good as another"
        case Pass() | PickUp() | Play():
            return "you have no other move"
    return "your cards are arranged well"
