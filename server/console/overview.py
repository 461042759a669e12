"""Collects what a console shows: what the lobby lists, whose turn it is, which everybody may know, and the load."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from engine.wording.phrases import quantity
from server.addresses import address_text
from server.console.frame import ConsoleScene
from server.joining import JoinLines, code_of
from server.lobby.competitions import Competitions
from server.lobby.lobby import Lobby
from server.number_text import countdown_text
from server.process.counters import Counters
from server.process.logs import LISTENERS
from server.table.snapshot import Listing, Presence
from server.table.table import Table

LINES_KEPT: Final = 100
LINE_LENGTH: Final = 300
_KEY_CELLS: Final = 15
_NOT_TOLD: Final = frozenset({"event", "exc_info", "exception", "stack", "level", "timestamp", "lines"})
LOG_SECONDS: Final = 3600.0
"""Lines of the log that are older are not shown: they tell a time of day alone."""


RECENT: Final = deque[str](maxlen=LINES_KEPT)
"""The last lines of the log, as " 20:41:07 WARNING slow  seconds=2", the newest last.

They are those of this process, or of all that write to the file of the log, if a console is at their terminal.
"""


def keep_line(level: str, line: Mapping[str, object]) -> None:
    """Keep a line of the log, from its file or just written (a listener of `process.logs.LISTENERS`)."""
    now = datetime.now(UTC)
    at = datetime.fromisoformat(str(line.get("timestamp", now)))
    if (now - at).total_seconds() > LOG_SECONDS:
        return
    told = [str(line["event"])]
    for key, value in line.items():
        if key not in _NOT_TOLD and value is not None and value != "":
            text = str(value)
            # Of a key's fingerprint only the beginning: the log itself has all of it.
            told.append(f"{key}={text[:_KEY_CELLS]}.." if text.startswith("SHA256:") else f"{key}={text}")
    how_bad = "" if level in {"info", "debug"} else f"{level.upper()} "
    RECENT.append(f" {at.astimezone():%H:%M:%S} {how_bad}{'  '.join(told)[:LINE_LENGTH]}")


WINDOW_SECONDS: Final = 60.0
"""How busy the process is, and how long players wait, is told of so long."""


class _Sample(NamedTuple):
    """What was counted at one time."""

    at: float
    worked: float
    """Seconds of processor time since the start."""
    waits: tuple[tuple[float, float], ...]
    """For each bound in seconds, how many answers took no longer, since the start."""


class Load:
    """Sampled while a console is open."""

    def __init__(
        self,
        counters: Counters,
        clock: Callable[[], float] = time.monotonic,
        worked: Callable[[], float] = time.process_time,
    ) -> None:
        """``worked`` is the processor time of this process in seconds."""
        self._counters = counters
        self._clock = clock
        self._worked = worked
        self._samples = deque[_Sample]()

    def sample(self) -> None:
        """Count now, and forget what is older than the window."""
        now = self._clock()
        waits = self._counters.loop_lag_seconds.by_bound
        self._samples.append(_Sample(now, self._worked(), waits))
        while self._samples[0].at < now - WINDOW_SECONDS:
            self._samples.popleft()

    @property
    def text(self) -> str:
        """The load in words, as in ", cpu 4%, p99 2 ms"; without what was not measured."""
        if len(self._samples) < 2:
            return ""
        first, last = self._samples[0], self._samples[-1]
        share = (last.worked - first.worked) / (last.at - first.at)
        counts = [(bound, now - before) for (bound, now), (_, before) in zip(last.waits, first.waits, strict=True)]
        total = counts[-1][1]
        if total < 2:
            return f", cpu {share:.0%}"
        # The slowest answer of the event loop does not count: the first one waits until the console is loaded.
        bound = next(bound for bound, count in counts if count >= min(0.99 * total, total - 1))
        p99 = f"over {counts[-2][0]:g} s" if bound == float("inf") else f"{bound * 1000:g} ms"
        return f", cpu {share:.0%}, p99 {p99}"


def overview(lobby: Lobby, load: Load, wall: Callable[[], float] = time.time) -> ConsoleScene:
    """The server as it is now."""
    tables = [
        _table(table, listing)
        for table in lobby.tables.here.values()
        if not (listing := table.listing()).asleep and not table.is_alone
    ]
    people = [
        (
            each.player.name,
            address_text(each.caller.address) or "this terminal",
            Presence(each.player.name, each.table_number, each.is_watching).where,
        )
        for each in lobby.visitors.everybody()
    ]
    clock, join, others = time.localtime(wall()), lobby.join_lines, len(lobby.peers.others)
    own = "load and log are those" if keep_line in LISTENERS else "the load is that"
    one_of = f"several processes serve: {own} of this one" if others else ""
    return ConsoleScene(
        status=f"QUATCH  {len(people)} here, {quantity(len(tables), 'table')}{load.text}",
        time=f"{clock.tm_hour}:{clock.tm_min:02}",
        join="   ".join([*join.lines[:1], *([f"on a phone: {join.link}"] if join.opens_anywhere else [])]),
        invitation=_invitation(join),
        competitions=[its.now().progress for each in lobby.features.all(Competitions) for its in each.held(lobby)],
        code=code_of(join.link),
        notice=lobby.drain.notice or one_of,
        tables=sorted(tables),
        people=people,
        log=[*RECENT],
    )


def _invitation(join: JoinLines) -> list[str]:
    """What to show, and to read aloud, to guests."""
    if not join.lines:
        return []
    first, *others = join.lines
    ways = [f"  {first}", *(f"  or {line}" for line in others), join.on_phones]
    return ["Guests type in a terminal:", *ways, join.key]


def _table(table: Table, listing: Listing) -> tuple[int, str, str, str, str]:
    """See `ConsoleScene.tables`."""
    between = listing.between if listing.occasion else f"{listing.open_seats} free"
    state = f"move {listing.ply}" if listing.playing else between
    names = ["-" if each is None else f"{'*' if each.is_ai else ''}{each.name}" for each in listing.sitters]
    deciding = [each.name for seat in table.deciding if listing.playing and (each := listing.sitters[seat]) is not None]
    who = deciding[0] if len(deciding) == 1 else f"{len(deciding)} arrange"
    deadline = table.deadline
    left = "" if deadline is None else f" {countdown_text(deadline - asyncio.get_running_loop().time())}"
    return (
        listing.number,
        listing.rules_title,
        " ".join(names),
        f"{'key ' if listing.private else ''}{state}",
        f"{who}{left}" if deciding else "",
    )
