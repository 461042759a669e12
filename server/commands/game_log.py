"""What happened in the game: in lines a part at a time, the latest first; on a screen as a page, read from its end."""

from typing import Final

from engine.errors import InputError
from server.commands.questions import question
from server.commands.registry import ON_SHOW, Answer
from server.language.event_text import sentences
from server.language.tips import LABEL
from server.numbers import read_number
from server.player.player_session import PlayerSession

LINES: Final = 20
"""How many lines are told at once in line mode."""


@question(
    "log [N]",
    where=ON_SHOW,
    pages={"between", "replay"},
    aliases=("l",),
    details=("log 5: the last five lines.", "log back: the lines before those that you have read, back to the deal."),
)
async def log(session: PlayerSession, rest: str) -> Answer:
    """Show what has happened since the deal."""
    lines, count = _lines(session), read_number(rest)
    if rest and not count and rest != "back":
        raise InputError("bad_request", "type how many lines, as in log 5 for the last five, or log back")
    if not lines:
        return Answer(["Nothing has happened yet."])
    if count:
        return Answer(lines[-count:])
    if session.scene.drawn:
        return Answer(lines, from_end=True)
    end = len(lines) if session.feed.log_told_from is None or not rest else session.feed.log_told_from
    if not end:
        raise InputError("bad_request", "that was the beginning: type log for the latest lines")
    start = session.feed.log_told_from = max(0, end - LINES)
    way = " For those before type log back." if start else ""
    return Answer([f"Lines {start + 1} to {end} of {len(lines)}.{way}", *lines[start:end]])


def _lines(session: PlayerSession) -> list[str]:
    """The log of the game at the player's table; in a replay or a lesson, what led to the position that is shown."""
    if session.side_view is not None or session.snapshot is None:
        return [line for line in session.scene.log if not line.startswith(LABEL)]
    return sentences(session.table.happened(session), session.snapshot)
