"""The examples of bots in deploy/bots play at a real server."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import asyncssh
import pytest

from tests.support.patience import PATIENCE
from tests.support.people import RunningServer

EXAMPLES = Path(__file__).parents[3] / "deploy" / "bots"


@pytest.mark.parametrize(("example", "games"), [("first_legal.py", 2), ("first_legal.sh", 1)])
async def test_the_examples_play_a_game(open_server: RunningServer, tmp_path: Path, example: str, games: int) -> None:
    """And another with the same key. Each in under 30 lines, with only the ssh program (and jq, in the shell)."""
    for program in ("ssh", "jq"):
        if not shutil.which(program):
            pytest.skip(f"no {program} here")
    file, key = EXAMPLES / example, tmp_path / "key"
    assert len(file.read_text().splitlines()) < 30
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(key)
    key.chmod(0o600)
    command = [sys.executable if file.suffix == ".py" else "bash", str(file), "-F", "none", "-i", str(key)]
    command += ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
    command += ["-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none", "-p", str(open_server.port), "hal@127.0.0.1"]
    for _ in range(games):
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        try:
            async with asyncio.timeout(PATIENCE):
                told, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        assert b"winner" in told or b"drawn" in told, told
    assert open_server.app.lobby.visitors.here == []


@pytest.mark.parametrize("example", ["first_legal.py", "first_legal.sh"])
def test_the_examples_go_on_if_the_answers_come_later(tmp_path: Path, example: str) -> None:
    """The error `slow` ends neither, any other error does. A program that is called ssh stands for the server."""
    if not shutil.which("jq"):
        pytest.skip("no jq here")
    sent = [
        '{"type":"error","code":"slow","message":"later"}',
        '{"type":"over","outcome":{"kind":"won","winner":7}}\n{"type":"left","table":1}',
        '{"type":"error","code":"closed","message":"the table has closed"}',
    ]
    (tmp_path / "ssh").write_text("#!/bin/sh\nprintf '%s\\n' \"$SENT\"\ncat >/dev/null\n")
    (tmp_path / "ssh").chmod(0o755)
    file = EXAMPLES / example
    command = [sys.executable if file.suffix == ".py" else "bash", str(file), "HOST"]
    for lines, last in ((sent, "winner"), (sent[::2], "the table has closed")):
        environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "SENT": "\n".join(lines)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert last in done.stdout + done.stderr
        assert "later" not in done.stdout + done.stderr


@pytest.mark.needs("ssh")
def test_the_shell_script_ends_as_ssh_does() -> None:
    """So that a bot which found no server is seen to have failed. Without a host it says what it needs."""
    command = ["bash", str(EXAMPLES / "first_legal.sh")]
    done = subprocess.run(
        [*command, "-F", "none", "-p", "1", "127.0.0.1"], capture_output=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 255
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr[:6]) == (2, b"usage:")
