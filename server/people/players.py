"""Callers and players, their ids and resume codes; the names and styles of AI players."""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, count, cycle
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from engine.ai import STYLES
from engine.errors import InputError
from server.addresses import Address
from server.people.names import looks

Kind: TypeAlias = Literal["person", "ai", "bot"]
IsAPersonsName: TypeAlias = Callable[[str], bool]
"""Whether a person has a name that looks like this one: then no AI player gets it."""
AI_NAMES: Final = ("Fox", "Owl", "Hex", "Ivy", "Bea", "Max", "Ada", "Sol", "Kit", "Zoe", "Ben", "Lou")
STYLE_OF_NAME: Final[Mapping[str, str]] = dict(zip(AI_NAMES, cycle(STYLES), strict=False))
"""The style of each name, so that the AI players at a table differ."""

ACCOUNT: Final = "account:"
"""The id of an account begins so."""
FORMER: Final = "a former player"
"""What is left of the name of a player who was forgotten. Nobody can be called so: names have no spaces."""
_LETTERS: Final = "23456789abcdefghjkmnpqrstvwxyz"
_GROUPS: Final = 3
_GROUP: Final = 4
CODE: Final = "-".join([f"[{_LETTERS}]{{{_GROUP}}}"] * _GROUPS)
"""A pattern for a code as it is typed."""
GUEST_PREFIX: Final = "guest:"
"""The id of a guest begins so."""


class Caller(Struct, frozen=True):
    """What a connection tells about the person or program that came in."""

    wished_name: str = ""
    """Cleaned; empty if the player wishes for none."""
    key: str | None = None
    """The fingerprint of the proven key; None for a guest."""
    address: Address | None = None
    """None for a local terminal."""
    runs_server: bool = False
    """Whether it is the person who runs the server, at the terminal where it was started."""
    may_return: bool = True
    """Whether the player can come in again; not to a game that ends with its process."""
    token: str = ""
    """What the program of a guest keeps, and shows each time, so that the guest is known again without typing a resume
    code; empty if it keeps none."""

    @property
    def is_alone(self) -> bool:
        """Whether no other player can come: the game is in the terminal alone, without a server."""
        return not self.may_return


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A person, an AI player or a bot.

    ``id`` begins with what it is: `new_account_id`, `guest_id`, or ``ai:``.
    """

    id: str
    name: str
    kind: Kind = "person"
    level: str | None = None
    """An AI player's level."""

    @property
    def account(self) -> str | None:
        """The account, which linked keys share; None for a guest, an AI player, and a player who was forgotten."""
        return self.id if self.id.startswith(ACCOUNT) and self.name != FORMER else None


def guest_address(player: Player, caller: Caller) -> Address | None:
    """The address that a mute of this player may be against; None for a player with a key."""
    return None if player.account else caller.address


def new_account_id() -> str:
    """The id of a new account: it is random, and stays when the key, the name, or the account itself has gone."""
    return ACCOUNT + secrets.token_hex(8)


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


def new_code() -> str:
    """A random code that is short to type and hard to guess: three groups of letters and digits, 58 bits."""
    return code_from(secrets.token_bytes(32))


def code_from(digest: bytes) -> str:
    """The code in the form of `new_code` that a digest stands for."""
    number, letters = int.from_bytes(digest), ""
    for _ in range(_GROUPS * _GROUP):
        number, at = divmod(number, len(_LETTERS))
        letters += _LETTERS[at]
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def guest_id(resume_code: str) -> str:
    """The id of the guest with this resume code; the code cannot be computed from it."""
    return GUEST_PREFIX + hashlib.sha256(b"quatch-guest-v1\0" + resume_code.lower().encode()).hexdigest()[:24]


def come_in_again_text(resume_code: str) -> str:
    """How a player who was disconnected comes back. The code is empty for players with a key."""
    return f"come in again and type resume {resume_code}" if resume_code else "come in again"


def way_back_text(resume_code: str, token: str = "") -> str:
    """How to get the seat back after being disconnected; ``token`` as in `Caller`."""
    if token:
        return "You are known by the program with which you came: come in again with it, and your seat is yours."
    if not resume_code:
        return "You are known by your ssh key: come in again with it, and your seat is yours."
    return f"If the connection is lost: {come_in_again_text(resume_code)}"
