"""A player who types nothing in the lobby is disconnected in time, and no other player is."""

import asyncio
from pathlib import Path
from typing import Final

import pytest

from server.limits import IDLE_WARNING_SECONDS
from server.session.idle_timeout import FAREWELL, WARNING, IdleTimeout
from tests.support.people import running_server
from tests.support.virtual_time import in_virtual_time

IDLE_SECONDS: Final = 1200.0


class Idler:
    """The player whose idleness is watched, and what they were told when."""

    def __init__(self) -> None:
        self.last_input_at = float("-inf")
        self.at_table = False
        self.told: list[tuple[float, str]] = []
        self.idle_timeout = IdleTimeout(IDLE_SECONDS, self)

    def answered(self, asked: str, lines: list[str]) -> None:
        """Keep what they are told."""
        self.told += [(asyncio.get_running_loop().time(), asked + line) for line in lines]

    def ended(self, farewell: str) -> None:
        """Keep the last line."""
        self.answered("", [farewell])


@in_virtual_time
async def test_a_player_who_types_nothing_is_warned_and_then_disconnected() -> None:
    """After twenty minutes, a minute after the warning."""
    idler = Idler()
    await asyncio.sleep(IDLE_SECONDS * 2)
    assert idler.told == [(IDLE_SECONDS - IDLE_WARNING_SECONDS, WARNING), (IDLE_SECONDS, FAREWELL)]


@in_virtual_time
async def test_a_key_is_enough_to_stay() -> None:
    """The time counts from the last key, also from one after the warning."""
    idler = Idler()
    await asyncio.sleep(IDLE_SECONDS - 1)
    idler.last_input_at = asyncio.get_running_loop().time()
    await asyncio.sleep(IDLE_SECONDS - 1)
    assert [line for _, line in idler.told] == [WARNING, WARNING]
    await asyncio.sleep(2)
    assert idler.told[-1] == (idler.last_input_at + IDLE_SECONDS, FAREWELL)


@in_virtual_time
async def test_at_a_table_a_player_may_type_nothing() -> None:
    """Back in the lobby all the time begins anew."""
    idler = Idler()
    idler.at_table = True
    await asyncio.sleep(IDLE_SECONDS * 5 + 1)
    idler.at_table = False
    await asyncio.sleep(IDLE_SECONDS - IDLE_WARNING_SECONDS * 2)
    assert not idler.told
    await asyncio.sleep(IDLE_WARNING_SECONDS * 1.5)
    assert [line for _, line in idler.told] == [WARNING]
    idler.idle_timeout.stop()
    await asyncio.sleep(IDLE_SECONDS)
    assert len(idler.told) == 1


async def test_a_session_in_the_lobby_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the screen and in line mode: first the warning is shown, then the good-bye."""
    monkeypatch.setattr("server.session.idle_timeout.IDLE_WARNING_SECONDS", 0.5)
    async with running_server(tmp_path, idle=1) as running, running.person() as ana, running.person(term=None) as bo:
        await ana.until("Are you still there?")
        await bo.until_text("Are you still there?")
        assert await ana.until_gone() == 0
        assert await bo.until_gone() == 0
        assert FAREWELL in ana.text
        assert bo.text.endswith(f"{FAREWELL}\n")
