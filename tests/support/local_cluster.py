"""The cluster of `deploy/cluster/local.sh`: real nodes, HAProxy and PostgreSQL, which tests kill and freeze."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import asyncssh
from prometheus_client.parser import text_string_to_metric_families

from tests.support.bots import BotClient
from tests.support.hosted import send_to_server
from tests.support.people import openssh
from tests.support.programs import as_a_host
from tests.support.ssh_keys import write_key

SCRIPT: Final = Path(__file__).parents[2] / "deploy" / "cluster" / "local.sh"
NODES: Final = {"a": 1, "b": 2, "c": 3}
"""The nodes by name, and how far their ports are behind that of HAProxy."""
PATIENCE: Final = 60.0
PORTS: Final = range(20_000, 30_000, 100)
CAME_IN: Final = re.compile(r'"key": "(SHA256:[^"]+)".*"came in".*"timestamp": "([^"]+)"')
"""A line in the log of a node, with the key of a player and the time."""
ALIVE: Final = ("-oServerAliveInterval=1", "-oServerAliveCountMax=2", "-oConnectTimeout=3")
"""A client that notices within three seconds that its node does not answer."""


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
        try:
            return self._page(node, "health")
        except urllib.error.HTTPError as refusal:
            with refusal:
                return str(refusal.read(), "utf-8").strip()
        except OSError:
            return ""

    def people(self, node: str) -> int:
        """How many people and bots are at a node; 0 if it does not answer."""
        try:
            families = text_string_to_metric_families(self._page(node, "metrics"))
        except OSError:
            return 0
        return int(sum(each.value for family in families for each in family.samples if each.name == "quatch_sessions"))

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

    def _page(self, node: str, page: str) -> str:
        with urlopen(f"http://127.0.0.1:{self.port + 10 + NODES[node]}/{page}", timeout=3) as answer:
            return str(answer.read(), "utf-8").strip()


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
