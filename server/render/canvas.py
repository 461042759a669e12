"""The area that a frame is drawn on: its size, its theme, and how much detail fits."""

from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import lru_cache
from itertools import zip_longest
from typing import Final, NamedTuple, Self

from server.cells import BLANK, PLAIN, Row, filled, styled, text_width
from server.render.theme import Theme

PARTS_KEPT: Final = 256
MOMENTS_KEPT: Final = 4
"""How many results of each function that draws a part of a screen are kept (see `server.render`): of one that is told
what the part shows, and of one that is told the moment of a table."""


class Scale(IntEnum):
    """How much detail there is space for. Each scale shows all that the one before shows."""

    COMPACT = 0
    """All that is needed to play; from 60x20."""
    USUAL = 1
    """Zones as rows of slots, log and talk side by side; from 80x24."""
    ROOMY = 2
    """Big cards; from 100x30."""
    WIDE = 3
    """Every seat's cards drawn, and the rules in brief beside the game; from 140x40."""


LEAST: Final = {Scale.USUAL: (79, 23), Scale.ROOMY: (99, 29), Scale.WIDE: (139, 39)}
"""The least columns and rows of each scale, less the last column, which stays empty, and the last row."""


class Canvas(NamedTuple):
    """The rows above the input line, or a part of them."""

    width: int
    height: int
    theme: Theme
    scale: Scale

    @classmethod
    @lru_cache(PARTS_KEPT)
    def of(cls, width: int, height: int, theme: Theme) -> Self:
        """The canvas for all of them."""
        fitting = (scale for scale, (columns, rows) in LEAST.items() if width >= columns and height >= rows)
        return cls(width, height, theme, max(fitting, default=Scale.COMPACT))

    @lru_cache(PARTS_KEPT)  # noqa: B019 - equal canvases have the same lines
    def rule(self, title: str = "") -> Row:
        """A line across, with a title in it or without."""
        stroke, style = self.theme.strokes.across, self.theme.faint
        if not title:
            return styled(style, stroke * self.width)
        rest = stroke * max(0, self.width - text_width(title) - 4)
        return styled(style, stroke * 2) + styled(PLAIN, f" {title} ") + styled(style, rest)

    def block(self, title: str, lines: Iterable[str], indent: str = " ") -> list[Row]:
        """Lines under a line across with a title."""
        return [self.rule(title), *[styled(PLAIN, indent + line) for line in lines]]

    def part(self, width: int) -> Self:
        """A column of the canvas."""
        return self._replace(width=width)

    def two_columns(
        self, left: Callable[["Canvas"], list[Row]], right: Callable[["Canvas"], list[Row]], width: int
    ) -> list[Row]:
        """Two columns with a line between them, the left one ``width`` cells wide, each on its own canvas."""
        ours, theirs = left(self.part(width)), right(self.part(self.width - width - 3))
        return [
            filled(one, width) + styled(self.theme.faint, self._between(one, other, first=y == 0)) + other
            for y, (one, other) in enumerate(zip_longest(ours, theirs, fillvalue=BLANK))
        ]

    def _between(self, left: Row, right: Row, *, first: bool) -> str:
        """The text between the two columns in one row: lines across meet the line down."""
        strokes = self.theme.strokes
        ruled = [row.text.startswith(strokes.across * 2) for row in (left, right)]
        match ruled:
            case [True, True]:
                return strokes.across + (strokes.hanging if first else strokes.crossing) + strokes.across
            case [True, False]:
                return f"{strokes.across}{strokes.from_left} "
            case [False, True]:
                return f" {strokes.from_right}{strokes.across}"
        return f" {strokes.down} "
