"""Screens that are compared with those of before, at every size: a scene at a server where every deal is the same."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from engine.ai import LEVELS
from engine.rulesets import ruleset
from server.config import Config
from server.features import NO_FEATURES, Features
from server.lobby.lobby import Lobby
from server.rulebook import Rulebook
from server.storage.sqlite_database import MemoryDatabase
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.virtual_time import in_virtual_time

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "screens"
SIZES: Final = ((60, 20), (80, 24), (100, 30), (200, 60))
RULE_SETS: Final = ("quatch", "cathedral", "college", "life", "quatch-original")
"""Those that the screens list."""
Scene = Callable[[Lobby, TerminalPlayer], Awaitable[None]]


@asynccontextmanager
async def _running_server(features: Features) -> AsyncIterator[Lobby]:
    """A lobby where every deal is the same. Nobody hangs up at its end: some tables are such as no game makes them."""
    rulebook = Rulebook()
    rulebook._rules = {name: ruleset(name) for name in RULE_SETS}  # noqa: SLF001 - a new one changes no screen
    lobby = Lobby(
        Config(pace=0, grace=0),
        MemoryDatabase(),
        rulebook=rulebook,
        new_seed=lambda: "5eed" * 16,
        wall=lambda: 1_800_000_000.0,
        features=features,
    )
    await lobby.open()
    yield lobby
    await lobby.close()


async def play_to_the_end(ana: TerminalPlayer) -> None:
    """As an AI player would."""
    await ana.type("play level=hard", "ready")
    chance = Random(1)
    while (view := ana.session.player_session.view) is not None and view.phase != "over":
        if view.to_move == view.seat:
            await ana.type(str(LEVELS["hard"](view, chance)))
        else:
            await asyncio.sleep(SETTLED)


def same_screens(scene: Scene, golden: str, features: Features = NO_FEATURES) -> None:
    """Have the same text at each size as ever; nothing stands in the last column, where it might wrap."""
    with patch.object(secrets, "choice", Random(7).choice):
        shown = in_virtual_time(_screens)(scene, features)
    file = GOLDEN / f"{golden}.txt"
    if os.environ.get("GOLDENS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(shown, "utf-8")
    assert shown == file.read_text("utf-8")


async def _screens(scene: Scene, features: Features) -> str:
    """What a scene looks like at every size, one terminal being resized."""
    shown: list[str] = []
    async with _running_server(features) as lobby:
        ana = await TerminalPlayer(lobby, "ana", SIZES[0]).arrived()
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
