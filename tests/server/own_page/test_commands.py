"""`me`: one's own games, ratings and streaks on one page, and the same for programs."""

import json

import pytest
from msgspec.structs import replace

from server.people.players import Caller
from server.records.results import Finish, Result, ai_key
from server.session import exec_commands
from server.storage.database import EMPTY, FinishedGame, LogEntry
from server.typed_json import write_versioned
from tests.support.asking import asking, meant
from tests.support.at_terminals import flat, lobby_at, person, play
from tests.support.clock import Clock
from tests.support.each import for_each

pytestmark = pytest.mark.virtual_time


@pytest.mark.features("daily")
async def test_a_player_reads_what_is_kept_of_them() -> None:
    """Before the first game that there is none; afterwards how often they won, the rating, its change, and the game."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("me")
        assert "No rated game yet: play begins one." in flat(ana)
        await ana.type("", "play seats=2 level=easy", "ready")
        game = ana.session.player_session.game
        await play(ana)
        await ana.type("me")
        assert "ana, with an ssh key." in flat(ana)
        assert "1 game so far, " in flat(ana)
        assert "number 1" not in flat(ana), "one game tells no place"
        assert "won in a row" not in flat(ana), "one game is no row"
        assert f"{game} Quatch: ana won against Fox" in flat(ana)
        assert "not played today" in flat(ana)
        (standing,) = await lobby.standings.of(ana.session.player_session.player.id)
        assert f"rating {standing.rating} ({standing.change:+}" in flat(ana)
        assert standing.change == standing.rating - 1000
        assert "a number, or Enter goes back>" in ana.shown
        assert f"Game {game}" in await ana.type("1"), "the number opens the game"
        assert "type me and the number of one of your games" in (await ana.type("leave", "me 2")).lower()
        assert "Your games:" in await ana.type("leave", "replay")
        _, (line,) = await exec_commands.answer("replay --json", lobby, Caller("ana", "SHA256:ana"))
        assert json.loads(line)["yours"] == [game]


async def test_a_player_who_is_here_has_that_name_also_at_a_shell() -> None:
    """Before the first game no name is kept, and the one of the user at the shell may be another."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana"):
        for command in ("me", "me --json"):
            _, (said, *_) = await exec_commands.answer(command, lobby, Caller("root", "SHA256:ana"))
            assert "ana, with an ssh key." in said or json.loads(said)["you"]["name"] == "ana"


async def test_a_guest_is_told_what_a_key_is_for() -> None:
    """A guest's games are under no name: they are only counted since the guest came."""
    async with lobby_at(Clock()) as lobby, person(lobby, "gus", guest=True) as gus:
        await gus.type("profile")
        assert "gus, a guest. With an ssh key your games and ratings would be kept." in flat(gus)
        _, (line,) = await exec_commands.answer("me --json", lobby, Caller("gus", None))
        told = json.loads(line)
        assert [told[key] for key in ("rules", "streak", "last")] == [{}, 0, []]
        await gus.type("", "play seats=2 level=easy", "ready")
        await play(gus)
        won = int("You won the game." in await gus.type("results"))
        await gus.type("how many games did we win")
        assert f"gus, a guest; since you came 1 game, {won} won." in flat(gus)


@pytest.mark.parametrize(("games", "streak", "wins"), [(1, 0, 0), (3, 2, 2), (4, 0, 3)])
async def test_programs_are_told_in_the_published_form(games: int, streak: int, wins: int) -> None:
    """By rules the rating, its rank, games and wins; how many were won in a row; the latest games with one's place."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        account, fox = ana.session.player_session.player.id, Finish(ai_key("easy"), "Fox", 1)
        lost = Result((fox, Finish(account, "ana", 2), fox), drawn=False, plies=9)
        won = Result((Finish(account, "ana", 1), replace(fox, rank=2)), drawn=False, plies=9)
        for number, result in enumerate([lost, won, won, replace(won, abandoned=True)][:games], 1):
            game = FinishedGame(f"G{number}", "life", number * 86_400.0, write_versioned(result), "", (account,))
            await lobby.store.append(EMPTY, LogEntry(number, 1, b"", 0.0, b""), game)
        _, (line,) = await exec_commands.answer("me --json", lobby, Caller("ana", "SHA256:ana"))
    told = json.loads(line)
    assert (told["v"], told["you"]) == (1, {"name": "ana", "identity": "SHA256:ana"})
    last: list[dict[str, object]] = [
        {"game": "G4", "rules": "life", "place": None, "date": "1970-01-05"},
        {"game": "G3", "rules": "life", "place": 1, "date": "1970-01-04"},
        {"game": "G2", "rules": "life", "place": 1, "date": "1970-01-03"},
        {"game": "G1", "rules": "life", "place": 2, "date": "1970-01-02"},
    ]
    assert [{key: each[key] for key in last[0]} for each in told["last"]] == last[4 - games :]
    assert [each["shared_by"] for each in told["last"]] == [None, 1, 1, 1][4 - games :]
    own = told["rules"]["life"]
    assert (told["streak"], own["games"], own["wins"], own["rank"]) == (streak, games, wins, 1)
    assert isinstance(own["rating"], int)


@for_each("typed", ["profile", "stats", "my stats", "whoami", "who am I?", "my rank", "account"])
def test_natural_words_lead_to_it(typed: str) -> None:
    """Those that ask for oneself."""
    assert meant(typed, asking("lobby")) == "me"
