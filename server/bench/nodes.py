"""Real servers with games going on, and what a second process costs.

The players are bots, which play as fast as they are asked. They need the same cores as the servers, so that no number
of people can be shown that two processes carry on a machine of two cores. What is compared is the CPU time of a move
in all processes of the server: two cores carry as many more people as that time allows.
"""

import asyncio
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import asyncssh

from server.bench.figures import Figure, Line, until
from server.bench.people import connect_guest
from server.bench.servers import ADDRESS

BOTS: Final = 16
START_SECONDS: Final = 120.0


class NodeFailed(Exception):
    """A server did not do what it should have; the message is one line."""


class Node:
    """A running `quatch serve`."""

    def __init__(self, program: asyncio.subprocess.Process) -> None:
        self.port = 0
        self._program = program

    async def until_ready(self) -> None:
        """Wait until it is ready. Raises NodeFailed if it ends, TimeoutError."""
        while self._program.stdout and (line := await self._program.stdout.readline()):
            words = line.decode().split()
            if words[:2] == ["ready", "ssh"]:
                self.port = int(words[3])
                return
        raise NodeFailed("a server has ended before it was ready")

    def renew(self) -> None:
        """Have a new generation take its place."""
        self._program.send_signal(signal.SIGHUP)

    def cpu_seconds(self) -> float:
        """The CPU time of all its processes so far."""
        return sum(map(_cpu_ticks, _family(self._program.pid))) / os.sysconf("SC_CLK_TCK")

    async def stop(self) -> None:
        """Stop it."""
        if self._program.returncode is None:
            self._program.terminate()
            await self._program.wait()


@asynccontextmanager
async def node(folder: Path, **settings: str) -> AsyncIterator[Node]:
    """A server with these settings, once it is ready. Raises NodeFailed, TimeoutError."""
    usual = {"PACE": "0", "WORKERS": "0", "HOST": "127.0.0.1", "DATA": str(folder), "HOSTKEYS": str(folder / "keys")}
    environment = {f"QUATCH_{name}": value for name, value in (usual | settings).items()}
    command = (sys.executable, "-m", "server", "serve", "--port", "0")
    program = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    running = Node(program)
    try:
        async with asyncio.timeout(START_SECONDS):
            await running.until_ready()
        yield running
    finally:
        await running.stop()


class Player:
    """A bot that plays one game after the other against an AI player, and comes in again when its session ends.

    With a key it has its seat back then, and goes on there; without one it opens a table in each session.
    """

    def __init__(self, server: Node, name: str, *, has_key: bool = False) -> None:
        self.moves = self.sessions = 0
        self.interrupted = self.untold = 0
        """Sessions that have ended during a game, and those that have ended without a word."""
        self.lost_seats = 0
        """Sessions that began without a seat, after the first."""
        self.is_playing = False
        self.came_in: list[float] = []
        """For each session: the seconds until it had a seat, from the end of the last one or from the beginning."""
        self._server, self._name = server, name
        self._key = asyncssh.generate_private_key("ssh-ed25519") if has_key else None
        self._was_told = False

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            left_at, seated = time.perf_counter(), len(self.came_in)
            while len(self.came_in) == seated:  # or else it did not come in
                try:
                    async with await self._connect() as connection:
                        bot = await connection.create_process(subsystem="bot", encoding=None)
                        await self._play(bot, left_at)
                except (OSError, asyncssh.Error):
                    await asyncio.sleep(0.2)
            self.interrupted += self.is_playing
            self.untold += not self._was_told
            self.is_playing = self._was_told = False

    async def _connect(self) -> asyncssh.SSHClientConnection:
        if self._key is None:
            return await connect_guest(self._server.port, self._name)
        return await asyncssh.connect(
            ADDRESS, self._server.port, username=self._name, client_keys=[self._key], known_hosts=None, agent_path=None,
            config=None,
        )  # fmt: skip

    async def _play(self, bot: "asyncssh.SSHClientProcess[bytes]", left_at: float) -> None:
        def send(**request: object) -> None:
            bot.stdin.write(json.dumps(request).encode() + b"\n")

        while line := await bot.stdout.readline():
            message: dict[str, Any] = json.loads(line)
            match message["type"]:
                case "hello":
                    if message.get("table") is None:
                        self.lost_seats += self.sessions > 0
                        send(type="new", seats=2, fill="easy")
                    self.sessions += 1
                case "joined":
                    self.came_in.append(time.perf_counter() - left_at)
                    if self.sessions > 1:
                        send(type="again")
                case "turn":
                    self.is_playing = True
                    self.moves += 1
                    send(type="move", ply=message["ply"], move=message["legal"][0])
                case "over":
                    self.is_playing = False
                    send(type="again")
                case "error":
                    self._was_told |= message["code"] == "closed"


@asynccontextmanager
async def players(bots: list[Player]) -> AsyncIterator[None]:
    """Have these bots play in the body. Raises TimeoutError if they do not begin."""
    tasks = [asyncio.create_task(bot.run()) for bot in bots]
    try:
        await until(lambda: all(bot.moves for bot in bots), START_SECONDS)
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def bench_processes(seconds: float) -> Iterator[Line]:
    """The CPU time of a move with two processes, beside that with one."""
    one, two = (asyncio.run(_cpu_of_a_move(processes, seconds)) for processes in (1, 2))
    yield f"{f'{BOTS} bots at one server':<48}{'two processes':>15}{'one process':>16}"
    text = f"{'CPU of the server for a move':<48}{two * 1e6:>12.0f} us{one * 1e6:>13.0f} us{two / one:>8.2f} x one"
    yield Figure("cluster: CPU of a move with two processes, beside one", two * 1e6, one * 1e6, "us", text)
    yield f"so two cores of the server's own carry {2 * one / two:.2f} x as many people as one"


async def _cpu_of_a_move(processes: int, seconds: float) -> float:
    with tempfile.TemporaryDirectory(prefix="quatch-bench-") as folder:
        async with AsyncExitStack() as running:
            server = await running.enter_async_context(node(Path(folder), PROCESSES=str(processes)))
            bots = [Player(server, f"bot{n}") for n in range(BOTS)]
            await running.enter_async_context(players(bots))
            cpu, moves = server.cpu_seconds(), sum(bot.moves for bot in bots)
            await asyncio.sleep(seconds)
            return (server.cpu_seconds() - cpu) / max(1, sum(bot.moves for bot in bots) - moves)


def _family(process: int) -> list[int]:
    """A process and all its descendants."""
    found = [process]
    for each in found:
        for children in Path(f"/proc/{each}/task").glob("*/children"):
            try:
                found += map(int, children.read_text().split())
            except OSError:
                continue  # it has just ended
    return found


def _cpu_ticks(process: int) -> int:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])
