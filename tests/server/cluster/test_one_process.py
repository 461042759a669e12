"""Without the feature a server is one process, and says so where several are wanted."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.cluster.shared_file import SharedFile
from server.config import ONE_PROCESS, Config, ConfigError
from server.storage.engines import database_of
from server.storage.sqlite_database import SqliteDatabase
from tests.support.bots import bot
from tests.support.hosted import hosted_server
from tests.support.postgres import Postgres
from tests.support.programs import as_a_host

WITHOUT = "--without", "cluster"


def refusal(**settings: str) -> str:
    """What a server that cannot start says."""
    command = [sys.executable, "-m", "server", "serve", "--host", "127.0.0.1", "--port", "0", *WITHOUT]
    done = subprocess.run(command, capture_output=True, text=True, env=as_a_host(**settings), check=False, timeout=60)
    assert done.stdout == ""
    assert done.returncode == 2
    return done.stderr


def test_several_processes_are_refused() -> None:
    """Also with a line for the host; one for each core is one."""
    with pytest.raises(ConfigError, match=f"processes: {ONE_PROCESS}"):
        Config(processes=2, without=("cluster",))
    assert not Config(processes=0, without=("cluster",)).may_share_log


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


async def test_a_second_server_on_its_database_is_refused(tmp_path: Path, postgres: Postgres) -> None:
    """In one line, without the password."""
    url = postgres.new_database()
    async with hosted_server(tmp_path, *WITHOUT, QUATCH_DATABASE=url):
        said = refusal(QUATCH_DATABASE=url, QUATCH_HOSTKEYS=str(tmp_path / "keys"))
        assert said.startswith("quatch: another server uses postgresql://")
        assert said.endswith(f", but {ONE_PROCESS}\n")
