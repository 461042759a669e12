"""Quick AI players in the background of the daily deal."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

import pytest

from server.ai.pool import AIPool
from server.daily import choice
from server.daily.deal import DailyScore, play_by_ai
from server.daily.service import Dailies
from server.lobby.lobby import Lobby
from server.table.entries import TableSettings

T = TypeVar("T")
_played: Final[dict[tuple[object, ...], tuple[list[str], DailyScore | None]]] = {}
"""What AI players played, by all that it depends on: most tests have the same deals."""


def _play_once(
    settings: TableSettings, level: str, chance: str, moves: Sequence[str] = (), decisions: int | None = None
) -> tuple[list[str], DailyScore | None]:
    key = (settings.secret, level, chance, *moves, decisions)
    if key not in _played:
        _played[key] = play_by_ai(settings, level, chance, moves, decisions)
    return _played[key]


def quicken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have AI players play a deal in a moment: few games, a weaker one in Master's place, the same deals for all."""

    async def at_once(_: AIPool, job: Callable[[], T], *, in_background: bool = False) -> T:  # noqa: ARG001
        return job()

    async def here(job: Callable[[], T]) -> T:
        return job()

    monkeypatch.setattr(AIPool, "run", at_once)
    monkeypatch.setattr(choice, "to_thread", here)
    monkeypatch.setattr(choice, "play_by_ai", _play_once)
    monkeypatch.setattr(choice, "new_seed", lambda: "33")  # which gives short games
    monkeypatch.setattr(choice, "QUICK_CANDIDATES", 0)
    monkeypatch.setattr(choice, "CANDIDATES", 2)
    monkeypatch.setattr(choice, "FIELD_GAMES", 4)
    monkeypatch.setattr(choice, "PAR_LEVEL", "hard")
    monkeypatch.setattr(choice, "PAR_GAMES", 1)


def dailies_of(lobby: Lobby) -> Dailies:
    """The daily deals of a server."""
    return lobby.service(Dailies)
