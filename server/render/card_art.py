"""Boxes for cards: one card, a back, an empty slot, the pile, the stock, or the cards of one rank."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from engine.cards import Card, CardSet, Rank, rank_label
from engine.view import UNSEEN
from server.cells import BLANK, BOLD, PLAIN, Row, joined, styled
from server.render.theme import Theme

SLOT_CELLS: Final = 6
SLOT_ROWS: Final = 3
PILE_CELLS: Final = 9
PILE_ROWS: Final = 5
SMALL: Final = (4, 2)
BROAD: Final = (6, 2)
LARGE: Final = (6, 3)
"""The cells and rows inside the box of one rank of a hand."""


def box(theme: Theme, inside: Iterable[Row], cells: int, style: str = PLAIN) -> list[Row]:
    """Rows in a box, each filled to so many cells."""
    strokes = theme.strokes
    rows = [row + styled(style, " " * (cells - row.width)) for row in inside]
    return [
        styled(style, strokes.top_left + strokes.across * cells + strokes.top_right),
        *(styled(style, strokes.down) + row + styled(style, strokes.down) for row in rows),
        styled(style, strokes.bottom_left + strokes.across * cells + strokes.bottom_right),
    ]


@lru_cache(256)
def slot(theme: Theme, card: Card | None, style: str = PLAIN) -> Sequence[Row]:
    """A slot with a card, with the back of one (UNSEEN), or empty (None)."""
    cells = SLOT_CELLS - 2
    if card is None:
        return box(theme, [BLANK], cells, style)
    if card == UNSEEN:
        return box(theme, [styled(style, theme.strokes.back * cells)], cells, style)
    return box(theme, [styled(style, " " if theme.suits else "") + theme.card(card, style)], cells, style)


def top_card(theme: Theme, card: Card | None) -> list[Row]:
    """The top card of the pile, `PILE_ROWS` high."""
    cells = PILE_CELLS - 2
    if card is None:
        return box(theme, [BLANK] * 3, cells, BOLD)
    name = theme.card(card, BOLD)
    if not theme.suits:
        return box(theme, [BLANK, styled(BOLD, name.text.center(cells)), BLANK], cells, BOLD)
    space = styled(BOLD, " ")
    inside = [space + name, BLANK, styled(BOLD, " " * (cells - name.width - 1)) + name + space]
    return box(theme, inside, cells, BOLD)


def stock(theme: Theme, left: int) -> list[Row]:
    """The stock as a stack of backs with its number of cards on it, `PILE_ROWS` high."""
    cells = PILE_CELLS - 2
    if not left:
        return box(theme, [BLANK, styled(theme.faint, "empty".center(cells)), BLANK], cells, theme.faint)
    back = theme.strokes.back
    number = f" {left} "
    before = (cells - len(number)) // 2
    middle = back * before + number + back * (cells - before - len(number))
    return box(theme, [styled(PLAIN, back * cells), styled(PLAIN, middle), styled(PLAIN, back * cells)], cells)


def ranks(theme: Theme, groups: Sequence[tuple[Rank, CardSet, bool]], inside: tuple[int, int]) -> list[Row]:
    """The cards of some ranks, each rank in a box. Marked ones are drawn one row higher."""
    cells, rows = inside
    columns = []
    for rank, cards, stands_out in groups:
        style = BOLD if stands_out else PLAIN
        filled = [BLANK] * rows
        filled[0] = styled(style, f" {rank_label(rank)}")
        signs = theme.signs(rank, cards, style)
        filled[rows // 2] = styled(style, " " if signs.width < cells else "") + signs
        if rows > 2:
            filled[-1] = styled(style, f"{rank_label(rank)} ".rjust(cells))
        drawn = box(theme, filled, cells, style)
        blank = styled(PLAIN, " " * (cells + 2))
        columns.append([*drawn, blank] if stands_out else [blank, *drawn])
    return side_by_side(columns, " ")


def side_by_side(drawn: Iterable[Sequence[Row]], between: str = "") -> list[Row]:
    """Join drawings of equal height side by side."""
    return [joined(between, rows) for rows in zip(*drawn, strict=True)]
