"""Every screen as people see it, at four sizes: real sessions' bytes, read back through a terminal emulator.

After a change that is meant, `make goldens` writes them anew.
"""

import asyncio
from random import Random
from typing import Final

import pytest

from engine.ai import LEVELS
from engine.state import State
from server.joining import JoinLines
from server.lobby.lobby import Lobby
from server.lobby.tables import READ_SECONDS
from server.table.deadlines import DROWSY_SECONDS
from tests.support.each import for_each
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.features import FEATURES
from tests.support.goldens import Scene, play_to_the_end, same_screens
from tests.support.positions import at
from tests.support.tables import put

MOST_CARDS: Final = " ".join(rank + suit for rank in "3456789JQKA" for suit in "cdhs")
WIDE_NAME: Final = "\u6f22\u5b57"


async def lobby(running_server: Lobby, ana: TerminalPlayer) -> None:
    """Tables that play, wait and sleep, people here and there, and talk in several scripts."""
    bo, cy = TerminalPlayer(running_server, WIDE_NAME), TerminalPlayer(running_server, "cy")
    await asyncio.sleep(SETTLED)
    await bo.type("new life seats=3 key=apple", "/hello, one more seat here \U0001f0cf")
    await cy.type("play cathedral level=hard", "lay 3 4 5")
    eve = await TerminalPlayer(running_server, "eve").arrived()
    await eve.type("play life level=hard")
    await eve.go()
    await asyncio.sleep(DROWSY_SECONDS + READ_SECONDS)
    await cy.type("/Zoe\u0308 and \u00c9mile come at nine")
    dee = await TerminalPlayer(running_server, "dee").arrived()
    await dee.type("/anyone for a game? \u4e00\u5c40\u3069\u3046\u3067\u3059\u304b \U0001f600")
    await ana.type("/in a minute")


async def invitation(running_server: Lobby, ana: TerminalPlayer) -> None:
    """A private table that waits for players. One of them sits already, another one is invited."""
    running_server.join_lines = JoinLines(("-p 2222 cards.example",))
    bo = TerminalPlayer(running_server, WIDE_NAME)
    await TerminalPlayer(running_server, "cy").arrived()
    await ana.type("new life seats=3 key=apple")
    await bo.type("sit 1 apple")
    await ana.type("invite cy")


async def arranging(_: Lobby, ana: TerminalPlayer) -> None:
    """The cards are dealt."""
    await ana.type("play level=hard")


async def arranging_aside(_: Lobby, ana: TerminalPlayer) -> None:
    """Rules where cards are put aside."""
    await ana.type("play cathedral level=hard")


async def playing(running_server: Lobby, ana: TerminalPlayer) -> None:
    """In the middle of a game of four, with a clock. A friend talks, and a spectator watches."""
    bo, cy = TerminalPlayer(running_server, WIDE_NAME), TerminalPlayer(running_server, "cy")
    await ana.type("new clock=90 level=hard")
    await bo.type("sit 1", "start", "ready")
    await cy.type("watch 1")
    await ana.type("ready")
    chance = Random(3)
    for _ in range(9):
        for one in (ana, bo):
            view = one.session.player_session.view
            if view is not None and view.to_move == view.seat:
                await one.type(str(LEVELS["hard"](view, chance)))
    await bo.type("/brave of you to keep the \u2665 ace \U0001f600")
    await ana.type("/\u4e00\u5c40\u3069\u3046\u3067\u3059\u304b Zoe\u0308 \u0e44\u0e17\u0e22?")


async def table(running_server: Lobby, ana: TerminalPlayer) -> None:
    """A hand of 44 cards, and three other players who are nearly out."""
    await ana.type("play life level=hard", "lay 3 4 5", "ready")
    others = ("up Tc / down 2c - Td", "hand 2d / down - - 2h", "up Th / down 2s - -")
    deal(running_server, at("life", f"hand {MOST_CARDS}", *others, pile="Ts"))
    await asyncio.sleep(SETTLED)


def deal(running_server: Lobby, state: State) -> None:
    """Have the table go on from another position."""
    put(running_server.tables.here[1], state)


async def results(_: Lobby, ana: TerminalPlayer) -> None:
    """A game to its end."""
    await play_to_the_end(ana)


async def help_page(_: Lobby, ana: TerminalPlayer) -> None:
    """What can be typed at a table."""
    await ana.type("help")


@for_each("scene", [lobby, invitation, arranging, arranging_aside, playing, table, results, help_page])
def test_screens_of_the_core(scene: Scene) -> None:
    """Without any feature."""
    same_screens(scene, scene.__name__)


@pytest.mark.parametrize("scene", [lobby, results, help_page])
def test_screens_with_all_features(scene: Scene) -> None:
    """Those to which features add."""
    same_screens(scene, f"all_features/{scene.__name__}", FEATURES)
