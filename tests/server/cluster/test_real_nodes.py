"""Three nodes behind HAProxy, as `deploy/cluster/local.sh` starts them, while nodes and databases die or freeze."""

import asyncio
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import asyncssh
import pytest

from server.bench.figures import percentile
from server.storage.engines import database_at
from tests.soak import SOAKING, TIMES, Figure
from tests.support.bot_players import Audit, BotPlayer
from tests.support.bots import BotClient
from tests.support.hosted import figure_at, health_at, send_to_server
from tests.support.patience import PATIENCE
from tests.support.people import openssh
from tests.support.playing_on_screen import what_to_type
from tests.support.programs import as_a_host
from tests.support.ssh_keys import write_key
from tests.support.tmux import Tmux, terminal

SCRIPT: Final = Path(__file__).parents[3] / "deploy" / "cluster" / "local.sh"
NODES: Final = {"a": 1, "b": 2, "c": 3}
"""The nodes by name, and how far their ports are behind that of HAProxy."""
PORTS: Final = range(20_000, 30_000, 100)
CAME_IN: Final = re.compile(r'"key": "(SHA256:[^"]+)".*"came in".*"timestamp": "([^"]+)"')
"""A line in the log of a node, with the key of a player and the time."""
ALIVE: Final = ("-oServerAliveInterval=1", "-oServerAliveCountMax=2", "-oConnectTimeout=3")
"""A client that notices within three seconds that its node does not answer."""
ANSWER_SECONDS: Final = 3
"""After which a node counts as one that does not answer."""


class LocalCluster:
    """A running cluster."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        """That of HAProxy."""
        self.op_key = folder / "op"
        """The file of the key of an op."""

    @property
    def database(self) -> str:
        """The URL of the database, as the nodes have it."""
        return f"postgresql://quatch@127.0.0.1:{self.port + 21},127.0.0.1:{self.port + 22}/quatch"

    def lose_primary(self) -> None:
        """Kill the primary for good."""
        (self.folder / "primary.off").touch()
        self.send("primary", signal.SIGKILL)

    def promote(self) -> None:
        """Let the standby take the place of the primary."""
        standby = ["psql", "-h", "127.0.0.1", "-p", str(self.port + 22), "-U", "quatch", "-d", "quatch"]
        subprocess.run([*standby, "-qc", "select pg_promote()"], check=True, capture_output=True)

    def pid(self, name: str) -> int:
        """The process id of a node, `haproxy`, `primary` or `standby`."""
        return int((self.folder / f"{name}.pid").read_text())

    def send(self, name: str, number: signal.Signals) -> None:
        """Send one of them a signal; to a node SIGKILL, SIGSTOP and SIGCONT with all its processes."""
        if name in NODES and number in {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT}:
            send_to_server(self.pid(name), number)
        else:
            os.kill(self.pid(name), number)

    def health(self, node: str) -> str:
        """What the balancer reads of a node; empty if it does not answer."""
        with suppress(OSError):
            return health_at(self._metrics_port(node), ANSWER_SECONDS)
        return ""

    def people(self, node: str) -> int:
        """How many people and bots are at a node; 0 if it does not answer."""
        with suppress(OSError):
            return int(figure_at(self._metrics_port(node), "sessions", ANSWER_SECONDS))
        return 0

    async def until_health(self, node: str, begins: str) -> None:
        """Wait until the health of a node begins like this."""
        async with asyncio.timeout(PATIENCE):
            while not (await asyncio.to_thread(self.health, node)).startswith(begins):
                await asyncio.sleep(0.05)

    async def run(self, *arguments: str) -> tuple[int, str]:
        """`ssh HOST COMMAND` at the balancer, with these arguments: the exit status, and what is said."""
        command = self.openssh("-T", *arguments)
        client = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        said, _ = await asyncio.wait_for(client.communicate(), PATIENCE)
        return client.returncode or 0, said.decode()

    async def node_of_newcomer(self, before: dict[str, int]) -> str:
        """The node at which there is somebody more than ``before``."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if grown := [node for node, count in (await self.all_people()).items() if count > before[node]]:
                    return grown[0]
                await asyncio.sleep(0.1)

    async def all_people(self) -> dict[str, int]:
        """How many people and bots are at each node."""
        return {node: await asyncio.to_thread(self.people, node) for node in NODES}

    def nodes_of_keys(self) -> dict[str, str]:
        """At which node the player with each key, by its fingerprint, came in last."""
        logs = {node: (self.folder / f"{node}.log").read_text() for node in NODES}
        came = [(at, key, node) for node, log in logs.items() for key, at in CAME_IN.findall(log)]
        return {key: node for _, key, node in sorted(came)}

    def openssh(self, *arguments: str) -> list[str]:
        """The command line of the real ssh client for the balancer."""
        return openssh(self.port, *arguments)

    @asynccontextmanager
    async def bot(self, name: str, key: Path | None = None) -> AsyncIterator[BotClient]:
        """A bot at the real ssh client, which has said hello; a guest without a key."""
        identity = ("-i", str(key)) if key else ()
        command = self.openssh(*ALIVE, "-T", *identity, f"{name}@127.0.0.1", "bot")
        process = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            client = BotClient(process.stdin, process.stdout)
            await client.until("hello")
            yield client
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

    def _metrics_port(self, node: str) -> int:
        return self.port + 10 + NODES[node]


@contextmanager
def local_cluster() -> Iterator[LocalCluster]:
    """A cluster with ports and a folder of its own, once a player can come in."""
    with ExitStack() as undo:
        # PostgreSQL runs as another user than root, who may not look into the folders of pytest.
        made = tempfile.TemporaryDirectory(prefix="quatch-cluster-", ignore_cleanup_errors=True)
        folder = Path(undo.enter_context(made))
        port = free_ports()
        write_key(folder / "op", key := asyncssh.generate_private_key("ssh-ed25519"))
        settings = as_a_host(PORT=str(port), QUATCH_PACE="0", QUATCH_WORKERS="0", QUATCH_OPS=key.get_fingerprint())
        said = folder / "script.log"
        with said.open("wb") as out:
            script = subprocess.Popen([SCRIPT, folder], stdout=out, stderr=out, env=settings, start_new_session=True)
        undo.callback(stop, script)
        patience = time.monotonic() + PATIENCE
        while f"ssh -p {port} 127.0.0.1\n" not in said.read_text():
            assert script.poll() is None, logs(folder)
            assert time.monotonic() < patience, logs(folder)
            time.sleep(0.05)
        yield LocalCluster(folder, port)


def stop(script: "subprocess.Popen[bytes]") -> None:
    """Have the script stop everything, as Ctrl-C does; kill what is left."""
    script.terminate()
    try:
        script.wait(PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(script.pid, signal.SIGKILL)


def free_ports() -> int:
    """The first of a hundred ports that nobody uses."""
    for first in PORTS[os.getpid() % len(PORTS) :]:
        with ExitStack() as sockets:
            try:
                for port in (first, *(first + 10 * row + n for row in range(3) for n in range(1, 4))):
                    sockets.enter_context(socket.socket()).bind(("127.0.0.1", port))
            except OSError:
                continue
            return first
    raise AssertionError("no free ports")


def logs(folder: Path) -> str:
    """What the programs of a cluster have logged last."""
    return "\n".join(f"{file.name}\n{file.read_text()[-2000:]}" for file in sorted(folder.glob("*.log")))


FAULTS: Final = {
    "kill": 40 * TIMES,
    "kill+kill": 4 * TIMES,
    "kill+kill+kill": 1 * TIMES,
    "freeze": 5 * TIMES,
    "freeze+kill": 5 * TIMES,
    "reload": 30 * TIMES,
    "crash": 3 * TIMES,
}
"""How often each happens: to one node, to several at once, or to the database."""
AT_NODES: Final = {"kill", "freeze", "reload"}
PACE: Final = 0.02
"""Seconds before each move of a bot: faults take seconds, and a machine with two cores has all the nodes."""
PAIRS: Final = 2
"""Tables with two bots each, at two nodes if the balancer has its way."""

ADDRESS: Final = "127.0.0.7"
"""Where the people come from."""

pytestmark = [
    pytest.mark.needs("ssh", "tmux", "haproxy", "psql"),
    pytest.mark.features("keeper", "postgres", "metrics"),
]


class Waits(NamedTuple):
    """Seconds after faults of one kind."""

    mixed_tables: list[float]
    """Until the next entry of each table with players at a node that was struck, and players at another one."""
    tables: list[float]
    """Until the next entry of each table."""
    players: list[float]
    """Until every player has moved, for each fault."""


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
            client = cluster.openssh("-t", "-b", ADDRESS, "-i", str(key), f"{name}@127.0.0.1", *command)
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
        assert f'"address": "{ADDRESS}"' in (cluster.folder / f"{node}.log").read_text(), "not that of the balancer"
        cluster.send(node, signal.SIGKILL)
        await ana.until("ended 255")
        ana = come("ana", 2)
        await ana.until("(?s)" + ".*".join(map(re.escape, own_rows(position))))
        await play_until_the_turn_of(bo, ana)
        for player in (ana, bo):
            await player.enter("quit", "Type quit")
            await player.enter("quit", "ended 0")


async def test_a_draining_node_keeps_its_players_and_gets_no_new_ones(cluster: LocalCluster, tmp_path: Path) -> None:
    """An op drains one node of three; a bot plays on there, and newcomers go elsewhere."""
    write_key(tmp_path / "ann", asyncssh.generate_private_key("ssh-ed25519"))
    before = await cluster.all_people()
    async with cluster.bot("ann", tmp_path / "ann") as ann:
        node = await cluster.node_of_newcomer(before)
        ann.send(type="new", fill="easy")
        await ann.until("turn")
        drain = ("-i", str(cluster.op_key), "127.0.0.1", "admin", "drain", node)
        assert (await cluster.run(*drain, "5"))[0] == 0
        await cluster.until_health(node, "draining")
        while await goes_to(cluster, node):
            await asyncio.sleep(0.3)  # the balancer has not asked it again yet
        for _ in range(3):
            ann.send(type="move", ply=ann.told[-1]["ply"], move=ann.told[-1]["legal"][0])
            await ann.until("turn")
        assert (await cluster.run(*drain, "off"))[0] == 0
        await cluster.until_health(node, "ready")


async def goes_to(cluster: LocalCluster, node: str) -> bool:
    """Whether one of three newcomers comes to this node."""
    before = await cluster.all_people()
    async with AsyncExitStack() as newcomers:
        for _ in range(3):
            await newcomers.enter_async_context(cluster.bot("guest"))
        return (await cluster.all_people())[node] > before[node]


async def play_until_the_turn_of(one: Tmux, other: Tmux) -> str:
    """Play until it is the turn of ``one`` after both have moved; the screen then."""
    moved = dict[Tmux, str]()
    """The first row of the screen on which each has moved: it is another one after the move."""
    while True:
        for player in (one, other):
            screen = player.show()
            status, _, _ = screen.partition("\n")
            if "YOUR TURN" in screen and screen == player.show() and status != moved.get(player):
                if player is one and len(moved) == 2:
                    return screen
                moved[player] = status
                player.type(what_to_type(screen))
        await asyncio.sleep(0.05)


def own_rows(screen: str) -> list[str]:
    """What a player whose turn it is sees of their own cards."""
    return [row.partition("*")[0].rstrip() for row in screen.split("\n") if row.startswith(("   YOU", "   hand"))]


@pytest.mark.skipif(not SOAKING, reason="slow: nodes and databases die for an hour")
@pytest.mark.timeout(3_600 * TIMES)
async def test_no_move_is_lost_while_nodes_and_databases_die(
    cluster: LocalCluster, tmp_path: Path, figure: Figure
) -> None:
    """Bots at the real client, each pair at one table from two nodes: 0 moves lost, 0 doubled, 0 tables forked."""
    chance = random.Random(15)
    faults = [fault for fault, times in FAULTS.items() for _ in range(times)]
    chance.shuffle(faults)
    faults.append("promotion")
    waits = {fault: Waits([], [], []) for fault in faults}
    log = database_at(cluster.database, "")
    await log.open()
    try:
        async with bots_at_tables(cluster, tmp_path) as players:
            audit = Audit(players)
            for fault in faults:
                await until_all_move(players)
                parts = fault.split("+")
                nodes = await victims(cluster, players, chance, sum(part in AT_NODES for part in parts))
                mixed, struck = mixed_tables(cluster, players, nodes), time.time()
                for part, node in zip(parts, nodes or [""], strict=True):
                    await strike(cluster, part, node)
                waits[fault].players.append(await until_all_move(players))
                if "freeze" in parts:
                    with suppress(ProcessLookupError):  # its watchdog has ended it
                        cluster.send(nodes[0], signal.SIGCONT)
                await audit.read(log)
                after = audit.waits(struck)
                waits[fault].tables.extend(after.values())
                waits[fault].mixed_tables.extend(after[table] for table in after.keys() & mixed)
                assert not audit.doubled | audit.forked, fault
        await audit.read(log)
        await audit.read_finished(log)
    finally:
        await log.close()
    acknowledged = sum(len(player.acknowledged) for player in players)
    figure(
        f"{acknowledged} acknowledged moves, {len(audit.lost)} lost, {len(audit.doubled)} doubled, "
        f"{len(audit.forked)} entries forked; seconds until the next entry of a table with players at this node and "
        "others, of any table, until the next move of every player; half of all / all but 1 in 100 / at most; after "
        + "; ".join(f"{len(each.players)} x {fault}: {', '.join(map(spread, each))}" for fault, each in waits.items())
    )
    assert acknowledged > 5 * len(faults)
    assert audit.of_bots
    assert not audit.lost
    assert not audit.doubled
    assert not audit.forked


def spread(seconds: Sequence[float]) -> str:
    """How many they are, the median, the 99th percentile, and the longest; a dash if there are none."""
    found = "/".join(f"{percentile(seconds, percent):.2f}" for percent in (50, 99, 100)) if seconds else "-"
    return f"{found} of {len(seconds)}"


@asynccontextmanager
async def bots_at_tables(cluster: LocalCluster, folder: Path) -> AsyncIterator[list[BotPlayer]]:
    """Bots that have tables, and play in the body."""
    players = []
    for n in range(2 * PAIRS):
        write_key(folder / str(n), key := asyncssh.generate_private_key("ssh-ed25519"))
        come_in = partial(cluster.bot, f"bot{n}", folder / str(n))
        players.append(BotPlayer(come_in, key.get_fingerprint(), n, pace=PACE))
    playing = [asyncio.create_task(each.run(None if n % 2 == 0 else players[n - 1])) for n, each in enumerate(players)]
    try:
        await asyncio.wait_for(asyncio.gather(*(player.opened.wait() for player in players)), 30)
        yield players
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


async def victims(cluster: LocalCluster, players: Sequence[BotPlayer], chance: random.Random, count: int) -> list[str]:
    """So many ready nodes, those with players first. The players of a table are not all at one node, if that succeeds.

    Unless all are meant, another one is ready, too: the next move need not wait until a program has started.
    """
    ready = await ready_nodes(cluster, min(count + 1, len(NODES)))
    nodes = await asyncio.to_thread(cluster.nodes_of_keys)
    for one, other in zip(players[::2], players[1::2], strict=True):
        if count and nodes[one.identity] == nodes[other.identity]:
            one.hang_up()
    await until_all_move(players)
    people = await cluster.all_people()
    return sorted(ready, key=lambda node: (not people[node], chance.random()))[:count]


async def ready_nodes(cluster: LocalCluster, count: int) -> list[str]:
    """All nodes that are ready, once they are so many."""
    async with asyncio.timeout(PATIENCE):
        while True:
            ready = [node for node in NODES if (await asyncio.to_thread(cluster.health, node)).startswith("ready")]
            if len(ready) >= count:
                return ready
            await asyncio.sleep(0.1)


def mixed_tables(cluster: LocalCluster, players: Sequence[BotPlayer], nodes: Sequence[str]) -> set[int | None]:
    """The tables with a player at one of these nodes and a player elsewhere."""
    came = cluster.nodes_of_keys()
    here = {player.table for player in players if came[player.identity] in nodes}
    return here & {player.table for player in players if came[player.identity] not in nodes}


async def strike(cluster: LocalCluster, fault: str, node: str) -> None:
    """Have something fail, perhaps this node."""
    match fault:
        case "kill":
            cluster.send(node, signal.SIGKILL)
        case "freeze":
            cluster.send(node, signal.SIGSTOP)
        case "reload":
            cluster.send(node, signal.SIGHUP)
        case "crash":
            cluster.send("primary", signal.SIGKILL)
        case "promotion":
            for each in NODES:
                await cluster.until_health(each, "ready")  # one that starts waits for the database, and answers nothing
            cluster.lose_primary()
            for each in NODES:
                await cluster.until_health(each, "database down: ")
            status, said = await cluster.run("127.0.0.1", "version")
            assert (status, said.split()[0]) == (0, "quatch"), "no node is ready, but players come in"
            await asyncio.to_thread(cluster.promote)


async def until_all_move(players: Sequence[BotPlayer]) -> float:
    """Wait until every player has moved; how many seconds that took."""
    since = time.monotonic()
    while waiting := [player for player in players if player.moved_at < since]:
        assert time.monotonic() < since + 60, [player.told[-3:] for player in waiting]
        await asyncio.sleep(0.01)
    return time.monotonic() - since
