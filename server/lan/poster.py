"""What a host shows to the guests in a room."""

from typing import Final

from server.cells import BOLD, PLAIN, Row, row_text
from server.joining.join_lines import JoinLines
from server.joining.qr import qr_modules, qr_rows
from server.terminal.painter import sgr

INDENT: Final = "    "


def poster(join: JoinLines, size: tuple[int, int] | None) -> list[str]:
    """What a host shows to guests: the lines to type, a QR code if it fits on the terminal, and the key in words.

    ``size``: columns and rows of the terminal; None if the lines go elsewhere.
    """
    first, *others = join.lines
    key = f"The key of this server is {join.key}"
    modules = qr_modules(join.link)
    rows = qr_rows(modules) if modules else []
    if size is None or not rows or size[1] <= len(rows) or size[0] <= len(row_text(rows[0])):
        return [f"guests type: {first}", *(f"or: {line}" for line in others), join.on_phones, key]
    big = _styled(((BOLD, first),))
    return ["", f"Guests type:  {big}", *(f"{'or:':>12}  {line}" for line in others), "",
            *(INDENT + _styled(row) for row in rows), "", f"The code is {join.link}", key]  # fmt: skip


def _styled(row: Row) -> str:
    return "".join(sgr(style, colour=True) + text for style, text in row) + sgr(PLAIN, colour=True)
