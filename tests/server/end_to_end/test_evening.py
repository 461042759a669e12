"""A game night from its first guest to its last page, as it is played: through the real ssh, at real terminals."""

import asyncio
import json
import os
import re
import shlex
import signal
import socket
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

import asyncssh
import pytest

from server.records.record import Record, positions
from server.records.record_reader import read_record
from server.storage.sqlite_file import FILE_NAME
from tests.soak import SOAKING, Figure
from tests.support.hosted import kill_server
from tests.support.people import openssh
from tests.support.playing_on_screen import what_to_type
from tests.support.ssh_keys import write_key
from tests.support.tmux import Tmux, terminal

ROOT: Final = Path(__file__).parents[3]
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
            screen = self.laptop.show()
            if "YOUR TURN" not in screen:
                continue
            status = screen.partition("\n")[0]  # has the number of the move
            is_stuck = status == seen and time.monotonic() > typed_at + STUCK_SECONDS
            if (status == seen and not is_stuck) or screen != self.laptop.show():
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
        await self.boards[size].until(r" join: .*ssh -p")

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


BOARDS: Final = ((200, 60), (80, 24))
ON_TIME: Final = ("ana", "bo", "cy", "dee", "eli", "fay", "gus")
LATE: Final = "hal"
KILLED: Final = "cy"
SPREAD: Final = {4: (12, 8, 4, 0), 3: (12, 6, 0)}
CREDIT: Final = 4
"""What the late player gets for the first round."""


async def _all_come_in(night: GameNight) -> None:
    await asyncio.gather(*(guest.come_in() for guest in night.guests.values()))


async def _until_moves(night: GameNight, name: str, moves: int) -> None:
    """Wait until somebody has made so many more moves."""
    before = night.guests[name].moves
    async with asyncio.timeout(PATIENCE):
        while night.guests[name].moves < before + moves:
            await asyncio.sleep(0.1)


async def _first_round(night: GameNight) -> None:
    """Seven play, one comes late, and one loses the connection and comes back to the same seat."""
    await night.ask("tournament new Friday format=swiss rounds=3 clock=30", "Others type: tournament join")
    night.host.run("send-keys", "Enter")
    for size in BOARDS:
        await night.show_board(size)
        await night.boards[size].until("tournament join Friday")
    for name in ON_TIME:
        night.guest(name)
    await _all_come_in(night)
    await night.guests["ana"].laptop.until("Friday, a swiss: type tournament join")
    for name in ON_TIME:
        night.guests[name].laptop.type("tournament join")
    await night.host.until("Friday: swiss, Quatch, 7 players")
    await night.boards[80, 24].until("7 players entered")
    night.keep("1 all have entered", "ana")
    await night.ask("tournament start Friday", "Friday begins")
    await night.guests["ana"].laptop.until("dealt in", PATIENCE)
    night.keep("2 the call", "ana")
    for name in ON_TIME:
        night.guests[name].play()
    await _until_moves(night, KILLED, 4)
    night.guest(LATE)
    await night.guests[LATE].come_in()
    night.guests[LATE].laptop.type("tournament join")
    await night.guests[LATE].laptop.until("the next round comes after 2 more games")
    night.keep("3 one is late", LATE)
    night.guests[LATE].play()
    await night.guests[KILLED].lose_connection()
    await night.host.until(f"went  name={KILLED}")
    await night.guests[KILLED].come_in()
    await night.guests[KILLED].laptop.until("You are back|YOU ")
    night.keep("4 back again", KILLED)
    night.guests[KILLED].play()


async def _second_round(night: GameNight) -> None:
    """The server is killed in the middle; people come in again, and each sits at the same table as before."""
    board = night.boards[80, 24]
    await board.until("standings after round 1", PATIENCE)
    await board.until("round 2 is called in")
    night.keep("5 between the rounds", "ana", LATE)
    await night.guests[LATE].laptop.until("Friday, round 2 .*dealt in", PATIENCE)
    night.keep("6 the second call", LATE)
    await _until_moves(night, LATE, 3)
    for guest in night.guests.values():
        guest.rest()
    before = {name: guest.laptop.show() for name, guest in night.guests.items()}
    await night.kill()
    await night.guests["ana"].laptop.until("closed")
    await night.serve()
    await night.host.until("Friday: swiss, Quatch, 8 players; round 2 of 3")
    await _all_come_in(night)
    for size in BOARDS:
        await night.show_board(size)
    night.keep("7 after the kill", "ana", LATE)
    for name, guest in night.guests.items():
        assert guest.laptop.show()[:26] == before[name][:26], "the round"
        guest.play()


async def _third_round(night: GameNight) -> None:
    await night.guests["ana"].laptop.until("Friday, round 3 ", PATIENCE)
    await _until_moves(night, "ana", 3)
    night.keep("8 the third round", "ana")
    await night.boards[80, 24].until("Friday   it is over", PATIENCE)
    await night.boards[80, 24].until("Friday: final standings")
    night.guests["ana"].laptop.type("tournament")
    await night.guests["ana"].laptop.until("Friday is over: .* won")
    night.keep("9 the end", "ana")


def _records(night: GameNight) -> list[Record]:
    with closing(sqlite3.connect(f"file:{night.folder}/data/{FILE_NAME}?mode=ro", uri=True)) as database:
        return [read_record(text) for (text,) in database.execute("SELECT record FROM game ORDER BY number")]


def _summed(records: list[Record]) -> tuple[Counter[str], dict[str, float], Counter[str]]:
    """The points in the tournament, the scores of the night, and the games, by name: by the cards alone."""
    points, shared, games = Counter[str]({LATE: CREDIT}), Counter[str](), Counter[str]()
    for record in records:
        *_, (end, _) = positions(record)
        (winner,), spread = end.places, SPREAD[len(record.players)]
        by_cards = sorted(range(len(record.players)), key=end.cards_of)
        assert by_cards[0] == winner
        for seat, player in enumerate(record.players):
            ahead, equal = (
                sum(end.cards_of(other) < end.cards_of(seat) for other in by_cards),
                sum(end.cards_of(other) == end.cards_of(seat) for other in by_cards),
            )
            points[player.name] += sum(spread[ahead : ahead + equal]) // equal
            shared[player.name] += spread[0] if seat == winner else sum(spread[1:]) // (len(spread) - 1)
            games[player.name] += 1
    return points, {name: round((shared[name] + 36) / (games[name] + 6), 1) for name in games}, games


def _moves_of_people(records: list[Record]) -> tuple[int, int]:
    """How many moves the people made themselves, and how many there were."""
    own = sum(len(record.own_plies(seat)) for record in records for seat in range(len(record.players)))
    return own, sum(len(record.moves) for record in records)


@pytest.mark.skipif(not SOAKING, reason="slow: an evening")
@pytest.mark.timeout(1800)
@pytest.mark.needs("ssh", "tmux", "bash")
@pytest.mark.features(
    "tournament", "board", "console", "daily", "replay", "rankings", "keeper", "lan", "returning_guests"
)
async def test_an_evening(tmp_path: Path, figure: Figure) -> None:
    """A swiss of three rounds by eight people, one of whom is late, with a lost connection and a killed server.

    What everybody sees during it is kept in the folder `captures` of the test.
    """
    began = time.monotonic()
    with game_night(tmp_path) as night:
        await night.serve()
        await _first_round(night)
        await _second_round(night)
        await _third_round(night)
        records = _records(night)
        points, scores, games = _summed(records)

        async def told(*command: str) -> dict[str, Any]:
            return dict(json.loads(await night.answer("ana", *command, "--json")))

        results = await told("tournament", "results", "Friday")
        assert {row["name"]: row["points"] for row in results["tournament"]["standings"]} == points
        assert {game["game"] for game in results["games"]} == {record.id for record in records}
        assert {row["name"]: row["score"] for row in (await told("top", "tonight"))["top"]} == scores
        (tonight,) = (await told("nights"))["nights"]
        assert {person["name"]: person["games"] for person in tonight["players"]} == games
        best = [name for name in points if points[name] == max(points.values())]
        assert set(tonight["tournaments"][0]["winners"]) <= set(best)
        (night.folder / "captures" / "final page.txt").write_text(
            await night.answer("ana", "tournament", "results", "Friday")
        )
        typed = sum(guest.moves for guest in night.guests.values())
    own, moves = _moves_of_people(records)
    assert len(records) == 6
    assert {player.kind for record in records for player in record.players} == {"person"}
    assert own >= 0.9 * moves, "people play, and not those who play for them"
    figure(
        f"{len(night.guests)} people, {len(records)} games, {own} of {moves} moves made by the people themselves,"
        f" {typed} typed, {time.monotonic() - began:.0f} s; captures in {tmp_path}/captures"
    )
