"""The commands of ops, the people whose keys the host has named in the config.

Everything that is done is logged in one line: by whom, what, to whom, for how long.
"""

from contextlib import suppress
from functools import partial
from ipaddress import ip_network
from typing import Final

import structlog
from msgspec import Struct

from engine.errors import InputError
from server.addresses import Network, network_of, read_network
from server.clean import clean, read_number
from server.commands.registry import Answer, Command, Context
from server.config import is_fingerprint
from server.limits import DRAIN_MINUTES, DRAIN_MINUTES_MOST, TALK_LENGTH
from server.lobby.lobby import Lobby, Visitor
from server.people.players import Caller, Player
from server.people.sanctions import Sanction, Sanctions, read_duration
from server.records.text_lines import time_text

log = structlog.get_logger("quatch.admin")

op_command = partial(Command, ops=True, in_full=True)
"""A command of ops, also as `ssh HOST admin COMMAND`."""
TIMES: Final = "TIME is 30m, 2h or 7d; if you name none it is for ever."


class _DoneJson(Struct):
    done: str


class _SanctionJson(Struct):
    target: str
    name: str | None
    until: str | None
    """A time in UTC; None for ever."""
    by: str


class _BansJson(Struct):
    bans: list[_SanctionJson]
    mutes: list[_SanctionJson]


@op_command("kick NAME")
async def kick(context: Context, rest: str) -> Answer:
    """Send somebody away; an AI player gets the seat."""
    visitor = _visitor(context, rest, "kick whom? Type kick NAME")
    await _send_away(context.lobby, visitor, "The host has sent you away.")
    _log(context, "kick", _whom(visitor))
    return _done(f"{visitor.player.name} is sent away: {_whom(visitor)}.")


@op_command("ban NAME [TIME]", details=("NAME may also be SHA256:... or 192.0.2.7, with /24 a network.", TIMES))
async def ban(context: Context, rest: str) -> Answer:
    """Refuse a name, a key or an address."""
    text, _, how_long = rest.partition(" ")
    seconds = read_duration(how_long.strip())
    target, name = _target(context, text)
    sanction = await context.lobby.bans.impose(target, name, seconds, str(context.caller.key))
    _log(context, "ban", target, how_long.strip() or "for ever", name=name)
    there = "; all who come from there" if read_network(target) else ""
    return _done(f"{sanction.whom} is banned {sanction.words}{there}.")


@op_command("unban NAME")
async def unban(context: Context, rest: str) -> Answer:
    """Lift a ban."""
    return await _lift(context, "unban", context.lobby.bans, rest)


@op_command("bans")
async def bans(context: Context, _: str) -> Answer:
    """List who is banned or muted."""
    banned, muted = context.lobby.bans.all(), context.lobby.mutes.all()
    lines = [f"banned  {one.whom} {one.words}" for one in banned] + [f"muted   {one.whom} {one.words}" for one in muted]
    found = _BansJson([*map(_json, banned)], [*map(_json, muted)])
    return Answer(lines or ["No player is banned or muted."], found)


@op_command("mute NAME [TIME]", details=(TIMES,))
async def mute(context: Context, rest: str) -> Answer:
    """Stop somebody from talking."""
    text, _, how_long = rest.partition(" ")
    seconds = read_duration(how_long.strip())
    visitor = _visitor(context, text, "mute whom? Type mute NAME, or mute NAME 30m")
    # A guest is muted by address, unless others come from there.
    target = _location(context, visitor.player, visitor.caller) or visitor.player.id
    sanction = await context.lobby.mutes.impose(target, visitor.player.name, seconds, str(context.caller.key))
    _log(context, "mute", _whom(visitor), how_long.strip() or "for ever")
    return _done(f"{visitor.player.name} is muted {sanction.words}.")


@op_command("unmute NAME")
async def unmute(context: Context, rest: str) -> Answer:
    """Let them talk again."""
    return await _lift(context, "unmute", context.lobby.mutes, rest)


@op_command("announce TEXT")
async def announce(context: Context, rest: str) -> Answer:
    """Tell everybody something."""
    text = clean(rest, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", "announce what? Type announce and what everybody is to read")
    context.lobby.announce(text)
    _log(context, "announce", text=text)
    return _done(f"{len(context.lobby.visitors)} people are told.")


@op_command(
    "drain [MINUTES]",
    details=(
        f"No game starts meanwhile. MINUTES is how long it waits at most, {DRAIN_MINUTES} if you name none.",
        "drain off: go on after all.",
    ),
)
async def drain(context: Context, rest: str) -> Answer:
    """Stop when the running games are over."""
    if rest == "off":
        if not context.lobby.drain.is_active:
            raise InputError("bad_request", "the server is not about to stop")
        context.lobby.drain.cancel()
        context.lobby.announce("The server goes on after all: new games may begin.")
        _log(context, "drain off")
        return _done("The server goes on.")
    minutes = read_number(rest) if rest else DRAIN_MINUTES
    if minutes is None or minutes > DRAIN_MINUTES_MOST:
        raise InputError("bad_request", f"type drain off, or drain with 0 to {DRAIN_MINUTES_MOST} minutes")
    context.lobby.drain.begin(minutes * 60)
    context.lobby.announce(context.lobby.drain.notice)
    _log(context, "drain", how_long=f"{minutes}m")
    return _done(context.lobby.drain.notice)


async def send_away_banned(lobby: Lobby) -> None:
    """Send away everybody who is here and banned."""
    for visitor in list(lobby.visitors):
        caller = visitor.caller
        found = lobby.bans.on((caller.key, visitor.player.id), caller.address)
        if found and caller.key not in lobby.config.ops:
            await _send_away(lobby, visitor, f"You are banned from this server {found.words}.")


async def _send_away(lobby: Lobby, visitor: Visitor, farewell: str) -> None:
    """End a session, and free the seats that its player had."""
    for table in lobby.running_tables.with_seat_of(visitor.player.id):
        with suppress(InputError):  # it has closed just now
            await table.expel(visitor.player.id)
    visitor.dismiss(farewell)


async def _lift(context: Context, act: str, sanctions: Sanctions, rest: str) -> Answer:
    lifted = await sanctions.lift(context.lobby.accounts.of(rest) or rest) if rest else []
    if not lifted:
        raise InputError("bad_request", f"{act} whom? bans lists them")
    for one in lifted:
        _log(context, act, one.target)
    return _done(f"Taken back: {', '.join(one.whom for one in lifted)}.")


def _visitor(context: Context, name: str, otherwise: str) -> Visitor:
    """The person of this name who is here. Raises InputError if there is none, or they are an op."""
    if not name:
        raise InputError("bad_request", otherwise)
    visitor = context.lobby.find(name)
    _must_be_no_op(context.lobby, visitor.caller.key)
    return visitor


def _target(context: Context, text: str) -> tuple[str, str]:
    """The key or network that a ban of this text is about, and the name that goes with it. Raises InputError."""
    lobby = context.lobby
    if text.startswith("SHA256:"):
        if not is_fingerprint(text):
            raise InputError("bad_request", f"{text[:60]!r} is no fingerprint: it is cut off, perhaps")
        return _account(lobby, text), ""
    if (network := read_network(text)) is not None:
        _must_be_elsewhere(context, network)
        return str(network), ""
    if not text:
        raise InputError(
            "bad_request", "ban whom? Type ban and a name, SHA256:... or 192.0.2.7, and 30m, 2h or 7d after it"
        )
    if found := lobby.recent_player(text):
        player, caller = found
    elif owner := lobby.names.owner(text):
        return _account(lobby, owner), clean(text)
    else:
        visitor = lobby.find(text)
        player, caller = visitor.player, visitor.caller
    _must_be_no_op(lobby, caller.key)
    if player.identity is not None:
        return _account(lobby, player.identity), player.name
    if (place := _location(context, player, caller)) is None:
        raise InputError("bad_request", "guests from there cannot be told from others: kick or mute them")
    _must_be_elsewhere(context, ip_network(place))
    return place, player.name


def _account(lobby: Lobby, key: str) -> str:
    account = lobby.accounts.of(key) or key
    _must_be_no_op(lobby, *lobby.accounts.keys(account))
    return account


def _location(context: Context, player: Player, caller: Caller) -> str | None:
    """The network that a guest comes from; None for players with a key, and if it does not tell guests apart."""
    if player.identity or caller.address is None or caller.address in context.lobby.bans.spared:
        return None
    return str(ip_network(network_of(caller.address)))


def _must_be_no_op(lobby: Lobby, *keys: str | None) -> None:
    if set(keys) & set(lobby.config.ops):
        raise InputError("bad_request", "that is an op: only the config says who is")


def _must_be_elsewhere(context: Context, network: Network) -> None:
    own, spared = context.caller.address, context.lobby.bans.spared
    if network.network_address in spared and network.broadcast_address in spared:
        raise InputError("bad_request", "nobody can be banned there: the config names it under exempt or proxies")
    if own is not None and own in network and own not in spared:
        raise InputError("bad_request", "you come from there yourself")


def _whom(visitor: Visitor) -> str:
    return f"{visitor.caller.key or 'a guest'} from {visitor.caller.address or 'this terminal'}"


def _json(one: Sanction) -> _SanctionJson:
    until = None if one.until is None else time_text(round(one.until))
    return _SanctionJson(one.target, one.name or None, until, one.by)


def _done(line: str) -> Answer:
    return Answer([line], _DoneJson(line))


def _log(context: Context, act: str, whom: str = "", how_long: str = "", **more: str) -> None:
    """Write to the log that an op did this."""
    log.info("op acted", by=context.caller.key, act=act, whom=whom, how_long=how_long, **more)
