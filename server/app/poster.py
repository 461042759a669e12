"""What a host shows to guests in the local network: the lines to type, a QR code, and the key in words."""

import os
import sys
from typing import Final

from server.app.signals_and_exit import print_ready_lines
from server.cells import BOLD, PLAIN, Row, row_text
from server.joining.join_lines import JoinLines
from server.joining.qr import qr_modules, qr_rows
from server.terminal.painter import sgr

INDENT: Final = "    "


def poster(join: JoinLines, size: os.terminal_size | None) -> list[str]:
    """The lines for standard output; on a terminal of this size with a QR code, if it fits; None for no terminal."""
    first, *others = join.lines
    key = f"The key of this server is {join.key}"
    modules = qr_modules(join.link)
    rows = qr_rows(modules) if modules else []
    if size is None or not rows or size.lines <= len(rows) or size.columns <= len(row_text(rows[0])):
        return [f"guests type: {first}", *(f"or: {line}" for line in others), f"or scan: {join.link}", key]
    big = _styled(((BOLD, first),))
    return ["", f"Guests type:  {big}", *(f"{'or:':>12}  {line}" for line in others), "",
            *(INDENT + _styled(row) for row in rows), "", f"The code is {join.link}", key]  # fmt: skip


def print_poster(join: JoinLines | None) -> None:
    """Print the poster, if there is to be one; if standard output cannot be written, the server goes on without it."""
    if join is None:
        return
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    size = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() and encoding == "utf8" else None
    print_ready_lines(poster(join, size))


def _styled(row: Row) -> str:
    return "".join(sgr(style, colour=True) + text for style, text in row) + sgr(PLAIN, colour=True)
