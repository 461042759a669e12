"""How long a player waits for moves of Master beside addresses that ask for all that they may, in virtual time."""

import asyncio
from collections.abc import Sequence
from itertools import chain
from math import ceil
from random import Random
from typing import Final, NamedTuple

import pytest

from engine.ai.extreme_and_master import SIMULATIONS
from server.addresses import read_address, share_of
from server.ai.pool import BUSY, HURRIED_SIMULATIONS, WorkTurns
from server.bench.figures import percentile
from server.fair_queue import PAYER, AddressGroup, FairQueue, Payer
from server.limits import SEARCHES_PER_ADDRESS, WORK
from tests.soak import Figure, long
from tests.support.addresses import EACH_HAS, WHO
from tests.support.virtual_time import VirtualTimeLoop

MOST: Final = 2.0
"""The goal: so many times as long as on a quiet server."""
MOVE_SECONDS: Final = (0.5, 1.5)
"""How long a worker thinks about a question here; only the ratio counts."""
HURRIED_PART: Final = HURRIED_SIMULATIONS / SIMULATIONS
"""How much of that a move takes that is hurried."""
MEASURED_SECONDS: Final = long(200, 1_000)
ASKED_SECONDS: Final = 20.0
"""How often the honest player's AI players think, about."""


class Flood(NamedTuple):
    """What an address asks the workers for, so much at a time."""

    at_once: int
    is_moves: bool = True
    """Moves of AI players, which may be hurried; else steps of long searches, which are no longer than a move."""


FLOODS: Final = (Flood(BUSY), Flood(EACH_HAS["table"]), Flood(SEARCHES_PER_ADDRESS.share, is_moves=False))


async def waits(
    workers: int, addresses: Sequence[str], flood: Flood, seconds: float, after: float, seed: int
) -> list[float]:
    """How long an honest player waits for each move while these addresses always ask for this.

    The player comes ``after`` so many seconds.
    """
    turns, queue = WorkTurns(workers), FairQueue()
    groups = {share_of(read_address(each)): queue.address(each) for each in addresses}
    chance = Random(f"{workers} {addresses} {seed}")

    async def think(address: AddressGroup, *, is_move: bool = True) -> None:
        PAYER.set(Payer(address))
        async with turns.move() if is_move else turns.turn() as is_hurried:
            await asyncio.sleep(chance.uniform(*MOVE_SECONDS) * (HURRIED_PART if is_hurried else 1.0))

    async def think_always(address: AddressGroup) -> None:
        while True:
            await think(address, is_move=flood.is_moves)

    floods = [asyncio.create_task(think_always(each)) for each in groups.values() for _ in range(flood.at_once)]
    found, honest, now = list[float](), queue.address(), asyncio.get_running_loop().time
    await asyncio.sleep(after)
    end = now() + seconds
    while now() < end:
        await asyncio.sleep(chance.uniform(0, 2 * ASKED_SECONDS))
        asked = now()
        await think(honest)
        found.append(now() - asked)
    assert not any(each.done() for each in floods)
    return found


def waited(workers: int, addresses: Sequence[str], flood: Flood, after: float, times: int = 1) -> list[float]:
    """All waits of so many evenings."""
    found = list[list[float]]()
    for seed in range(times):
        # To look for mistakes here would cost ten times what is looked at.
        with asyncio.Runner(debug=False, loop_factory=VirtualTimeLoop) as runner:
            found.append(runner.run(waits(workers, addresses, flood, MEASURED_SECONDS / times, after, seed)))
    return [*chain.from_iterable(found)]


@pytest.mark.parametrize("flood", FLOODS, ids=lambda flood: f"{flood.at_once} {'moves' if flood.is_moves else 'steps'}")
@pytest.mark.parametrize("who", [*WHO][: long(1, 3)])
@pytest.mark.parametrize("workers", range(1, long(2, 3)))
def test_an_honest_player_waits_at_most_twice_as_long_beside_a_flood(
    workers: int, who: str, flood: Flood, figure: Figure
) -> None:
    """Also one who comes while the others have not used their bursts."""
    addresses, settled = WHO[who], 10 * WORK.share.burst
    quiet = waited(workers, (), flood, settled)
    bursts = ceil(MEASURED_SECONDS / WORK.share.burst / len(addresses))
    for found in (waited(workers, addresses, flood, settled), waited(workers, addresses, flood, 10.0, bursts)):
        median, p99 = (percentile(found, each) / percentile(quiet, each) for each in (50, 99))
        figure(f"{workers} workers, {who}, {flood.at_once} at once: {median:.2f} x as long, p99 {p99:.2f} x")
        assert max(median, p99) <= MOST
