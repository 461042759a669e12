"""A competition that no feature holds, for tests of what shows competitions."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.errors import InputError
from server.features import Feature
from server.lobby.competitions import Competition, Competitions, Held, Leaders
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service

BEGINS: Final = Competition(
    "cup",
    "round 1 of 2",
    "round 1: dealt in",
    12,
    (),
    Leaders("2 players entered", (("", "ana", ""), ("", "bo", "")), "to play: cup join"),
    "cup: 2 players; round 1 of 2.",
    enter="cup join",
)


class Cups(Service):
    """One cup."""

    def __init__(self, _: Lobby) -> None:
        self.now = BEGINS
        self.goes_on = True
        self.opened_later: list[Held] = []

    def finish(self) -> None:
        """It is over."""
        self.goes_on = False
        self.now = replace(BEGINS, stage="it is over", waits_for="", left=None, ended=0.0, honours=("Most met: ana",))


def held(lobby: Lobby) -> Sequence[Held]:
    """The cup, unless it is over."""
    cups = lobby.service(Cups)
    return [*([Held("1", lambda: cups.now)] if cups.goes_on else []), *cups.opened_later]


async def find(lobby: Lobby, name: str) -> Held:
    """The cup. Raises InputError under another name."""
    if name not in {"", "cup"}:
        raise InputError("no_such_cup", f"no cup is called {name}")
    return Held("1", lambda: lobby.service(Cups).now)


CUP: Final = Feature("cup", (Runs(Cups), Competitions("cup", held, find)))
