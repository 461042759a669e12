"""The servers that benches measure, each in a process of its own: Quatch, and the simplest asyncssh server.

`server_process` runs a server that is asked through a pipe what it has used so far; `program` runs `quatch serve`, as a
host does, and `bench_start` measures how soon that is ready. Only Linux reports memory and processes.
"""

import asyncio
import gc
import multiprocessing
import os
import subprocess
import sys
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, redirect_stderr, suppress
from ctypes import CDLL
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from types import FrameType, MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

import asyncssh

from server.app.app import App
from server.bench.figures import Figure, Line
from server.config import Config
from server.features import load
from server.net.listening_sockets import by_carrier, open_all
from server.process import gc_tuning, logs
from server.storage.engines import database_at
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
START_SECONDS: Final = 120.0
"""How long `quatch serve` may take to get ready."""
STARTS: Final = 6
"""The first one compiles the modules, as the first start on a host's machine does."""
IN_MEMORY: Final = "/dev/shm"  # noqa: S108 - each folder in it has a name of its own
BARE_START: Final = "import asyncio, asyncssh"
MEGABYTE: Final = 1 << 20
POLL_SECONDS: Final = 0.02
"""Seconds between two questions about what has changed."""
ROOT: Final = Path(__file__).parents[2]


class UsedResources(NamedTuple):
    """What a server has used so far."""

    cpu: float
    """CPU seconds of all its threads."""
    memory: int
    sockets: int
    """Open ones. The pipes of AI workers, which begin when they are needed and stay, are not among them."""
    tasks: int


@dataclass
class Serving:
    """A running server."""

    ports: dict[str, int]
    """Its ports, by what carries it."""
    stop: Callable[[], Awaitable[None]]
    tables: Callable[[], tuple[Listing, ...]] | None = None
    """None if it knows of no tables."""
    collecting: float = 0.0
    """CPU seconds that went into collecting garbage for answers, which is no work for a player."""
    calls: int = 0
    """See `count_calls`."""

    def used_resources(self) -> UsedResources:
        """What this process has used so far, after a garbage collection.

        What the allocator of C has left from the start is given back before: in its holes 500 people of a bare server
        would take half of their memory, and those of Quatch a fifth.
        """
        began = time.process_time()
        gc.collect()
        with suppress(AttributeError):  # not every allocator can do this
            CDLL(None).malloc_trim(0)
        self.collecting += time.process_time() - began
        sockets = 0
        for descriptor in Path("/proc/self/fd").iterdir():
            with suppress(FileNotFoundError):  # that of the folder itself, which is closed by now
                sockets += str(descriptor.readlink()).startswith("socket:")
        cpu = time.process_time() - self.collecting
        return UsedResources(cpu, memory_of("self"), sockets, len(asyncio.all_tasks()))

    def listings(self) -> tuple[Listing, ...]:
        """Its tables."""
        return self.tables() if self.tables else ()

    def count_calls(self) -> int:
        """The Python calls of the main thread since the last question; they are counted from the first one on."""

        def note(_frame: FrameType, _event: str, _argument: object) -> None:
            self.calls += 1

        counted, self.calls = self.calls, 0
        # A profile would be told of each return, and of each call of C: that takes so long that players used up their
        # shares, and waited in the fair queue.
        sys.settrace(note)
        return counted


Serve: TypeAlias = Callable[[Path], Awaitable[Serving]]
"""Starts a server, with a folder for its files."""
Answer = TypeVar("Answer")


class Server:
    """A server in another process."""

    def __init__(self, pipe: "Connection[object, Any]", process_id: int | None) -> None:
        self._pipe = pipe
        self._process_id = process_id
        self.ports: dict[str, int]
        self.ports, self.has_tables = pipe.recv()

    @property
    def port(self) -> int:
        """The port of ssh."""
        return self.ports["ssh"]

    def memory(self) -> int:
        """Bytes in memory with garbage; the server need not answer for this."""
        return memory_of(self._process_id)

    async def table(self, is_wanted: Callable[[Listing], bool]) -> Listing:
        """The first such table, once there is one."""
        while True:
            for listing in self.ask(Serving.listings):
                if is_wanted(listing):
                    return listing
            await asyncio.sleep(POLL_SECONDS)

    def ask(self, question: Callable[[Serving], Answer]) -> Answer:
        """Have the server answer, in its own process. Raises TimeoutError if it does not."""
        self._pipe.send(question)
        if not self._pipe.poll(PATIENCE_SECONDS):
            raise TimeoutError("the server does not answer")
        answer: Answer = self._pipe.recv()
        return answer


def forked() -> ForkServerContext:
    """How the benches start other processes: as copies of one that has the program in memory already."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


@contextmanager
def server_process(serve: Serve, *, in_memory: bool = False) -> Iterator[Server]:
    """Run a server inside the context; ``in_memory``: with its files in memory, if this machine can do that."""
    context = forked()
    ours, theirs = context.Pipe()
    with TemporaryDirectory(dir=IN_MEMORY if in_memory and Path(IN_MEMORY).is_dir() else None) as folder:
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


def _run(serve: Serve, folder: Path, pipe: "Connection[object, Any]") -> None:
    with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        logs.configure()
        asyncio.run(_answer(serve, folder, pipe))


async def _answer(serve: Serve, folder: Path, pipe: "Connection[object, Any]") -> None:
    """Serve, and answer the questions from the pipe."""
    serving, over, loop = await serve(folder), asyncio.Event(), asyncio.get_running_loop()

    def answer() -> None:
        try:
            pipe.send(pipe.recv()(serving))
        except (EOFError, OSError):
            loop.remove_reader(pipe.fileno())
            over.set()

    loop.add_reader(pipe.fileno(), answer)
    pipe.send((serving.ports, serving.tables is not None))
    await over.wait()
    await serving.stop()


def memory_of(process: int | str | None) -> int:
    """Bytes that a process, or this one ("self"), has in memory."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Program(NamedTuple):
    """A `quatch serve` that is ready."""

    port: int
    seconds: float
    """From the start of its process to its ready line."""
    process_id: int

    def memory(self) -> int:
        """Bytes that all its processes have in memory. Raises OSError if one has just ended."""
        return sum(map(memory_of, self.processes()))

    def processes(self) -> list[int]:
        """The keeper, and all its descendants."""
        found = [self.process_id]
        for each in found:
            with suppress(OSError):  # it has just ended
                for children in Path(f"/proc/{each}/task").glob("*/children"):
                    found += map(int, children.read_text().split())
        return found


@asynccontextmanager
async def program(folder: Path, **environment: str) -> AsyncIterator[Program]:
    """Run `quatch serve` on what lies in this folder, with these variables. Raises OSError if it does not get ready."""
    files = dict.fromkeys(("QUATCH_DATA", "QUATCH_HOSTKEYS"), str(folder))
    usual = {"QUATCH_HOST": ADDRESS, "QUATCH_PORT": "0", **files}
    begin = time.perf_counter()
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", "serve"),
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | usual | environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert server.stdout is not None  # noqa: S101 - it is a pipe
    try:
        async with asyncio.timeout(START_SECONDS):
            ready = await server.stdout.readline()
        if not ready:
            raise ConnectionError("quatch serve has ended before it was ready")
        yield Program(int(ready.split()[-1]), time.perf_counter() - begin, server.pid)
    finally:
        if server.returncode is None:
            server.terminate()
        await server.communicate()


def bench_start(_: Namespace) -> Iterator[Line]:
    """The fastest of a few starts on an empty folder, beside a Python that imports asyncssh, with compiled modules."""
    with TemporaryDirectory() as compiled:
        environment = {"PYTHONPYCACHEPREFIX": compiled, "PYTHONDONTWRITEBYTECODE": ""}
        seconds = [(asyncio.run(_until_ready(environment)), _to_import(environment)) for _ in range(STARTS)]
    mine, theirs = map(min, zip(*seconds, strict=True))
    yield f"The start of quatch serve on an empty folder, beside {BARE_START}:"
    yield Figure("start: until quatch serve is ready, beside the import of asyncssh", mine, theirs, "s")


async def _until_ready(environment: dict[str, str]) -> float:
    with TemporaryDirectory() as folder:
        async with program(Path(folder), **environment) as running:
            return running.seconds


def _to_import(environment: dict[str, str]) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", BARE_START], check=True, env=os.environ | environment)  # noqa: S603 - our own text
    return time.perf_counter() - begin


async def quatch(folder: Path, more: Mapping[str, object] = MappingProxyType({})) -> Serving:
    """The whole program with its log in a file and more settings, but with a known seed for its deals."""
    usual = {"host": [ADDRESS], "port": 0, "connections": MOST_CONNECTIONS}
    files = dict.fromkeys(("data", "hostkeys", "rules_dir"), str(folder))
    config = Config.load(None, {}, {**usual, **files, **more})
    sockets = await open_all(config.listens_at())
    app = App(config, database_at("", folder), by_carrier(sockets), new_seed=lambda: SEED, features=load())
    await app.start()
    gc_tuning.freeze_startup_objects()
    return Serving({each.carrier: each.port for each in sockets}, app.stop, app.lobby.tables.listings)


Found = TypeVar("Found")


class Visit(NamedTuple, Generic[Found]):
    """What people find at a server."""

    found: Found
    """What the bench measures."""
    first_screens: Sequence[int]
    updates: Sequence[int]
    """The bytes that each of them received at login, and for one move."""


def beside_bare(visit: Callable[[Serve], Coroutine[None, None, Visit[Found]]]) -> tuple[Found, Found]:
    """What people find at Quatch, and then at a bare server that sends as many bytes."""
    mine = asyncio.run(visit(quatch))
    like_it = partial(bare, round(fmean(mine.first_screens)), round(fmean(mine.updates)))
    return mine.found, asyncio.run(visit(like_it)).found


class _BareSession(asyncssh.SSHServerSession[bytes]):
    def __init__(self, table: list[asyncssh.SSHServerChannel[bytes]], first: bytes, more: bytes) -> None:
        self._table, self._first, self._more = table, first, more

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
            channel.write(self._more)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._table.remove(self._channel)


async def bare(first_screen: int, update: int, folder: Path) -> Serving:
    """The floor: lets guests in as Quatch does, and sends so many bytes at login, and to all of a table at each key.

    The name of a connection says table and seat, as in table-seat.
    """
    tables: dict[str, list[asyncssh.SSHServerChannel[bytes]]] = defaultdict(list)
    first, more = bytes(first_screen) + FIRST_SCREEN_ENDS, bytes(update)

    class Connection(asyncssh.SSHServer):
        def begin_auth(self, username: str) -> bool:
            self._table = tables[username.partition("-")[0]]
            return True

        def kbdint_auth_supported(self) -> bool:
            return True

        def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:  # noqa: ARG002
            return True

        def session_requested(self) -> _BareSession:
            return _BareSession(self._table, first, more)

    acceptor = await asyncssh.create_server(
        Connection, ADDRESS, 0, server_host_keys=[load_or_create(folder)], **ssh.OPTIONS
    )

    async def stop() -> None:
        acceptor.close()

    return Serving({"ssh": acceptor.get_port()}, stop)
