"""The names of AI players, and the style that each of them plays in."""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, count, cycle
from typing import Final, TypeAlias

from engine.ai import STYLES
from engine.errors import InputError
from server.people.names import looks
from server.people.players import Player

AI_NAMES: Final = ("Fox", "Owl", "Hex", "Ivy", "Bea", "Max", "Ada", "Sol", "Kit", "Zoe", "Ben", "Lou")
STYLE_OF_NAME: Final[Mapping[str, str]] = dict(zip(AI_NAMES, cycle(STYLES), strict=False))
"""The style of each name, so that the AI players at a table differ."""


IsAPersonsName: TypeAlias = Callable[[str], bool]
"""Whether a person has a name that looks like this one: then no AI player gets it."""


def new_ai_player(
    taken: Iterable[str], level: str, style: str = "", is_a_persons_name: IsAPersonsName = lambda _: False
) -> Player:
    """An AI player with a free name, of this style if one is named. Raises InputError if no such name is left.

    The name looks like none in ``taken``, and like that of no person.
    """
    there = set(chain.from_iterable(map(looks, taken)))
    every = (name for name in AI_NAMES if style in {"", STYLE_OF_NAME[name]})
    names = every if style else chain(every, map("AI{}".format, count(1)))
    name = next((name for name in names if there.isdisjoint(looks(name)) and not is_a_persons_name(name)), None)
    if name is None:
        raise InputError("bad_request", f"every {style} sits here already: name another style, or none")
    return Player(f"ai:{name}", name, "ai", level)


def style_of(player: Player) -> str:
    """The style of the AI player in a seat; plain if it stands in for a person."""
    return STYLE_OF_NAME.get(player.name, "plain") if player.kind == "ai" else "plain"
