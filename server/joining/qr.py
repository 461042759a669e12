"""QR codes for phones, as rows of a screen. segno, an optional package, computes the modules; they are painted here.

A code must be dark on light with a border on all four sides, or many phones do not read it. So each cell says its
colours itself, whatever those of the terminal are.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from server.cells import HALVES, PAPER, Row, styled

Modules: TypeAlias = Sequence[Sequence[int]]
"""The rows of a code with its border; a dark module is 1."""

BORDER: Final = 4
"""Light modules on each side, as ISO/IEC 18004 wants it."""


def qr_modules(text: str) -> Modules | None:
    """The code for a text with the least error correction, which makes it small; None if segno is not installed."""
    try:
        import segno  # noqa: PLC0415 - an optional package
    except ImportError:
        return None
    code = segno.make_qr(text, error="l", boost_error=False)
    return [list(row) for row in code.matrix_iter(border=BORDER)]


@lru_cache(1)
def code_of(link: str) -> tuple[Row, ...]:
    """The QR code of a link, as rows; none without a link, or if segno is not installed."""
    modules = qr_modules(link) if link else None
    return tuple(qr_rows(modules)) if modules else ()


def qr_rows(modules: Modules) -> list[Row]:
    """The code as rows: each cell is one module wide and two modules high."""
    if len(modules) % 2:
        modules = [*modules, [0] * len(modules[0])]
    pairs = zip(modules[::2], modules[1::2], strict=True)
    return [styled(PAPER, "".join(HALVES[up + 2 * low] for up, low in zip(*pair, strict=True))) for pair in pairs]
