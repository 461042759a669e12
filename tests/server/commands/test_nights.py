"""The best of tonight and of the month, and past nights, over ssh."""

import json
from typing import Any

import pytest

from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session import exec_commands
from server.tournament import events
from tests.support.asking import Asking
from tests.support.tournaments import Contestant, is_over, opened, tournament_lobby, until
from tests.support.virtual_time import in_virtual_time


async def asked(lobby: Lobby, command: str) -> Any:  # noqa: ANN401 - it is JSON
    """The answer to `ssh HOST COMMAND --json`."""
    _, (said,) = await exec_commands.answer(f"{command} --json", lobby, Caller("p1", "SHA256:p1"))
    return json.loads(said)


@in_virtual_time
async def test_a_tournament_counts_for_the_night() -> None:
    """Its games are ordinary results, and its winner is named."""
    async with tournament_lobby() as lobby:
        assert (await asked(lobby, "nights"))["nights"] == []
        its = await lobby.tournaments.open_tournament(opened(lobby, rounds=1))
        people = [Contestant(lobby, f"p{number}") for number in range(3)]
        for each in people:
            await each.come()
            player = each.session.player
            await its.write(events.Entered(at=lobby.tournaments.now(), by=player.id, player=player))
        await its.write(events.Started(at=lobby.tournaments.now(), by="SHA256:p0"))
        await until(lambda: is_over(its))
        await lobby.standings.count_all()
        for each in people:
            await each.go()
        winner = its.state.standings[0]
        (night,) = (await asked(lobby, "nights"))["nights"]
        assert {player["name"]: player["games"] for player in night["players"]} == {"p0": 1, "p1": 1, "p2": 1}
        names = [each.player.removeprefix("SHA256:") for each in its.state.standings if each.place == 1]
        assert night["tournaments"] == [{"name": "friday", "format": "swiss", "winners": names}]
        for command in ("top tonight", "top month", "top tonight quatch"):
            top = await asked(lobby, command)
            assert top["period"] in command
            assert [each["games"] for each in top["top"]] == [1, 1, 1]
            assert top["top"][0]["name"] == winner.player.removeprefix("SHA256:")
            assert [each["name"] for each in top["top"] if each["you"]] == ["p1"]
        assert (await asked(lobby, "top tonight life"))["top"] == []
        _, lines = await exec_commands.answer(f"nights {night['date']}", lobby, Caller("p1", "SHA256:p1"))
        assert f"friday, swiss of 3 players: won by {' and '.join(names)}: tournament results friday" in lines
        assert max(map(len, lines)) <= 78


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("nights tomorrow", "A night is a date, as in nights 2026-11-22, not 'tomorrow'."),
        ("nights 9999-12-31", "A night is a date, as in nights 2026-11-22, not '9999-12-31'."),
        ("nights 2020-01-01", "No finished game of 2020-01-01 is kept."),
        ("top tonight chess", "No rule set 'chess'"),
    ],
)
async def test_bad_words_are_refused_in_one_line(command: str, said: str) -> None:
    """Dates that are none, or that no clock shows, and unknown rules."""
    lobby = Asking().lobby
    await lobby.open()
    _, (line,) = await exec_commands.answer(command, lobby, Caller("ana"))
    assert line.startswith(said)
    await lobby.close()
