"""The fair queue over real connections: a flood waits, an honest player does not, and each session is told once."""

from itertools import count
from pathlib import Path

import pytest

from server import fair_queue
from server.limits import COMPUTING
from server.net import connection_limits
from tests.support.bots import bot
from tests.support.people import running_server

LINES = 300
"""As many as one session may type at once."""
REQUESTS = 60
"""More than a share allows, and no more than a bot may send at once."""
STEP = COMPUTING.share.burst / 40
"""Seconds of computing that each step takes here, however fast the machine is: a few lines are within a share."""


@pytest.fixture(autouse=True)
def counting_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step takes `STEP`, and each wait is told at once."""
    ticks = count()
    monkeypatch.setattr(connection_limits, "FairQueue", lambda: fair_queue.FairQueue(clock=lambda: next(ticks) * STEP))
    monkeypatch.setattr(fair_queue, "WAIT_TOLD_SECONDS", 0.0)


@pytest.mark.features("metrics")
async def test_an_honest_player_is_answered_while_a_flood_waits(tmp_path: Path) -> None:
    """The flood from another address is told once that it waits, and is answered to its end."""
    async with (
        running_server(tmp_path) as here,
        here.person("flood", term=None, source="127.0.0.2") as flood,
        here.person("ana", term=None, source="127.0.0.3") as ana,
    ):
        await flood.until("Type play")
        await ana.until("Type play")
        await flood.press(b"uptime\n" * LINES, fair_queue.HAS_TO_WAIT)
        await ana.press(b"sit 99\n", "No table '99'")
        said = await flood.press(b"sit 99\n", "No table '99'")
        assert said.count(fair_queue.HAS_TO_WAIT) == 1
        assert said.count("up 0:") == LINES
        assert fair_queue.HAS_TO_WAIT not in ana.text


async def test_a_bot_waits_too(tmp_path: Path) -> None:
    """It is told once, and every request is answered."""
    async with running_server(tmp_path) as here, bot(here.port) as hal:
        for _ in range(REQUESTS):
            hal.send(type="ping")
        told = [await hal.until("pong", "error") for _ in range(REQUESTS + 1)]
    errors = [message for message in told if message["type"] == "error"]
    assert [message["message"] for message in errors] == [fair_queue.HAS_TO_WAIT]


async def test_commands_over_ssh_wait_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that asks again and again has to wait for its turns, and gets its answers."""
    turns = count()
    enqueue = fair_queue.Payer.enqueue

    def counted(payer: fair_queue.Payer, step: fair_queue.Step) -> None:
        next(turns)
        enqueue(payer, step)

    monkeypatch.setattr(fair_queue.Payer, "enqueue", counted)
    async with running_server(tmp_path) as here, here.connection("ana") as connection:
        for _ in range(REQUESTS):
            assert (await connection.run("rules")).exit_status == 0
    assert next(turns) > 10
