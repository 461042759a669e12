"""Whose turn it is in the fair queue: by address, then by who has waited longest."""

import asyncio
from collections import Counter

import pytest

from tests.support.computer import Computer

pytestmark = pytest.mark.virtual_time


async def test_turns_go_by_address() -> None:
    """Many sessions get no more computing time than one, however long their steps; at an address they take turns."""
    computer = Computer()
    one, other = computer.queue.address(), computer.queue.address()
    sessions = {"first": one.session(), "second": one.session(), "other": other.session()}
    await computer.exhaust(*sessions.values())
    floods = [asyncio.create_task(computer.flood(payer, name, 400)) for name, payer in sessions.items()]
    while len(computer.done) < 400:
        await asyncio.sleep(0)
    for flood in floods:
        flood.cancel()
    await asyncio.gather(*floods, return_exceptions=True)
    shares = Counter(computer.done[:400])
    assert shares["other"] == pytest.approx(200, rel=0.2)
    assert shares["first"] == pytest.approx(100, rel=0.2)
    assert shares["second"] == pytest.approx(100, rel=0.2)


async def test_no_payer_starves() -> None:
    """A payer that waits has a turn after at most one turn of each other payer."""
    computer = Computer()
    address = computer.queue.address()
    sessions = [address.session() for _ in range(20)]
    await computer.exhaust(*sessions)
    floods = [asyncio.create_task(computer.flood(payer, str(n), 30)) for n, payer in enumerate(sessions)]
    await asyncio.gather(*floods)
    for begin in range(0, len(computer.done), 20):
        assert len(set(computer.done[begin : begin + 20])) == 20
