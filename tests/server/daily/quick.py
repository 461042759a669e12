"""Quick AI players in the background of the daily deal."""

from collections.abc import Callable
from typing import TypeVar

import pytest

from server.ai.pool import AIPool
from server.daily import choice
from server.daily.service import Dailies
from server.lobby.lobby import Lobby

T = TypeVar("T")


def quicken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have AI players play a deal in a moment: few deals and games, and a weaker one in Master's place."""

    async def at_once(_: AIPool, job: Callable[[], T], *, in_background: bool = False) -> T:  # noqa: ARG001
        return job()

    async def here(job: Callable[[], T]) -> T:
        return job()

    monkeypatch.setattr(AIPool, "run", at_once)
    monkeypatch.setattr(choice, "to_thread", here)
    monkeypatch.setattr(choice, "QUICK_CANDIDATES", 0)
    monkeypatch.setattr(choice, "CANDIDATES", 2)
    monkeypatch.setattr(choice, "FIELD_GAMES", 4)
    monkeypatch.setattr(choice, "PAR_LEVEL", "hard")
    monkeypatch.setattr(choice, "PAR_GAMES", 1)


def dailies_of(lobby: Lobby) -> Dailies:
    """The daily deals of a server."""
    return lobby.service(Dailies)
