"""A person who looks at a replay, for tests, and what their screen says."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.lobby.lobby import Lobby
from server.records.record_reader import read_record
from server.replay.playback import Playback
from server.replay.view import ReplayView
from tests.support.emulator import TerminalPlayer, open_lobby
from tests.support.features import FEATURES
from tests.support.recorded import GOLDEN

GAME = read_record(GOLDEN.read_text("utf-8"))
"""The game between ana and Fox."""
LENGTH = 43
"""The moves of the game."""


@asynccontextmanager
async def at_a_replay(term: str) -> AsyncIterator[tuple[Lobby, TerminalPlayer]]:
    """A lobby, and a person who has a seat at its only table and looks at a replay."""
    async with open_lobby(features=FEATURES) as lobby:
        ana = TerminalPlayer(lobby, "ana", term=term)
        await ana.type("new seats=3")
        ana.session.player_session.set_side_view(ReplayView(Playback(GAME), ana.session.player_session.front_end))
        yield lobby, ana


def progress(ana: TerminalPlayer) -> str:
    """How far the replay has come, as the screen says it."""
    return ana.shown.split("   move ")[-1].split("  [")[0]


def answer(ana: TerminalPlayer) -> str:
    """The row above the hints."""
    return ana.shown.split("\n")[-3].strip()


def hints(ana: TerminalPlayer) -> str:
    """The row of hints."""
    return ana.shown.split("\n")[-2].strip()
