"""What ops can do: people whose keys the host has named in the config. Each is a function from the op to an answer.

Acts raise InputError where they cannot be done. Whatever is done is logged in one line: who, what, whom, how long.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_network
from types import MappingProxyType
from typing import Final, TypeAlias

import structlog

from engine.errors import InputError
from engine.rules import Json
from server.addresses import Network, network_of, read_network
from server.clean import clean
from server.config import is_fingerprint
from server.limits import DRAIN_MINUTES, DRAIN_MINUTES_MOST, TALK_LENGTH
from server.lobby.lobby import Lobby, Visitor
from server.people.players import Caller, Player
from server.people.sanctions import Sanction, Sanctions, read_duration
from server.records.text_lines import time_text

log = structlog.get_logger("quatch.admin")


@dataclass(frozen=True, slots=True)
class Op:
    """Somebody whose key the host has named, and the lobby in which they act."""

    lobby: Lobby
    caller: Caller

    def log(self, act: str, whom: str = "", how_long: str = "", **more: str) -> None:
        """Have it in the log that this was done."""
        log.info("op acted", by=self.caller.key, act=act, whom=whom, how_long=how_long, **more)


@dataclass(frozen=True, slots=True)
class Done:
    """What an op is told: lines, and for programs something to read."""

    lines: list[str]
    fields: Mapping[str, Json]


Act: TypeAlias = Callable[[Op, str], Awaitable[Done]]


async def kick(op: Op, rest: str) -> Done:
    """Send somebody away. Their seat is given up for good; they may come in again."""
    visitor = _visitor(op, rest, "kick whom? Say kick NAME")
    await _send_away(op.lobby, visitor, "The host has sent you away.")
    op.log("kick", _whom(visitor))
    return _done(f"{visitor.player.name} is sent away: {_whom(visitor)}.")


async def ban(op: Op, rest: str) -> Done:
    """Let somebody in no more, by key or by address, and send away whoever is in."""
    text, _, how_long = rest.partition(" ")
    seconds = read_duration(how_long.strip())
    target, name = _target(op, text)
    sanction = await op.lobby.bans.impose(target, name, seconds, str(op.caller.key))
    op.log("ban", target, how_long.strip() or "for ever", name=name)
    there = "; all who come from there" if read_network(target) else ""
    return _done(f"{sanction.whom} is banned {sanction.words}{there}.")


async def unban(op: Op, rest: str) -> Done:
    """Let somebody in again."""
    return await _lift(op, "unban", op.lobby.bans, rest)


async def bans(op: Op, _: str) -> Done:
    """Who is banned, and who is muted."""
    banned, muted = op.lobby.bans.all(), op.lobby.mutes.all()
    lines = [f"banned  {one.whom} {one.words}" for one in banned] + [f"muted   {one.whom} {one.words}" for one in muted]
    return Done(lines or ["Nobody is banned or muted."], {"bans": [*map(_json, banned)], "mutes": [*map(_json, muted)]})


async def mute(op: Op, rest: str) -> Done:
    """Let somebody talk no more; a guest by address, where that tells them from others."""
    text, _, how_long = rest.partition(" ")
    seconds = read_duration(how_long.strip())
    visitor = _visitor(op, text, "mute whom? Say mute NAME, or mute NAME 30m")
    target = _location(op, visitor.player, visitor.caller) or visitor.player.id
    sanction = await op.lobby.mutes.impose(target, visitor.player.name, seconds, str(op.caller.key))
    op.log("mute", _whom(visitor), how_long.strip() or "for ever")
    return _done(f"{visitor.player.name} is muted {sanction.words}.")


async def unmute(op: Op, rest: str) -> Done:
    """Let somebody talk again."""
    return await _lift(op, "unmute", op.lobby.mutes, rest)


async def announce(op: Op, rest: str) -> Done:
    """Tell everybody something."""
    text = clean(rest, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", "announce what? Say announce and what everybody is to read")
    op.lobby.announce(text)
    op.log("announce", text=text)
    return _done(f"{len(op.lobby.visitors)} people are told.")


async def drain(op: Op, rest: str) -> Done:
    """Begin nothing new and stop when running games are over; or go on after all."""
    if rest == "off":
        if not op.lobby.drain.is_active:
            raise InputError("bad_request", "the server is not about to stop")
        op.lobby.drain.cancel()
        op.lobby.announce("The server goes on after all: new games may begin.")
        op.log("drain off")
        return _done("The server goes on.")
    minutes = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 5 else -1 if rest else DRAIN_MINUTES
    if not 0 <= minutes <= DRAIN_MINUTES_MOST:
        raise InputError("bad_request", f"say drain off, or drain with 0 to {DRAIN_MINUTES_MOST} minutes")
    op.lobby.drain.begin(minutes * 60)
    op.lobby.announce(op.lobby.drain.notice)
    op.log("drain", how_long=f"{minutes}m")
    return _done(op.lobby.drain.notice)


ADMIN: Final[Mapping[str, Act]] = MappingProxyType(
    {
        "kick": kick,
        "ban": ban,
        "unban": unban,
        "bans": bans,
        "mute": mute,
        "unmute": unmute,
        "announce": announce,
        "drain": drain,
    }
)
"""By the name of the command."""


async def send_away_banned(lobby: Lobby) -> None:
    """Have everybody go who is in and banned."""
    for visitor in list(lobby.visitors):
        caller = visitor.caller
        if caller.key in lobby.config.ops:
            continue
        if found := lobby.bans.on((caller.key, visitor.player.id), caller.address):
            await _send_away(lobby, visitor, f"You are banned from this server {found.words}.")


async def _send_away(lobby: Lobby, visitor: Visitor, farewell: str) -> None:
    """End a visit, and free whatever seats they had."""
    for table in lobby.tables_of(visitor.player.id):
        with suppress(InputError):  # it has closed just now
            await table.expel(visitor.player.id)
    visitor.dismiss(farewell)


async def _lift(op: Op, act: str, sanctions: Sanctions, rest: str) -> Done:
    lifted = await sanctions.lift(op.lobby.accounts.of(rest) or rest) if rest else []
    if not lifted:
        raise InputError("bad_request", f"{act} whom? bans lists them")
    for one in lifted:
        op.log(act, one.target)
    return _done(f"Taken back: {', '.join(one.whom for one in lifted)}.")


def _visitor(op: Op, name: str, otherwise: str) -> Visitor:
    """Who goes by this name here. Raises InputError where nobody does, and for ops."""
    if not name:
        raise InputError("bad_request", otherwise)
    visitor = op.lobby.find(name)
    _must_be_no_op(op.lobby, visitor.caller.key)
    return visitor


def _target(op: Op, text: str) -> tuple[str, str]:
    """What is banned where an op says so, and what it is called."""
    lobby = op.lobby
    if text.startswith("SHA256:"):
        if not is_fingerprint(text):
            raise InputError("bad_request", f"{text[:60]!r} is no fingerprint: it is cut off, perhaps")
        return _account(lobby, text), ""
    if (network := read_network(text)) is not None:
        _must_be_elsewhere(op, network)
        return str(network), ""
    if not text:
        raise InputError(
            "bad_request",
            "ban whom? Say ban NAME, ban SHA256:... or ban 192.0.2.7, and 30m, 2h or 7d after it",
        )
    found = lobby.recent_player(text)
    if found is None and (owner := lobby.names.owner(text)) is not None:
        return _account(lobby, owner), clean(text)
    if found is None:
        visitor = lobby.find(text)
        found = visitor.player, visitor.caller
    player, caller = found
    _must_be_no_op(lobby, caller.key)
    if player.identity is not None:
        return _account(lobby, player.identity), player.name
    if (place := _location(op, player, caller)) is None:
        raise InputError("bad_request", "guests from there cannot be told from others: kick or mute them")
    _must_be_elsewhere(op, ip_network(place))
    return place, player.name


def _account(lobby: Lobby, key: str) -> str:
    account = lobby.accounts.of(key) or key
    for its_key in lobby.accounts.keys(account):
        _must_be_no_op(lobby, its_key)
    return account


def _location(op: Op, player: Player, caller: Caller) -> str | None:
    """Where a guest comes from; None for whoever has a key, or cannot be told from others by that."""
    if player.identity or caller.address is None or caller.address in op.lobby.bans.spared:
        return None
    return str(ip_network(network_of(caller.address)))


def _must_be_no_op(lobby: Lobby, key: str | None) -> None:
    if key in lobby.config.ops:
        raise InputError("bad_request", "that is an op: only the config says who is")


def _must_be_elsewhere(op: Op, network: Network) -> None:
    own, spared = op.caller.address, op.lobby.bans.spared
    if network.network_address in spared and network.broadcast_address in spared:
        raise InputError("bad_request", "nobody can be banned there: the config names it under exempt or proxies")
    if own is not None and own in network and own not in spared:
        raise InputError("bad_request", "you come from there yourself")


def _whom(visitor: Visitor) -> str:
    return f"{visitor.caller.key or 'a guest'} from {visitor.caller.address or 'this terminal'}"


def _json(one: Sanction) -> Json:
    until = None if one.until is None else time_text(round(one.until))
    return {"target": one.target, "name": one.name or None, "until": until, "by": one.by}


def _done(line: str) -> Done:
    return Done([line], {"done": line})
