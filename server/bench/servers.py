"""The servers that `quatch bench table` measures, each in its own process: Quatch, and the simplest asyncssh server.

The bench asks them through a pipe for what they have used so far. Only Linux reports memory.
"""

import asyncio
import gc
import multiprocessing
import os
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import asyncssh

from server.app.app import App
from server.config import Config
from server.features import load
from server.process import gc_tuning, logs
from server.process.fd_limit import room_for
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from server.table.snapshot import Listing
from server.transport import ssh
from server.transport.host_keys import load_or_create

ADDRESS: Final = "127.0.0.1"
SEED: Final = "5eed" * 16
"""Every table is dealt from this seed, so that clients know the cards without reading a screen."""
FIRST_SCREEN_ENDS: Final = b"lobby>"
MOST_CONNECTIONS: Final = 8_000
PATIENCE_SECONDS: Final = 30.0
"""A server that does not answer for so long has failed, and one that does not stop is killed."""
MEGABYTE: Final = 1 << 20
POLL_SECONDS: Final = 0.02
"""Seconds between two questions about what has changed."""


class UsedResources(NamedTuple):
    """What a server has used so far."""

    cpu: float
    """CPU seconds of all its threads."""
    memory: int
    sockets: int
    """Open ones. The pipes of AI workers, which begin when they are needed and stay, are not among them."""
    tasks: int


class Serving(NamedTuple):
    """A running server."""

    ports: dict[str, int]
    """Its ports, by what carries it."""
    tables: Callable[[], tuple[Listing, ...]]
    stop: Callable[[], Awaitable[None]]


Serve: TypeAlias = Callable[[Path], Awaitable[Serving]]
"""Starts a server, with a folder for its files."""
Channels: TypeAlias = "list[asyncssh.SSHServerChannel[bytes]]"


class Server:
    """A server in another process."""

    def __init__(self, pipe: "Connection[str, Any]", process_id: int | None) -> None:
        self._pipe = pipe
        self._process_id = process_id
        self.ports: dict[str, int]
        self.ports = pipe.recv()
        self.port = self.ports["ssh"]

    def used_resources(self) -> UsedResources:
        """What it has used so far, after a garbage collection."""
        answer: UsedResources = self._ask("used_resources")
        return answer

    def memory(self) -> int:
        """Bytes in memory with garbage; the server need not answer for this."""
        return memory_of(self._process_id)

    def tables(self) -> tuple[Listing, ...]:
        """Its tables."""
        answer: tuple[Listing, ...] = self._ask("tables")
        return answer

    def calls(self) -> int:
        """The Python calls of its main thread since the last question; it counts from the first one on."""
        answer: int = self._ask("calls")
        return answer

    async def table(self, is_wanted: Callable[[Listing], bool]) -> Listing:
        """The first such table, once there is one."""
        while True:
            for listing in self.tables():
                if is_wanted(listing):
                    return listing
            await asyncio.sleep(POLL_SECONDS)

    def _ask(self, question: str) -> Any:  # noqa: ANN401 - pickled by the other process
        """Ask the server. Raises TimeoutError if it does not answer."""
        self._pipe.send(question)
        if not self._pipe.poll(PATIENCE_SECONDS):
            raise TimeoutError("the server does not answer")
        return self._pipe.recv()


def forked() -> ForkServerContext:
    """How the benches start other processes: as copies of one that has the program in memory already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


@contextmanager
def server_process(serve: Serve) -> Iterator[Server]:
    """Run a server inside the context."""
    context = forked()
    ours, theirs = context.Pipe()
    with TemporaryDirectory() as folder:
        process = context.Process(target=_run, args=(serve, Path(folder), theirs))
        process.start()
        theirs.close()
        try:
            yield Server(ours, process.pid)
        finally:
            # The closed pipe is the end for it, as when this process dies.
            ours.close()
            process.join(PATIENCE_SECONDS)
            process.kill()
            process.join()


def _run(serve: Serve, folder: Path, pipe: "Connection[object, str]") -> None:
    with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        logs.configure()
        asyncio.run(_answer(serve, folder, pipe))


async def _answer(serve: Serve, folder: Path, pipe: "Connection[object, str]") -> None:
    """Serve, and answer the questions from the pipe."""
    serving, over = await serve(folder), asyncio.Event()
    answers: dict[str, Callable[[], object]] = {
        "used_resources": _Usage().resources,
        "tables": serving.tables,
        "calls": _CallCounter().read,
    }

    def answer() -> None:
        try:
            pipe.send(answers[pipe.recv()]())
        except (EOFError, OSError):
            asyncio.get_running_loop().remove_reader(pipe.fileno())
            over.set()

    asyncio.get_running_loop().add_reader(pipe.fileno(), answer)
    pipe.send(serving.ports)
    await over.wait()
    await serving.stop()


class _Usage:
    """What this process uses."""

    def __init__(self) -> None:
        self._asking = 0.0
        """CPU seconds that went into collecting garbage for the answers, which is no work for a player."""

    def resources(self) -> UsedResources:
        """See `Server.used_resources`."""
        began = time.process_time()
        gc.collect()
        self._asking += time.process_time() - began
        cpu = time.process_time() - self._asking
        return UsedResources(cpu, memory_of("self"), _count_sockets(), len(asyncio.all_tasks()))


class _CallCounter:
    """Counts the Python calls of this thread, from the first question on."""

    def __init__(self) -> None:
        self._calls = 0

    def read(self) -> int:
        """See `Server.calls`."""
        calls, self._calls = self._calls, 0
        sys.setprofile(self._note)
        return calls

    def _note(self, _frame: object, event: str, _argument: object) -> None:
        self._calls += event == "call"


def _count_sockets() -> int:
    sockets = 0
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # that of the folder itself, which is closed by now
            sockets += str(descriptor.readlink()).startswith("socket:")
    return sockets


def memory_of(process: int | str | None) -> int:
    """Bytes that a process, or this one ("self"), has in memory."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


async def quatch(folder: Path, more: Mapping[str, object] = MappingProxyType({})) -> Serving:
    """The whole program with its log in a file and more settings, but with a known seed for its deals."""
    there = str(folder)
    many = room_for(MOST_CONNECTIONS)
    settings: dict[str, object] = {
        "host": [ADDRESS],
        "port": 0,
        "data": there,
        "hostkeys": there,
        "rules_dir": there,
        "connections": many,
    }
    config = Config.load(None, {}, {**settings, **more})
    app = App(config, SqliteLog(folder / FILE_NAME), new_seed=lambda: SEED, features=load())
    ready = [line for line in await app.start() if line.startswith("ready ")]
    gc_tuning.freeze_startup_objects()
    return Serving({line.split()[1]: int(line.split()[-1]) for line in ready}, app.lobby.tables.listings, app.stop)


async def bare(first_screen: int, update: int, folder: Path) -> Serving:
    """The floor: lets guests in as Quatch does, and sends so many bytes at login, and to all four at each key."""
    tables: dict[str, Channels] = defaultdict(list)
    sent = bytes(first_screen) + FIRST_SCREEN_ENDS, bytes(update)
    acceptor = await asyncssh.create_server(
        lambda: _BareServer(tables, *sent), ADDRESS, 0, server_host_keys=[load_or_create(folder)], **ssh.OPTIONS
    )

    async def stop() -> None:
        acceptor.close()

    return Serving({"ssh": acceptor.get_port()}, tuple, stop)


class _BareServer(asyncssh.SSHServer):
    """A connection; its name says table and seat, as in table-seat."""

    def __init__(self, tables: dict[str, Channels], first: bytes, update: bytes) -> None:
        self._tables, self._first, self._update = tables, first, update
        self._name = ""

    def begin_auth(self, username: str) -> bool:
        self._name = username
        return True

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:  # noqa: ARG002
        return True

    def session_requested(self) -> "_BareSession":
        return _BareSession(self._tables[self._name.partition("-")[0]], self._first, self._update)


class _BareSession(asyncssh.SSHServerSession[bytes]):
    def __init__(self, table: Channels, first: bytes, update: bytes) -> None:
        self._table, self._first, self._update = table, first, update
        self._channel: asyncssh.SSHServerChannel[bytes]

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._channel = chan

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object) -> bool:  # noqa: ARG002
        return True

    def shell_requested(self) -> bool:
        return True

    def session_started(self) -> None:
        self._table.append(self._channel)
        self._channel.write(self._first)

    def data_received(self, data: bytes, datatype: int | None) -> None:  # noqa: ARG002
        for channel in self._table:
            channel.write(self._update)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._table.remove(self._channel)
