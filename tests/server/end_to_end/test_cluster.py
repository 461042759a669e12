"""Three nodes behind HAProxy, as `deploy/cluster/local.sh` starts them, while nodes and databases die or freeze."""

import asyncio
import random
import re
import signal
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import asyncssh
import pytest

from server.storage.database import log_in
from tests.soak import TIMES, Figure, long
from tests.support.bot_players import Audit, BotPlayer
from tests.support.local_cluster import LocalCluster, local_cluster
from tests.support.people import what_to_type
from tests.support.ssh_keys import write_key
from tests.support.tmux import Tmux, terminal

KILLS: Final = long(2, 100 * TIMES)
FREEZES: Final = long(1, 20 * TIMES)
CRASHES: Final = long(1, 5 * TIMES)
PAIRS: Final = 3
"""Tables with two bots each, of which none is at the same node."""

pytestmark = pytest.mark.needs("ssh", "tmux", "haproxy", "initdb", "psql")


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    """One for all tests of this module."""
    with local_cluster() as cluster:
        yield cluster


async def test_a_player_whose_node_is_killed_goes_on_at_the_same_move(cluster: LocalCluster, tmp_path: Path) -> None:
    """Two people with the real client at one table from two nodes; the one who stays sees nothing but moves."""
    with ExitStack() as terminals:

        def come(name: str, time: int, *command: str) -> Tmux:
            folder = tmp_path / f"{name}{time}"
            folder.mkdir()
            key = tmp_path / name
            if not key.exists():
                write_key(key, asyncssh.generate_private_key("ssh-ed25519"))
            client = cluster.openssh("-t", "-i", str(key), f"{name}@127.0.0.1", *command)
            return terminals.enter_context(terminal(folder, *client))

        before = await cluster.all_people()
        ana = come("ana", 1, "new seats=2")
        number = re.search(r"table (\d+)", await ana.until(r"Your table"))
        node = await cluster.node_of_newcomer(before)
        bo = come("bo", 1, f"sit {number[1] if number else 1}")
        await ana.until("bo sits down")
        assert await cluster.node_of_newcomer(before | {node: 1 + before[node]}) != node
        ana.type("start")
        for player in (ana, bo):
            await player.until("ready begins")
            player.type("ready")
        position = await play_until_the_turn_of(ana, bo)
        cluster.send(node, signal.SIGKILL)
        await ana.until("ended 255")
        ana = come("ana", 2)
        assert own_rows(await ana.until("YOUR TURN")) == own_rows(position)
        await play_until_the_turn_of(bo, ana)
        for player in (ana, bo):
            player.type("quit")
            player.type("quit")
            await player.until("ended 0")


async def play_until_the_turn_of(one: Tmux, other: Tmux) -> str:
    """Play until it is the turn of ``one`` after both have moved; the screen then."""
    moved = set[Tmux]()
    while True:
        for player in (one, other):
            screen = player.show()
            if "YOUR TURN" in screen and screen == player.show():
                if player is one and len(moved) == 2:
                    return screen
                moved.add(player)
                player.type(what_to_type(screen))
        await asyncio.sleep(0.05)


def own_rows(screen: str) -> str:
    """What a player sees of their own cards."""
    return screen[screen.index("   YOU") :].partition("\n\u2500")[0]


async def test_no_move_is_lost_while_nodes_and_databases_die(
    cluster: LocalCluster, tmp_path: Path, figure: Figure
) -> None:
    """Bots at the real client, each pair at one table from two nodes: 0 moves lost, 0 doubled, 0 tables forked."""
    chance = random.Random(15)
    faults = ["kill"] * KILLS + ["freeze"] * FREEZES + ["crash"] * CRASHES
    chance.shuffle(faults)
    faults.append("promotion")
    waits: dict[str, list[float]] = {fault: [] for fault in faults}
    log = log_in(cluster.database, "")
    await log.open()
    try:
        async with bots_at_tables(cluster, tmp_path) as players:
            audit = Audit(players)
            for fault in faults:
                await until_all_move(players)
                node = chance.choice([node for node, count in (await cluster.all_people()).items() if count])
                await strike(cluster, fault, node)
                waits[fault].append(await until_all_move(players))
                if fault == "freeze":
                    cluster.send(node, signal.SIGCONT)
                await audit.read(log)
        await audit.read(log)
        await audit.read_finished(log)
    finally:
        await log.close()
    acknowledged = sum(len(player.acknowledged) for player in players)
    figure(
        f"{acknowledged} acknowledged moves, {len(audit.lost)} lost, {len(audit.doubled)} doubled, "
        f"{len(audit.forked)} entries forked; all players move again after: "
        + ", ".join(f"{len(times)} x {fault} {max(times):.1f} s at most" for fault, times in waits.items())
    )
    assert acknowledged > 20 * len(faults)
    assert not audit.lost
    assert not audit.doubled
    assert not audit.forked


@asynccontextmanager
async def bots_at_tables(cluster: LocalCluster, folder: Path) -> AsyncIterator[list[BotPlayer]]:
    """Bots that have tables, and play in the body."""
    players = []
    for n in range(2 * PAIRS):
        write_key(folder / str(n), key := asyncssh.generate_private_key("ssh-ed25519"))
        come_in = partial(cluster.bot, f"bot{n}", folder / str(n))
        players.append(BotPlayer(come_in, key.get_fingerprint(), n))
    playing = [asyncio.create_task(each.run(None if n % 2 == 0 else players[n - 1])) for n, each in enumerate(players)]
    try:
        await asyncio.wait_for(asyncio.gather(*(player.opened.wait() for player in players)), 30)
        yield players
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def strike(cluster: LocalCluster, fault: str, node: str) -> None:
    """Have something fail, perhaps this node."""
    match fault:
        case "kill":
            cluster.send(node, signal.SIGKILL)
        case "freeze":
            cluster.send(node, signal.SIGSTOP)
        case "crash":
            cluster.send("primary", signal.SIGKILL)
        case "promotion":
            await asyncio.to_thread(cluster.promote)


async def until_all_move(players: Sequence[BotPlayer]) -> float:
    """Wait until every player has moved; how many seconds that took."""
    since = time.monotonic()
    while waiting := [player for player in players if player.moved_at < since]:
        assert time.monotonic() < since + 60, [player.told[-3:] for player in waiting]
        await asyncio.sleep(0.01)
    return time.monotonic() - since
