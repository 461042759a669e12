"""Collects what a console shows: from what the lobby lists, and whose turn it is, which everybody may know."""

import asyncio
import math
import time
from collections.abc import Callable

from server.addresses import address_text
from server.console.frame import ConsolePerson, ConsoleScene, ConsoleTable
from server.console.load import Load
from server.joining.join_lines import JoinLines
from server.joining.qr import code_of
from server.lobby.competitions import Competitions
from server.lobby.lobby import Lobby
from server.process.logs import RECENT, LogLine
from server.table.snapshot import Listing, Presence, Sitter
from server.table.table import Table


def overview(lobby: Lobby, load: Load, wall: Callable[[], float] = time.time) -> ConsoleScene:
    """The server as it is now."""
    tables = [
        _table(table, listing)
        for table in lobby.tables.here.values()
        if not (listing := table.listing()).asleep and not table.is_alone
    ]
    people = [
        ConsolePerson(
            each.player.name,
            address_text(each.caller.address) or "this terminal",
            Presence(each.player.name, each.table_number, each.is_watching).where,
        )
        for each in lobby.visitors.everybody()
    ]
    clock, join = time.localtime(wall()), lobby.join_lines
    return ConsoleScene(
        status=f"QUATCH  {len(people)} here, {_counted(len(tables), 'table')}, {load.text}",
        time=f"{clock.tm_hour}:{clock.tm_min:02}",
        join=next(iter(join.lines), ""),
        invitation=_invitation(join),
        competitions=[its.now().progress for each in lobby.services_like(Competitions) for its in each.held()],
        code=code_of(join.link),
        notice=lobby.drain.notice or _one_of(len(lobby.peers.others) + 1),
        tables=sorted(tables, key=lambda table: table.number),
        people=people,
        log=[_line(line) for line in RECENT.last(100)],
    )


def _invitation(join: JoinLines) -> list[str]:
    """What to show, and to read aloud, to guests."""
    if not join.lines:
        return []
    first, *others = join.lines
    ways = [f"  {first}", *(f"  or {line}" for line in others), f"or scan {join.link}"]
    return ["Guests type in a terminal:", *ways, join.key]


def _one_of(processes: int) -> str:
    return "" if processes == 1 else f"one of {processes} processes: load and log are those of this one"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _line(line: LogLine) -> str:
    level = "" if line.level in {"info", "debug"} else f"{line.level.upper()} "
    return f" {line.time} {level}{line.text}"


def _table(table: Table, listing: Listing) -> ConsoleTable:
    key = "key " if listing.private else ""
    return ConsoleTable(
        listing.number,
        listing.rules_title,
        " ".join(map(_name, listing.sitters)),
        f"{key}{_progress(listing)}",
        _to_move(table, table.deciding, listing.sitters) if listing.playing else "",
    )


def _progress(listing: Listing) -> str:
    if listing.playing:
        return f"move {listing.ply}"
    return listing.between if listing.occasion else f"{listing.open_seats} free"


def _to_move(table: Table, seats: list[int], sitters: tuple[Sitter | None, ...]) -> str:
    """Who has to decide, with the seconds that are left for it."""
    names = [sitter.name for seat in seats if (sitter := sitters[seat]) is not None]
    deadline = table.deadline
    left = "" if deadline is None else f" {max(0, math.ceil(deadline - asyncio.get_running_loop().time()))} s"
    return f"{names[0] if len(names) == 1 else f'{len(names)} arrange'}{left}" if names else ""


def _name(sitter: Sitter | None) -> str:
    return "-" if sitter is None else f"{'*' if sitter.is_ai else ''}{sitter.name}"
