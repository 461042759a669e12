"""Without the feature a server is one process, and says so where several are wanted."""

import asyncio
import signal
from pathlib import Path

from server.cluster.shared_file import SharedFile
from server.config import ONE_PROCESS, Config
from server.storage.engines import database_of
from server.storage.sqlite_database import SqliteDatabase
from tests.support.bots import bot
from tests.support.hosted import hosted_server
from tests.support.programs import ended

WITHOUT = "--without", "cluster"


def refusal(**settings: str) -> str:
    """What a server that cannot start says."""
    status, printed, told = ended("serve", "--host", "127.0.0.1", "--port", "0", *WITHOUT, **settings)
    assert (status, printed) == (2, "")
    return told


def test_its_file_is_not_looked_at_for_what_others_write(tmp_path: Path) -> None:
    """As that of several processes is."""
    assert type(database_of(Config(data=str(tmp_path), without=("cluster",)))) is SqliteDatabase
    assert type(database_of(Config(data=str(tmp_path)))) is SharedFile


async def test_a_second_server_on_its_folder_and_a_renewal_are_refused(tmp_path: Path) -> None:
    """In one line each; the server goes on."""
    async with hosted_server(tmp_path, *WITHOUT, QUATCH_PROCESSES="0") as server:
        assert len(server.children()) == 1
        said = refusal(QUATCH_DATA=str(tmp_path / "data"), QUATCH_HOSTKEYS=str(tmp_path / "keys"))
        assert said == f"quatch: another server uses {tmp_path / 'data'}, but {ONE_PROCESS}\n"
        server.process.send_signal(signal.SIGHUP)
        assert ONE_PROCESS in (await server.logged("not reloaded, the server goes on as before"))["problem"]
        async with bot(server.port) as player:
            player.send(type="ping", id=1)
            assert await player.until("pong")
        assert await server.stop() == 0


async def test_a_second_server_on_its_database_is_refused(tmp_path: Path, database: str) -> None:
    """In one line, without the password."""
    async with database_of(Config(database=database, without=("cluster",))):
        said = await asyncio.to_thread(refusal, QUATCH_DATABASE=database, QUATCH_HOSTKEYS=str(tmp_path / "keys"))
        assert said.startswith("quatch: another server uses postgresql://")
        assert said.endswith(f", but {ONE_PROCESS}\n")
