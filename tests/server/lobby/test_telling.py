"""The lobby tells every player; a session that fails keeps the news from no other."""

import asyncio

import pytest

from server.lobby.visitors import UPDATE_SECONDS
from server.table.recent_talk import Said
from server.table.snapshot import Presence
from tests.support.emulator import open_lobby
from tests.support.front_end import Remembering, come_in

pytestmark = pytest.mark.virtual_time


class Broken(Remembering):
    """A front end that fails once a test says so."""

    fails = False

    def told(self, lines: list[str]) -> None:
        """Lines to read."""
        if self.fails:
            raise RuntimeError(lines)

    def ended(self, farewell: str) -> None:
        """The session ends."""
        self.told([farewell])


async def test_a_failing_session_does_not_affect_the_others() -> None:
    """Neither when it is told something, nor when another session takes its place."""
    async with open_lobby() as lobby:
        await come_in(lobby, "ana", "SHA256:ana", front_end=(broken := Broken()))
        bo, heard = await come_in(lobby, "bo")
        broken.fails = True
        lobby.visitors.say(Said("bo", "hello"))
        assert heard.lines[-1] == "bo: hello"
        cy, _ = await come_in(lobby, "cy")
        await asyncio.sleep(UPDATE_SECONDS * 2)
        assert bo.location.people == (Presence("ana"), Presence("bo"), Presence("cy"))
        ana, _ = await come_in(lobby, "ana", "SHA256:ana")
        await asyncio.sleep(UPDATE_SECONDS * 2)
        assert lobby.visitors.here == [bo, cy, ana]
        assert bo.location.people == (Presence("bo"), Presence("cy"), Presence("ana"))
