"""Messages between processes that have the same log open, as every implementation of the log promises them."""

import asyncio
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import apsw
import pytest

from server.storage.database import MESSAGE_BYTES, MESSAGES_WAITING, Database
from server.storage.sqlite_database import SqliteDatabase, commit, put_messages
from server.storage.sqlite_file import make_schema
from tests.support.log_entries import Logs


async def soon(is_so: Callable[[], bool]) -> None:
    """Wait until this is so."""
    async with asyncio.timeout(5):
        while not is_so():
            await asyncio.sleep(0.005)


def heard_by(log: Database) -> list[str]:
    """What this log hears from now on."""
    heard = list[str]()
    log.tell_message = heard.append
    return heard


async def test_a_message_is_heard_by_others_alone(logs: Logs) -> None:
    """In the order of sending, byte for byte, up to the longest; whoever opens the log later hears nothing of it."""
    one, other = logs
    messages = ["first", 'Ана "\n\x1b', "é" * (MESSAGE_BYTES // 2), "last"]
    by_sender, by_other = heard_by(one), heard_by(other)
    for message in messages:
        one.send(message)
    if one is other:
        await one.put_text("kind", "key", "something else")
        await asyncio.sleep(0.05)
        assert by_other == []
        return
    await soon(lambda: len(by_other) == len(messages))
    assert (by_sender, by_other) == ([], messages)
    other.send("an answer")
    await soon(lambda: by_sender == ["an answer"])
    assert by_other == messages


async def test_what_cannot_be_sent_is_refused(logs: Logs) -> None:
    """Every implementation refuses the same."""
    for message in ("é" * (MESSAGE_BYTES // 2) + "x", "zero\0"):
        with pytest.raises(ValueError, match="no message of at most 7000 bytes"):
            logs[0].send(message)


def test_old_messages_are_deleted() -> None:
    """After some seconds, by number if there are very many, and also if the clock was put back meanwhile."""
    with closing(apsw.Connection(":memory:")) as db:
        make_schema(db)
        for now, sent, left in ((1000, "a", "a"), (1003, "bcdef", "def"), (1006, "g", "efg"), (400, "h", "h")):
            assert commit(db, [partial(put_messages, "sender", now, [*sent], kept=3)]) == [True]
            assert "".join(text for (text,) in db.execute("SELECT text FROM message ORDER BY number")) == left


async def test_messages_that_wait_are_bounded_and_sent_at_the_close(file: Path) -> None:
    """While nothing can be written the oldest are lost; those of the last moment still arrive."""
    log = SqliteDatabase(file)
    log.send("before it is open")
    async with SqliteDatabase(file, poll=0.005) as other:
        heard = heard_by(other)
        await log.open()
        for number in range(MESSAGES_WAITING + 2):
            log.send(str(number))
        await log.close()
        await soon(lambda: heard[-1:] == [str(MESSAGES_WAITING + 1)])
        assert len(heard) == MESSAGES_WAITING
