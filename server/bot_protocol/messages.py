"""What bots are sent (deploy/bots/README.md): one JSON object a line, each a typed message.

Messages for people say what to type. A bot sends JSON instead, so it is told what is wrong in other words.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from engine.ai import LEVELS
from engine.legality import legal_moves
from engine.protocol.view_json import view_json
from engine.view import View
from server.session.bot_requests import BotMessage
from server.table.snapshot import Listing, PublicDeal, Snapshot

ADVISER: Final = "hard"
"""The level that chooses cards for a bot that must lay some."""


_SENT: Final = tuple(
    (re.compile(typed), sent)
    for typed, sent in (
        (r"since you typed that: look again", r"since that ply: answer the newest turn"),
        (r"type start", r"send start"),
        (r"type ready", r"send the move ready"),
        (r"type sit (?:to take one|to take a seat|between games to take a seat)", r"send leave, then join"),
        (r"type watch \S+(?: and its word)? to look on(?:; |, or )", r""),
        (r"\bsit takes an AI player's", r"join takes an AI player's seat"),
        (r"with (?:sit|watch) (\S+)", r"with join, table \1"),
        (r"type tables\b", r"send tables"),
        (r"\bnew opens one", r"send new to open one"),
        (r"type its word, too.*", r"send its key, too"),
        (r"\b([\w.]+)=\.\.\.", r'"\1"'),
        (r"\bclock=30\b", r'"clock":30'),
    )
)
"""What people are told to type, and what a bot sends for it."""


class Hello(BotMessage, frozen=True):
    """The first message."""

    v: int
    """The version of the protocol."""
    server: str
    name: str
    rules: tuple[str, ...]
    table: int | None
    """The table that keeps a seat for the bot."""


class Joined(BotMessage, frozen=True):
    """The bot sits at a table."""

    table: int
    seat: int
    seats: int
    rules: str
    rating: str
    """Whether the running game, or the next one, is rated, and why not."""
    state: str
    """Whether a game is going on: `playing` or `open`, as in the list of tables."""

    @classmethod
    def of(cls, snapshot: Snapshot, seat: int) -> "Joined":
        """The message to a bot that has just taken this seat."""
        state = "playing" if snapshot.playing else "open"
        return cls(snapshot.table, seat, len(snapshot.sitters), snapshot.rules.name, snapshot.rating, state)


class Left(BotMessage, frozen=True):
    """The bot has given its seat up."""

    table: int


class Event(BotMessage, frozen=True):
    """Something has happened in the game."""

    table: int
    seq: int
    event: Mapping[str, Any]


class Turn(BotMessage, frozen=True):
    """The bot has to decide."""

    game: str
    table: int
    ply: int
    view: Mapping[str, Any]
    legal: list[str]
    deadline_s: float | None
    may: list[str] | UnsetType = UNSET
    """While cards are arranged: the other forms of moves."""

    @classmethod
    def of(cls, game: str, table: int, ply: int, view: View, seat: int, deadline_s: float | None = None) -> "Turn":
        """The decision of this seat, with its view of the game."""
        may = _arranging_moves(view) if view.phase == "arrange" else UNSET
        return cls(game, table, ply, view_json(view), _moves_offered(view, seat), deadline_s, may)


class ShownCut(Struct, frozen=True):
    """A cut of a deal."""

    name: str
    text: str | None
    seal: str | None


class Open(BotMessage, frozen=True):
    """The cuts are closed: the bot has to open its sealed one."""

    table: int
    game: str
    commitment: str
    cuts: list[ShownCut]
    deadline_s: float | None

    @classmethod
    def of(cls, table: int, deal: PublicDeal, deadline_s: float | None) -> "Open":
        """The cuts of a deal as everybody may know them."""
        cuts = [ShownCut(cut.name, cut.text, cut.seal or None) for cut in deal.cuts]
        return cls(table, deal.game, deal.commitment, cuts, deadline_s)


class Refused(BotMessage, frozen=True):
    """A move cannot be made; the turn still stands."""

    ply: Any
    code: str
    clause: str | None
    message: str


class Over(BotMessage, frozen=True):
    """The game is over."""

    table: int
    outcome: Mapping[str, Any]
    places: tuple[int, ...]
    """The seats that went out, in this order."""
    game: str | None
    """Its id; None if it is not kept."""
    ranks: tuple[int, ...]
    """The rank of each seat as the game counts (`records.results.Finish`)."""
    left: tuple[int, ...]
    """The cards that each seat has left."""


class ListedTable(Struct, frozen=True):
    """One table in a list."""

    table: int
    rules: str
    seats: int
    open: int
    state: str
    rating: str

    @classmethod
    def of(cls, listing: Listing) -> "ListedTable":
        """A table as the lobby lists it."""
        return cls(
            listing.number, listing.rules, len(listing.sitters), listing.open_seats, listing.state, listing.rating
        )


class Tables(BotMessage, frozen=True):
    """All tables."""

    tables: list[ListedTable]


class Pong(BotMessage, frozen=True):
    """The answer to a ping."""

    id: Any


class Error(BotMessage, frozen=True):
    """A request cannot be carried out, or something has happened that the bot did not ask for."""

    code: str
    message: str
    retry_s: float | UnsetType = UNSET
    """Seconds to wait, if the bot was too fast."""


def write_message(message: BotMessage) -> str:
    """A message as one line of ASCII: no character in a name or an id can end it early."""
    return json.dumps(msgspec.to_builtins(message), separators=(",", ":"))


def _moves_offered(view: View, seat: int) -> list[str]:
    """All legal moves; if cards must be laid first, one sensible choice of them."""
    moves = legal_moves(view, seat)
    if view.phase == "arrange" and not moves:
        moves = [LEVELS[ADVISER](view, Random(0))]
    return [str(move) for move in moves]


def _arranging_moves(view: View) -> list[str]:
    """The forms of arranging moves that a bot may make besides those it is offered."""
    return ["swap"] if view.rules.arrange_mode == "swap" else ["lay"] if view.rules.arrange_lay else []


def seconds_left(snapshot: Snapshot) -> float | None:
    """Seconds for the pending decision; None without a clock."""
    now = asyncio.get_running_loop().time()
    return None if snapshot.deadline is None else round(max(0.0, snapshot.deadline - now), 1)


def for_bots(message: str) -> str:
    """A message for people in the words of the protocol."""
    for typed, sent in _SENT:
        message = typed.sub(sent, message)
    return message
