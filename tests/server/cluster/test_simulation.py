"""Worlds of several servers, people and misfortune: nothing that was acknowledged is lost, nothing is done twice.

Each world comes from its seed alone. What holds is said in `simulated_truth` (of the log, of answers, of what members
are told) and in `simulated_cluster` (of time).
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, MutableMapping
from contextlib import suppress
from typing import Any, Final

import pytest
import structlog

from server.storage.database import EMPTY, Conflict, Head, NotSaved, OutcomeUnknown
from tests.server.cluster.simulated_cluster import SimulatedCluster
from tests.soak import TIMES, long
from tests.support.log_entries import entry, grow, heads
from tests.support.simulated_log import Faults, World
from tests.support.virtual_time import Standstill, VirtualTimeLoop, in_virtual_time

WORLDS: Final = long(0, 140 * TIMES)
KEPT: Final = {125: True}
"""Seeds of later worlds in which a fault was found once, and whether persons seal their cuts there."""
MOVES: Final = long(100, 600)
EXPECTED_ERRORS: Final = {"not saved", "log not read"}


def play(
    seed: int, moves: int, run: Callable[[SimulatedCluster], Coroutine[None, None, None]] = SimulatedCluster.run
) -> tuple[SimulatedCluster, float]:
    """A world from beginning to end, and how long it lasted in its own time."""
    cluster = SimulatedCluster(seed, moves, seals=KEPT.get(seed, seed % 2 == 1))

    def no_errors(_: object, level: str, event: MutableMapping[str, Any]) -> str:
        if level in {"error", "critical"} and event["event"] not in EXPECTED_ERRORS:
            cluster.truth.broken.append(f"a server logged {event}")
        raise structlog.DropEvent

    structlog.configure(processors=[no_errors])
    # Not even when Python is told to look for mistakes: that costs ten times what is looked at here.
    with asyncio.Runner(debug=False, loop_factory=VirtualTimeLoop) as runner:
        runner.run(run(cluster))
        return cluster, runner.get_loop().time()


@pytest.mark.parametrize("seed", sorted({*range(WORLDS), *KEPT}))
def test_whatever_happens_no_move_is_lost_or_doubled_and_no_table_stalls(seed: int) -> None:
    """Servers are killed and frozen, disks are full, bells get lost; persons drop, dawdle, return elsewhere, leave."""
    began = time.process_time()
    cluster, lasted = play(seed, MOVES)
    took = time.process_time() - began
    truth = cluster.truth
    refused = sum(person.refusals for person in cluster.people)
    print(
        f"world {seed}: {truth.moves} moves, {truth.moves / took:.0f} per CPU second, {lasted:.0f} s; "
        f"{len(truth.sent)} sent, {refused} refusals, {truth.cuts} cuts, {truth.opened} seals opened; "
        f"{truth.slept} times asleep, {truth.woken} woken; {len(truth.ended)} games, {truth.deleted} deleted; "
        f"{dict(cluster.faults_seen)}"
    )
    assert not truth.broken[:5]
    assert truth.moves >= MOVES
    assert {sent.answer for sent in truth.sent} >= {"done", "stale"}


def test_the_same_seed_is_the_same_world() -> None:
    """So that a world that fails can be looked at again; in `make test` how it begins, until there are faults."""
    run = long(begin, SimulatedCluster.run)
    (first, ended), (again, ended_again), (other, _) = (play(seed, MOVES, run) for seed in (7, 7, 4))
    assert first.faults_seen
    assert not first.truth.broken + other.truth.broken
    told = [
        [(sent.player, sent.ply, sent.move, sent.answer) for sent in cluster.truth.sent] for cluster in (first, again)
    ]
    assert told[0] == told[1]
    assert ended == ended_again
    assert [sent.move for sent in other.truth.sent] != [move for _, _, move, _ in told[0]]


async def begin(cluster: SimulatedCluster) -> None:
    """The first seconds of a world."""
    with suppress(TimeoutError):
        await asyncio.wait_for(cluster.run(), 20)


def test_waiting_for_nothing_is_an_error() -> None:
    """Not a test that hangs."""
    with pytest.raises(Standstill):
        in_virtual_time(asyncio.Event().wait)()


@pytest.mark.parametrize(
    ("faults", "error", "written"),
    [
        (Faults(not_saved=1), NotSaved, False),
        (Faults(unknown_before=1), OutcomeUnknown, False),
        (Faults(unknown_after=1), OutcomeUnknown, True),
    ],
)
@in_virtual_time
async def test_a_write_fails_as_the_world_wants(faults: Faults, error: type[Exception], written: bool) -> None:  # noqa: FBT001
    """Before it was made or after."""
    world = World(1, faults)
    with pytest.raises(error):
        await world.node("a").append(EMPTY, entry(1, 1))
    assert bool(await heads(world.log)) == written


async def bells(faults: Faults, act: Callable[[World], None] = lambda _: None) -> list[float]:
    """When another node's bell rings after a write at 0, and something that is done then."""
    world, rung = World(1, faults), list[float]()
    world.node("b").tell_of_change = lambda: rung.append(asyncio.get_running_loop().time())
    world.node("a").tell_of_change = lambda: pytest.fail("a node hears itself")
    act(world)
    await grow(world.node("a"), 1, 3)
    await asyncio.sleep(100)
    await world.node("b").close()
    return rung


def test_bells_are_lost_late_and_rung_again() -> None:
    """One for what was written in a row; or none; or later; or again."""
    ring = in_virtual_time(bells)
    assert len(ring(Faults())) == 3
    assert len(ring(Faults(bell_late=1, late_by=50))) == 1
    assert ring(Faults(bell_late=1, late_by=50))[0] > 1
    assert ring(Faults(bell_lost=1)) == []
    assert len(ring(Faults(bell_again=1, bell_late=1, late_by=2))) > 10


@in_virtual_time
async def test_what_a_frozen_node_had_decided_arrives_when_it_thaws() -> None:
    """And is refused when the others have moved on; it hears that they have."""
    world = World()
    frozen, awake, heard = world.node("frozen"), world.node("awake"), asyncio.Event()
    frozen.tell_of_change = heard.set
    head = await grow(awake, 1, 1)
    frozen.freeze()
    heard.clear()
    late = asyncio.create_task(frozen.append(head, entry(1, 2, state=b"mine    ")))
    await awake.append(head, entry(1, 2, state=b"theirs  "))
    await asyncio.sleep(60)
    assert not late.done()
    assert not heard.is_set()
    frozen.thaw()
    with pytest.raises(Conflict):
        await late
    await asyncio.wait_for(heard.wait(), 1)
    assert (await heads(frozen))[1] == Head(2, b"theirs  ")
