"""Replays at a person's terminal: what happens at the table meanwhile, `again`, and hanging up."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from server.config import Config
from server.history.replay import Replay
from server.lobby.lobby import Lobby
from server.storage.memory_log import MemoryLog
from tests.support.emulator import TerminalPlayer
from tests.support.recorded import dealt, played
from tests.support.tables import known_seeds
from tests.support.virtual_time import in_virtual_time


@asynccontextmanager
async def at_a_replay(term: str) -> AsyncIterator[tuple[Lobby, TerminalPlayer]]:
    """A lobby, and a person who has a seat at its only table and looks at a replay."""
    lobby = Lobby(Config(pace=0), MemoryLog(), new_seed=known_seeds())
    await lobby.open()
    try:
        ana = TerminalPlayer(lobby, "ana", term=term)
        await ana.type("new seats=3")
        ana.session.player_session.look_at(Replay(played(dealt("quatch", 2))))
        yield lobby, ana
        await ana.go()
    finally:
        await lobby.close()


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@in_virtual_time
async def test_the_log_has_no_hole_after_a_replay(term: str) -> None:
    """What happened at the table while the replay was open is in the log."""
    async with at_a_replay(term) as (lobby, ana):
        bo = TerminalPlayer(lobby, "bo")
        await bo.type("sit 1")
        await ana.type("leave")
        assert "bo sits down." in ana.session.player_session.feed.log
        assert "bo sits down." in ana.shown
        await bo.go()


@in_virtual_time
async def test_again_repeats_the_last_move_of_a_replay_and_the_refusal_at_its_end() -> None:
    """As often as it is typed."""
    async with at_a_replay("dumb") as (_, ana):
        for line, said in [
            ("7", "Move 7 of"),
            ("end", "The game is drawn between ana and Fox"),
            ("next", "That is the end: b goes"),
        ]:
            before = len(ana.transport.writes)
            await ana.type(line)
            told = b"".join(ana.transport.writes[before:]).decode().split("\r\n", 1)[1]
            assert said in told
            for _ in range(2):
                before = len(ana.transport.writes)
                await ana.type("again")
                assert b"".join(ana.transport.writes[before:]).decode().split("\r\n", 1)[1] == told


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@in_virtual_time
async def test_a_connection_that_ends_in_a_replay_ends_the_session(term: str) -> None:
    """It does not only leave the replay, as `quit` does there."""
    async with at_a_replay(term) as (lobby, ana):
        await ana.go()
        assert not lobby.visitors.here
