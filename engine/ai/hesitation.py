"""How hard a decision looks, so that an AI player can seem to think about it for a fitting time."""

from engine.ai.easy_medium_hard import own_seat
from engine.ai.features import move_features, weighted_sums
from engine.ai.next_seat import NextSeat
from engine.ai.value import softmax
from engine.ai.weights import model_for
from engine.legality import legal_moves
from engine.moves import Flip
from engine.view import View


def hesitation(view: View) -> float:
    """How close the two best moves of the seat to move seem: 0 for a forced or obvious move, 1 for a dilemma.

    It takes no random numbers, and less than a millisecond. A seat that arranges its cards does not hesitate.
    """
    seat = own_seat(view)
    moves = [] if view.phase == "arrange" else legal_moves(view, seat)
    if len(moves) < 2 or isinstance(moves[0], Flip):
        return 0.0
    model = model_for(view.rules, len(view.hands))
    features = move_features(view, seat, moves, NextSeat(view, seat).stuck_chance, model.value.classes)
    best, second, *_ = sorted(softmax(weighted_sums(features, model.moves)), reverse=True)
    return 1.0 - (best - second)
