"""`habits`: games are looked through in the background, and what was seen in enough of them is told."""

import asyncio
import json
from typing import Final

import pytest

from engine.ai.judging import Judgement
from engine.legality import legal_moves
from engine.moves import Move, Play
from engine.view import View
from server.ai.pool import AIPool
from server.people.players import Caller, Player
from server.review import HABITS
from server.review.habits import Counted, Habits, HabitSearch
from server.session import exec_commands
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from server.typed_json import read_or_new, write_versioned
from tests.server.review.reviews import log_with_a_game
from tests.support.accounts import keep_account
from tests.support.at_terminals import lobby_at
from tests.support.clock import Clock

pytestmark = pytest.mark.virtual_time
ANA: Final = Caller("ana", "SHA256:ana")
PLAYER: Final = Player("account:ana", "ana")
KNOWN: Final = Habits(last=-1.0, counted=19, turns=200, mistakes={"high": Counted(times=9, cost=1.8)})
FINISHES: Final = [{"key": "account:ana", "name": "ana", "rank": 1}, {"key": "ai:hard", "name": "Fox", "rank": 2}]
RESULT: Final = json.dumps({"v": 1, "finishes": FINISHES, "drawn": False, "plies": 40})


async def always_lower(_: AIPool, view: View, made: Move, *__: object) -> Judgement:
    """Says that the lowest card would have been better, by 10 points."""
    moves = [move for move in legal_moves(view, view.seat or 0) if isinstance(move, Play)]
    is_lowest = not moves or str(made) == str(moves[0])
    return Judgement(0.5) if is_lowest else Judgement(0.5, moves[0], 0.1)


async def test_games_are_counted_once_and_habits_are_told_after_twenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nineteen games are known; the twentieth is looked through when the player asks. A guest has no habits."""
    monkeypatch.setattr(AIPool, "judge", always_lower)
    async with lobby_at(Clock(), await log_with_a_game(RESULT)) as lobby:
        await keep_account(lobby, ANA)
        await lobby.profiles.keep_text(HABITS, PLAYER, write_versioned(KNOWN))
        status, lines = await exec_commands.answer("habits", lobby, ANA)
        assert (status, lines[0]) == (0, "Habits show after 20 games. Looked through so far: 19.")
        await asyncio.sleep(1)
        _, lines = await exec_commands.answer("habits", lobby, ANA)
        assert lines[0].startswith("Seen in 2")
        assert lines[1].startswith("You play too high a card: ")
        _, (said,) = await exec_commands.answer("habits --json", lobby, ANA)
        found = json.loads(said)
        assert (found["games"], found["waiting"]) == (20, 0)
        assert found["turns"] > 200
        assert found["habits"][0]["mistake"] == "high"
        status, (said,) = await exec_commands.answer("habits", lobby, Caller("bo"))
        assert (status, "ssh key" in said) == (2, True)


async def test_habits_that_cannot_be_read_are_not_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player is told so, also if the log goes away while a game is looked through; all is there later."""
    monkeypatch.setattr(AIPool, "judge", always_lower)
    text_of, reads = MemoryDatabase.text, iter([True, False, False])

    async def comes_and_goes(log: MemoryDatabase, kind: str, key: str) -> str | None:
        if kind == HABITS and not next(reads):
            raise NotSaved("the database is away")
        return await text_of(log, kind, key)

    async with lobby_at(Clock(), await log_with_a_game(RESULT)) as lobby:
        await keep_account(lobby, ANA)
        await lobby.profiles.keep_text(HABITS, PLAYER, write_versioned(KNOWN))
        with monkeypatch.context() as away:
            away.setattr(MemoryDatabase, "text", comes_and_goes)
            await lobby.service(HabitSearch).of(PLAYER)
            await asyncio.sleep(1)
            _, (line,) = await exec_commands.answer("habits", lobby, ANA)
            assert "cannot be read now" in line
        assert read_or_new(await lobby.store.text(HABITS, "account:ana"), Habits) == KNOWN


async def test_habits_of_a_newer_version_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player is told so, and no game is looked through."""
    monkeypatch.setattr(AIPool, "judge", always_lower)
    async with lobby_at(Clock(), await log_with_a_game(RESULT)) as lobby:
        for newer in ('{"v": 2, "last": 0}', '{"v": 1, "last": "Friday"}'):
            await keep_account(lobby, ANA)
            await lobby.profiles.keep_text(HABITS, PLAYER, newer)
            status, (line,) = await exec_commands.answer("habits", lobby, ANA)
            assert (status, "habits stay as they are" in line) == (2, True)
            await asyncio.sleep(1)
            assert await lobby.store.text(HABITS, "account:ana") == newer


async def test_two_processes_count_a_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both look through it if the player asks at both."""
    monkeypatch.setattr(AIPool, "judge", always_lower)
    async with lobby_at(Clock(), await log_with_a_game(RESULT)) as lobby:
        await keep_account(lobby, ANA)
        await lobby.profiles.keep_text(HABITS, PLAYER, write_versioned(KNOWN))
        other = HabitSearch(lobby)
        await other.of(PLAYER)
        await lobby.service(HabitSearch).of(PLAYER)
        await asyncio.sleep(1)
        found, waiting = await lobby.service(HabitSearch).of(PLAYER)
        await other.close()
        assert (found.counted, waiting) == (20, 0)


async def test_a_game_that_cannot_be_read_does_not_stop_the_others() -> None:
    """It is passed over, as it would fail again each time: one of a newer version."""
    async with lobby_at(Clock(), await log_with_a_game(RESULT, "Quatch record 9")) as lobby:
        await lobby.service(HabitSearch).of(PLAYER)
        await asyncio.sleep(1)
        found, waiting = await lobby.service(HabitSearch).of(PLAYER)
        assert (found.turns, waiting) == (0, 0)
