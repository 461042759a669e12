"""What stands below the list of the best players."""

from unittest.mock import AsyncMock

import pytest
from msgspec.structs import replace

from engine.errors import InputError
from server.commands.registry import ExecContext
from server.history.ratings import SETTLED, RatedApart, Standing
from server.history.top import GUESTS_NOT_LISTED
from server.people.players import Player
from server.rankings import RATED_GAMES, ai_line, standings_note
from tests.support.asking import answer, asking, meant
from tests.support.each import for_each

ANA, BO, HARD = "account:ana", "account:bo", "ai:hard"
FIRST = Standing(ANA, "life", name="ana", games=SETTLED)
LEVEL = Standing(HARD, "life", name="hard AI player", games=SETTLED)


def test_a_player_who_is_not_listed_is_told_why() -> None:
    """Guests, and players who have not finished a rated game."""
    assert standings_note([FIRST], ANA) == []
    assert standings_note([FIRST], None) == [GUESTS_NOT_LISTED]
    assert standings_note([FIRST], BO) == ["You are not among them."]
    assert standings_note([], BO) == []


@pytest.mark.features("daily")
def test_a_player_of_daily_games_alone_reads_where_these_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one who has played others, too."""
    guest = asking("lobby")
    context = ExecContext(guest.lobby, guest.caller, Player(BO, "bo"), guest.scene, guest.place, None)
    (apart,) = context.lobby.features.all(RatedApart)
    daily = replace(FIRST, key=BO, rules=apart.name)
    told = "Your daily games are counted apart: daily top lists the best of the daily deals."
    for own, is_told in (([daily], True), ([daily, replace(FIRST, key=BO)], False)):
        for name, found in (("top", [FIRST]), ("count_some", True), ("of", own)):
            monkeypatch.setattr(context.lobby.standings, name, AsyncMock(return_value=found))
        monkeypatch.setattr(context.lobby.profiles, "name_of", AsyncMock(return_value=None))
        assert (answer(context, "top")[-1] == told) == is_told


def test_ai_players_stand_apart() -> None:
    """In one line, by level."""
    assert ai_line([LEVEL, replace(LEVEL, key=HARD.replace("hard", "master"), mu=40.0)]) == [
        "AI players: hard 1000, master 1375."
    ]
    assert ai_line([]) == []


def test_help_tells_which_games_are_rated() -> None:
    """Below what the command does."""
    line, *rule = answer(asking("lobby"), "help top")
    assert (line, rule[: len(RATED_GAMES)]) == ("top [PERIOD] [RULES]: list the best players.", [*RATED_GAMES])


@for_each("typed", ["leaderboard", "high scores", "ranking", "rankings", "ladder", "best players", "ranks"])
def test_natural_words_lead_to_it(typed: str) -> None:
    """Those of other games."""
    assert meant(typed, asking("lobby")) == "top"


@pytest.mark.features("seasons")
def test_a_period_that_is_none_is_answered_with_those_there_are() -> None:
    """As are rule sets."""
    with pytest.raises(InputError, match="there are tonight, week, month, quatch"):
        answer(asking("lobby"), "top year")


def test_a_player_is_listed_once_under_all_rule_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """At their best one, which is named."""
    context, quatch = asking("lobby"), replace(FIRST, rules="quatch")
    best = [replace(FIRST, mu=40.0), replace(FIRST, key=BO, name="bo", rules="quatch"), LEVEL, quatch]
    for of, name, found in (
        (context.lobby.standings, "top", best),
        (context.lobby.standings, "count_some", True),
        (context.lobby.profiles, "name_of", None),
    ):
        monkeypatch.setattr(of, name, AsyncMock(return_value=found))
    title, *rows, _ = answer(context, "top")
    assert title == "All rule sets, each player's best"
    assert [(row.split()[1], row.rpartition(" at ")[2]) for row in rows] == [("ana", "life"), ("bo", "quatch")]
