"""How much can be used up in a day by what is permitted, for `quatch bench attacks`: every resource, in virtual time.

One address uses all that it may; so do five addresses, and five of one IPv6 network of 48 bits. It is told how much of
each resource they use, how many bytes they leave in the database, and how long an honest player waits for a worker
beside them; and of what all share, how many addresses it takes to hold it.
"""

import asyncio
import selectors
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from itertools import product
from math import ceil
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from engine.ai.extreme_and_master import SIMULATIONS
from server.addresses import read_address, share_of
from server.ai.pool import HURRIED_SIMULATIONS
from server.ai.work_turns import BUSY, WorkTurns
from server.bench.command_floods import CONNECTIONS
from server.bench.figures import percentile
from server.fair_queue import PAYER, AddressGroup, FairQueue
from server.features import load
from server.ledger import RateLimit, Resource
from server.limits import RESOURCES, SEARCHES_PER_ADDRESS, SESSIONS_PER_CONNECTION, TABLES_PER_CONNECTION, WORK

T = TypeVar("T")
DAY: Final = 86_400.0
EACH_HAS: Final[Mapping[str, int]] = {
    "connection": CONNECTIONS,
    "table": CONNECTIONS * TABLES_PER_CONNECTION.share,
    **dict.fromkeys(("session", "player", "account"), CONNECTIONS * SESSIONS_PER_CONNECTION),
}
"""How many of these an address has at a time."""
WHO: Final[Mapping[str, Sequence[str]]] = {
    "1 address": ["192.0.2.1"],
    "5 addresses": [f"192.0.2.{number}" for number in range(1, 6)],
    "5 of one /48": [f"2a00:1:2:{number}::1" for number in range(1, 6)],
}
FEWEST_HOLDERS: Final = 50
MOST_BYTES: Final = 100e6
MOST_WAITING: Final = 2.0
"""The goals: how many addresses it takes to hold what all share, the bytes that one address leaves in a day, and how
many times as long an honest player waits for Master as on a quiet server."""
MOVE_SECONDS: Final = (0.5, 1.5)
"""How long a worker thinks about a question here; only the ratio counts."""
HURRIED_PART: Final = HURRIED_SIMULATIONS / SIMULATIONS
"""How much of that a move takes that is hurried."""
WAITED_SECONDS: Final = 4_000.0
ASKED_SECONDS: Final = 20.0
"""How long waits are measured, and how often the honest player's AI players think, about."""
FIRST_SECONDS, SETTLED_SECONDS = 10.0, 10 * WORK.share.burst
"""When the honest player comes: while the others have not used their bursts, or after that."""


class Flood(NamedTuple):
    """What an address asks the workers for, so much at a time."""

    at_once: int
    is_moves: bool = True
    """Moves of AI players, which may be hurried; else steps of long searches, which are no longer than a move."""


FLOODS: Final = (Flood(BUSY), Flood(EACH_HAS["table"]), Flood(SEARCHES_PER_ADDRESS.share, is_moves=False))


class _Jumping(selectors.SelectSelector):
    """Asked to wait, it says that the time has passed."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready at once."""
        self.now += timeout or 0.0
        return super().select(0)


def in_a_day(work: Coroutine[Any, Any, T]) -> T:
    """The result of this work in virtual time: if nothing is ready, the clock jumps to the next timer."""
    jumping = _Jumping()
    loop = asyncio.SelectorEventLoop(jumping)
    loop.time = lambda: jumping.now  # type: ignore[method-assign]
    # To look for mistakes here would cost ten times what is looked at.
    with asyncio.Runner(debug=False, loop_factory=lambda: loop) as runner:
        return runner.run(work)


def every_resource() -> list[Resource[Any]]:
    """All that can be used up."""
    return [*RESOURCES, *load().all(Resource)]


def used_in_a_day(resource: Resource[Any], addresses: Sequence[str]) -> float:
    """How much of it so many addresses can use in a day, or hold at a time, by the shares that they have."""
    shares = {"" if resource.charged_to == "server" else share_of(read_address(each)) for each in addresses}
    payers = len(shares) * EACH_HAS.get(resource.charged_to, 1)
    share = resource.share
    return payers * (share.burst + share.per_second * DAY if isinstance(share, RateLimit) else share)


def holders(resource: Resource[Any]) -> int:
    """How many addresses it takes to hold all of what all share."""
    share = resource.share
    return ceil((share.per_second if isinstance(share, RateLimit) else share) / resource.of_address)


async def waits(
    workers: int, addresses: Sequence[str], flood: Flood, seconds: float, after: float = SETTLED_SECONDS, seed: int = 0
) -> list[float]:
    """How long an honest player waits for each move of Master while these addresses always ask for this.

    The player comes ``after`` so many seconds.
    """
    turns, queue = WorkTurns(workers), FairQueue()
    groups = {share_of(read_address(each)): queue.address(each) for each in addresses}
    chance = Random(f"{workers} {addresses} {seed}")

    async def think(address: AddressGroup, *, is_move: bool = True) -> None:
        PAYER.set(address.session())
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
    assert not any(each.done() for each in floods)  # noqa: S101 - the end of the loop cancels them
    return found


def bench_used_up(seconds: float = WAITED_SECONDS, workers: Sequence[int] = (1, 2)) -> Iterator[tuple[str, str]]:
    """A line for each resource, for bytes and for waits, each with the goal that it misses; empty if none.

    An honest player waits for moves for so many seconds, beside so many workers.
    """
    for resource in every_resource():
        used = ", ".join(f"{used_in_a_day(resource, addresses):,.0f}" for addresses in WHO.values())
        line, missed = f"  {resource.name:<28} {used}", ""
        if resource.of_address:
            line += f"; held by {holders(resource)} addresses"
            if holders(resource) < FEWEST_HOLDERS:
                missed = f"{holders(resource)} addresses < {FEWEST_HOLDERS}"
        yield line, missed
    for who, addresses in WHO.items():
        left = sum(each.leaves * used_in_a_day(each, addresses) for each in every_resource() if each.leaves)
        goal = MOST_BYTES * len(addresses)
        yield f"  {who}: {left / 1e6:.0f} MB a day", f"{left / 1e6:.0f} MB > {goal / 1e6:.0f} MB" if left > goal else ""
    for count in workers:
        quiet = in_a_day(waits(count, (), FLOODS[0], seconds))
        for (who, addresses), flood in product(WHO.items(), FLOODS):
            found = in_a_day(waits(count, addresses, flood, seconds))
            rounds = range(ceil(seconds / WORK.share.burst / len(addresses)))
            of_first = (waits(count, addresses, flood, seconds / len(rounds), FIRST_SECONDS, each) for each in rounds)
            found = max(found, [wait for each in of_first for wait in in_a_day(each)], key=lambda w: percentile(w, 99))
            median, p99 = (percentile(found, each) / percentile(quiet, each) for each in (50, 99))
            line = f"  {count} workers, {who} with {flood.at_once} {'tables' if flood.is_moves else 'long searches'}"
            missed = f"{max(median, p99):.2f} x > {MOST_WAITING} x" if max(median, p99) > MOST_WAITING else ""
            yield f"{line}: an honest player waits {median:.2f} x as long, p99 {p99:.2f} x", missed
