"""The row of hints at a table: what can be typed now, the most useful first, as many as fit. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.ai.arranging import better_arrangements
from engine.cards import rank_label, ranks_in
from engine.legality import legal_moves
from engine.moves import READY, Flip, Lay, Pass, PickUp, Play, Swap
from engine.view import View
from engine.wording.phrases import listed, quantity
from engine.wording.typed_moves import typed_form
from server.language.tips import example_play
from server.render.scene import AfterGame
from server.table.place import MOVES
from server.table.snapshot import Snapshot

HELP: Final = "help"


def hints_row(snapshot: Snapshot, width: int, after_game: Sequence[AfterGame] = (), *, plays: bool = False) -> str:
    """The row of hints. Others are dropped before help. ``plays``: whether a finished game goes on by itself."""
    hints = ["any key stops"] if plays else _hints(snapshot, after_game)
    while len(row := "   ".join([*hints, HELP])) >= width:
        hints.pop()
    for part in ("leave", "/ talks"):
        if part not in row and len(row) + len(part) + 4 <= width:
            row += f"   {part}"
    return f" {row}"


def _hints(snapshot: Snapshot, after_game: Sequence[AfterGame]) -> list[str]:
    view = snapshot.view
    if snapshot.place.hints:
        moves = [] if view is None or view.seat is None else [*_moves(view, view.seat)]
        others = [hint for hint in moves if not hint.startswith("type")]
        return [hint for each in snapshot.place.hints for hint in (others if each == MOVES else [each])]
    if view is None or view.phase == "over":
        return _between_games(snapshot, after_game)
    if view.seat is None:
        return ["where", "pile"]
    if view.phase == "arrange" and view.ready[view.seat]:
        return ["waiting for the others"]
    if view.phase == "arrange":
        ready = "ready begins" if READY in legal_moves(view, view.seat) else ""
        return list(filter(None, [_how_to_arrange(view, view.seat), ready]))
    if snapshot.away:
        return ["back takes your seat back"]
    if not snapshot.my_turn:
        return ["w where", "z pile"]
    return [*_moves(view, view.seat), *(["h hint"] if snapshot.hints else []), *_about_a_card(view, view.seat)]


def _moves(view: View, seat: int) -> Iterator[str]:
    """How to type the moves that are possible now, with one of them as the example."""
    legal = legal_moves(view, seat)
    if plays := [move for move in legal if isinstance(move, Play)]:
        example = example_play(view, plays, copies=2)
        yield f"type {'a rank' if len(example.picks) == 1 else 'ranks'}: {typed_form(example).upper()}"
    if slots := [typed_form(move) for move in legal if isinstance(move, Flip)]:
        yield f"type a slot: {listed(slots)}"
    if any(isinstance(move, PickUp) for move in legal):
        yield "p picks up"
    if any(isinstance(move, Pass) for move in legal):
        yield "d passes"


def _about_a_card(view: View, seat: int) -> Iterator[str]:
    """How to ask about one of the player's cards, if possible one that cannot be played."""
    playable = {move.picks[0].rank for move in legal_moves(view, seat) if isinstance(move, Play)}
    held = [rank for rank, _ in ranks_in(view.hands[seat] or view.ups[seat])]
    if held:
        yield f"why {rank_label(min(held, key=playable.__contains__))}"


def _between_games(snapshot: Snapshot, after_game: Sequence[AfterGame]) -> list[str]:
    if snapshot.opening:
        return ["cut open TEXT"] if snapshot.must_open else []
    is_spectator = snapshot.seat is None
    ways = [each.hint for each in after_game if each.is_for_all or not is_spectator] if snapshot.stats else []
    if is_spectator:
        return [*([] if snapshot.is_barred else ["sit"]), *ways]
    start = "start deals another game" if snapshot.view else "start deals"
    if snapshot.occasion:
        return [*snapshot.occasion.next.hints, *ways]
    return [start, *ways, *(["invite NAME"] if None in snapshot.sitters else []), "cut TEXT"]


def _how_to_arrange(view: View, seat: int) -> str:
    """What to type while arranging: the move that is suggested in the typed line, too; empty if nothing would help."""
    match better_arrangements(view, seat)[:1]:
        case [Swap(hand, up) as swap]:
            return f"{typed_form(swap)} swaps hand {rank_label(hand.rank)} and face-up {rank_label(up.rank)}"
        case [Lay(picks) as lay]:
            return f"type {quantity(len(picks), 'card')} to lay, like {typed_form(lay).upper()}"
    return ""
