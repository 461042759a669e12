"""What a tournament leaves behind: its page, and a line of the night."""

from math import inf
from typing import Any

import pytest

from engine.ai.verdict import Depth
from server.commands.registry import ExecContext
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.pieces import at_once
from server.records.record_reader import parse_record
from server.records.results import read_result
from server.render.scene import Scene
from server.session import exec_commands
from server.tournament import events, game_of_the_night
from server.tournament.answers import held_in_night
from server.tournament.service import tournaments_of
from server.tournament.text import standings_lines
from tests.server.tournament.evenings import contestants, enter, evening, is_over, opened, tournament_lobby, until
from tests.support.at_terminals import asked

pytestmark = pytest.mark.virtual_time


async def page(lobby: Lobby) -> list[str]:
    """The page of the only tournament."""
    status, lines = await exec_commands.answer("tournament results friday", lobby, Caller("p1", "SHA256:p1"))
    assert status == 0
    return [*lines]


async def test_a_tournament_leaves_a_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standings, honours with the game of the night, all games, and who met whom; programs read the same.

    The night names who has won.
    """
    monkeypatch.setattr(game_of_the_night, "DEPTH", Depth(simulations=10))
    async with tournament_lobby() as lobby:
        its = await tournaments_of(lobby).open_tournament(opened(lobby, rounds=1))
        people = await contestants(lobby, 3)
        await enter(its, lobby, *people)
        before = await page(lobby)
        assert "Games" not in before
        await its.write(events.Called(at=tournaments_of(lobby).now(), by="account:p0", round=1))
        await until(lambda: is_over(its))
        lines = await page(lobby)
        value = await asked(lobby, "tournament results friday")
        await lobby.standings.count_all()
        context = ExecContext(lobby, Caller("p1"), Player("guest", "p1"), Scene("p1"))
        (night,) = await held_in_night(context, 0.0, inf)
        (game,), best = value["games"], value["game_of_the_night"]
        finished = await lobby.store.game(game["game"])
        assert finished is not None
        record = at_once(parse_record(finished.record)).record
        assert [player.name for player in record.players] == [seat["name"] for seat in game["seats"]]
        winner = min(game["seats"], key=lambda seat: seat["rank"])["name"]
        assert (best["game"], best["winner"]) == (record.id, winner)
        assert record.players[record.moves[best["move"] - 1].seat].name == winner
        assert 0 <= best["chance"] <= 1
        assert night.value == {"name": "friday", "format": "swiss", "winners": [winner]}
        assert night.line == f"friday, swiss of 3 players: won by {winner}"
        assert night.way == "tournament results friday"
        keys = {each.key for each in read_result(finished.result).finishes}
        assert keys == {f"account:p{number}" for number in range(3)}, "it is a result as others are"
        text = "\n".join(lines)
        assert f"Game of the night: {winner} beat " in text
        assert value["met"]["p0"] == {"p1": 1, "p2": 1}
        for line in ("  p1 met 2 of 2: p0, p2", f"  1. {winner}"):
            assert line in text
        assert [row["place"] for row in value["tournament"]["standings"]] == [seat["rank"] for seat in by_rank(game)]
        assert "Most people met" not in text
        assert max(map(len, lines)) <= 78
        ranks = tuple(4 - seat["rank"] for seat in game["seats"])
        await its.write(events.Fixed(at=tournaments_of(lobby).now(), by="account:p0", round=1, board=0, ranks=ranks))
        text = "\n".join(await page(lobby))
        assert "points, corrected" in text
        assert "Game of the night" not in text  # its winner did not win by the cards


def by_rank(game: dict[str, Any]) -> list[dict[str, Any]]:
    """The seats of a game, best first."""
    return sorted(game["seats"], key=lambda seat: seat["rank"])


async def test_an_open_night_of_few_rounds_shows_scores() -> None:
    """Those with the most games first, then by the score, with how many games there are of those that it takes."""
    async with evening(3, format="open", rounds=0, start="now") as (_, its, __):
        await until(lambda: bool(its.state.results))
        lines = standings_lines(its.state)
        assert [line.partition("p")[2][1:].split(maxsplit=1)[0] for line in lines] == ["6.9,", "6.0,", "5.1,"]
        assert all(line.endswith(", 1 of 5 games") for line in lines)
