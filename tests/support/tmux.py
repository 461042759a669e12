"""Programs on a real terminal, in tmux."""

import asyncio
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.patience import PATIENCE
from tests.support.playing_on_screen import what_to_type
from tests.support.programs import as_a_host

LOOK_SECONDS: Final = 0.02
"""The pause between two looks at a screen."""


class Tmux:
    """A terminal with a program in it."""

    def __init__(self, client: "subprocess.Popen[str]") -> None:
        """``client``: one of tmux in control mode, which carries out many commands."""
        self._client = client
        self._answer()  # to the command that has started it

    def run(self, *arguments: str) -> str:
        """A tmux command; what it prints."""
        assert self._client.stdin is not None
        self._client.stdin.write(f"{shlex.join(arguments)}\n")
        self._client.stdin.flush()
        return self._answer()

    def _answer(self) -> str:
        """What the next command prints. What tmux tells before it begins is passed over."""
        assert self._client.stdout is not None
        begin = next(line for line in self._client.stdout if line.startswith("%begin "))
        printed, last = "", begin
        for last in self._client.stdout:
            if last.partition(" ")[2] == begin.partition(" ")[2]:
                break
            printed += last
        assert last.startswith("%end "), printed
        return printed

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
        screen = ""
        try:
            async with asyncio.timeout(patience):
                while not re.search(pattern, screen := self.show()):
                    await asyncio.sleep(LOOK_SECONDS)
        except TimeoutError:
            raise AssertionError(f"never seen: {pattern!r}; the screen is\n{screen}") from None
        return screen


@contextmanager
def terminal(tmp_path: Path, *command: str, size: tuple[int, int] = (80, 24)) -> Iterator[Tmux]:
    """A program on a terminal of its own of this size, which says how it ended."""
    program, (columns, rows) = ["tmux", "-f", "/dev/null", "-S", str(tmp_path / "tmux")], size
    shown = f"{shlex.join(command)}; echo ended $?; exec cat"
    start = [*program, "new-session", "-d", "-x", str(columns), "-y", str(rows), shown]
    subprocess.run(start, check=True, env=as_a_host())
    control = [*program, "-C", "attach-session", "-f", "no-output,ignore-size"]
    pipe = subprocess.PIPE
    with subprocess.Popen(control, stdin=pipe, stdout=pipe, encoding="utf-8", env=as_a_host()) as client:
        tmux = Tmux(client)
        try:
            yield tmux
        finally:
            client.communicate("kill-server\n")


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
