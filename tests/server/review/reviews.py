"""A finished game to review, for tests."""

import json

from server.records.record import Record
from server.records.record_reader import read_record
from server.storage.database import EMPTY, FinishedGame, LogEntry
from server.storage.sqlite_database import MemoryDatabase
from tests.support.people import Person
from tests.support.recorded import GAME, GOLDEN


def golden() -> Record:
    """A game of ana's against Fox."""
    return read_record(GOLDEN.read_text("utf-8"))


async def log_with_a_game(
    result: str = '{"v":1,"finishes":[],"drawn":false,"plies":0}', heading: str = "Quatch record 1"
) -> MemoryDatabase:
    """A log with that game in it, by default without ratings; ``heading`` is the first line of its record."""
    record = GOLDEN.read_text("utf-8").replace("Quatch record 1", heading)
    log = MemoryDatabase()
    accounts = (
        *{finish["key"] for finish in json.loads(result).get("finishes", ()) if finish["key"].startswith("account:")},
    )
    await log.append(EMPTY, LogEntry(1, 1, b"", 0.0, b""), FinishedGame(GAME, "college", 0.0, result, record, accounts))
    return log


def has_ended(person: Person) -> bool:
    """Whether the screen shows the last line of a review."""
    return "Better to" in person.shown or "cost anything" in person.shown
