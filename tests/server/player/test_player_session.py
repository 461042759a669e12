"""One player session: where its player is, what it tells its front end, and what it keeps."""

import asyncio
from collections.abc import Callable
from typing import Final
from unittest.mock import Mock

import pytest

from engine.errors import InputError
from server.commands.typed_line import ParsedCommand, parse
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.player.player_session import PlayerSession, take_seat_back
from server.table.recent_talk import Said
from server.table.snapshot import Presence, Snapshot
from server.table.table import Table
from tests.support.at_terminals import lobby_at, person
from tests.support.clock import Clock
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer, open_lobby
from tests.support.front_end import come_in
from tests.support.occasions import exam_settings
from tests.support.tables import table_settings

pytestmark = pytest.mark.virtual_time


async def seated(where: Lobby, session: PlayerSession, seats: int = 2) -> Table:
    """Open a table and sit down at it."""
    table = await where.tables.open_table(table_settings(seats))
    await session.enter(table, table.sit)
    return table


def location(session: PlayerSession) -> str:
    """Where the player is, in a word."""
    return session.place.name


def shown_to(session: PlayerSession) -> Snapshot | None:
    """What the player sees."""
    return session.snapshot


async def test_a_player_is_in_the_lobby_or_at_one_table() -> None:
    """What they see and may do follows from where they are; the lists of the lobby are kept in the lobby alone."""
    async with open_lobby() as where:
        ana, front_end = await come_in(where)
        assert (location(ana), shown_to(ana), ana.scene.people) == ("lobby", None, (Presence("ana"),))
        with pytest.raises(InputError, match="you are in the lobby"):
            _ = ana.table
        table = await seated(where, ana)
        assert (location(ana), ana.table, ana.scene.people) == ("table", table, ())
        assert front_end.updates[0][0] is None
        assert ana.scene.snapshot is ana.snapshot is front_end.updates[-1][1]
        with pytest.raises(InputError, match="you are at table 1: type leave first"):
            ana.must_be_in_lobby()
        bo, _ = await come_in(where, "bo")
        await bo.enter(table, table.come)
        assert (location(bo), bo.in_game) == ("watching", False)
        await ana.leave_table()
        assert (location(ana), shown_to(ana), ana.scene.people[0]) == ("lobby", None, Presence("ana"))
        assert ana.scene.people[1:] == (Presence("bo", 1, watching=True),)


async def test_a_table_that_refuses_leaves_its_player_in_the_lobby() -> None:
    """As a full table does."""
    async with open_lobby() as where:
        ana, _ = await come_in(where)
        bo, _ = await come_in(where, "bo")
        cy, front_end = await come_in(where, "cy")
        table = await seated(where, ana)
        await bo.enter(table, table.sit)
        with pytest.raises(InputError, match="no free seat"):
            await cy.enter(table, table.sit)
        assert (location(cy), shown_to(cy)) == ("lobby", None)
        await table.start(ana)
        assert cy.snapshot is None
        assert front_end.updates == []


async def test_a_player_who_is_brought_to_a_table_while_they_go_to_another_is_at_that_table_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their name is claimed first, which may take a while."""
    async with open_lobby() as where:
        ana, _ = await come_in(where)
        called = await where.tables.open_table(exam_settings(ana.player, "", others_wait=True))
        await called.director.prepare(60)
        chosen = await where.tables.open_table(table_settings())

        async def claim_slowly(_: Player) -> bool:
            await asyncio.sleep(1)
            return True

        monkeypatch.setattr(where.names, "claim", claim_slowly)
        entering = asyncio.create_task(ana.enter(chosen, chosen.come))
        await asyncio.sleep(0.5)
        await ana.be_brought_to(called, "another table")
        with pytest.raises(InputError, match="you are at table 1: type leave first"):
            await entering
        assert (ana.table, chosen.broadcaster.player_ids) == (called, {})
        assert [*called.broadcaster.player_ids] == [ana]


async def test_people_and_bots_with_one_key_take_over_from_each_other_and_have_the_seat_again() -> None:
    """The earlier session ends with a word why; the later one is at the table at once."""
    async with open_lobby() as where:
        ana, earlier = await come_in(where, key="SHA256:ana")
        table = await seated(where, ana)
        await table.start(ana)
        bot, later = await come_in(where, key="SHA256:ana", kind="bot")
        assert earlier.farewells == ["You have come in from another terminal, so this connection ends."]
        assert where.visitors.here == [bot]
        assert (location(bot), bot.in_game) == ("table", True)
        assert later.updates


async def test_a_guest_who_knows_the_resume_word_has_the_seat_again() -> None:
    """By that word, and by no other."""
    async with open_lobby() as where:
        ana, _ = await come_in(where)
        table = await seated(where, ana)
        await table.start(ana)
        word = ana.resume_code
        await ana.change_setting("cards", "words")
        await ana.finish()
        assert location(ana) == "lobby"
        again, _ = await come_in(where)
        with pytest.raises(InputError, match="no seat is kept for that code"):
            await take_seat_back(again, "abcd-efgh")
        await take_seat_back(again, word)
        assert (location(again), again.player.name, again.resume_code) == ("table", "ana", word)
        assert again.settings.cards == "words", "what they chose counts again, too"


async def test_a_table_that_closes_sends_its_people_to_the_lobby() -> None:
    """They are told once."""
    async with open_lobby() as where:
        ana, front_end = await come_in(where)
        await seated(where, ana)
        ana.closed()
        ana.closed()
        assert (location(ana), front_end.closings) == ("lobby", ["the table has closed"])


async def test_a_player_whose_table_closes_sees_the_lobby_as_one_who_leaves() -> None:
    """With everybody there at once; a guest whose name another player has by now gets another."""
    async with open_lobby() as where:
        ana, _ = await come_in(where)
        await seated(where, ana)
        where.visitors.names_in_use.put(0, {"account:eve": "ana"})  # as another process has given it to her meanwhile
        ana.closed()
        assert [each.name for each in ana.scene.people] == ["ana"]
        await asyncio.sleep(1)
        assert ana.player.name == "ana2"


async def test_the_kept_seats_of_a_lobby_are_read_when_they_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """When one of them was unloaded or has closed; not whenever something changes, nor when the lobby is drawn."""
    async with open_lobby() as where:
        ana, front_end = await come_in(where)
        table = await seated(where, ana)
        await table.start(ana)
        await ana.be_brought_to(await where.tables.open_table(table_settings()), "another table")
        await ana.leave_table()
        front_end.is_drawn = True
        await asyncio.sleep(1)
        assert [each.number for each in ana.scene.tables] == [table.number]
        await table.unload()
        await asyncio.sleep(1)
        asked = Mock(wraps=where.store.seats_of)
        monkeypatch.setattr(where.store, "seats_of", asked)
        for _ in range(10):
            ana.lobby_changed((), ())
            assert ana.scene.kept_seats == (table.number,)
        asked.assert_not_called()
        (change,) = await where.store.states([(table.number,)])
        await where.store.delete(table.number, change.head)  # as another process does it
        where.store.tell_of_change()
        await asyncio.sleep(1)
        assert not ana.scene.kept_seats


async def test_talk_is_heard_unless_it_comes_from_an_ignored_player() -> None:
    """By name, however it is written."""
    async with open_lobby() as where:
        ana, front_end = await come_in(where)
        where.visitors.say(Said("bo", "hello"))
        ana.settings = ana.settings.ignoring({"bo"})
        where.visitors.say(Said("BO", "hello?"))
        assert front_end.lines == list(ana.scene.talk) == ["bo: hello"]


QUESTION = "You are new here: type your name, or go on as ana."


async def test_a_player_reads_what_of_their_name_is_left() -> None:
    """Characters that no name has are left out, and a long one is cut; without any letter it is asked for again."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        assert "Press Enter to be called Zo\u00eb;" in await ana.type("Zo\u00eb \U0001f600")
        assert "Press Enter to be called Bartholomew-the;" in await ana.type("Bartholomew-the-Great")
        assert "A name is 16 letters and digits at most: type it again." in await ana.type("\U0001f600")
        cut = "A name is 16 letters and digits at most, so you are Maximilianalexan now"
        assert cut in " ".join((await ana.type("Maximilianalexander")).split())


async def test_a_new_key_is_asked_for_a_name() -> None:
    """A word that means nothing else is the name; later only if they say so. It is kept, and asked no more."""
    async with lobby_at(Clock()) as lobby:
        async with person(lobby, "ana") as ana:
            assert QUESTION in ana.shown
            assert "Press Enter to be called R2D2" in await ana.type("R2D2")
            await ana.type("who")
            assert "Press Enter to be called zork" in await ana.type("zork"), "the question has gone by then"
            assert "You are Zoe now; name NAME changes it." in await ana.type("Zoe", "")
            assert "unknown command 'bob'" in (await ana.type("bob")).lower()
        async with person(lobby, "bo") as bo:
            assert "You are bo now" in await bo.type("bo"), (
                "nothing is asked of a player who types the name that they have"
            )
        async with person(lobby, "ana") as again:
            assert "welcome, Zoe" in again.shown
            assert "You are new here" not in again.shown


async def test_a_player_who_has_been_at_a_table_is_asked_for_no_name() -> None:
    """They go on with the name that they have. A word that is written like a name is still taken for one."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        assert "unknown command 'bob'" in (await ana.type("new", "leave", "bob")).lower()
        assert "Press Enter to be called Bob" in await ana.type("Bob")


@pytest.mark.parametrize("word", ["help", "life", "easy"])
async def test_a_word_for_something_else_is_no_name(word: str) -> None:
    """A command, a rule set or a level of AI players, wherever a player is; at login it is as one that is taken."""
    async with lobby_at(Clock()) as lobby, person(lobby, word) as ana:
        assert ana.session.player_session.player.name == f"{word}2"
        assert "is a word for something here" in await ana.type(f"name {word.title()}")
        assert "is a word for something here" in await ana.type("new", f"name {word}")
        assert ana.session.player_session.player.name == f"{word}2"


@for_each("word", ["Home", "Solo", "w", "Zz", "chat"])
async def test_what_else_people_type_for_a_command_is_a_name(word: str) -> None:
    """So that no name is lost if a command is given one more word."""
    async with lobby_at(Clock()) as lobby:
        async with person(lobby, "ana") as ana:
            assert f"You are {word} now" in await ana.type(f"name {word}")
        async with person(lobby, word, guest=True) as ben:
            assert ben.session.player_session.player.name == f"{word}2"


@for_each(
    ("typed", "name"),
    [
        ("im joe", "joe"),
        ("I'm Tom.", "Tom"),
        ("hi, I\u2019m Tom", "Tom"),
        ("it's Bob", "Bob"),
        ("mary ann", "mary-ann"),
        ("I'm Mary Ann!", "Mary-Ann"),
        ("hello there", ""),
        ("oops", ""),
        ("this is all nonsense", ""),
    ],
)
async def test_a_name_is_found_in_what_people_say(typed: str, name: str) -> None:
    """Two words become one name; small talk is no name, nor is a sentence."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type(typed)
        assert ana.session.player_session.typed_again.proposed == (f"name {name}" if name else "")


@for_each(
    ("typed", "name"),
    [("I am hungry", ""), ("it's late", ""), ("im tired", ""), ("hi, my name is Zoe", "Zoe")],
)
async def test_a_player_who_has_a_name_says_plainly_that_they_want_another(typed: str, name: str) -> None:
    """What may be said of anything else is not taken for a name."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("name Eva", typed)
        assert ana.session.player_session.typed_again.proposed == (f"name {name}" if name else "")


async def test_players_read_once_that_somebody_watches_their_game() -> None:
    """The first who comes; between games only the count says so, for who comes then may sit down."""
    told = "Somebody watches now, who sees no hidden card."
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("new")
        await bo.type("watch 1", "leave")
        assert told not in ana.shown
        await ana.type("start")
        async with person(lobby, "cy") as cy:
            await bo.type("watch 1")
            await cy.type("watch 1")
            assert ana.shown.count(told) == 1
            assert told not in bo.shown


async def test_a_player_who_wants_another_name_at_a_table_has_it_in_the_lobby() -> None:
    """At a table names stay."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        said = "you are called Eva when you are back in"
        assert said in await ana.type("play", "change my name to Eva")
        assert ana.session.player_session.player.name == "ana"
        assert "welcome, Eva" in await ana.type("leave")


async def test_a_guest_who_drops_out_at_a_table_is_called_in_the_lobby_as_they_wished() -> None:
    """After they have taken their seat back."""
    async with open_lobby() as lobby:
        guest = await TerminalPlayer(lobby, "ana", caller=Caller("ana")).arrived()
        await guest.type("play 2", "ready", "name Eva")
        code = guest.session.player_session.resume_code
        assert "play>" in guest.shown
        assert f"to come back: type resume {code}" in guest.shown, "it is on the last screen if the connection dies"
        cy = TerminalPlayer(lobby, "cy")
        await cy.type("watch 1")
        assert "resume" not in cy.shown, "nobody else reads it, and who watches has nothing to come back to"
        await guest.go()
        again = await TerminalPlayer(lobby, "guest", caller=Caller("guest")).arrived()
        await again.type(f"resume {code}")
        assert again.session.player_session.player.name == "ana"
        assert "welcome, Eva" in await again.type("leave", "leave")


async def test_a_player_is_told_the_name_that_they_get_in_place_of_one_that_is_taken() -> None:
    """On their return to the lobby."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "eva"):
        told = await ana.type("play", "name eva", "leave")
        name = ana.session.player_session.player.name
        assert name not in {"ana", "eva"}
        assert f"another player has the name eva, so you are {name} now" in told


async def test_a_player_is_told_at_once_that_another_has_the_name() -> None:
    """A player who types it, who watches, and who comes with it; also a guest."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "eva") as eva:
        assert "Another player has the name Eva, so you are Eva2 now" in await ana.type("name Eva")
        await eva.type("play")
        said = "Another player has the name eva, so here you stay Eva2: you are called eva"
        assert said in await ana.type("watch 1", "name eva")
        async with person(lobby, "eva", guest=True) as other:
            assert "Another player has the name eva. You are a guest" in other.shown


async def test_enter_and_commands_keep_the_proposed_name() -> None:
    """Enter does what it says; a slip is no name."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        assert "Did you mean rules?" in await ana.type("ruels")
        assert "ARRANGE" in await ana.type("no", "")
        assert ana.session.player_session.player.name == "ana"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("plya", "Did you mean play?"),
        ("cathedrl", "Did you mean play cathedral?"),
        ("leeve", "Did you mean leave?"),
    ],
)
async def test_what_is_nearly_a_command_or_a_rule_set_is_no_name(typed: str, said: str) -> None:
    """By one letter; all else is a name."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        shown = " ".join((await ana.type(typed)).split())
        assert said in shown
        assert ana.session.player_session.typed_again.asked == ""


NAMES: Final = (
    "Adam Agata Ahmed Aisha Alan Ale Alex Ali Alice Aline Amara Amir Amy Ana Andy Anna Anya Arjun Astrid Bea Ben "
    "Bert Bill Björn Bo Bob Bruno Can Carl Carla Cat Chad Chen Chris Clara Cleo Cy Dana Dave Dee Deniz Diana "
    "Dmitri Dora Drew Dylan Ed Elena Eli Ella Emil Emma Emre Eric Erin Ester Eszter Eva Eve Fay Finn Flo Fox "
    "Frank Fred Freya Gabe Gary Gina Giulia Goran Grace Greta Guy Gwen Hal Hana Hank Hans Heidi Helen Helga Henk "
    "Henry Hilda Hiro Hugo Ida Ian Igor Ines Inga Ira Iris Istvan Ivy Jack Jade James Jan Jane Jay Jill Jim Jiri "
    "Joan Joe Joel John Jon José Juan Judy Julia June Kai Karl Kate Kay Ken Kenji Kim Kira Kofi Kurt Kyle Lars "
    "Laura Lea Lee Lena Leo Lev Liam Lily Lin Lina Ling Lisa Liz Luca Lucy Luis Luke Luna Mae Maeve Marc Maria "
    "Mark Mary Mateo Matt Max May Megan Mehmet Mei Mel Mia Mika Mike Mila Milo Mira Moe Nadia Nat Ned Nell Ngozi "
    "Nia Nico Nils Nina Noah Nora Ola Olga Olu Omar Oscar Otto Owen Pablo Pat Paul Pedro Pete Petra Priya Quinn "
    "Radu Raj Ravi Ray Remi Rex Rhys Rita Rob Robin Roger Rosa Ruth Ryan Sally Sam Sara Sasha Seth Siobhan Sita "
    "Siti Sofia Sol Sora Stan Steve Su Sue Susan Sven Sveta Tanya Tao Tara Ted Tess Thabo Thea Theo Tiago "
    "Tim Tina Tom Tony Topher Uma Uwe Val Vera Vic Viola Vlad Wade Wang Wes Will Wim Yan Yara Yuki Zac Zoe Zola "
)
"""First names of several countries."""


@pytest.mark.parametrize("form", [str, str.lower])
async def test_a_first_name_is_taken_for_no_command(form: Callable[[str], str]) -> None:
    """At the question how a player wants to be called: only a slip of one letter is taken for a command there."""
    async with lobby_at(Clock()) as lobby, person(lobby, "player1") as ana:
        session = ana.session.player_session
        for name in form(NAMES).split():
            meant = parse(name, session)
            assert isinstance(meant, ParsedCommand)
            assert meant.command.name == "name", name
        await ana.type(form("hnit"))
        assert session.typed_again.proposed == f"name {form('hnit')}", "it may be a slip for a command of another place"
        await ana.type(form("Lea"))
        assert session.player.name == form("Lea")


async def test_a_guest_reads_at_the_start_that_they_are_one() -> None:
    """And what that means, and how they choose their name; not if they come straight to a table."""
    async with lobby_at(Clock()) as lobby, person(lobby, "gus", guest=True) as gus:
        assert "You are a guest, so your games are not rated: type your name, or go on as gus." in gus.shown
        await gus.type("Zoe")
        assert gus.session.player_session.player.name == "Zoe"
