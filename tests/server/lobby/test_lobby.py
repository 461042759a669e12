"""Tables as players use them: their words, settings and hosts, how they are left, and what survives a restart."""

import asyncio
import re
from pathlib import Path

import asyncssh
import pytest

from engine.errors import InputError
from server.config import Config
from server.language.table_settings import read_table_settings
from server.rulebook import Rulebook
from server.storage.sqlite_database import MemoryDatabase
from tests.support.each import for_each
from tests.support.opening import opened, seated_together
from tests.support.people import RunningServer, running_server
from tests.support.playing_on_screen import play_on_screen

pytestmark = pytest.mark.waiting_takes_no_time


async def test_a_private_table_opens_to_its_word(open_server: RunningServer) -> None:
    """Without the word a player can neither sit nor watch. The lobby shows the table, but not its word."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana, "seats=2 key=apple")
        await bo.until("needs a word")
        assert "apple" not in bo.text
        missing, wrong = "Table 1 is private: type its word, too, as in sit 1 WORD", "is not the word of table 1"
        for attempt, says in (("sit 1", missing), ("sit 1 pear", f"'pear' {wrong}"), ("watch 1 apples", wrong)):
            await bo.enter(attempt, says)
            await bo.enter("who", "here: ")
        shown = await bo.enter("sit 1 apple", "seat 2   bo  (you)")
        assert "Private: others type sit 1 apple" in shown
        assert "With two people or more a turn has 60 seconds." in shown


async def test_an_open_table_accepts_any_word(open_server: RunningServer) -> None:
    """A player who types the word sits down there too."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        assert "seat 2   bo  (you)" in await seated_together(ana, bo, word="apple")


async def test_a_player_whose_table_gives_way_reads_why(open_server: RunningServer) -> None:
    """On the screen of the lobby, where no other line tells it."""
    async with open_server.person("ana") as ana:
        await opened(ana)
        await open_server.app.lobby.tables.here[1].give_way()
        await ana.until("All tables are in use, so table 1 sleeps now: come back with sit 1.")
        await ana.enter("sit 1", "seat 1   ana  (you)")


async def test_a_refused_player_sees_the_lobby_as_before(open_server: RunningServer) -> None:
    """Its tables, its players and its talk."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana, "seats=2 key=apple")
        await bo.enter("/is anybody there", "bo: is anybody there")
        shown = await bo.enter("sit 1 pear", "is not the word of table 1")
        assert "2 here, 1 table" in shown
        assert "bo: is anybody there" in shown


async def test_a_new_table_has_the_settings_of_its_command(open_server: RunningServer) -> None:
    """Rule set, seats, clock and changed rules. The rules sheet says what is different."""
    async with open_server.person("ana", size=(100, 40)) as ana, open_server.person("bo") as bo:
        await opened(ana, "life seats=2 clock=20 four.scope=off")
        await ana.until("changed")
        await ana.enter("rules", "Lines with * differ from Life")
        ana.type("")
        bo.type("sit 1")
        await ana.until("bo sits down.")
        await ana.enter("start", lambda person: re.search(r"0:(40|3\d)", person.shown) is not None)


@for_each(
    ("table_settings", "told"),
    [
        ("four.scop=off", "did you mean four.scope"),
        ("four.scope=never", "four.scope"),
        ("deck=2", "there are seats, level, clock, word, hints, those that rules keys lists"),
        ("life deal.up=3 arrange.lay=0", "arrange.lay: must be 1 or more"),
        ("clock=2", "5 to 3600 seconds"),
        ("clock=soon", "5 to 3600 seconds"),
        ("seats=1", "not 1"),
        ("level=god", "No level 'god'"),
        ("poker", "No rule set"),
        ("life 9", "seats, not 9"),
        ("life tricks 7", "No rule set 'tricks'"),
        ("deck.copies.2=9", "deck.copies"),
    ],
)
def test_impossible_settings_are_refused_in_one_line(table_settings: str, told: str) -> None:
    """The line says what is wrong and what would be right."""
    with pytest.raises(InputError) as caught:
        read_table_settings(table_settings, Rulebook(), Config())
    assert told in caught.value.sentence
    assert "\n" not in caught.value.sentence


async def test_an_ai_player_sits_down_with_its_level_and_style(open_server: RunningServer) -> None:
    """An unknown style, or a style whose names are all taken, is refused in one line."""
    async with open_server.person("ana") as ana:
        await opened(ana, "seats=4")
        await ana.enter("add extreme miser", "Owl (extreme) sits down: keeps the good cards for later.")
        await ana.enter("add miser", "Sol (easy) sits down: keeps the good cards for later.")
        await ana.enter("add miser", "Every miser sits here already")
        await ana.enter("add hard tyrant", "No level or style 'tyrant': there are easy,")
        await ana.enter("help add", "arsonist     burns whatever will burn")


async def test_a_table_without_hints_says_so_and_refuses_them(tmp_path: Path) -> None:
    """The lobby and the screen say so. `hint` and `odds` are refused until the game is over."""
    async with running_server(tmp_path) as here, here.person("ana") as ana, here.person("bo", term=None) as bo:
        await ana.enter("play quatch seats=2 hints=off", "YOUR TURN")
        assert "no hints" in ana.shown.split("\n")[0]
        assert "h hint" not in ana.shown
        await bo.enter("tables", "no hints")
        for asked in ("hint", "odds"):
            await ana.enter(asked, "This table plays without hints and odds")
            await ana.enter("why 7", lambda person: "without hints" not in person.shown)
        await play_on_screen(ana)
        await ana.enter("hint", "The game is over")
        await bo.enter("new hints=maybe", "Type hints=on or hints=off, not 'maybe'.")


async def test_when_the_host_leaves_the_next_person_is_host(open_server: RunningServer) -> None:
    """A table has a host while a person sits there."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await seated_together(ana, bo)
        ana.type("leave")
        await bo.until("bo  (you)  host")
        await bo.enter("add", "Fox")


async def test_spectators_are_heard_by_spectators_alone(open_server: RunningServer) -> None:
    """While a game is played. Players are heard by all, and between games spectators are too."""
    async with open_server.person("ana") as ana, open_server.person("fan") as fan, open_server.person("eve") as eve:
        await opened(ana)
        for watcher in (fan, eve):
            await watcher.enter("watch 1", "seat 1   ana")
        fan.type("/before the game")
        await ana.until("fan: before the game")
        ana.type("start")
        await fan.until("You are watching.")
        fan.type("/two aces")
        await eve.until("fan: (watching) two aces")
        await fan.until("Only others who watch read this: players hear you after the game.")
        await fan.enter("tell ana two aces", "Players hear you after the game: say reaches others who watch.")
        await fan.enter("tell eve two kings", "fan: (to eve) two kings")
        ana.type("/hush")
        await fan.until("ana: hush")
        assert "two aces" not in ana.text


async def test_a_private_message_reaches_only_its_player(open_server: RunningServer) -> None:
    """Wherever that player is, unless they ignore the sender."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo, open_server.person("eve") as eve:
        await opened(ana)
        bo.type("tell ana shall we?")
        await ana.until("bo: (to you) shall we?")
        await bo.until("bo: (to ana) shall we?")
        assert "shall we" not in eve.text
        await bo.enter("tell zoe hi", "No player here is called 'zoe'")
        await ana.enter("add", "Fox")
        await ana.enter("tell fox to hurry", "Fox is an AI player and reads nothing; set pace says how fast they play.")
        await ana.enter("ignore bo", "You hear no more from bo;")
        await bo.enter("tell ana hello again", "bo: (to ana) hello again")
        eve.type("tell ana and me?")
        await ana.until("eve: (to you) and me?")
        assert "hello again" not in ana.text


async def test_a_returning_player_is_told_what_they_missed(open_server: RunningServer) -> None:
    """How many moves were made, and which of them for the player; the log is complete again."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person("bo", size=(200, 60)) as bo:
        async with open_server.person("ana", key=key) as ana:
            await seated_together(ana, bo)
            await ana.enter("start", "YOUR TURN")
        await bo.enter("ready", "order:")
        async with open_server.person("ana", key=key, size=(200, 60)) as ana:
            await ana.until("While you were away:")
            await ana.until("bo is ready.")


async def test_a_player_whose_clock_ran_out_takes_the_seat_back_by_typing(tmp_path: Path) -> None:
    """The player is told how to go on."""
    async with running_server(tmp_path, clock=5) as quick, quick.person("ana") as ana, quick.person("bo") as bo:
        await seated_together(ana, bo, "seats=2 clock=5")
        await ana.enter("start", "YOUR TURN")
        ana.type("ready")
        bo.type("ready")
        slow = ana
        await asyncio.wait(
            [asyncio.create_task(person.until("An AI player plays for you")) for person in (ana, bo)],
            return_when=asyncio.FIRST_COMPLETED,
        )
        slow = ana if "plays for you" in ana.shown else bo
        await slow.enter("back", "You are back. While you were away:")


async def test_tables_survive_a_restart(tmp_path: Path) -> None:
    """A new server on the same log has every seat, every card and every line in the lobby."""
    key, store = asyncssh.generate_private_key("ssh-ed25519"), MemoryDatabase()
    async with running_server(tmp_path, store) as first, first.person("ana", key=key) as ana:
        ana.type("play quatch seats=3")
        ana_saw = own_cards(await ana.until("YOUR TURN"))
    async with running_server(tmp_path, store) as second:
        async with second.person("bo") as bo:
            await bo.until("No table is open")
        async with second.person("ana", key=key) as ana:
            assert own_cards(await ana.until("YOUR TURN")) == ana_saw


def own_cards(screen: str) -> list[str]:
    """The lines with a player's own cards."""
    return [line for line in screen.split("\n") if line.startswith(("   YOU", "   hand"))]
