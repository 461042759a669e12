"""Messages between processes that have the same log open, as every implementation of the log promises them."""

import asyncio

import pytest

from server.storage.database import MESSAGE_BYTES
from tests.support.log_entries import Logs, heard_by, soon


@pytest.mark.features("cluster")
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
