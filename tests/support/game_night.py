"""A game night as its people have it: a host at a terminal, guests at laptops, each with the real ssh client."""

import asyncio
import os
import re
import shlex
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import asyncssh

from tests.support.hosted import kill_server
from tests.support.people import openssh
from tests.support.playing_on_screen import what_to_type
from tests.support.ssh_keys import write_key
from tests.support.tmux import Tmux, terminal

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 600.0
"""Seconds after which a round is over at the latest, on a busy machine."""
SHELL: Final = ("bash", "--norc")
LOOK_SECONDS: Final = 0.05
STUCK_SECONDS: Final = 4.0
"""A person whose line has changed nothing for so long types again, and nothing clever."""


class Guest:
    """A person at a laptop, who plays by what the screen shows."""

    def __init__(self, name: str, laptop: Tmux, line: str) -> None:
        """``line`` is what they type to come in."""
        self.name, self.laptop, self._line = name, laptop, line
        self.moves = 0
        """How many they have typed."""
        self._playing: asyncio.Task[None] | None = None

    async def come_in(self) -> str:
        """Type the line of the invitation in an empty terminal; the screen then."""
        self.laptop.type("clear")
        self.laptop.type(self._line)
        return await self.laptop.until(r"lobby>|\n   YOU |\(you\)|game over")

    def play(self) -> None:
        """Play from now on, whenever it is their turn."""
        self._playing = asyncio.create_task(self._play())

    def rest(self) -> None:
        """Play no more."""
        assert self._playing is not None
        self._playing.cancel()

    async def lose_connection(self) -> None:
        """Have ssh killed, and open a new terminal."""
        self.rest()
        for ssh in self.laptop.programs("ssh"):
            os.kill(ssh, signal.SIGKILL)
        await self.laptop.until("Killed")
        new_terminal(self.laptop)

    async def _play(self) -> None:
        seen, typed_at = "", 0.0
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            screen = await asyncio.to_thread(self.laptop.show)
            if "YOUR TURN" not in screen:
                continue
            status = screen.partition("\n")[0]  # has the number of the move
            is_stuck = status == seen and time.monotonic() > typed_at + STUCK_SECONDS
            if (status == seen and not is_stuck) or screen != await asyncio.to_thread(self.laptop.show):
                continue
            self.moves += status != seen
            seen, typed_at = status, time.monotonic()
            self.laptop.run("send-keys", "Escape")  # no half of a line is left
            self.laptop.type(what_to_type(screen) if is_stuck else all_of_a_rank(screen))


def all_of_a_rank(screen: str) -> str:
    """What to type by this screen, with all cards of a rank at once, so that an evening is shorter."""
    move = what_to_type(screen)
    return f"{move}*" if re.fullmatch("10|[2-9TJQKA]", move) and f"({move}" in screen else move


def new_terminal(laptop: Tmux) -> None:
    """Close the terminal of a laptop, and open another one."""
    laptop.run("respawn-pane", "-k", shlex.join(SHELL))


class GameNight:
    """A server at a host's terminal, boards, and guests."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self._stack = folder, stack
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.guests: dict[str, Guest] = {}
        self.boards: dict[tuple[int, int], Tmux] = {}
        self.host = self._laptop("host")

    async def serve(self) -> str:
        """Start the server; the console then."""
        settings = {"QUATCH_HOSTKEYS": f"{self.folder}/keys", "QUATCH_LAN": "no", "QUATCH_GRACE": "3"}
        serve = f"{sys.executable} -m server serve --config deploy/game-night.toml --host 127.0.0.1 --port {self.port}"
        environment = " ".join(f"{name}={value}" for name, value in settings.items())
        self.host.type(f"cd {ROOT} && clear && {environment} {serve} --data {self.folder}/data")
        return await self.host.until("admin>")

    async def kill(self) -> None:
        """Kill the server with -9, and open a new terminal for the host."""
        (server, *_) = self.host.programs("python") or self.host.programs("quatch")
        kill_server(server)
        await self.host.until("Killed")
        new_terminal(self.host)

    async def ask(self, text: str, expected: str) -> str:
        """Type a command at the console; the screen with the answer."""
        self.host.type(text)
        return await self.host.until(expected)

    async def show_board(self, size: tuple[int, int]) -> None:
        """Put a board on a screen of this size."""
        if size not in self.boards:
            self.boards[size] = self._laptop("x".join(map(str, size)), size)
        self.boards[size].type("clear")
        self.boards[size].type(shlex.join(openssh(self.port, "-t", "127.0.0.1", "board")))
        await self.boards[size].until(r" join: ssh -p")

    def guest(self, name: str) -> Guest:
        """Somebody who has heard of the evening, with a key of their own."""
        laptop = self._laptop(name)
        write_key(self.folder / name / "key", asyncssh.generate_private_key("ssh-ed25519"))
        self.guests[name] = Guest(name, laptop, shlex.join(self.ssh(name)))
        return self.guests[name]

    def ssh(self, name: str, *command: str) -> list[str]:
        """The command line of ssh with somebody's key."""
        return openssh(self.port, "-q", "-i", str(self.folder / name / "key"), f"{name}@127.0.0.1", *command)

    async def answer(self, name: str, *command: str) -> str:
        """What `ssh HOST COMMAND` prints for somebody."""
        pipe = asyncio.subprocess.PIPE
        ssh = await asyncio.create_subprocess_exec(*self.ssh(name, *command), stdin=pipe, stdout=pipe)
        return (await ssh.communicate())[0].decode()

    def keep(self, when: str, *names: str) -> None:
        """Keep pictures of the console, the boards and these guests' screens, for people to look at."""
        folder = self.folder / "captures"
        folder.mkdir(exist_ok=True)
        shown = {"console": self.host, **{f"board {size[0]}x{size[1]}": each for size, each in self.boards.items()}}
        for name, laptop in (shown | {name: self.guests[name].laptop for name in names}).items():
            (folder / f"{when}, {name}.txt").write_text(laptop.show())

    def _laptop(self, name: str, size: tuple[int, int] = (80, 24)) -> Tmux:
        folder = self.folder / name
        folder.mkdir()
        return self._stack.enter_context(terminal(folder, *SHELL, size=size))


@contextmanager
def game_night(folder: Path) -> Iterator[GameNight]:
    """A game night; at its end all terminals are closed, and so is the server."""
    with ExitStack() as stack:
        yield GameNight(folder, stack)
