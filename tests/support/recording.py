"""A newcomer's first session on the full screen, recorded: the same in every run, in a virtual time."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from random import Random
from typing import Final

from engine.ai import LEVELS
from engine.wording.typed_moves import typed_form
from server.config import Config
from server.lobby.lobby import Lobby
from server.storage.sqlite_database import MemoryDatabase
from tests.support.emulated_screen import Emulator
from tests.support.emulator import EmulatorTransport, TerminalPlayer
from tests.support.features import FEATURES

SEED: Final = "5eed" * 16
WALL: Final = 1_800_000_000.0
"""When it was recorded, in seconds since 1970."""
KEY_SECONDS: Final = 0.15
THINKING_SECONDS: Final = 1.5
READING_SECONDS: Final = 3.0
"""How long the player takes for a key, before a move, and to read a new screen."""

LESSON: Final = ("i play the 9", "both 9s", "the king", "pick up", "8")
ARRANGED: Final = ("what should i swap?", "swap the king and the 4", "ready")
QUESTIONS: Final = {3: "what should i do?", 6: "what does the 10 do?"}
"""What the player says in the lesson, before the first card, and at some turns of the game."""


class RecordingTransport(EmulatorTransport):
    """A connection to an emulator that remembers what was sent, and when."""

    def __init__(self, columns: int, rows: int, answer: Callable[[bytes], None]) -> None:
        super().__init__(columns, rows, answer)
        self.written: list[tuple[float, str]] = []

    def write(self, data: bytes) -> None:
        """Show it, and remember it."""
        super().write(data)
        self.written.append((asyncio.get_running_loop().time(), data.decode()))


async def recorded_session(at_turn: Callable[[int, Emulator], None]) -> str:
    """A newcomer's first session, as an asciicast: the lesson's first steps, a game to its result, and another one.

    ``at_turn`` takes the screen each time when it is the player's turn in the game, with the number of the turn.
    """
    async with running_lobby() as lobby:
        ana = TerminalPlayer(lobby, "ana", transport=RecordingTransport)
        await asyncio.sleep(READING_SECONDS)
        for line in ("how do i play?", "", *LESSON, "leave", "play with two computers", *ARRANGED):
            await type_slowly(ana, line)
            await asyncio.sleep(READING_SECONDS)
        chance, turns = Random(3), count(1)
        while (view := ana.session.player_session.view) is not None and view.phase != "over":
            if view.to_move == view.seat:
                await asyncio.sleep(THINKING_SECONDS)
                turn = next(turns)
                at_turn(turn, ana.transport.screen)
                if turn in QUESTIONS:
                    await type_slowly(ana, QUESTIONS[turn])
                    await asyncio.sleep(READING_SECONDS)
                await type_slowly(ana, typed_form(LEVELS["hard"](view, chance)))
            await asyncio.sleep(KEY_SECONDS)
        await asyncio.sleep(2 * READING_SECONDS)
        for line in ("gg", "", "bye", "bye"):
            await type_slowly(ana, line)
            await asyncio.sleep(READING_SECONDS)
        await ana.go()
    assert isinstance(ana.transport, RecordingTransport)
    head = {"version": 2, "width": 80, "height": 24, "timestamp": int(WALL), "title": "A first session of Quatch"}
    lines = [
        head | {"env": {"TERM": "xterm-256color"}},
        *([round(at, 3), "o", text] for at, text in ana.transport.written),
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


@asynccontextmanager
async def running_lobby() -> AsyncIterator[Lobby]:
    """A lobby where every deal is the same."""
    lobby = Lobby(Config(grace=0), MemoryDatabase(), new_seed=lambda: SEED, wall=lambda: WALL, features=FEATURES)
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()


async def type_slowly(player: TerminalPlayer, line: str) -> None:
    """Type a line at the pace of a person."""
    for key in f"{line}\r":
        player.terminal.feed(key.encode())
        await asyncio.sleep(KEY_SECONDS)
