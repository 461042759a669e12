"""Damage that no start reads is found in the background, and nobody waits for that."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from server.config import Config
from server.damage_check import CHECK_SECONDS, FIRST_SECONDS, DamageCheck, find_damage
from server.lobby.lobby import Lobby
from server.storage import sql
from server.storage.database import NotSaved
from server.storage.sqlite_database import SqliteDatabase
from tests.support.database_files import filled, spoil
from tests.support.resources import settled
from tests.support.virtual_time import SkippingLoop


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the database."""
    return tmp_path / "quatch.db"


@asynccontextmanager
async def checked(
    log: SqliteDatabase, check: Callable[[Path, threading.Event], str] | None = None, first: float = FIRST_SECONDS
) -> AsyncIterator[None]:
    """The check of this database as long as a server runs."""
    service = DamageCheck(Lobby(Config(), log), check, first)
    service.open()
    yield
    await service.close()


async def test_a_damaged_file_is_found_and_not_written_to(file: Path) -> None:
    """Damage that no start reads is found in the background: the log says so, and takes no more writes."""
    await filled(file)
    spoil(file, slice(-4096 * 2, None))
    async with SqliteDatabase(file) as log, checked(log, first=0.0):
        await settled(lambda: bool(log.problem))
        with pytest.raises(NotSaved, match="the file is damaged; put a backup in its place"):
            await log.put_text("name", "a", "b")


async def test_a_server_stops_while_its_file_is_checked(file: Path) -> None:
    """However large the file: the check is broken off."""
    begun = threading.Event()

    def endless(path: Path, stopped: threading.Event) -> str:
        begun.set()
        while not stopped.is_set():
            find_damage(path, stopped)
        return ""

    async with asyncio.timeout(10), SqliteDatabase(file) as log, checked(log, endless, first=0.0):
        assert await asyncio.to_thread(begun.wait, 10)


def test_the_first_check_begins_some_time_after_the_start(file: Path) -> None:
    """The next ones follow once a day."""
    begun: list[float] = []

    async def watch() -> None:
        loop = asyncio.get_running_loop()

        def sound(_: Path, __: threading.Event) -> str:
            begun.append(loop.time())
            return ""

        async with SqliteDatabase(file) as log, checked(log, sound):
            start = loop.time()
            await asyncio.sleep(FIRST_SECONDS / 2)
            assert not begun
            await asyncio.sleep(CHECK_SECONDS + FIRST_SECONDS)
        assert begun == pytest.approx([start + FIRST_SECONDS, start + FIRST_SECONDS + CHECK_SECONDS], abs=4)

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(watch())


def test_a_check_pauses_again_and_again(file: Path) -> None:
    """So that players do not wait for the disk and the processor."""

    class Stopped(threading.Event):
        """Counts the pauses instead of waiting."""

        pauses = 0

        def wait(self, timeout: float | None = None) -> bool:
            """Whether the check is to end."""
            assert timeout
            self.pauses += 1
            return self.is_set()

    asyncio.run(filled(file))
    stopped = Stopped()
    assert not find_damage(file, stopped)
    assert stopped.pauses >= 2


async def test_a_check_that_finds_nothing_does_not_hide_what_a_read_found(file: Path) -> None:
    """The read may find it while the whole file is checked."""
    begun, read_failed = threading.Event(), threading.Event()

    def sound(_: Path, __: threading.Event) -> str:
        begun.set()
        read_failed.wait(10)
        return ""

    await filled(file)
    async with SqliteDatabase(file) as log, checked(log, sound, first=0.0):
        assert await asyncio.to_thread(begun.wait, 10)
        spoil(file, slice(4096, None))
        with pytest.raises(NotSaved, match="the file is damaged"):
            await log.select(sql.BEST, 20)
        read_failed.set()
        for _ in range(20):
            await asyncio.sleep(0.001)
        assert log.problem.startswith("the file is damaged")
