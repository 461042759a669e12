"""A player who types nothing in the lobby is disconnected in time, and no other player is."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from server.limits import IDLE_WARNING_SECONDS
from server.session.terminal_session import IDLE_FAREWELL
from tests.support.emulator import SETTLED, TerminalPlayer, open_lobby
from tests.support.people import running_server
from tests.support.virtual_time import in_virtual_time

IDLE_SECONDS: Final = 1200.0
WARNING: Final = "Are you still there? In 60 seconds you are disconnected"


@asynccontextmanager
async def idler() -> AsyncIterator[TerminalPlayer]:
    """A player who has just come in, and types nothing."""
    async with open_lobby(idle=IDLE_SECONDS) as lobby:
        player = await TerminalPlayer(lobby, "ana").arrived()
        yield player


@in_virtual_time
async def test_a_player_who_types_nothing_is_warned_and_then_disconnected() -> None:
    """After twenty minutes, a minute after the warning."""
    async with idler() as player:
        await asyncio.sleep(IDLE_SECONDS - IDLE_WARNING_SECONDS - 2 * SETTLED)
        assert WARNING not in player.shown
        await asyncio.sleep(2 * SETTLED)
        assert WARNING in player.shown
        await asyncio.sleep(IDLE_WARNING_SECONDS - 2 * SETTLED)
        assert IDLE_FAREWELL not in player.shown
        await asyncio.sleep(2 * SETTLED)
        assert IDLE_FAREWELL in player.shown


@in_virtual_time
async def test_a_key_is_enough_to_stay() -> None:
    """The time counts from the last key, also from one after the warning."""
    async with idler() as player:
        await asyncio.sleep(IDLE_SECONDS - 1)
        assert WARNING in player.shown
        await player.send(b"x")
        await asyncio.sleep(IDLE_SECONDS - 2 * SETTLED)
        assert IDLE_FAREWELL not in player.shown
        await asyncio.sleep(2 * SETTLED)
        assert IDLE_FAREWELL in player.shown


@in_virtual_time
async def test_at_a_table_a_player_may_type_nothing() -> None:
    """Back in the lobby all the time begins anew."""
    async with idler() as player:
        await player.type("new")
        await asyncio.sleep(IDLE_SECONDS * 5 + 1)
        assert player.session.player_session.at_table
        await player.session.player_session.leave_table()
        await asyncio.sleep(IDLE_SECONDS - IDLE_WARNING_SECONDS * 2)
        assert WARNING not in player.shown
        await asyncio.sleep(IDLE_WARNING_SECONDS * 1.5)
        assert WARNING in player.shown
        assert IDLE_FAREWELL not in player.shown


@in_virtual_time
async def test_a_player_for_whom_the_time_becomes_shorter_is_warned_first() -> None:
    """A reload may have taken another time, which is over already."""
    async with idler() as player:
        await asyncio.sleep(IDLE_SECONDS / 4)
        config = player.lobby.config
        config.take(replace(config, idle=60.0))
        await asyncio.sleep(IDLE_WARNING_SECONDS)
        assert "In 30 seconds you are disconnected" in player.shown
        assert IDLE_FAREWELL not in player.shown
        await asyncio.sleep(30)
        assert IDLE_FAREWELL in player.shown


@pytest.mark.waiting_takes_no_time
async def test_a_session_in_the_lobby_ends(tmp_path: Path) -> None:
    """On the screen and in line mode: first the warning is shown, then the good-bye."""
    async with running_server(tmp_path, idle=2) as running, running.person() as ana, running.person(term=None) as bo:
        await ana.until("Are you still there? In 1 second you are disconnected")
        await bo.until("Are you still there?")
        assert await ana.until_gone() == 0
        assert await bo.until_gone() == 0
        assert IDLE_FAREWELL in ana.text
        assert bo.text.endswith(f"{IDLE_FAREWELL}\n")
