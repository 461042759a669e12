"""What happened in the game: in lines a part at a time, the latest first; on a screen as a page, read from its end."""

from typing import Final

from engine.errors import InputError
from server.commands.looking import question
from server.commands.registry import ON_SHOW, Answer
from server.language.event_text import sentences
from server.number_text import read_number
from server.player.player_session import PlayerSession
from server.player.table_feed import TableFeed

LINES: Final = 20
"""How many lines are told at once in line mode."""


@question(
    "log [N]",
    where=ON_SHOW,
    pages={"between", "record"},
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
    if session.front_end.is_drawn:
        return Answer(lines, from_end=True)
    if session.side_view is not None:
        return Answer(lines)  # these are few, and others at each move
    return _part(session.feed, lines, back=bool(rest))


def _lines(session: PlayerSession) -> list[str]:
    """The log of the game at the player's table; in a replay or a lesson, what led to the position that is shown."""
    if session.side_view is not None:
        return [*session.side_view.log]
    snapshot = session.snapshot
    return [] if snapshot is None else sentences(session.table.happened(session), snapshot)


def _part(feed: TableFeed, lines: list[str], *, back: bool) -> Answer:
    """The latest lines, or those before the part that was told last."""
    end = feed.log_told_from if back and feed.log_told_from is not None else len(lines)
    if not end:
        raise InputError("bad_request", "that was the beginning: type log for the latest lines")
    start = feed.log_told_from = max(0, end - LINES)
    way = " For those before type log back." if start else ""
    return Answer([f"Lines {start + 1} to {end} of {len(lines)}.{way}", *lines[start:end]])
