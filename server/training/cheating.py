"""The cheating player of `quatch arena`: it sees all cards, so it shows how much any player could win.

It searches as Master does, but only in the true position. No table offers it.
"""

from collections.abc import Iterable
from random import Random
from typing import Final

from engine.ai import AIPlayer, player_named
from engine.ai.learned_levels import master
from engine.ai.worlds import World
from engine.moves import Move
from engine.state import State
from engine.view import View

CHEATING: Final = "cheating"
"""Its name in a line-up: ``cheating``, or ``cheating@60`` with the number of simulations."""


class _TrueWorld:
    """The true position, in place of worlds that agree with a view."""

    possible: Final = True

    def __init__(self, state: State) -> None:
        self._state = state

    def draw(self, _: Random) -> World:
        return self._state.copy()


class _CheatingPlayer:
    """Plays like Master until it is shown the cards."""

    def __init__(self, simulations: int | None) -> None:
        self._simulations = simulations
        self.state: State | None = None

    def __call__(self, view: View, rng: Random) -> Move:
        worlds = _TrueWorld(self.state) if self.state else None
        return master(view, rng, simulations=self._simulations, worlds=worlds)


def arena_player(text: str) -> AIPlayer:
    """The player of a line-up: as `player_named`, or the cheating one. Raises InputError (bad_request)."""
    name, at, simulations = text.partition("@")
    if name != CHEATING:
        return player_named(text)
    player_named(f"master{at}{simulations}")  # refuses a wrong number
    return _CheatingPlayer(int(simulations) if at else None)


def show_cards(players: Iterable[AIPlayer], state: State) -> None:
    """Let those of the players who cheat see this game, which is played on in place."""
    for player in players:
        if isinstance(player, _CheatingPlayer):
            player.state = state
