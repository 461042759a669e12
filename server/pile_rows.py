"""The middle of a table as rows: the pile and what goes on it, stock and bin; or before play, how to arrange.

Knows views, never the state.
"""

from typing import Final

from engine.cards import Rank, rank_label
from engine.notes import arrange_note
from engine.view import View
from engine.wording import listed, target_words
from server import drawn
from server.canvas import Canvas, Scale
from server.cells import BOLD, PLAIN, Row, beside, ends, wrap
from server.faces import Faces
from server.words import counted_rank

UNDER: Final = 8
"""Cards under the top one that are shown."""
_MORE: Final = ("four", "three more", "two more", "one more")
_GAP: Final = (PLAIN, "   ")


def middle(view: View, canvas: Canvas) -> list[Row]:
    """The same number of rows at any time of a game."""
    return _arranging(view, canvas) if view.phase == "arrange" else _pile(view, canvas)


def _pile(view: View, canvas: Canvas) -> list[Row]:
    """The pile's top card, and beside it what lies under it and what goes on it."""
    faces = canvas.faces
    facts = [_under(view, faces), ((PLAIN, "BEAT      "), (BOLD, _beat_words(view))), _run(view)]
    if canvas.scale >= Scale.ROOMY:
        facts = [*facts, (), ((PLAIN, f"BIN       {len(view.bin)}"),)]
        top = drawn.top_card(faces, view.pile[-1] if view.pile else None)
        cards = drawn.side_by_side([drawn.stock(faces, view.stock_left), top], "  ")
        return [((PLAIN, "   "), *row) for row in beside(cards, facts, 2 * drawn.PILE_CELLS + 2, _GAP)]
    cards = drawn.slot(faces, view.pile[-1] if view.pile else None, BOLD)
    left = [((PLAIN, "   "), *row) for row in beside(cards, facts, drawn.SLOT_CELLS, _GAP)]
    counts = [f"STOCK {view.stock_left:>3} ", f"BIN   {len(view.bin):>3} ", ""]
    return [ends(row, (PLAIN, count), canvas.width) if count else row for row, count in zip(left, counts, strict=True)]


def _under(view: View, faces: Faces) -> Row:
    under = view.pile[-UNDER - 1 : -1][::-1]
    more = " .." if len(view.pile) > UNDER + 1 else ""
    before = f"PILE      {len(view.pile):<3} {'under: ' if under else ''}"
    return ((PLAIN, before), *faces.cards(under), (PLAIN, more))


def _beat_words(view: View) -> str:
    """What the next card must be, and which ranks go on anything where that says more."""
    if not view.pile or view.powers.effect[view.top] == "reset":
        return target_words(view)
    free = [rank for rank, power in sorted(view.rules.special.items()) if power.on == "any" and _goes(view, rank)]
    anything = f"; {listed([rank_label(rank) for rank in free])} on anything" if free else ""
    return target_words(view) + anything


def _goes(view: View, rank: Rank) -> bool:
    return bool(view.powers.follow[view.top] >> 4 * rank & 1)


def _run(view: View) -> Row:
    """How far the pile is from burning, where cards laid one after the other burn it."""
    scope = view.rules.four_scope
    if scope == "off":
        return ()
    if scope == "one-play":
        return ((PLAIN, "BURN      four of a rank in one play"),)
    said = "-" if not view.pile else f"{counted_rank(view.top, view.run)}; {_MORE[view.run % 4]} to burn the pile"
    return ((PLAIN, f"IN A ROW  {said}"),)


def _arranging(view: View, canvas: Canvas) -> list[Row]:
    """What is done before play."""
    rows = drawn.PILE_ROWS if canvas.scale >= Scale.ROOMY else drawn.SLOT_ROWS
    said = [arrange_note(view.rules), _advice(view)]
    lines = [part for line in said for part in wrap(line, canvas.width - 15)]
    shown: list[Row] = [((BOLD, "   ARRANGE   "), (PLAIN, lines[0]))]
    shown += [((PLAIN, f"             {line}"),) for line in lines[1:rows]]
    above = [()] if canvas.scale >= Scale.ROOMY and len(shown) < rows else []
    return [*above, *shown, *[()] * (rows - len(shown) - len(above))]


def _advice(view: View) -> str:
    """What is good about arranging."""
    late = "Cards put aside" if view.rules.arrange_mode == "lay-reserve" else "Face-up cards"
    return f"{late} are played late in the game, so strong ones do well there."
