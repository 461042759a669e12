"""`ssh HOST COMMAND`: one command, which is answered. What every command answers is in `commands.test_registry`."""

import json

import pytest

from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session import exec_commands
from server.storage.memory_database import MemoryDatabase
from tests.support.asking import OP


@pytest.mark.parametrize("typed", ["who bo", "version 2", "tables xyz", "tables all 3"])
async def test_words_that_mean_nothing_are_refused(typed: str) -> None:
    """A script would take the answer for that to its question."""
    status, lines = await exec_commands.answer(typed, Lobby(Config(), MemoryDatabase()), Caller("ana", OP))
    assert (status, len(lines)) == (2, 1)
    assert "nothing after it" in lines[0] or "tables all" in lines[0]


async def test_a_program_is_told_who_it_is_also_if_it_is_refused() -> None:
    """By a command that fails, by one that there is not, and by those of ops."""
    for typed in ("replay NOSUCH --json", "nonsense --json", "admin people --json"):
        status, (line,) = await exec_commands.answer(typed, Lobby(Config(), MemoryDatabase()), Caller("ana", OP))
        told = json.loads(line)
        assert (status, told["v"], told["you"]) == (2, 1, {"name": "ana", "identity": OP})
        assert {*told["error"]} == {"code", "message"}
