"""Invitations to a table: what the inviter, the invited player and players elsewhere are told, and how often."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from engine.errors import InputError
from server.config import Config
from server.joining.join_lines import JoinLines
from server.limits import INVITE_SECONDS
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.storage.memory_log import MemoryLog
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.front_end import Remembering
from tests.support.tables import known_seeds

pytestmark = pytest.mark.virtual_time
TO_OTHERS = "Others can come with: ssh -t -p 2222 cards.example"


@asynccontextmanager
async def host_and_guest(settings: str = "") -> AsyncIterator[tuple[Lobby, TerminalPlayer, TerminalPlayer]]:
    """Ana, who has opened a table with these settings, and bo in the lobby."""
    lobby = Lobby(Config(pace=0), MemoryLog(), new_seed=known_seeds())
    lobby.join_lines = JoinLines(("-p 2222 cards.example",))
    await lobby.open()
    ana, bo = TerminalPlayer(lobby, "ana", (200, 40)), TerminalPlayer(lobby, "bo", term="dumb")
    await asyncio.sleep(SETTLED)
    await ana.type(f"new {settings}")
    try:
        yield lobby, ana, bo
    finally:
        await ana.go()
        await bo.go()
        await lobby.close()


async def invited(player: TerminalPlayer, name: str = "") -> str:
    """What a player is told who invites the player of this name."""
    await player.type(f"invite {name}")
    return player.session.display.answer


async def test_an_invitation_says_what_to_type() -> None:
    """To the invited player wherever they are; the inviter reads the line for players elsewhere."""
    async with host_and_guest("life key=apple") as (_, ana, bo):
        assert await invited(ana, "bo") == f"You invite bo. {TO_OTHERS} sit 1 apple"
        assert "ana: (to you) come to table 1, Life cards: type sit 1 apple" in bo.shown
        assert await invited(ana) == f"{TO_OTHERS} sit 1 apple"
        not_here = await invited(ana, "zoe")
        assert not_here == "'zoe' is not here. They can come with: ssh -t -p 2222 cards.example sit 1 apple"
        await bo.type("sit 1 apple")
        assert bo.session.player_session.place.name == "table"
        assert await invited(ana, "bo") == "Bo is at this table already."
        assert await invited(ana, "ana") == "You are at this table already."


@pytest.mark.parametrize("accepted", ["", "yes", "y"])
async def test_enter_and_yes_go_to_the_table_of_an_invitation(accepted: str) -> None:
    """The lobby says so. A game of one's own begins with play, as ever; somebody who is ignored invites in vain."""
    async with host_and_guest("life key=apple") as (lobby, ana, _):
        cy = TerminalPlayer(lobby, "cy", (100, 40))
        await asyncio.sleep(SETTLED)
        assert "Press Enter to play against AI players." in cy.shown
        await invited(ana, "cy")
        assert "You are invited: sit 1 apple" in cy.shown
        assert "Press Enter to come to that table." in cy.shown
        await cy.type(accepted)
        assert cy.session.player_session.table_number == 1
        await cy.type("leave", "ignore ana")
        assert "You are invited" not in cy.shown
        await asyncio.sleep(INVITE_SECONDS)
        await invited(ana, "cy")
        assert "You are invited" not in cy.shown
        await cy.go()


async def test_an_invitation_to_a_running_game_leads_to_the_spectators() -> None:
    """There is no seat to take; a spectator may invite, too."""
    async with host_and_guest() as (lobby, ana, bo):
        await ana.type("start")
        await bo.type("watch 1")
        cy = TerminalPlayer(lobby, "cy", (200, 40))
        await asyncio.sleep(SETTLED)
        assert await invited(ana, "cy") == f"You invite cy. {TO_OTHERS} watch 1"
        await bo.type("invite cy")
        for name in ("ana", "bo"):
            assert f"{name}: (to you) come to table 1, Quatch: type watch 1" in cy.shown
        await cy.go()


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("$(reboot)", "sit 1 '$(reboot)'"),
        ("a;b", "sit 1 'a;b'"),
        ("it's", """sit 1 'it'"'"'s'"""),
        ("-oX", "sit 1 -oX"),
    ],
)
async def test_the_line_to_pass_on_is_safe_in_a_shell(key: str, line: str) -> None:
    """Whatever word a player has chosen for a table; inside it is typed as it is."""
    async with host_and_guest(f"key={key}") as (_, ana, bo):
        assert await invited(ana, "bo") == f"You invite bo. {TO_OTHERS} {line}"
        assert f"type sit 1 {key}\n" in bo.shown


async def test_a_player_is_not_invited_again_and_again() -> None:
    """Not within a minute; and all invitations count as talk."""
    async with host_and_guest() as (lobby, ana, bo):
        await invited(ana, "bo")
        for _ in range(3):
            assert await invited(ana, "bo") == "You have just invited bo: wait a minute."
        await asyncio.sleep(INVITE_SECONDS)
        assert (await invited(ana, "BO")).startswith("You invite bo.")
        assert bo.shown.count("(to you)") == 2
        await asyncio.sleep(INVITE_SECONDS)
        with suppress(InputError):
            while True:
                ana.session.player_session.take_turn_to_talk()
        assert await invited(ana, "bo") == "You talk too fast: wait a few seconds."
        assert lobby.visitors.named("bo") is bo.session.player_session


async def test_mutes_and_ignored_players() -> None:
    """A muted player invites nobody, and reads the line all the same; an ignored one is not heard."""
    async with host_and_guest() as (lobby, ana, bo):
        await bo.type("ignore ana")
        await invited(ana, "bo")
        assert "(to you)" not in bo.shown
        await bo.type("ignore ana")
        await asyncio.sleep(INVITE_SECONDS)
        await lobby.mutes.impose("SHA256:ana", "ana", None, "op")
        assert "has muted you" in await invited(ana, "bo")
        assert await invited(ana) == f"{TO_OTHERS} sit 1"
        assert "(to you)" not in bo.shown


async def test_who_cannot_be_invited() -> None:
    """A bot reads nothing; to a game in one's own terminal nobody can come; in the lobby there is no table."""
    async with host_and_guest() as (lobby, ana, bo):
        robo = PlayerSession(lobby, Caller("robo"), Remembering(), "bot")
        await robo.identify()
        await robo.begin()
        assert await invited(ana, "robo") == "Robo is a bot, which reads no invitations."
        await bo.type("invite ana")
        assert "Invite works at a table: type play or new, or sit N for a table." in bo.shown
        lobby.join_lines = JoinLines()
        assert await invited(ana, "bo") == "Nobody else can come to this table: it is in your terminal alone."
