"""The middle of a table: the pile and what can be played on it, stock and bin; before play, how to arrange.

Draws from views, never from the state.
"""

from typing import Final

from engine.view import View
from engine.wording.phrases import counted_rank
from engine.wording.pile_text import lay_words
from engine.wording.rules_sheet import arrange_note
from server.cells import BOLD, PLAIN, Row, hconcat, justify, wrap
from server.render import card_art
from server.render.canvas import Canvas, Scale
from server.render.theme import Theme

UNDER: Final = 8
UNDER_COMPACT: Final = 5
"""How many cards are shown under the top one."""
_MORE: Final = ("four", "three more", "two more", "one more")
_LABELLED: Final = 16
"""Cells before the text beside the pile, without its card."""
_GAP: Final = (PLAIN, "   ")


def middle(view: View, canvas: Canvas) -> list[Row]:
    """The middle, with the same number of rows at any time of a game."""
    return _arranging(view, canvas) if view.phase == "arrange" else _pile(view, canvas)


def _pile(view: View, canvas: Canvas) -> list[Row]:
    """The pile's top card, and beside it the cards under it and what can be played on it."""
    theme = canvas.theme
    cells = canvas.width - card_art.SLOT_CELLS - _LABELLED
    facts: list[Row] = [
        _under(view, theme, UNDER if canvas.scale else UNDER_COMPACT),
        ((PLAIN, "LAY       "), (BOLD, _cut(lay_words(view), cells))),
        _run(view),
    ]
    if canvas.scale >= Scale.ROOMY:
        facts += [((PLAIN, f"STOCK     {view.stock_left}"),), ((PLAIN, f"BIN       {len(view.bin)}"),)]
        top = card_art.top_card(theme, view.pile[-1] if view.pile else None)
        cards = card_art.side_by_side([card_art.stock(theme, view.stock_left), top], "  ")
        return [((PLAIN, "   "), *row) for row in hconcat(cards, facts, 2 * card_art.PILE_CELLS + 2, _GAP)]
    cards = card_art.slot(theme, view.pile[-1] if view.pile else None, BOLD)
    left = [((PLAIN, "   "), *row) for row in hconcat(cards, facts, card_art.SLOT_CELLS, _GAP)]
    counts = [f"STOCK {view.stock_left:>3}", "", f"BIN   {len(view.bin):>3}"]
    return [
        justify(row, (PLAIN, count), canvas.width) if count else row for row, count in zip(left, counts, strict=True)
    ]


def _under(view: View, theme: Theme, most: int) -> Row:
    under = view.pile[-most - 1 : -1][::-1]
    more = " .." if len(view.pile) > most + 1 else ""
    before = f"PILE      {len(view.pile):<3} {'under: ' if under else ''}"
    return ((PLAIN, before), *theme.cards(under), (PLAIN, more))


def _cut(said: str, cells: int) -> str:
    """The text cut to fit, with dots at its end. Only long house rules in narrow windows need this."""
    return said if len(said) <= cells else f"{said[: cells - 2]}.."


def _run(view: View) -> Row:
    """How many more cards burn the pile, if cards in a row burn it."""
    scope = view.rules.four_scope
    if scope == "off":
        return ()
    if scope == "one-play":
        return ((PLAIN, "BURN      four of a rank in one play"),)
    burn = "burns" if view.run % 4 == 3 else "burn"
    said = f"{counted_rank(view.top, view.run)}; {_MORE[view.run % 4]} {burn} it" if view.pile else "-"
    return ((PLAIN, f"IN A ROW  {said}"),)


def _arranging(view: View, canvas: Canvas) -> list[Row]:
    rows = card_art.PILE_ROWS if canvas.scale >= Scale.ROOMY else card_art.SLOT_ROWS
    label = "   ARRANGE   "
    said = [arrange_note(view.rules), "Strong cards do well there, late in the game."]
    lines = [part for line in said for part in wrap(line, canvas.width - len(label) - 1)][:rows]
    shown: list[Row] = [
        ((BOLD, "" if at else label), (PLAIN, f"{' ' * len(label) if at else ''}{line}"))
        for at, line in enumerate(lines)
    ]
    above: list[Row] = [()] if rows > len(shown) else []
    return [*above, *shown, *[()] * (rows - len(shown) - len(above))]
