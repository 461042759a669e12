"""`quatch serve` at a real terminal: a console, and a terminal as it was before when the server has stopped."""

import sys
from pathlib import Path

import pytest

from tests.support.tmux import terminal


@pytest.mark.needs("tmux")
async def test_a_host_starts_looks_and_stops(tmp_path: Path) -> None:
    """The ready lines stand on the terminal before and after the console, and the log is in the file that it names."""
    folders = (f"QUATCH_HOSTKEYS={tmp_path}/keys", f"QUATCH_DATA={tmp_path}/data")
    serve = (sys.executable, "-m", "server", "serve", "--host", "127.0.0.1", "--port", "0")
    with terminal(tmp_path, "env", *folders, *serve) as tmux:
        screen = await tmux.until("admin>")
        assert "no players" in screen
        assert "quatch.log" in "".join(line.strip() for line in screen.splitlines())
        tmux.type("announce good evening")
        await tmux.until("Told 0 people")
        tmux.type("quit")
        await tmux.until("Type quit again")
        tmux.type("quit")
        screen = await tmux.until("ended 0")
        assert "ready ssh 127.0.0.1" in screen
        assert "admin>" not in screen
    assert '"text": "good evening"' in (tmp_path / "data" / "quatch.log").read_text("ascii")
