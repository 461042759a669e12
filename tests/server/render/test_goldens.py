"""Every screen as people see it, at four sizes: real sessions' bytes, read back through a terminal emulator.

After a change that is meant, `make goldens` writes them anew.
"""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

import pytest

from engine.ai import LEVELS
from engine.rulesets import ruleset
from engine.state import State
from server.config import Config
from server.joining.join_lines import JoinLines
from server.lobby.lobby import CATCH_UP_SECONDS, Lobby
from server.rulebook import Rulebook
from server.storage.memory_log import MemoryLog
from server.table.deadlines import DROWSY_SECONDS
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.positions import at
from tests.support.virtual_time import in_virtual_time

GOLDEN: Final = Path(__file__).parents[2] / "golden" / "screens"
SIZES: Final = ((60, 20), (80, 24), (100, 30), (200, 60))
MOST_CARDS: Final = " ".join(rank + suit for rank in "3456789JQKA" for suit in "cdhs")
RULE_SETS: Final = ("quatch", "cathedral", "college", "life", "quatch-original")
"""Those that the screens list."""
WIDE_NAME: Final = "\u6f22\u5b57"
Scene = Callable[[Lobby, TerminalPlayer], Awaitable[None]]


@asynccontextmanager
async def running_server() -> AsyncIterator[Lobby]:
    """A lobby where every deal is the same."""
    lobby = Lobby(
        Config(pace=0, grace=0),
        MemoryLog(),
        rulebook=Rulebook(shipped={name: ruleset(name) for name in RULE_SETS}),
        new_seed=lambda: "5eed" * 16,
        wall=lambda: 1_800_000_000.0,
    )
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()


async def lobby(running_server: Lobby, ana: TerminalPlayer) -> None:
    """Tables that play, wait and sleep, people here and there, and talk in several scripts."""
    bo, cy = TerminalPlayer(running_server, WIDE_NAME), TerminalPlayer(running_server, "cy")
    await asyncio.sleep(SETTLED)
    await bo.type("new life seats=3 key=apple", "/hello, one more seat here \U0001f0cf")
    await cy.type("play cathedral level=hard", "lay 3 4 5")
    eve = TerminalPlayer(running_server, "eve")
    await asyncio.sleep(SETTLED)
    await eve.type("play life level=hard")
    await eve.go()
    await asyncio.sleep(DROWSY_SECONDS + CATCH_UP_SECONDS)
    await cy.type("/Zoe\u0308 and \u00c9mile come at nine")
    dee = TerminalPlayer(running_server, "dee")
    await asyncio.sleep(SETTLED)
    await dee.type("/anyone for a game? \u4e00\u5c40\u3069\u3046\u3067\u3059\u304b \U0001f600")
    await ana.type("/in a minute")


async def invitation(running_server: Lobby, ana: TerminalPlayer) -> None:
    """A private table that waits for players. One of them sits already, another one is invited."""
    running_server.join_lines = JoinLines(("-p 2222 cards.example",))
    bo = TerminalPlayer(running_server, WIDE_NAME)
    TerminalPlayer(running_server, "cy")
    await asyncio.sleep(SETTLED)
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
    task = running_server.tables.here[1].task
    task.journal.state = replace(task.journal.state, game=state)
    task.show()


async def results(_: Lobby, ana: TerminalPlayer) -> None:
    """A game to its end."""
    await play_to_the_end(ana)


async def replay(_: Lobby, ana: TerminalPlayer) -> None:
    """The same game again."""
    await play_to_the_end(ana)
    game = ana.session.player_session.game
    await ana.type("leave", f"replay {game}", "30")


async def replay_as_a_seat(running_server: Lobby, ana: TerminalPlayer) -> None:
    """Seen by the player who has lost."""
    await replay(running_server, ana)
    await ana.type("seat 3")


async def help_page(_: Lobby, ana: TerminalPlayer) -> None:
    """What can be typed at a table."""
    await ana.type("help")


async def lesson(_: Lobby, ana: TerminalPlayer) -> None:
    """The second step of one."""
    await ana.type("lesson", "9")


async def play_to_the_end(ana: TerminalPlayer) -> None:
    """As an AI player would."""
    await ana.type("play level=hard", "ready")
    chance = Random(1)
    while (view := ana.session.player_session.view) is not None and view.phase != "over":
        if view.to_move == view.seat:
            await ana.type(str(LEVELS["hard"](view, chance)))
        else:
            await asyncio.sleep(SETTLED)


@pytest.mark.parametrize(
    "scene",
    [
        lobby,
        invitation,
        arranging,
        arranging_aside,
        playing,
        table,
        results,
        replay,
        replay_as_a_seat,
        help_page,
        lesson,
    ],
)
def test_screens(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same text at each size as ever; nothing stands in the last column, where it might wrap."""
    monkeypatch.setattr(secrets, "choice", Random(7).choice)
    shown = in_virtual_time(screens)(scene)
    golden = GOLDEN / f"{scene.__name__}.txt"
    if os.environ.get("GOLDENS") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(shown, "utf-8")
    assert shown == golden.read_text("utf-8")


async def screens(scene: Scene) -> str:
    """What a scene looks like at every size, one terminal being resized."""
    shown: list[str] = []
    async with running_server() as lobby:
        ana = TerminalPlayer(lobby, "ana", SIZES[0])
        await asyncio.sleep(SETTLED)
        await scene(lobby, ana)
        for columns, rows in SIZES:
            await ana.resize(columns, rows)
            if ana.session.display.page:
                await ana.type("")
                await ana.type("help")
            shown.append(f"===== {columns} x {rows} =====\n{ana.shown}\n")
            screen = ana.transport.screen
            assert all(screen.buffer[y][columns - 1].data == " " for y in range(rows))
    return "".join(shown)
