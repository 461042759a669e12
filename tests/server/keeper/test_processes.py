"""What a keeper hears of its processes, and when it starts one again."""

import asyncio
import socket
import subprocess
import sys

import pytest
from structlog.testing import capture_logs

from server.app.main_process import READY, Alive, NotStarted
from server.keeper.child import Child
from server.keeper.keeper import FIRST_DELAY, LIVED_SECONDS, LONGEST_DELAY, next_delay
from server.keeper.link import MEASURE, TAKE, Failed, Welcome, follow, line_of
from server.keeper.spawn import Spawned, spawn


def ended_child(said: bytes) -> Child:
    """A process that ends with status 1 when it has said this."""
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(said)
    return Child(0, Spawned(subprocess.Popen(["false"]), ours), lambda: None)


async def test_a_process_killed_in_the_middle_of_a_message_is_known_to_have_ended() -> None:
    """Its last line is half a message."""
    assert await ended_child(line_of(Alive(READY))[:-5]).ended == 1


async def test_what_a_keeper_cannot_read_is_passed_over() -> None:
    """What comes next is heard."""
    with pytest.raises(NotStarted, match="no room"):
        await ended_child(b"nonsense\n" + line_of(Failed("no room", 1))).until_ready()


async def test_a_process_that_fails_at_what_its_keeper_asks_hears_on() -> None:
    """Its log has why. When the keeper ends, it is stopped."""
    reader, stopped, taken = asyncio.StreamReader(), asyncio.Event(), list[bytes]()

    async def answer(line: bytes) -> None:
        if line in {b"", b"wrong\n"}:
            raise RuntimeError("no answer")
        taken.append(line)

    reader.feed_data(MEASURE + TAKE + b"wrong\n" + TAKE + b"right\n")
    reader.feed_eof()
    with capture_logs() as logs:
        await follow(reader, answer, stopped.set)
    assert taken == [b"right\n"]
    assert stopped.is_set()
    assert [each["what"] for each in logs] == ["answering the keeper"] * 2


def test_a_process_whose_keeper_ends_in_the_middle_of_a_welcome_ends_too() -> None:
    """It does not wait for the rest."""
    process, link = spawn([sys.executable, "-m", "server", "serve"])
    with process:
        link.sendall(line_of(Welcome(0, b"", []))[:-5])
        link.close()
        try:
            assert process.wait(60) == 1
        finally:
            process.kill()


def test_a_process_that_dies_again_and_again_is_started_less_and_less_often() -> None:
    """Up to a limit; one that has lived for a while is started at once again."""
    delays = [0.0]
    for _ in range(8):
        delays.append(next_delay(delays[-1], 0.1))
    assert delays[1:4] == [FIRST_DELAY, 2 * FIRST_DELAY, 4 * FIRST_DELAY]
    assert delays[-1] == LONGEST_DELAY
    assert next_delay(LONGEST_DELAY, LIVED_SECONDS) == FIRST_DELAY
