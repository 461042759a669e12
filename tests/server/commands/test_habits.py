"""`habits`: games are looked through in the background, and what was seen in enough of them is told."""

import asyncio
import json
from typing import Final

import pytest

from engine.ai.review import Judgement
from engine.legality import legal_moves
from engine.moves import Move, Play
from engine.view import View
from server.ai.pool import AIPool
from server.people.players import Caller, Player
from server.records.habits import KIND, Counted, Habits
from server.session import exec_commands
from tests.support.dailies import Clock, daily_lobby
from tests.support.reviews import log_with_a_game
from tests.support.virtual_time import in_virtual_time

ANA: Final = Caller("ana", "SHA256:ana")


async def always_lower(_: AIPool, view: View, made: Move, *__: object) -> Judgement:
    """Says that the lowest card would have been better, by 10 points."""
    moves = [move for move in legal_moves(view, view.seat or 0) if isinstance(move, Play)]
    is_lowest = not moves or str(made) == str(moves[0])
    return Judgement(0.5) if is_lowest else Judgement(0.5, moves[0], 0.1)


@in_virtual_time
async def test_games_are_counted_once_and_habits_are_told_after_twenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nineteen games are known; the twentieth is looked through when the player asks. A guest has no habits."""
    monkeypatch.setattr(AIPool, "judge", always_lower)
    finishes = [{"key": "SHA256:ana", "name": "ana", "rank": 1}, {"key": "ai:hard", "name": "Fox", "rank": 2}]
    store = await log_with_a_game(json.dumps({"v": 1, "finishes": finishes, "drawn": False, "plies": 40}))
    known = Habits(last=-1.0, counted=19, turns=200, mistakes={"high": Counted(times=9, cost=1.8)})
    async with daily_lobby(Clock(), store) as lobby:
        await lobby.profiles.keep_text(KIND, Player("SHA256:ana", "ana"), known.to_json())
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
