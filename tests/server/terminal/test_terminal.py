"""Input is handled a little at a time and in order, and a client that sends too much has to wait."""

import asyncio

import pytest

from server.limits import INPUT_WAITING, READ_AT_ONCE
from server.terminal.terminal import Terminal

pytestmark = pytest.mark.virtual_time


class FakeTransport:
    """What a terminal needs; it tells whether it was asked to wait."""

    held = False

    def write(self, data: bytes) -> None:
        """Everything is taken."""

    def waiting(self) -> int:
        """Nothing waits."""
        return 0

    def hold(self, *, held: bool) -> None:
        """Remember."""
        self.held = held

    def close(self, status: int) -> None:
        """Nothing to close."""

    def abort(self) -> None:
        """Nothing to cut."""


class Listener:
    """A mode that keeps what it hears."""

    def __init__(self, terminal: Terminal) -> None:
        self.heard: list[bytes] = []
        self.ended = 0
        terminal.attach(data=self.heard.append, input_end=self.end, drained=lambda: None)

    def end(self) -> None:
        """There will be no more."""
        self.ended += 1


async def test_what_comes_early_is_heard_a_little_at_a_time() -> None:
    """32: everything, in order, a piece in each turn of the loop; the other side waits until there is room again."""
    transport = FakeTransport()
    terminal = Terminal(transport, is_tty=True)
    sent = bytes(range(256)) * (INPUT_WAITING // 128)
    for start in range(0, len(sent), 1000):
        terminal.feed(sent[start : start + 1000])
    assert transport.held
    mode = Listener(terminal)
    turns = 0
    while sum(map(len, mode.heard)) < len(sent):
        assert len(mode.heard) <= turns + 1
        await asyncio.sleep(0)
        turns += 1
    assert b"".join(mode.heard) == sent
    assert all(len(piece) <= READ_AT_ONCE for piece in mode.heard)
    assert not transport.held


async def test_many_small_pieces_in_one_turn_are_one() -> None:
    """The first key is heard at once; what a transport hands over all together waits for the next turn."""
    terminal = Terminal(FakeTransport(), is_tty=True)
    mode = Listener(terminal)
    for _ in range(100):
        terminal.feed(b"x")
    assert mode.heard == [b"x"]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert mode.heard == [b"x", b"x" * 99]


async def test_the_end_is_told_once_behind_everything_else() -> None:
    """To every mode that listens, and not while it wants to hear nothing."""
    transport = FakeTransport()
    terminal = Terminal(transport, is_tty=True)
    terminal.feed(b"x" * 3 * READ_AT_ONCE)
    terminal.end_input()
    mode = Listener(terminal)
    terminal.hold(held=True)
    await asyncio.sleep(1)
    assert (len(mode.heard), mode.ended, transport.held) == (1, 0, True)
    terminal.hold(held=False)
    await asyncio.sleep(1)
    assert (len(mode.heard), mode.ended, transport.held) == (3, 1, False)
    terminal.detach(b"unread")
    again = Listener(terminal)
    await asyncio.sleep(1)
    assert (again.heard, again.ended) == ([b"unread"], 1)
