"""Processes that share a database file hear each other's writes and messages."""

import asyncio
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import pytest

from server.cluster.shared_file import SharedFile, put_messages
from server.storage.database import EMPTY, MESSAGES_WAITING, NotSaved
from server.storage.sqlite_database import PATIENCE, commit
from server.storage.sqlite_file import make_schema
from tests.support.log_entries import entry, heard_by
from tests.support.resources import settled
from tests.support.virtual_time import asked_of_logs


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "quatch.db"


async def test_changed_is_called_when_another_log_may_have_written(file: Path) -> None:
    """Once another process has said something: without any other, nobody is told of the log's own writes."""
    logs = [SharedFile(file, poll=0.005) for _ in range(2)]
    rung = [asyncio.Event() for _ in logs]
    for log, event in zip(logs, rung, strict=True):
        await log.open()
        log.tell_of_change = event.set
    one, other = logs
    heard = heard_by(other)
    await one.append(EMPTY, entry(1, 1))
    one.send("hello")
    await settled(lambda: heard == ["hello"])
    for seq in range(2, 5):
        rung[1].clear()
        await one.append(EMPTY, entry(seq, 1))
        await asyncio.wait_for(rung[1].wait(), 5)
    assert not rung[0].is_set()
    other.send("hello")
    await asyncio.wait_for(rung[0].wait(), 5)
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
        with closing(apsw.Connection(str(file))) as third:
            third.execute("BEGIN IMMEDIATE")
            for number in range(MESSAGES_WAITING + 2):
                log.send(str(number))
        await log.close()
        await settled(lambda: heard[-1:] == [str(MESSAGES_WAITING + 1)])
        assert len(heard) == MESSAGES_WAITING


def fail_once_to_read_messages(file: Path, fault: apsw.Error) -> asyncio.Event:
    """Let the one connection that reads the file fail. Returns what tells that it did."""
    (reader,) = (each for each in apsw.connections() if each.filename == str(file) and each.readonly("main"))
    failed = asyncio.Event()

    def trace(_: object, statement: str, __: object) -> bool:
        if "FROM message" in statement and not failed.is_set():
            failed.set()
            raise fault
        return True

    reader.set_exec_trace(trace)
    return failed


async def test_a_message_is_heard_although_the_first_read_of_it_fails(file: Path) -> None:
    """At the next look, also if nobody writes any more."""
    async with SharedFile(file, poll=0.005) as log:
        failed = fail_once_to_read_messages(file, apsw.IOError("no answer"))
        async with SharedFile(file) as other:
            heard = heard_by(log)
            other.send("hello")
            await settled(lambda: heard == ["hello"])
    assert failed.is_set()


async def test_damage_that_hearing_finds_is_told(file: Path) -> None:
    """And nothing is written to the file, as if another read had found it."""
    async with SharedFile(file, poll=0.005) as log:
        fail_once_to_read_messages(file, apsw.CorruptError("malformed"))
        async with SharedFile(file) as other:
            other.send("hello")
            await settled(lambda: log.problem.startswith("the file is damaged"))


async def test_a_bug_in_what_hears_a_message_keeps_no_other_from_being_heard(file: Path) -> None:
    """Neither those that were sent with it nor later ones."""
    async with SharedFile(file, poll=0.005) as log, SharedFile(file) as other:
        heard, bugs = list[str](), list[str]()
        asyncio.get_running_loop().set_exception_handler(lambda _, context: bugs.append(str(context["exception"])))

        def hear(message: str) -> None:
            heard.append(message)
            if message == "one":
                raise ValueError(message)

        log.tell_message = hear
        other.send("one")
        other.send("two")
        await settled(lambda: heard == ["one", "two"])
        other.send("three")
        await settled(lambda: heard == ["one", "two", "three"])
        assert bugs == ["one"]


async def test_closing_does_not_wait_long_for_another_programs_lock(file: Path) -> None:
    """Neither for a write nor for the messages behind it."""
    log = SharedFile(file)
    await log.open()
    with closing(apsw.Connection(str(file))) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(log.put_text("name", "a", "b"))
        await settled(lambda: asked_of_logs() == 1)
        log.send("too late")
        began = time.monotonic()
        await log.close()
        assert time.monotonic() - began < PATIENCE / 2
        with pytest.raises(NotSaved, match="locked by another program"):
            await writing
