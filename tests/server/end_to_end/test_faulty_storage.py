"""A real server on a real database whose disk fails: people, bots and the log are told, and no move is lost."""

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from structlog.testing import capture_logs

from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME
from tests.support.bots import bot
from tests.support.faulty_disk import FaultyDisk, faulty_disk
from tests.support.log_entries import heads
from tests.support.people import RunningServer, running_server
from tests.support.resources import settled


@pytest.fixture
async def disk() -> AsyncIterator[FaultyDisk]:
    """A disk that fails when a test says so. Request it before the server."""
    with faulty_disk() as disk:
        yield disk


@pytest.fixture
async def server(disk: FaultyDisk, tmp_path: Path) -> AsyncIterator[RunningServer]:  # noqa: ARG001 - it is opened there
    """A server whose database is on this disk."""
    async with running_server(tmp_path, SqliteDatabase(tmp_path / FILE_NAME, patience=0.05)) as running:
        yield running


@pytest.mark.parametrize("asked", ["sync", "write"])
async def test_an_error_of_the_disk_is_told_and_passes(server: RunningServer, disk: FaultyDisk, asked: str) -> None:
    """Opening a table is refused at once, a bot may try again as often as it likes, and the log says "not saved"."""
    async with server.person(term=None) as ana, bot(server.port) as player:
        await ana.until("Type play")
        turn = await player.ask("turn", type="new", seats=2, fill="hard")
        with capture_logs() as logs:
            disk.faults[asked] = apsw.IOError("the disk has gone read-only")
            disk.asked.clear()
            await ana.enter("play", "Nothing can be saved now (the disk reports an error)")
            assert len(disk.asked) < 40
            for _ in range(20):
                player.send(type="move", ply=turn["ply"], move=turn["legal"][0])
                assert (await player.until("refused", "error"))["code"] == "not_saved"
            assert {"not saved"} <= {line["event"] for line in logs}
        disk.faults.clear()
        await player.ask("event", type="move", ply=turn["ply"], move=turn["legal"][0])
        await ana.enter("play", "You sit")


def may(*command: str) -> None:
    """Run a command of the system's administrator; skip the test if this machine does not allow it."""
    if os.geteuid() != 0:
        pytest.skip("needs root")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"not possible here: {done.stderr.strip()}")


async def test_a_write_ahead_log_that_becomes_immutable_is_told_and_passes(tmp_path: Path) -> None:
    """As when the kernel makes a file system read-only under way."""
    log_file = str(tmp_path / f"{FILE_NAME}-wal")
    async with (
        running_server(tmp_path, SqliteDatabase(tmp_path / FILE_NAME, patience=0.05)) as server,
        bot(server.port) as player,
    ):
        turn = await player.ask("turn", type="new", seats=2, fill="hard")
        may("chattr", "+i", log_file)
        try:
            player.send(type="move", ply=turn["ply"], move=turn["legal"][0])
            assert (await player.until("refused"))["code"] == "not_saved"
        finally:
            may("chattr", "-i", log_file)
        await player.ask("event", type="move", ply=turn["ply"], move=turn["legal"][0])


@pytest.fixture
def disk_with_ext4(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own, in a file."""
    image, folder = tmp_path / "image", tmp_path / "ext4"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(8 << 20)
    if shutil.which("mkfs.ext4") is None:
        pytest.skip("needs mkfs.ext4")
    may("mkfs.ext4", "-q", str(image))
    may("mount", "-o", "loop", str(image), str(folder))
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def test_a_file_system_that_goes_read_only_is_told_and_loses_no_move(disk_with_ext4: Path) -> None:
    """As after an error of the disk: everything that was acknowledged is there when it is mounted again."""
    store = SqliteDatabase(disk_with_ext4 / FILE_NAME, patience=0.05)
    async with running_server(disk_with_ext4, store) as server, bot(server.port) as player:
        turn = await player.ask("turn", type="new", seats=2, fill="hard")
        # The AI player has arranged its cards, and moves no more before the bot does.
        await settled(lambda: len(server.app.lobby.tables.here[1].journal.state.deciding) == 1)
        before, acknowledged = await heads(store), await store.read(1)
        may("mount", "-o", "remount,abort", str(disk_with_ext4))
        player.send(type="move", ply=turn["ply"], move=turn["legal"][0])
        assert (await player.until("refused"))["code"] == "not_saved"
        assert await heads(store) == before
        assert "disk" in store.problem
    for command in (["umount"], ["mount", "-o", "loop", str(disk_with_ext4.parent / "image")]):
        may(*command, str(disk_with_ext4))
    async with SqliteDatabase(disk_with_ext4 / FILE_NAME) as again:
        # The refused move may be there, too: the system may have written it after it reported the error.
        assert (await again.read(1))[: len(acknowledged)] == acknowledged


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of half a megabyte."""
    folder = tmp_path / "small"
    folder.mkdir()
    may("mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder))
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def test_a_full_disk_loses_no_move(small_disk: Path) -> None:
    """The player is told why, everything that was acknowledged is there, and with room again the game goes on."""
    filler = small_disk / "filler"
    store = SqliteDatabase(small_disk / FILE_NAME, patience=0.05)
    async with running_server(small_disk, store) as server, bot(server.port) as player:
        turn = await player.ask("turn", type="new", seats=2, fill="hard")
        await settled(lambda: len(server.app.lobby.tables.here[1].journal.state.deciding) == 1)
        fill(filler)
        move = {"type": "move", "ply": turn["ply"], "move": turn["legal"][0]}
        before = await heads(store)
        refused = await player.ask("refused", **move)
        assert (refused["code"], "the disk is full" in refused["message"]) == ("not_saved", True)
        assert await heads(store) == before
        filler.unlink()
        await player.ask("event", **move)


def fill(file: Path) -> None:
    """Write until the disk is full."""
    with file.open("wb", buffering=0) as target, suppress(OSError):
        while True:
            target.write(bytes(4096))
