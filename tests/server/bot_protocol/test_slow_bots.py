"""Bots that take their time, in a time that costs nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from server.bot_protocol.session import ASK_AGAIN_SECONDS
from server.storage.database import NotSaved, OutcomeUnknown
from server.storage.sqlite_database import MemoryDatabase
from tests.support.bots import MOMENT, Program
from tests.support.emulator import open_lobby

pytestmark = pytest.mark.virtual_time
CLOCK = 20


async def begin(hal: Program) -> None:
    """A game against one AI player, with nothing to arrange any more."""
    told = await hal.send(type="new", rules="quatch", seats=2, fill="easy", clock=CLOCK)
    assert [turn["deadline_s"] for turn in only("turn", told)] == [2 * CLOCK]
    told = await hal.send(type="move", ply=0, move="ready")
    while not only("turn", told):
        told = await hal.hear(MOMENT)


def only(kind: str, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages of one type."""
    return [message for message in told if message["type"] == kind]


@asynccontextmanager
async def program(ask_again_seconds: float = ASK_AGAIN_SECONDS) -> AsyncIterator[Program]:
    """A bot in a lobby of its own."""
    async with open_lobby(wall=lambda: asyncio.get_running_loop().time(), pace=0.1) as lobby:
        hal = Program(lobby, ask_again_seconds=ask_again_seconds)
        yield hal
        hal.running.cancel()
        await asyncio.gather(hal.running, return_exceptions=True)


async def test_a_slow_bot_is_told_that_its_seat_is_played_and_can_take_it_back() -> None:
    """Alone with AI players there is a clock, too: a program that hangs hangs for ever."""
    async with program() as hal:
        await begin(hal)
        told = await hal.hear(CLOCK)
        assert [message["code"] for message in only("error", told)] == ["away"]
        assert not only("turn", told)
        told = await hal.send(type="back")
        while not only("turn", told):
            told = await hal.hear(MOMENT)


async def test_a_move_that_changes_nothing_is_followed_by_another_turn() -> None:
    """A bot that waits to be asked is asked."""
    async with program() as hal:
        (turn,) = only("turn", await hal.send(type="new", rules="life", seats=2, fill="easy", clock=CLOCK))
        for _ in range(2):
            told = await hal.send(type="move", ply=turn["ply"], move=turn["legal"][0])
            assert [message["legal"] for message in only("turn", told)] == [["ready"]]


async def test_a_second_player_who_asks_for_another_game_has_it_already() -> None:
    """Two bots that both type again are both content; start is refused as ever."""
    async with program() as hal:
        await begin(hal)
        assert not only("error", await hal.send(type="again"))
        assert [message["code"] for message in only("error", await hal.send(type="start"))] == ["wrong_phase"]


@pytest.mark.parametrize("failure", [NotSaved, OutcomeUnknown])
async def test_a_bot_is_asked_again_for_a_move_that_was_not_saved(
    failure: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has changed at the table, so it would wait for ever. A bot that moves by itself is not asked twice."""

    async def fail(*_: object, **__: object) -> None:
        raise failure("the disk is full")

    async with program() as hal:
        await begin(hal)
        asked = hal.asked
        with monkeypatch.context() as failing:
            failing.setattr(MemoryDatabase, "append", fail)
            refused = await hal.send(type="move", ply=asked["ply"], move=asked["legal"][0])
        assert [message["type"] for message in refused] == ["refused"]
        (again,) = await hal.hear(2 * ASK_AGAIN_SECONDS)
        assert (again["type"], again["ply"], again["legal"]) == ("turn", asked["ply"], asked["legal"])
        with monkeypatch.context() as failing:
            failing.setattr(MemoryDatabase, "append", fail)
            await hal.send(type="move", ply=asked["ply"], move=asked["legal"][0])
        told = await hal.send(type="move", ply=asked["ply"], move=asked["legal"][0])
        told += await hal.hear(2 * ASK_AGAIN_SECONDS)
        plies = [turn["ply"] for turn in only("turn", told)]
        assert plies == sorted({*plies} - {asked["ply"]})


async def test_a_bot_is_not_asked_twice_for_the_decision_after_one_that_was_not_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its clock runs out just after that move, an AI player moves for it, and it comes back at once."""

    async def fail(*_: object, **__: object) -> None:
        raise NotSaved("the disk is full")

    async with program(ask_again_seconds=4.0) as hal:
        await begin(hal)
        asked = hal.asked
        await hal.hear(asked["deadline_s"] - ASK_AGAIN_SECONDS)
        with monkeypatch.context() as failing:
            failing.setattr(MemoryDatabase, "append", fail)
            assert only("refused", await hal.send(type="move", ply=asked["ply"], move=asked["legal"][0]))
        told = list[dict[str, Any]]()
        while not only("error", told):  # the clock has run out
            told = await hal.hear(MOMENT)
        told = await hal.send(type="back")
        told += await hal.hear(6.0)
        assert len(only("turn", told)) == 1
