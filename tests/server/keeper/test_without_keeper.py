"""A server without a keeper: one process does for its host all that a keeper does, except for renewals."""

import asyncio
import json
import signal
import socket
import sys
from pathlib import Path

import pytest

from server.app.app import GOOD_BYE
from server.config import ONE_PROCESS, Config, ConfigError
from server.transport.host_keys import KEY_NAME
from tests.support.bots import bot
from tests.support.hosted import hosted_server
from tests.support.patience import PATIENCE
from tests.support.programs import as_a_host

WITHOUT = "--without", "keeper"


@pytest.mark.features("metrics")
async def test_it_serves_and_stops_and_a_renewal_is_refused(tmp_path: Path) -> None:
    """Players and monitoring connect to the one process, which tells them that it stops."""
    async with hosted_server(tmp_path, *WITHOUT, QUATCH_METRICS_PORT="0", QUATCH_WORKERS="0") as server:
        assert server.children() == []
        async with bot(server.port) as player:
            server.process.send_signal(signal.SIGHUP)
            assert ONE_PROCESS in (await server.logged("not reloaded, the server goes on as before"))["problem"]
            await server.until_health("ready")
            assert await server.figures("sessions") == 1
            server.process.send_signal(signal.SIGINT)
            assert (await player.until("error"))["message"] == GOOD_BYE
        async with asyncio.timeout(PATIENCE):
            assert await server.process.wait() == 0


async def failed_start(folder: Path, *arguments: str, code: str = "") -> tuple[int | None, str]:
    """The exit status of a server that does not go on, and what the host reads."""
    program = ["-c", code] if code else ["-m", "server", "serve", *WITHOUT, *arguments]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *program),
        stderr=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        env=as_a_host(QUATCH_HOSTKEYS=str(folder), QUATCH_DATA=str(folder)),
    )
    async with asyncio.timeout(60):
        _, said = await process.communicate()
    return process.returncode, said.decode()


async def test_a_start_that_fails_is_told_in_one_line(tmp_path: Path) -> None:
    """Whether a port is in use, or others can read the host key."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = await failed_start(tmp_path, "--host", "127.0.0.1", "--port", port)
        assert said == (1, f"quatch: port {port} is in use on 127.0.0.1\n")
    (tmp_path / KEY_NAME).write_text("nonsense")
    (tmp_path / KEY_NAME).chmod(0o644)
    status, line = await failed_start(tmp_path, "--host", "127.0.0.1", "--port", "0")
    assert (status, line.count("\n")) == (2, 1)
    assert "can be read by others: chmod 600 it" in line


FAILS = """
import sys
from server.app import run_process
from server.cli.main import main
def serve(self, stop, number): raise RuntimeError("on the way")
run_process.App.serve = serve
sys.exit(main(["serve", "--without", "keeper", "--host", "127.0.0.1", "--port", "0"]))
"""


async def test_a_server_that_fails_ends_and_says_why(tmp_path: Path) -> None:
    """So that the service manager starts it again."""
    status, said = await failed_start(tmp_path, code=FAILS)
    assert status == 1
    assert "on the way" in json.loads(said.splitlines()[-1])["exception"]


def test_several_processes_need_what_keeps_them() -> None:
    """One line says so."""
    with pytest.raises(ConfigError, match=f"processes: {ONE_PROCESS}"):
        Config(processes=2, without=("keeper",))
