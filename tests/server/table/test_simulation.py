"""Worlds of several servers, people and misfortune: nothing that was acknowledged is lost, nothing is done twice.

Each world comes from its seed alone. What holds is said in `simulated_truth` (of the log, of answers, of what members
are told) and in `simulated_cluster` (of time).
"""

import asyncio
import time
from collections.abc import MutableMapping
from typing import Any, Final

import pytest
import structlog

from tests.soak import TIMES, long
from tests.support.simulated_cluster import SimulatedCluster
from tests.support.virtual_time import VirtualTimeLoop

WORLDS: Final = long(2, 140 * TIMES)
KEPT: Final = {125: True}
"""Seeds of later worlds in which a fault was found once, and whether persons seal their cuts there."""
MOVES: Final = long(220, 600)
EXPECTED_ERRORS: Final = {"not saved", "log not read"}


def play(seed: int, moves: int) -> tuple[SimulatedCluster, float]:
    """A world from beginning to end, and how long it lasted in its own time."""
    cluster = SimulatedCluster(seed, moves, seals=KEPT.get(seed, seed % 2 == 1))

    def no_errors(_: object, level: str, event: MutableMapping[str, Any]) -> str:
        if level in {"error", "critical"} and event["event"] not in EXPECTED_ERRORS:
            cluster.truth.broken.append(f"a server logged {event}")
        raise structlog.DropEvent

    structlog.configure(processors=[no_errors])
    # Not even when Python is told to look for mistakes: that costs ten times what is looked at here.
    with asyncio.Runner(debug=False, loop_factory=VirtualTimeLoop) as runner:
        runner.run(cluster.run())
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
    """So that a world that fails can be looked at again."""
    (first, ended), (again, ended_again), (other, _) = (play(seed, 15) for seed in (7, 7, 4))
    told = [
        [(sent.player, sent.ply, sent.move, sent.answer) for sent in cluster.truth.sent] for cluster in (first, again)
    ]
    assert told[0] == told[1]
    assert ended == ended_again
    assert [sent.move for sent in other.truth.sent] != [move for _, _, move, _ in told[0]]
