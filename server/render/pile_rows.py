"""The middle of a table: the pile and what can be played on it, stock and bin; before play, how to arrange.

Draws from views, never from the state.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.cards import Card
from engine.rules import Rules
from engine.view import View
from engine.wording.phrases import counted_rank
from engine.wording.pile_text import playable_words
from engine.wording.rules_sheet import arrange_note
from server.cells import BLANK, BOLD, PLAIN, Row, hconcat, joined, justify, styled, wrap
from server.render import card_art
from server.render.canvas import MOMENTS_KEPT, PARTS_KEPT, Canvas, Scale
from server.render.theme import Theme
from server.table.snapshot import Snapshot

UNDER: Final = 3
"""How many cards are shown under the top one."""
_MORE: Final = ("four", "three more", "two more", "one more")
_LABELLED: Final = 16
"""Cells before the text beside the pile, without its card."""
_GAP: Final = styled(PLAIN, "   ")


@lru_cache(MOMENTS_KEPT)
def middle(public: Snapshot, canvas: Canvas) -> tuple[Row, ...]:
    """The middle of a table with a game, with the same number of rows at any time of it."""
    view = public.view
    if view is None:
        return ()
    if view.phase == "arrange":
        return _arranging(view.rules, canvas)
    return _pile(view.pile, playable_words(view), run_text(view), view.stock_left, len(view.bin), canvas)


@lru_cache(PARTS_KEPT)
def _pile(
    pile: tuple[Card, ...], may_play: str, run: str, stock_left: int, burned: int, canvas: Canvas
) -> tuple[Row, ...]:
    """The pile's top card, and beside it the cards under it and what can be played on it."""
    theme, top = canvas.theme, pile[-1] if pile else None
    cells = canvas.width - card_art.SLOT_CELLS - _LABELLED
    if len(may_play) > cells:  # only long house rules in narrow windows are cut
        may_play = f"{may_play[: cells - 2]}.."
    facts = [
        _under(pile, theme, UNDER),
        styled(PLAIN, "PLAY      ") + styled(BOLD, may_play),
        styled(PLAIN, run),
    ]
    cards: Sequence[Row]
    if canvas.scale >= Scale.ROOMY:
        facts += [styled(PLAIN, f"STOCK     {stock_left}"), styled(PLAIN, f"BIN       {burned}")]
        cards = card_art.side_by_side([card_art.stock(theme, stock_left), card_art.top_card(theme, top)], "  ")
        return tuple([_GAP + row for row in hconcat(cards, facts, 2 * card_art.PILE_CELLS + 2, _GAP)])
    cards = card_art.slot(theme, top, BOLD)
    first, second, third = [_GAP + row for row in hconcat(cards, facts, card_art.SLOT_CELLS, _GAP)]
    stock, bin_ = styled(PLAIN, f"STOCK {stock_left:>3}"), styled(PLAIN, f"BIN   {burned:>3}")
    return (justify(first, stock, canvas.width), second, justify(third, bin_, canvas.width))


def _under(pile: tuple[Card, ...], theme: Theme, most: int) -> Row:
    under = pile[-most - 1 : -1][::-1]
    more = " .." if len(pile) > most + 1 else ""
    before = f"PILE      {len(pile):<3} {'under: ' if under else ''}"
    return joined("", (styled(PLAIN, before), theme.cards(under), styled(PLAIN, more)))


def run_text(view: View) -> str:
    """How many more cards burn the pile, if cards in a row burn it and there are two at least; else empty."""
    if view.rules.four_scope != "in-a-row" or view.run < 2:
        return ""
    burn = "burns" if view.run % 4 == 3 else "burn"
    return f"IN A ROW  {counted_rank(view.top, view.run)}; {_MORE[view.run % 4]} {burn} it"


@lru_cache(PARTS_KEPT)
def _arranging(rules: Rules, canvas: Canvas) -> tuple[Row, ...]:
    rows = card_art.PILE_ROWS if canvas.scale >= Scale.ROOMY else card_art.SLOT_ROWS
    label = "   ARRANGE   "
    said = [arrange_note(rules), "Strong cards do well there, late in the game."]
    lines = [part for line in said for part in wrap(line, canvas.width - len(label) - 1)][:rows]
    shown = [
        styled(BOLD, "" if at else label) + styled(PLAIN, f"{' ' * len(label) if at else ''}{line}")
        for at, line in enumerate(lines)
    ]
    above = [BLANK] if rows > len(shown) else []
    return (*above, *shown, *[BLANK] * (rows - len(shown) - len(above)))
