"""The best of tonight and of the month, and past nights, over ssh."""

import json
import time
from collections.abc import Sequence
from typing import Any

import pytest

from server.commands.games import NightEvent, NightEvents
from server.commands.registry import Context
from server.config import Config
from server.features import Feature, Features
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.seasons import FEATURE
from server.session import exec_commands
from tests.support.accounts import keep_account
from tests.support.asking import Asking
from tests.support.standings import ANA, BO, Played, result


async def _held(_: Context, begins: float, ends: float) -> Sequence[NightEvent]:
    return [NightEvent("a quiz, won by ana", "quiz 7", {"name": "quiz"})] if begins <= time.time() < ends else []


async def test_tonight_lists_the_best_and_names_what_was_held() -> None:
    """In lines and as JSON; others' events are told in their words, and their games are said to count."""
    played = Played()
    await played.finish(result((ANA, 1), (BO, 2)), "quatch", at=time.time())
    rankings, quiz = pytest.importorskip("server.rankings"), Feature("quiz", (NightEvents("quizzes", _held),))
    lobby = Lobby(Config(), played.log, features=Features((FEATURE, rankings.FEATURE, quiz)))
    await lobby.open()
    caller = Caller("ana", "SHA256:ana")
    await keep_account(lobby, caller)

    async def told(command: str) -> Any:  # noqa: ANN401 - it is JSON
        _, (said,) = await exec_commands.answer(f"{command} --json", lobby, caller)
        return json.loads(said)

    (night,) = (await told("nights"))["nights"]
    assert {player["name"]: player["games"] for player in night["players"]} == {"ana": 1, ":bo": 1}
    assert night["quizzes"] == [{"name": "quiz"}]
    for command in ("top tonight", "top week", "top month", "top tonight quatch"):
        top = await told(command)
        assert top["period"] in command
        assert [(each["name"], each["you"]) for each in top["top"]] == [("ana", True), (":bo", False)]
    assert (await told("top tonight life"))["top"] == []
    await lobby.profiles.claim_name(Player(ANA, "anna"))
    assert [(await told(list_))["top"][0]["name"] for list_ in ("top", "top tonight")] == ["anna", "anna"], "at once"
    assert (await told("top today"))["period"] == "tonight"
    _, lines = await exec_commands.answer(f"nights {night['date']}", lobby, caller)
    assert "a quiz, won by ana: quiz 7" in lines
    assert max(map(len, lines)) <= 78
    _, lines = await exec_commands.answer("top tonight", lobby, caller)
    assert "Rated games of two players with keys or more count, also those of quizzes." in lines
    _, lines = await exec_commands.answer("help top", lobby, caller)
    assert lines[-1].startswith("A game gives up to 12 points")
    await lobby.close()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("nights tomorrow", "A night is a date, as in nights 2026-11-22, not 'tomorrow'."),
        ("nights 9999-12-31", "A night is a date, as in nights 2026-11-22, not '9999-12-31'."),
        ("nights 2020-01-01", "No finished game of 2020-01-01 is kept."),
        pytest.param("top tonight chess", "No rule set 'chess'", marks=pytest.mark.features("rankings")),
    ],
)
async def test_bad_words_are_refused_in_one_line(command: str, said: str) -> None:
    """Dates that are none, or that no clock shows, and unknown rules."""
    lobby = Asking().lobby
    await lobby.open()
    _, (line,) = await exec_commands.answer(command, lobby, Caller("ana"))
    assert line.startswith(said)
    await lobby.close()
