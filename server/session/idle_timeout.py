"""Disconnects a player who sits in the lobby and types nothing for a long time, after a warning."""

import asyncio
from collections.abc import Callable
from typing import Final

from engine.wording.phrases import quantity
from server.limits import IDLE_WARNING_SECONDS

WARNING: Final = (
    f"Are you still there? In {quantity(round(IDLE_WARNING_SECONDS), 'second')} you are disconnected: "
    "press a key to stay."
)
FAREWELL: Final = "Disconnected: you typed nothing for a long time. Come again soon."


async def watch_idleness(
    seconds: float,
    last_input_at: Callable[[], float],
    in_lobby: Callable[[], bool],
    warn: Callable[[str], None],
    disconnect: Callable[[str], None],
) -> None:
    """Watch one session until it is idle for so long. At a table a player may watch for as long as they like.

    ``warn`` shows the player a line; ``disconnect`` ends the session with a last one.
    """
    loop = asyncio.get_running_loop()
    in_lobby_since, warned = loop.time(), False
    while True:
        if not in_lobby():
            in_lobby_since = loop.time()
        left = max(in_lobby_since, last_input_at()) + seconds - loop.time()
        if left <= 0:
            disconnect(FAREWELL)
            return
        until_warning = left - IDLE_WARNING_SECONDS
        if until_warning <= 0 and not warned:
            warn(WARNING)
        warned = until_warning <= 0
        await asyncio.sleep(min(left if warned else until_warning, IDLE_WARNING_SECONDS))
