"""What can be typed at a table now, in a row: the most useful first, as much as fits. Pure."""

from typing import Final

from engine.cards import RANKS, ranks_in
from engine.legality import legal_moves
from engine.moves import Flip, Pass, PickUp, Play
from engine.view import View
from server.update import Update

HELP: Final = "help"


def ways_row(update: Update, width: int) -> str:
    """The row of hints; help is never what does not fit."""
    ways = _ways(update)
    while len(row := "   ".join([*ways, HELP])) >= width:
        ways.pop()
    for part in ("leave", "/ talks"):
        if len(row) + len(part) + 4 <= width:
            row += f"   {part}"
    return f" {row}"


def _ways(update: Update) -> list[str]:
    view = update.view
    if update.is_replay:
        return ["Enter next move", "b back", "e next event", "12 move 12", "seat 2 its view"]
    if update.is_lesson:
        return ["Enter or h what to type", "skip", "b back"]
    if view is None or view.phase == "over":
        return _between_games(update)
    if view.seat is None:
        return ["where", "pile"]
    if view.phase == "arrange" and view.ready[view.seat]:
        return ["waiting for the others"]
    if view.phase == "arrange":
        return [_how_to_arrange(view, view.seat), *(["ready begins"] if legal_moves(view, view.seat) else [])]
    if update.away:
        return ["back takes your seat back"]
    if not update.my_turn:
        return ["w where", "z pile"]
    legal = legal_moves(view, view.seat)
    ways = {
        "type ranks: 7 7": Play,
        "type a slot: 1 2 3": Flip,
        "p picks up": PickUp,
        "d passes": Pass,
    }
    return [how for how, kind in ways.items() if any(isinstance(move, kind) for move in legal)] + ["h hint", "why 7"]


def _between_games(update: Update) -> list[str]:
    if update.seat is None:
        return ["sit"]
    return ["start deals another game" if update.view else "start deals", "cut TEXT"]


def _how_to_arrange(view: View, seat: int) -> str:
    """What one can type, with one's own cards as the example."""
    hand = [RANKS[rank] for rank, _ in ranks_in(view.hands[seat])]
    up = [RANKS[rank] for rank, _ in ranks_in(view.ups[seat])]
    if view.rules.arrange_mode == "swap":
        return f"s {hand[-1]} {up[0]} swaps hand {hand[-1]} and face-up {up[0]}" if hand and up else "nothing to swap"
    return f"type {view.rules.arrange_lay} cards to lay, like {' '.join((hand * 3)[: view.rules.arrange_lay])}"
