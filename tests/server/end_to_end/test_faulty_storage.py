"""A real server on a real database whose disk fails: people, bots and the log are told, and no move is lost."""

from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest
from structlog.testing import capture_logs

from server.limits import BOT_ERRORS
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from tests.support.bots import bot
from tests.support.faulty_disk import FaultyDisk, faulty_disk
from tests.support.people import RunningServer, running_server


@pytest.fixture
async def disk() -> AsyncIterator[FaultyDisk]:
    """A disk that fails when a test says so. Request it before the server."""
    with faulty_disk() as disk:
        yield disk


@pytest.fixture
async def server(disk: FaultyDisk, tmp_path: Path) -> AsyncIterator[RunningServer]:  # noqa: ARG001 - it is opened there
    """A server whose database is on this disk."""
    async with running_server(tmp_path, SqliteLog(tmp_path / FILE_NAME, patience=0.05)) as running:
        yield running


@pytest.mark.parametrize("asked", ["sync", "write"])
async def test_an_error_of_the_disk_is_told_and_passes(server: RunningServer, disk: FaultyDisk, asked: str) -> None:
    """Opening a table is refused at once, a bot may try again as often as it likes, and the log says "not saved"."""
    async with server.person(term=None) as ana, bot(server.port) as player:
        await ana.until_text("Type play")
        player.send(type="new", seats=2, fill="hard")
        turn = await player.until("turn")
        with capture_logs() as logs:
            disk.faults[asked] = apsw.IOError("the disk has gone read-only")
            disk.asked.clear()
            ana.type("play")
            await ana.until_text("Nothing can be saved now (the disk reports an error)")
            assert len(disk.asked) < 20
            for _ in range(2 * BOT_ERRORS):
                player.send(type="move", ply=turn["ply"], move=turn["legal"][0])
                assert (await player.until("refused", "error"))["code"] == "not_saved"
            assert {"not saved"} <= {line["event"] for line in logs}
        disk.faults.clear()
        player.send(type="move", ply=turn["ply"], move=turn["legal"][0])
        await player.until("event")
        ana.type("play")
        await ana.until_text("You sit")
