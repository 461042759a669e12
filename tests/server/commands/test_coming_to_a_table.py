"""How a table is opened for friends, how spectators go from one to another, and how its host removes a player."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from server.config import Config
from server.joining.join_lines import JoinLines
from server.lobby.lobby import Lobby
from server.storage.memory_log import MemoryLog
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.tables import known_seeds

pytestmark = pytest.mark.virtual_time


@asynccontextmanager
async def people(*names: str) -> AsyncIterator[list[TerminalPlayer]]:
    """These people in a lobby."""
    lobby = Lobby(Config(pace=0), MemoryLog(), new_seed=known_seeds())
    await lobby.open()
    here = [TerminalPlayer(lobby, name) for name in names]
    await asyncio.sleep(SETTLED)
    try:
        yield here
    finally:
        for person in here:
            await person.go()
        await lobby.close()


async def test_a_private_table_has_a_word_under_several_names() -> None:
    """The README speaks of a word; level=auto is what the table has anyway."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type("new seats=2 word=apple level=auto")
        assert "Private: others type sit 1 apple" in ana.shown
        assert "AI players here are easy." in ana.shown
        await ana.type("start")
        await bo.type("sit 1")
        assert "type watch 1 and its word to look on" in " ".join(bo.shown.split())
        await bo.type("watch 1 apple")
        assert bo.session.player_session.place.name == "watching"


async def test_a_spectator_goes_straight_to_another_table() -> None:
    """To watch it or to sit there; at their own table they are told what they can do."""
    async with people("ana", "bo", "cy") as (ana, bo, cy):
        await ana.type("play seats=2")
        await bo.type("new seats=2")
        await cy.type("watch 1", "watch 1")
        assert "You are watching table 1." in cy.shown
        await cy.type("sit")
        shown = " ".join(cy.shown.split())
        assert "Table 1 has no free seat in this game: when it is over, sit takes an AI player's." in shown
        await cy.type("watch 2")
        session = cy.session.player_session
        assert (session.place.name, session.table.number) == ("watching", 2)
        assert "Type fair to see how to check the deal." in " ".join(cy.shown.split())
        await cy.type("leave", "watch 1", "sit 2")
        assert (session.place.name, session.table.number) == ("table", 2)
        await cy.type("watch 1")
        assert session.table.number == 2, "a player with a seat leaves it first"


async def test_the_host_may_invite_a_spectator_to_sit_down() -> None:
    """Until they have a seat."""
    async with people("ana", "bo") as (ana, bo):
        ana.session.player_session.lobby.join_lines = JoinLines(("cards.example",))
        await ana.type("new seats=2")
        await bo.type("watch 1")
        await ana.type("invite bo")
        assert "ana: (to you)" in bo.shown
        await bo.type("sit 1")
        await ana.type("invite bo")
        assert "Bo is at this table already." in ana.shown


async def test_the_host_removes_by_name() -> None:
    """No screen numbers the seats while a game goes on, or when it is over."""
    async with people("ana", "bo") as (ana, bo):
        await ana.type("new seats=3")
        await bo.type("sit 1")
        await ana.type("add", "remove Fox")
        assert "Fox leaves." in ana.shown
        await ana.type("remove zoe")
        assert "Type remove 2 for seat 2" in ana.shown
        await ana.type("start", "remove BO")
        asked = "You will be last in this game, and bo cannot sit here again: type remove BO again to remove them."
        assert asked in " ".join(ana.shown.split())
        await bo.type("add")
        assert "Only the host of the table" in bo.shown
        await ana.type("remove BO")
        assert bo.session.player_session.place.name == "watching"
        assert "Only the host of the table" not in bo.shown, "the answer was to a player with a seat"


async def test_a_player_is_removed_for_good_and_not_by_a_slip() -> None:
    """The host is asked between games, too. Neither a hint nor an invitation offers the player a seat again."""
    async with people("ana", "bo") as (ana, bo):
        ana.session.player_session.lobby.join_lines = JoinLines(("cards.example",))
        await ana.type("new seats=2")
        await bo.type("sit 1")
        await ana.type("remove bo")
        assert "Bo cannot sit here again: type remove bo again to remove them." in ana.shown
        assert bo.session.player_session.place.name == "table"
        await ana.type("remove bo")
        assert "ana has removed you from this table: you cannot sit here again." in bo.shown
        assert "\n help   leave   / talks" in bo.shown
        await ana.type("invite bo")
        assert "Bo was removed from this table, and cannot sit here again." in ana.shown
        await bo.type("sit")
        assert "The host of table 1 does not want you to sit there." in bo.shown


async def test_a_name_without_letters_and_digits_is_refused() -> None:
    """And does not make the player a guest."""
    async with people("ana") as (ana,):
        await ana.type("name ,")
        assert "',' makes no name: use letters and digits." in ana.shown
        assert ana.session.player_session.player.name == "ana"
