"""Tournaments count for the night, and are named there."""

import json
from typing import Any

import pytest

from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session import exec_commands
from server.tournament import events
from server.tournament.service import tournaments_of
from tests.server.tournament.evenings import Contestant, is_over, opened, tournament_lobby, until

pytestmark = pytest.mark.virtual_time


async def asked(lobby: Lobby, command: str) -> Any:  # noqa: ANN401 - it is JSON
    """The answer to `ssh HOST COMMAND --json`."""
    _, (said,) = await exec_commands.answer(f"{command} --json", lobby, Caller("p1", "SHA256:p1"))
    return json.loads(said)


async def test_a_tournament_counts_for_the_night() -> None:
    """Its games are ordinary results, and its winner is named."""
    async with tournament_lobby() as lobby:
        assert (await asked(lobby, "nights"))["nights"] == []
        its = await tournaments_of(lobby).open_tournament(opened(lobby, rounds=1))
        people = [Contestant(lobby, f"p{number}") for number in range(3)]
        for each in people:
            await each.come()
            player = each.session.player
            await its.write(events.Entered(at=tournaments_of(lobby).now(), by=player.id, player=player))
        await its.write(events.Started(at=tournaments_of(lobby).now(), by="SHA256:p0"))
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
        _, lines = await exec_commands.answer("top tonight", lobby, Caller("p1", "SHA256:p1"))
        assert "Rated games of two players with keys or more count, also those of tournaments." in lines
