"""What a host reads when the server is ready: where things are, and what guests in the local network type."""

from pathlib import Path
from typing import Final

from server.cells import BOLD, PLAIN, Row, row_text
from server.config import Config
from server.database_url import DatabaseUrl
from server.joining.join_lines import JoinLines
from server.joining.qr import qr_modules, qr_rows
from server.terminal.painter import sgr

INDENT: Final = "    "
SHARED: Final = "another server uses {}: to players both are one server"
"""The braces stand for the folder of the data."""


def folders_line(config: Config) -> str:
    """Where the folders are."""
    data, key, rules = (Path(folder).resolve() for folder in (config.data, config.hostkeys, config.rules_dir))
    kept = DatabaseUrl.read(config.database) if config.database else data
    return f"data in {kept}, host key in {key}, house rules in {rules}"


def poster(join: JoinLines, size: tuple[int, int] | None) -> list[str]:
    """What a host shows to guests: the lines to type, a QR code if it fits on the terminal, and the key in words.

    ``size``: columns and rows of the terminal; None if the lines go elsewhere.
    """
    first, *others = join.lines
    key = f"The key of this server is {join.key}"
    modules = qr_modules(join.link)
    rows = qr_rows(modules) if modules else []
    if size is None or not rows or size[1] <= len(rows) or size[0] <= len(row_text(rows[0])):
        return [f"guests type: {first}", *(f"or: {line}" for line in others), f"or scan: {join.link}", key]
    big = _styled(((BOLD, first),))
    return ["", f"Guests type:  {big}", *(f"{'or:':>12}  {line}" for line in others), "",
            *(INDENT + _styled(row) for row in rows), "", f"The code is {join.link}", key]  # fmt: skip


def _styled(row: Row) -> str:
    return "".join(sgr(style, colour=True) + text for style, text in row) + sgr(PLAIN, colour=True)
