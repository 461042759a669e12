"""The lobby tells every player; a session that fails keeps the news from no other."""

import asyncio

import pytest

from server.lobby.visitors import UPDATE_SECONDS
from server.table.recent_talk import Said
from server.table.snapshot import Listing, Presence
from tests.support.emulator import open_lobby
from tests.support.in_lobby import InLobby
from tests.support.tables import ANA, BO

pytestmark = pytest.mark.virtual_time


class Guest(InLobby):
    """A session that remembers what it is told, or fails."""

    fails = False

    def hear(self, name: str, line: str, invitation: str = "") -> None:  # noqa: ARG002
        """See `Watcher`."""
        self._may_fail()
        super().hear(name, line)

    def lobby_changed(self, tables: tuple[Listing, ...], people: tuple[Presence, ...]) -> None:
        """Tables or players have changed."""
        self._may_fail()
        super().lobby_changed(tables, people)

    def dismiss(self, farewell: str) -> None:
        """The session is ended, or the same player has logged in again."""
        self._may_fail()
        super().dismiss(farewell)

    def _may_fail(self) -> None:
        if self.fails:
            raise RuntimeError(self.player.name)


async def test_a_failing_session_does_not_affect_the_others() -> None:
    """Neither when it is told something, nor when another session takes its place."""
    async with open_lobby() as lobby:
        broken, bo, ana = Guest(ANA), Guest(BO), Guest(ANA)
        lobby.visitors.enter(broken)
        lobby.visitors.enter(bo)
        broken.fails = True
        lobby.visitors.say(Said("bo", "hello"))
        assert bo.lines == ["bo: hello"]
        lobby.visitors.leave(bo)
        lobby.visitors.enter(bo)
        await asyncio.sleep(UPDATE_SECONDS * 2)
        assert bo.people == (Presence("ana"), Presence("bo"))
        lobby.visitors.enter(ana)
        await asyncio.sleep(UPDATE_SECONDS * 2)
        assert lobby.visitors.here == [bo, ana]
        assert bo.people == (Presence("bo"), Presence("ana"))
