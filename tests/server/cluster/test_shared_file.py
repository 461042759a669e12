"""Processes that share a database file hear each other's writes and messages."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import pytest

from server.cluster.shared_file import LAST_MESSAGE, SharedFile, put_messages
from server.storage.database import EMPTY, MESSAGES_WAITING, NotSaved
from server.storage.sqlite_database import PATIENCE, commit
from server.storage.sqlite_file import make_schema
from tests.support.log_entries import entry, heard_by, soon
from tests.support.virtual_time import asked_of_logs


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "quatch.db"


async def test_changed_is_called_when_another_log_has_written(file: Path) -> None:
    """It is not called for the log's own writes."""
    logs = [SharedFile(file, poll=0.005) for _ in range(2)]
    rung = [asyncio.Event() for _ in logs]
    for log, event in zip(logs, rung, strict=True):
        await log.open()
        log.tell_of_change = event.set
    one, other = logs
    for seq in range(3):
        await one.append(EMPTY, entry(seq, 1))
        await asyncio.wait_for(rung[1].wait(), 5)
        rung[1].clear()
        assert not rung[0].is_set()
    await other.put_text("name", "a", "b")
    await asyncio.wait_for(rung[0].wait(), 5)
    assert not rung[1].is_set()
    for log in logs:
        await log.close()


def test_old_messages_are_deleted() -> None:
    """After some seconds, by number if there are very many, and also if the clock was put back meanwhile."""
    with closing(apsw.Connection(":memory:")) as db:
        make_schema(db)
        for now, sent, left in ((1000, "a", "a"), (1003, "bcdef", "def"), (1006, "g", "efg"), (400, "h", "h")):
            assert commit(db, [partial(put_messages, "sender", now, [*sent], kept=3)]) == [True]
            assert "".join(text for (text,) in db.execute("SELECT text FROM message ORDER BY number")) == left


async def test_messages_that_wait_are_bounded_and_sent_at_the_close(file: Path) -> None:
    """While nothing can be written the oldest are lost; those of the last moment still arrive."""
    log = SharedFile(file)
    log.send("before it is open")
    async with SharedFile(file, poll=0.005) as other:
        heard = heard_by(other)
        await log.open()
        for number in range(MESSAGES_WAITING + 2):
            log.send(str(number))
        await log.close()
        await soon(lambda: heard[-1:] == [str(MESSAGES_WAITING + 1)])
        assert len(heard) == MESSAGES_WAITING


class Opening(SharedFile):
    """A file where something happens once its messages were counted, before it is open."""

    def __init__(self, path: Path, meanwhile: Callable[[], Awaitable[None]]) -> None:
        super().__init__(path, poll=0.005)
        self._meanwhile = meanwhile

    async def number(self, statement: str, *values: float | str) -> int:
        """See `Database`."""
        found = await super().number(statement, *values)
        if statement == LAST_MESSAGE:
            await self._meanwhile()
        return found


async def test_a_message_that_comes_while_a_file_is_opened_is_heard(file: Path) -> None:
    """Although nobody writes after it."""
    async with SharedFile(file) as other:
        log = Opening(file, partial(other.write, partial(put_messages, "other", time.time(), ["hello"])))
        heard = heard_by(log)
        async with log:
            await soon(lambda: heard == ["hello"])


async def test_a_file_that_cannot_be_opened_leaves_nothing_behind(file: Path) -> None:
    """Neither its thread nor its connections."""

    async def fail() -> None:
        raise NotSaved("the disk is gone")

    threads = threading.active_count()
    with pytest.raises(NotSaved, match="the disk is gone"):
        await Opening(file, fail).open()
    assert threading.active_count() == threads
    assert [each for each in apsw.connections() if each.filename == str(file)] == []


async def test_closing_does_not_wait_to_hear_others_while_one_has_the_lock(file: Path) -> None:
    """What is heard waits behind a write, and that for the lock."""
    log = SharedFile(file, poll=0.005)
    await log.open()
    with closing(apsw.Connection(str(file))) as other:
        other.execute("UPDATE counted SET number = 1")
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(log.put_text("name", "a", "b"))
        await soon(lambda: asked_of_logs() == 2)
        began = time.monotonic()
        await log.close()
        assert time.monotonic() - began < PATIENCE / 2
        with pytest.raises(NotSaved, match="locked by another program"):
            await writing
