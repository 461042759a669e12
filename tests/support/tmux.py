"""Programs on a real terminal, in tmux."""

import asyncio
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.patience import PATIENCE
from tests.support.playing_on_screen import what_to_type
from tests.support.programs import as_a_host


class Tmux:
    """A terminal with a program in it."""

    def __init__(self, socket: Path) -> None:
        self._tmux = ["tmux", "-f", "/dev/null", "-S", str(socket)]

    def run(self, *arguments: str) -> str:
        """A tmux command; what it prints."""
        command = [*self._tmux, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=as_a_host()).stdout

    def show(self) -> str:
        """The screen."""
        return self.run("capture-pane", "-p")

    def type(self, line: str) -> None:
        """Type a line and press Enter."""
        self.run("send-keys", "-l", line)
        self.run("send-keys", "Enter")

    async def enter(self, line: str, pattern: str) -> str:
        """Type a line and wait like `until`."""
        self.type(line)
        return await self.until(pattern)

    def programs(self, name: str) -> list[int]:
        """The process numbers of the programs of this name that run in it."""
        shell = self.run("display-message", "-p", "#{pane_pid}").strip()
        found, parents = list[int](), [int(shell)]
        for parent in parents:
            parents += map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split())
            found += [parent] * (Path(f"/proc/{parent}/comm").read_text("ascii").strip() == name)
        return found

    async def until(self, pattern: str, patience: float = PATIENCE) -> str:
        """Wait so many seconds at most until the screen matches; the screen then."""
        screen, pause = "", 0.02
        try:
            async with asyncio.timeout(patience):
                while not re.search(pattern, screen := await asyncio.to_thread(self.show)):
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, 0.3)  # each look is a process, and what takes long is a program that starts
        except TimeoutError:
            raise AssertionError(f"never seen: {pattern!r}; the screen is\n{screen}") from None
        return screen


@contextmanager
def terminal(tmp_path: Path, *command: str, size: tuple[int, int] = (80, 24)) -> Iterator[Tmux]:
    """A program on a terminal of its own of this size, which says how it ended."""
    tmux = Tmux(tmp_path / "tmux")
    quoted, (columns, rows) = " ".join(f"'{word}'" for word in command), size
    tmux.run("new-session", "-d", "-x", str(columns), "-y", str(rows), f"{quoted}; echo ended $?; exec cat")
    try:
        yield tmux
    finally:
        tmux.run("kill-server")


async def play_to_the_end(tmux: Tmux) -> str:
    """Play a game reading the screen; the last screen."""
    seen = ""
    while True:
        screen = await tmux.until(r"YOUR TURN|game over")
        if "game over" in screen:
            return screen
        if (status := screen.split("\n")[0]) == seen or screen != tmux.show():
            await asyncio.sleep(0.02)  # the screen is old, or not painted to its end
            continue
        seen = status
        tmux.type(what_to_type(screen))
