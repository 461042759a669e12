"""A finished game: who played, the deal and its seed, every move, the result. As text for people, read back exactly."""

from dataclasses import dataclass, field
from typing import TypeAlias

from engine.rules import Json
from server.players import Player


@dataclass(frozen=True, slots=True)
class Move:
    """A seat moved; the text is as REFEREE writes moves."""

    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is no move: somebody took a seat, went away or came back."""

    text: str


Step: TypeAlias = Move | Note


@dataclass(frozen=True, slots=True)
class Record:
    """Everything about one game that was played to its end."""

    id: str
    rules: str
    """The name of the rule set; with the options it is what was played."""
    title: str
    options: dict[str, Json]
    players: tuple[Player, ...]
    """Who was dealt in, by seat. Written by name, kind and level alone: who they proved to be is nobody's business."""
    seed: str
    """As committed to: 64 hexadecimal digits."""
    cuts: tuple[tuple[str, str], ...] = ()
    """The names of those who cut and what they typed, in that order."""
    dealer: int | None = None
    began: float = 0.0
    ended: float = 0.0
    """Seconds since 1970."""
    version: str = ""
    """The version of the program that played it."""
    steps: tuple[Step, ...] = field(default=())
