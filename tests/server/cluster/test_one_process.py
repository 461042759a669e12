"""Without the feature a server is one process, and says so where several are wanted."""

import signal
from pathlib import Path

from server.cluster.shared_file import SharedFile
from server.config import ONE_PROCESS, Config
from server.storage.engines import database_of
from server.storage.sqlite_database import SqliteDatabase
from tests.support.bots import bot
from tests.support.hosted import hosted_server, not_started


def alone(data: Path, database: str = "") -> Config:
    """The settings of a server without the feature."""
    keys = str(data.with_name("keys"))
    return Config(host=("127.0.0.1",), port=0, data=str(data), hostkeys=keys, database=database, without=("cluster",))


def test_its_file_is_not_looked_at_for_what_others_write(tmp_path: Path) -> None:
    """As that of several processes is."""
    assert type(database_of(alone(tmp_path))) is SqliteDatabase
    assert type(database_of(Config(data=str(tmp_path)))) is SharedFile


async def test_a_second_server_on_its_folder_and_a_renewal_are_refused(tmp_path: Path) -> None:
    """In one line each; the server goes on."""
    async with hosted_server(tmp_path, "--without", "cluster", QUATCH_PROCESSES="0") as server:
        assert len(server.children()) == 1
        folder = tmp_path / "data"
        assert await not_started(alone(folder)) == (f"another server uses {folder}, but {ONE_PROCESS}", 2)
        server.process.send_signal(signal.SIGHUP)
        assert ONE_PROCESS in (await server.logged("not reloaded, the server goes on as before"))["problem"]
        async with bot(server.port) as player:
            player.send(type="ping", id=1)
            assert await player.until("pong")
        assert await server.stop() == 0


async def test_a_second_server_on_its_database_is_refused(tmp_path: Path, database: str) -> None:
    """In one line, without the password."""
    config = alone(tmp_path, database)
    async with database_of(config):
        said, status = await not_started(config)
        assert said.startswith("another server uses postgresql://127.0.0.1")
        assert (said.partition(", but ")[2], status) == (ONE_PROCESS, 2)
