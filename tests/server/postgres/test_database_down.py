"""A PostgreSQL that crashes and comes back under a running game, and one that is not there when the server starts."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Unpack

import pytest

from server.postgres.bell import PATIENCE
from server.storage.database import Database, FinishedGame, Head, LogEntry, NotSaved
from server.storage.engines import database_at
from tests.soak import long
from tests.support.log_entries import Along, grow
from tests.support.people import RunningServer, running_server
from tests.support.playing_on_screen import what_to_type
from tests.support.postgres import Postgres, running_postgres
from tests.support.programs import as_a_host
from tests.support.resources import settled
from tests.support.tmux import Tmux, terminal

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL server that these tests stop and start."""
    with running_postgres() as server:
        yield server


@pytest.fixture
def acknowledged() -> list[LogEntry]:
    """The entries that were acknowledged to the server."""
    return []


@pytest.fixture
async def store(own_postgres: Postgres, acknowledged: list[LogEntry]) -> AsyncIterator[Database]:
    """The log of the server."""
    log = database_at(own_postgres.empty_database(), "")
    append = log.append

    async def note(head: Head, entry: LogEntry, game: FinishedGame | None = None, **along: Unpack[Along]) -> None:
        await append(head, entry, game, **along)
        acknowledged.append(entry)

    log.append = note  # type: ignore[method-assign]
    yield log
    await log.close()


@pytest.fixture
async def server(store: Database, tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server with this log."""
    async with running_server(tmp_path, store) as running:
        yield running


async def either(*seen: Coroutine[None, None, str]) -> None:
    """Wait until one of these is seen; the others are not waited for any more."""
    waiting = [asyncio.create_task(each) for each in seen]
    done, late = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    for task in late:
        task.cancel()
    await asyncio.gather(*done)


async def play_on(tmux: Tmux) -> None:
    """Type a move whenever it is the person's turn."""
    while True:
        screen = await tmux.until("YOUR TURN")
        tmux.type(what_to_type(screen))
        await asyncio.sleep(0.1)


@pytest.mark.needs("ssh", "tmux")
async def test_a_game_goes_on_when_the_database_is_back(
    server: RunningServer, own_postgres: Postgres, store: Database, acknowledged: list[LogEntry], tmp_path: Path
) -> None:
    """Two people play while it crashes: moves wait, talk works, and every acknowledged move is kept."""
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    with (
        terminal(tmp_path / "1", *server.openssh("-t", "ana@127.0.0.1", "new", "seats=2")) as ana,
        terminal(tmp_path / "2", *server.openssh("bo@127.0.0.1")) as bo,
    ):
        await ana.until("Your table")
        bo.type("sit 1")
        await ana.until("bo sits down")
        ana.type("start")
        await asyncio.gather(ana.until("arranging"), bo.until("arranging"))
        people = [asyncio.create_task(play_on(each)) for each in (ana, bo)]
        for _ in range(long(1, 3)):
            before = len(acknowledged)
            await settled(lambda before=before: len(acknowledged) > before + 3)  # type: ignore[misc]
            await asyncio.to_thread(own_postgres.stop)
            await either(ana.until(r"Saving\.\.\."), bo.until(r"Saving\.\.\."))
            assert store.problem in {"the database cannot be reached", "the connection to the database was lost"}
            await asyncio.to_thread(own_postgres.start)
        before = len(acknowledged)
        await settled(lambda: len(acknowledged) > before + 3)
        for person in people:
            person.cancel()
        await asyncio.wait(people)
        ana.type("/that was my last move")
        await bo.until("ana: that was my last move")  # so none of hers waits for the database while she talks
        await asyncio.to_thread(own_postgres.stop)
        ana.type("/are you there")
        await bo.until("ana: are you there")
        await asyncio.to_thread(own_postgres.start)
        await settled(lambda: not store.problem)  # after PATIENCE, calls fail until the log is connected again
        assert {entry.head for entry in await store.read(1)} >= {entry.head for entry in acknowledged}


async def test_a_server_stops_without_its_database(own_postgres: Postgres, store: Database) -> None:
    """At once: what waits to be saved is refused."""
    await store.open()
    await grow(store, 1, 1)
    await asyncio.to_thread(own_postgres.stop)
    await settled(lambda: store.problem != "")
    waiting = asyncio.create_task(store.put_text("name", "a", "b"))
    await asyncio.sleep(0)
    began = time.monotonic()
    await store.close()
    with pytest.raises(NotSaved, match=r"the database cannot be reached|the connection to the database was lost"):
        await waiting
    assert time.monotonic() - began < PATIENCE / 2
    await asyncio.to_thread(own_postgres.start)


async def test_a_server_waits_for_its_database(own_postgres: Postgres, tmp_path: Path) -> None:
    """It says so in a line, and starts by itself when the database is there. A stop does not wait."""
    url = own_postgres.empty_database()
    environment = as_a_host(QUATCH_DATABASE=url, QUATCH_HOSTKEYS=str(tmp_path), QUATCH_PORT="0")
    command = [sys.executable, "-m", "server", "serve", "--host", "127.0.0.1"]

    def serve(data: str) -> "subprocess.Popen[str]":
        pipe, its = subprocess.PIPE, [*command, "--data", str(tmp_path / data)]
        return subprocess.Popen(its, cwd=ROOT, env=environment, text=True, stdout=pipe, stderr=pipe)

    await asyncio.to_thread(own_postgres.stop)
    with serve("waiting") as waiting, serve("stopped") as stopped, ExitStack() as killing:
        for each in (waiting, stopped):
            killing.callback(each.kill)  # else this waits for a server that a failed test leaves
        for each in (waiting, stopped):
            assert each.stderr is not None
            line = await asyncio.to_thread(each.stderr.readline)
            assert "waiting for the database" in line
            assert "the database cannot be reached" in line
        stopped.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(stopped.wait, 10) == 0
        assert stopped.stderr is not None
        assert stopped.stderr.read() == "quatch: stopped before it was ready\n"
        await asyncio.to_thread(own_postgres.start)
        assert waiting.stdout is not None
        ready = [await asyncio.to_thread(waiting.stdout.readline) for _ in range(4)]
        assert ready[0].startswith("ready ssh 127.0.0.1")
        assert ready[3].startswith(f"data in postgresql://127.0.0.1:{own_postgres.port}/")
        waiting.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(waiting.wait, 10) == 0
