"""Players who come back: with a resume code, with their key, after their clock ran out, after a restart."""

import asyncio
from pathlib import Path

import asyncssh
import pytest

from server.storage.sqlite_database import MemoryDatabase
from tests.support.opening import seated_together
from tests.support.people import RunningServer, running_server

pytestmark = pytest.mark.waiting_takes_no_time


async def test_a_returning_player_is_told_what_they_missed(open_server: RunningServer) -> None:
    """How many moves were made, and which of them for the player; the log is complete again."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person("bo", size=(200, 60)) as bo:
        async with open_server.person("ana", key=key) as ana:
            await seated_together(ana, bo)
            await ana.enter("start", "YOUR TURN")
        await bo.enter("ready", "order:")
        async with open_server.person("ana", key=key, size=(200, 60)) as ana:
            await ana.until("While you were away:")
            await ana.until("bo is ready.")


async def test_a_player_whose_clock_ran_out_takes_the_seat_back_by_typing(tmp_path: Path) -> None:
    """The player is told how to go on."""
    async with running_server(tmp_path, clock=5) as quick, quick.person("ana") as ana, quick.person("bo") as bo:
        await seated_together(ana, bo, "seats=2 clock=5")
        await ana.enter("start", "YOUR TURN")
        ana.type("ready")
        bo.type("ready")
        slow = ana
        await asyncio.wait(
            [asyncio.create_task(person.until("An AI player plays for you")) for person in (ana, bo)],
            return_when=asyncio.FIRST_COMPLETED,
        )
        slow = ana if "plays for you" in ana.shown else bo
        await slow.enter("back", "You are back. While you were away:")


async def test_tables_survive_a_restart(tmp_path: Path) -> None:
    """A new server on the same log has every seat, every card and every line in the lobby."""
    key, store = asyncssh.generate_private_key("ssh-ed25519"), MemoryDatabase()
    async with running_server(tmp_path, store) as first, first.person("ana", key=key) as ana:
        ana.type("play quatch seats=3")
        ana_saw = own_cards(await ana.until("YOUR TURN"))
    async with running_server(tmp_path, store) as second:
        async with second.person("bo") as bo:
            await bo.until("0 tables")
        async with second.person("ana", key=key) as ana:
            assert own_cards(await ana.until("YOUR TURN")) == ana_saw


def own_cards(screen: str) -> list[str]:
    """The lines with a player's own cards."""
    return [line for line in screen.split("\n") if line.startswith(("   YOU", "   hand"))]
