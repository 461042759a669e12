"""`quatch serve` at a real terminal: a console, and a terminal as it was before when the server has stopped."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.hosted import children
from tests.support.tmux import Tmux, terminal


@contextmanager
def at_terminal(tmp_path: Path, *arguments: str) -> Iterator[Tmux]:
    """A server that was started at a terminal; its data are in `data`."""
    folders = (f"QUATCH_HOSTKEYS={tmp_path}/keys", f"QUATCH_DATA={tmp_path}/data")
    serve = (sys.executable, "-m", "server", "serve", "--host", "127.0.0.1", "--port", "0", *arguments)
    with terminal(tmp_path, "env", *folders, *serve) as tmux:
        yield tmux


async def stop(tmux: Tmux) -> None:
    """Stop the server at its console."""
    tmux.type("quit")
    await tmux.until("Type quit again")
    tmux.type("quit")
    screen = await tmux.until("ended 0")
    assert "ready ssh 127.0.0.1" in screen
    assert "admin>" not in screen


@pytest.mark.needs("tmux")
async def test_a_host_starts_looks_and_stops(tmp_path: Path) -> None:
    """The ready lines stand on the terminal before and after the console, and the log is in the file that it names."""
    with at_terminal(tmp_path) as tmux:
        screen = await tmux.until("admin>")
        assert "no players" in screen
        assert "quatch.log" in "".join(line.strip() for line in screen.splitlines())
        tmux.type("announce good evening")
        await tmux.until("Told 0 people")
        await stop(tmux)
    assert '"text": "good evening"' in logged(tmp_path)


@pytest.mark.needs("tmux")
async def test_the_console_comes_again_after_a_kill_and_after_a_renewal(tmp_path: Path) -> None:
    """Also if several processes run; at the end the terminal echoes what is typed, as before."""
    with at_terminal(tmp_path, "--processes", "2") as tmux:
        await tmux.until("admin>")
        (keeper,) = children(int(tmux.run("list-panes", "-F", "#{pane_pid}")))
        first, *_ = children(keeper)
        os.kill(first, signal.SIGKILL)
        await announce(tmux, "killed")
        os.kill(keeper, signal.SIGHUP)
        while '"reloaded"' not in logged(tmp_path):
            await asyncio.sleep(0.1)
        await announce(tmux, "renewed")
        assert '"text": "renewed"' in logged(tmp_path)
        await stop(tmux)
        tmux.type("good night")
        await tmux.until("good night\ngood night")


async def announce(tmux: Tmux, text: str) -> None:
    """Type it until a console has read it: a new one reads nothing that was typed before."""
    while f"text={text}" not in tmux.show():
        tmux.type(f"announce {text}")
        await asyncio.sleep(0.5)


def logged(folder: Path) -> str:
    """The log that the console names."""
    return (folder / "data" / "quatch.log").read_text("ascii")
