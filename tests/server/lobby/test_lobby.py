"""The lobby and its tables in use: private tables, hosts, cuts, talk, names, and returning players."""

import asyncio
import re
from pathlib import Path

import asyncssh
import pytest

from server.records.fairness import seal_of
from server.storage.memory_log import MemoryLog
from tests.support.people import Person, RunningServer, play_on_screen, running_server


async def opened(person: Person, table_settings: str = "seats=2") -> None:
    """Let a player open a table."""
    await person.until("lobby>")
    person.type(f"new {table_settings}")
    await person.until("Your table.")


async def test_a_private_table_opens_to_its_word(open_server: RunningServer) -> None:
    """Without the word a player can neither sit nor watch. The lobby shows the table, but not its word."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana, "seats=2 key=apple")
        await bo.until("key")
        assert "apple" not in bo.text
        missing, wrong = "Table 1 is private: type its word after the number", "is not the word of table 1"
        for attempt, says in (("sit 1", missing), ("sit 1 pear", f"'pear' {wrong}"), ("watch 1 Apple", wrong)):
            bo.type(attempt)
            await bo.until(says)
            bo.type("who")
            await bo.until("here: ")
        bo.type("sit 1 apple")
        shown = await bo.until("seat 2   bo  (you)")
        assert "Private: others type sit 1 apple" in shown
        assert "With more than one person a turn has 60 seconds." in shown


async def test_an_open_table_accepts_any_word(open_server: RunningServer) -> None:
    """A player who types the word sits down there too."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana)
        bo.type("sit 1 apple")
        await bo.until("seat 2   bo  (you)")


async def test_a_player_whose_table_gives_way_reads_why(open_server: RunningServer) -> None:
    """On the screen of the lobby, where no other line tells it."""
    async with open_server.person("ana") as ana:
        await opened(ana)
        await open_server.app.lobby.tables.here[1].give_way()
        await ana.until("All tables are in use, so table 1 sleeps now: come back with sit 1.")
        ana.type("sit 1")
        await ana.until("seat 1   ana  (you)")


async def test_a_refused_player_sees_the_lobby_as_before(open_server: RunningServer) -> None:
    """Its tables, its players and its talk."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana, "seats=2 key=apple")
        bo.type("/is anybody there")
        await bo.until("bo: is anybody there")
        bo.type("sit 1 pear")
        shown = await bo.until("is not the word of table 1")
        assert "2 here, 1 table" in shown
        assert "bo: is anybody there" in shown


async def test_a_seat_is_left_only_by_the_same_command_twice_in_a_row(open_server: RunningServer) -> None:
    """A typo in between starts again."""
    async with open_server.person("ana", term=None) as ana:
        ana.type("play")
        await ana.until_text("New game: ")
        for line in ("leave", "laeve", "leave", "where"):
            ana.type(line)
        await ana.until_text("Bin 0.")
        assert "You are in the lobby." not in ana.text


async def test_a_new_table_has_the_settings_of_its_command(open_server: RunningServer) -> None:
    """Rule set, seats, clock and changed rules. The rules sheet says what is different."""
    async with open_server.person("ana", size=(100, 40)) as ana, open_server.person("bo") as bo:
        await opened(ana, "life seats=2 clock=20 four.scope=off")
        await ana.until("changed")
        ana.type("rules")
        await ana.until("Lines with * differ from Life cards")
        ana.type("")
        bo.type("sit 1")
        await ana.until("bo sits down.")
        ana.type("start")
        await ana.until(lambda person: re.search(r"0:(40|3\d)", person.shown) is not None)


@pytest.mark.parametrize(
    ("table_settings", "told"),
    [
        ("four.scop=off", "did you mean four.scope"),
        ("four.scope=never", "four.scope"),
        ("life deal.up=3 arrange.lay=0", "arrange.lay: must be 1 or more"),
        ("clock=2", "5 to 3600 seconds"),
        ("clock=soon", "5 to 3600 seconds"),
        ("seats=1", "not 1"),
        ("level=god", "No level 'god'"),
        ("poker", "No rule set"),
        ("deck.copies.2=9", "deck.copies"),
    ],
)
async def test_impossible_settings_are_refused_in_one_line(
    open_server: RunningServer, table_settings: str, told: str
) -> None:
    """The line says what is wrong and what would be right, and no table is opened."""
    async with open_server.person("ana", term=None) as ana:
        ana.type(f"new {table_settings}")
        await ana.until_text(told)
    assert not open_server.app.lobby.tables.listings()


async def test_the_host_of_a_table_adds_and_removes(open_server: RunningServer) -> None:
    """AI players sit down when the host says so. A removed player is told, and may not sit there again."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana, "seats=3")
        bo.type("sit 1")
        await bo.until("seat 2   bo  (you)")
        bo.type("add")
        await bo.until("Only the host")
        ana.type("add easy")
        await ana.until("Fox  *easy")
        ana.type("remove 3")
        await ana.until("Fox leaves.")
        ana.type("remove 1")
        await ana.until("somebody else")
        ana.type("start")
        await bo.until("YOUR TURN")
        ana.type("remove 2")
        await ana.until("That makes you last in this game: type remove 2 again to remove bo.")
        ana.type("remove 2")
        await ana.until("You remove bo and are last in this game")
        await bo.until("ana has removed you from this table. An AI player plays on")
        await bo.until("bo leaves;")
        await bo.until("You are watching.")
        bo.type("sit")
        await bo.until("does not want you")


async def test_an_ai_player_sits_down_with_its_level_and_style(open_server: RunningServer) -> None:
    """An unknown style, or a style whose names are all taken, is refused in one line."""
    async with open_server.person("ana") as ana:
        await opened(ana, "seats=4")
        ana.type("add extreme miser")
        await ana.until("Owl (extreme) sits down: keeps the good cards for later.")
        ana.type("add miser")
        await ana.until("Sol (hard) sits down: keeps the good cards for later.")
        ana.type("add miser")
        await ana.until("Every miser sits here already")
        ana.type("add hard tyrant")
        await ana.until("No level or style 'tyrant': levels are easy,")
        ana.type("help new")
        await ana.until("arsonist: burns whatever will burn")


async def test_a_table_without_hints_says_so_and_refuses_them(tmp_path: Path) -> None:
    """The lobby and the screen say so. `hint` and `odds` are refused until the game is over."""
    async with running_server(tmp_path) as here, here.person("ana") as ana, here.person("bo", term=None) as bo:
        ana.type("play quatch seats=2 hints=off")
        await ana.until("YOUR TURN")
        assert "no hints" in ana.shown.split("\n")[0]
        assert "h hint" not in ana.shown
        bo.type("tables")
        await bo.until_text("no hints")
        for asked in ("hint", "odds"):
            ana.type(asked)
            await ana.until("This table plays without hints and odds")
            ana.type("why 7")
            await ana.until(lambda person: "without hints" not in person.shown)
        await play_on_screen(ana)
        ana.type("hint")
        await ana.until("The game is over")
        bo.type("new hints=maybe")
        await bo.until_text("Type hints=on or hints=off, not 'maybe'.")


async def test_when_the_host_leaves_the_next_person_is_host(open_server: RunningServer) -> None:
    """A table has a host while a person sits there."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana)
        bo.type("sit 1")
        await bo.until("seat 2   bo  (you)")
        ana.type("leave")
        await bo.until("bo  (you)  host")
        bo.type("add")
        await bo.until("Fox")


async def test_cards_are_cut_before_they_are_dealt(open_server: RunningServer) -> None:
    """The commitment is shown first. All players see a cut, and each player cuts once."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana)
        bo.type("sit 1")
        shown = await bo.until("The deal is fixed already")
        commitment = re.search(r"commitment ([0-9a-f]{30})[.][.]", shown)
        assert commitment
        bo.type("fair")
        assert re.search(rf"{commitment[1]}[0-9a-f]{{34}}", await bo.until("SHA-256"))
        bo.type("x")
        bo.type("cut my lucky word")
        await ana.until("bo cuts the cards: my lucky word")
        bo.type("cut another")
        await bo.until("cut these cards already")
        ana.type("fair")
        await ana.until("bo cut with: my lucky word")
        ana.type("x")
        ana.type("start")
        await ana.until("YOUR TURN")
        bo.type("cut late")
        await bo.until("before they are dealt")


async def test_a_cut_is_sealed_first_and_opened_when_the_game_is_to_start(open_server: RunningServer) -> None:
    """The cards are dealt when all seals are open; what that proves is told, then and afterwards."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await opened(ana)
        bo.type("sit 1")
        await bo.until("The deal is fixed already")
        ana.type("cut seal my lucky word")
        await ana.until("64 hexadecimal digits")
        ana.type("cut open my lucky word")
        await ana.until("You have sealed no cut")
        for person, text in ((ana, "ana"), (bo, "bo")):
            person.type(f"cut seal {seal_of(text)}")
            await ana.until(f"{text} seals a cut")
        bo.type("fair")
        await bo.until(seal_of("ana"))
        bo.type("x")
        bo.type("start")
        await ana.until("Open yours within 10 seconds: type cut open TEXT")
        ana.type("cut open bo")
        await ana.until("That is not the text that you sealed")
        ana.type("cut open ana")
        await bo.until("ana opens the sealed cut: ana")
        await bo.until("The cards are dealt when all sealed cuts are open")
        bo.type("cut open bo")
        await ana.until("No one could choose the cards.")
        await ana.until("YOUR TURN")
        bo.type("fair")
        await bo.until("What that proves: no one could choose the cards.")
        bo.type("x")


async def test_spectators_are_heard_by_spectators_alone(open_server: RunningServer) -> None:
    """While a game is played. Players are heard by all, and between games spectators are too."""
    async with open_server.person("ana") as ana, open_server.person("fan") as fan, open_server.person("eve") as eve:
        await opened(ana)
        for watcher in (fan, eve):
            watcher.type("watch 1")
            await watcher.until("seat 1   ana")
        fan.type("/before the game")
        await ana.until("fan: before the game")
        ana.type("start")
        await fan.until("You are watching.")
        fan.type("/two aces")
        await eve.until("fan: (watching) two aces")
        await fan.until("Players do not hear you until the game is over, only others who watch do.")
        ana.type("/hush")
        await fan.until("ana: hush")
        assert "two aces" not in ana.text


async def test_a_private_message_reaches_only_its_player(open_server: RunningServer) -> None:
    """Wherever that player is, unless they ignore the sender."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo, open_server.person("eve") as eve:
        await opened(ana)
        await bo.until("lobby>")
        bo.type("tell ana shall we?")
        await ana.until("bo: (to you) shall we?")
        await bo.until("You tell ana: shall we?")
        assert "shall we" not in eve.text
        bo.type("tell zoe hi")
        await bo.until("No player here is called 'zoe'")
        ana.type("ignore bo")
        await ana.until("You hear no more from bo.")
        bo.type("tell ana hello again")
        await bo.until("You tell ana: hello again")
        eve.type("tell ana and me?")
        await ana.until("eve: (to you) and me?")
        assert "hello again" not in ana.text
        ana.type("ignore bo")
        await ana.until("You hear bo again.")


async def test_names_that_look_alike_are_not_used_at_the_same_time(open_server: RunningServer) -> None:
    """No player can pass for another."""
    async with open_server.person("pablo") as first, open_server.person("p\u0430b1o") as second:
        await first.until("welcome, pablo")
        await second.until("welcome, p\u0430b1o2")


async def test_a_guest_returns_with_the_resume_code(open_server: RunningServer) -> None:
    """A guest who sits down gets the code. It gives back seat and name from any terminal."""
    async with open_server.person("bo") as bo:
        async with open_server.person("ana") as ana:
            await opened(ana)
            bo.type("sit 1")
            await bo.until("seat 2   bo  (you)")
            word = re.search(r"type resume (\S+)", await ana.until("type resume"))
            assert word is not None
            ana.type("start")
            await ana.until("YOUR TURN")
        await bo.until("ana is gone: an AI player plays on")
        async with open_server.person("someone") as other:
            await other.until("lobby>")
            other.type("resume xxxx-xxxx")
            await other.until("No seat is kept for that code")
            other.type(f"resume {word[1].upper()}")
            await other.until("   YOU")
            await bo.until("ana is back.")


async def test_a_returning_player_is_told_what_they_missed(open_server: RunningServer) -> None:
    """How many moves were made, and which of them for the player; the log is complete again."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person("bo", size=(200, 60)) as bo:
        async with open_server.person("ana", key=key) as ana:
            await opened(ana)
            bo.type("sit 1")
            await bo.until("seat 2   bo  (you)")
            ana.type("start")
            await ana.until("YOUR TURN")
        bo.type("ready")
        await bo.until("order:")
        async with open_server.person("ana", key=key, size=(200, 60)) as ana:
            await ana.until("While you were away:")
            await ana.until("bo is ready.")


async def test_a_player_whose_clock_ran_out_takes_the_seat_back_by_typing(tmp_path: Path) -> None:
    """The player is told how to go on."""
    async with running_server(tmp_path, clock=5) as quick, quick.person("ana") as ana, quick.person("bo") as bo:
        await opened(ana, "seats=2 clock=5")
        bo.type("sit 1")
        await bo.until("seat 2   bo  (you)")
        ana.type("start")
        await ana.until("YOUR TURN")
        ana.type("ready")
        bo.type("ready")
        slow = ana
        await asyncio.wait(
            [asyncio.create_task(person.until("An AI player plays for you")) for person in (ana, bo)],
            return_when=asyncio.FIRST_COMPLETED,
        )
        slow = ana if "plays for you" in ana.shown else bo
        slow.type("back")
        await slow.until("You are back. While you were away:")


async def test_tables_survive_a_restart(tmp_path: Path) -> None:
    """A new server on the same log has every seat, every card and every line in the lobby."""
    key, store = asyncssh.generate_private_key("ssh-ed25519"), MemoryLog()
    async with running_server(tmp_path, store) as first, first.person("ana", key=key) as ana:
        await ana.until("lobby>")
        ana.type("play quatch seats=3")
        ana_saw = own_cards(await ana.until("YOUR TURN"))
    async with running_server(tmp_path, store) as second:
        async with second.person("bo") as bo:
            await bo.until("asleep")
        async with second.person("ana", key=key) as ana:
            assert own_cards(await ana.until("YOUR TURN")) == ana_saw


def own_cards(screen: str) -> list[str]:
    """The lines with a player's own cards."""
    return [line for line in screen.split("\n") if line.startswith(("   YOU", "   hand"))]
