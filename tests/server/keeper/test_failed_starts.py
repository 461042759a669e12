"""A server that does not start says why in one line, with an exit status; nothing is left of it."""

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.config import ONE_PROCESS, Config, ConfigError
from server.keeper.reload import TAKEN
from server.storage.folder_in_use import folder_in_use
from tests.support.hosted import not_started
from tests.support.programs import as_a_host, ended


@pytest.fixture
def taken() -> Iterator[int]:
    """A port in use."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


async def test_a_port_in_use_is_told(tmp_path: Path, taken: int) -> None:
    """By the one process that was to listen there."""
    config = Config(host=("127.0.0.1",), port=taken, hostkeys=str(tmp_path), data=str(tmp_path))
    assert await not_started(config) == (f"port {taken} is in use on 127.0.0.1", 1)


@pytest.mark.features("cluster")
def test_a_port_in_use_is_told_once(tmp_path: Path, taken: int) -> None:
    """Though several processes were to listen there."""
    arguments = ("serve", "--host", "127.0.0.1", "--port", str(taken), "--processes", "2")
    told = ended(*arguments, QUATCH_HOSTKEYS=str(tmp_path), QUATCH_DATA=str(tmp_path))
    assert told == (1, "", f"quatch: port {taken} is in use on 127.0.0.1\n")


def test_the_hosts_own_server_is_named_that_has_the_port(tmp_path: Path, taken: int) -> None:
    """If it runs on the same folder: with what takes new settings there, and what stops it."""
    with folder_in_use(tmp_path):
        arguments = ("serve", "--host", "127.0.0.1", "--port", str(taken))
        status, _, told = ended(*arguments, QUATCH_HOSTKEYS=str(tmp_path), QUATCH_DATA=str(tmp_path))
    assert (status, told) == (1, f"quatch: port {taken} is in use on 127.0.0.1{TAKEN.format(tmp_path)}\n")


FAILS = """
import asyncio, sys
from server.app import run_process
from server.cli.main import main
async def end(app): raise RuntimeError("on the way")
run_process.App.stop = end
run_process.App.serve = lambda app, stop, number: asyncio.get_running_loop().call_soon(stop)
sys.exit(main(["serve", "--without", "keeper", "--host", "127.0.0.1", "--port", "0"]))
"""


def test_a_server_that_fails_without_a_keeper_ends_and_says_why(tmp_path: Path) -> None:
    """So that the service manager starts it again."""
    environment = as_a_host(QUATCH_HOSTKEYS=str(tmp_path), QUATCH_DATA=str(tmp_path))
    failed = [sys.executable, "-c", FAILS]
    done = subprocess.run(failed, capture_output=True, text=True, check=False, env=environment, timeout=60)
    assert done.returncode == 1
    assert "on the way" in json.loads(done.stderr.splitlines()[-1])["exception"]


@pytest.mark.parametrize("feature", ["keeper", pytest.param("cluster", marks=pytest.mark.features("cluster"))])
def test_several_processes_need_what_keeps_them_and_what_they_share(feature: str) -> None:
    """One line says so; one for each core is one process then."""
    with pytest.raises(ConfigError, match=f"processes: {ONE_PROCESS}"):
        Config(processes=2, without=(feature,))
    assert not Config(processes=0, without=(feature,)).may_have_processes
