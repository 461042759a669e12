"""The commands of ops, the people whose keys the host has named in the config.

Some ask about the whole server, however many processes and nodes it has; the others are acts.
Each act is logged in one line: its op, what they did, the player or address, and for how long.
"""

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial
from ipaddress import ip_network
from typing import Final

import structlog
from msgspec import Struct

from engine.errors import InputError
from engine.wording.phrases import listed, quantity, sentence_case
from server.addresses import Network, address_text, network_of, read_network
from server.clean_text import clean
from server.commands.registry import Answer, Command, Context
from server.config import is_fingerprint
from server.limits import DRAIN_MINUTES, DRAIN_MINUTES_MOST, TALK_LENGTH
from server.lobby.drain import notice
from server.lobby.lobby import Lobby
from server.lobby.visitor import Visitor
from server.number_text import read_number
from server.people.players import Caller, Player
from server.people.sanctions import Sanction, Sanctions, read_duration
from server.records.syntax import time_text
from server.storage.database import NotSaved
from server.table.snapshot import Presence

log = structlog.get_logger("quatch.admin")

op_command = partial(Command, ops=True, in_full=True)
"""A command of ops, also as `ssh HOST admin COMMAND`."""
TIMES: Final = "TIME is 30m, 2h or 7d; without it, until an op lifts it."


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


class _NodeJson(Struct):
    node: str
    processes: int
    people: int
    up_s: int
    """Since the start of its first process."""
    stops_in_s: float | None
    """At the latest, if it drains."""


class _NodesJson(Struct):
    nodes: list[_NodeJson]


class _PersonJson(Struct):
    name: str
    key: str | None
    address: str | None
    bot: bool
    where: str
    node: str
    here_s: int


class _PeopleJson(Struct):
    people: list[_PersonJson]


@op_command("kick NAME")
async def kick(context: Context, rest: str) -> Answer:
    """Disconnect a player; an AI player gets the seat."""
    visitor = _visitor(context, rest, "which player? Type kick NAME")
    await _send_away(context.lobby, visitor, "An op has disconnected you.", _by(context))
    context.lobby.send_away(visitor.caller)
    return done(context, f"Disconnected {visitor.player.name}: {_whom(visitor)}.", "kick", _whom(visitor))


@op_command(
    "ban NAME [TIME]",
    details=("NAME can also be a key (SHA256:...), an address (192.0.2.7) or a network (192.0.2.0/24).", TIMES),
)
async def ban(context: Context, rest: str) -> Answer:
    """Keep out a player, a key or an address."""
    text, _, how_long = rest.partition(" ")
    seconds = read_duration(how_long.strip())
    target, name = await _target(context, text)
    sanction = await context.lobby.bans.impose(target, name, seconds, _by(context))
    said = f"{sanction.whom} is banned {sanction.how_long}."
    return done(context, said, "ban", target, how_long.strip() or "for ever", name=name)


@op_command("unban NAME")
async def unban(context: Context, rest: str) -> Answer:
    """Lift a ban."""
    return await _lift(context, "unban", context.lobby.bans, rest)


@op_command("bans")
async def bans(context: Context, _: str) -> Answer:
    """List bans and mutes."""
    banned, muted = context.lobby.bans.all(), context.lobby.mutes.all()
    lines = [f"banned  {one.whom} {one.how_long}" for one in banned] + [
        f"muted   {one.whom} {one.how_long}" for one in muted
    ]
    found = _BansJson([*map(_json, banned)], [*map(_json, muted)])
    return Answer(lines or ["There are no bans and no mutes."], found)


@op_command("mute NAME [TIME]", details=(TIMES,))
async def mute(context: Context, rest: str) -> Answer:
    """Stop a player from talking."""
    text, _, how_long = rest.partition(" ")
    seconds = read_duration(how_long.strip())
    visitor = _visitor(context, text, "which player? Type mute NAME, or mute NAME 30m")
    # A guest is muted by address, unless others come from there.
    target = _guest_network(context, visitor.player, visitor.caller) or visitor.player.id
    sanction = await context.lobby.mutes.impose(target, visitor.player.name, seconds, _by(context))
    said = f"{visitor.player.name} is muted {sanction.how_long}."
    return done(context, said, "mute", _whom(visitor), how_long.strip() or "for ever")


@op_command("unmute NAME")
async def unmute(context: Context, rest: str) -> Answer:
    """Lift a mute."""
    return await _lift(context, "unmute", context.lobby.mutes, rest)


@op_command("announce TEXT")
async def announce(context: Context, rest: str) -> Answer:
    """Tell all players something."""
    text = clean(rest, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", "announce what? Type announce TEXT")
    context.lobby.visitors.announce(text)
    people = len(context.lobby.visitors.came)
    return done(context, f"Told {people} {'person' if people == 1 else 'people'}.", "announce", text=text)


@op_command(
    "drain [NODE] [MINUTES|off]",
    details=(
        f"No new game starts. The server stops after MINUTES at the latest ({DRAIN_MINUTES} by default).",
        "drain off: do not stop.",
        "With a NODE only that part of the server stops; nodes lists them.",
    ),
)
async def drain(context: Context, rest: str) -> Answer:
    """Stop when the running games are over."""
    lobby = context.lobby
    nodes = lobby.peers.nodes()
    first, _, more = rest.partition(" ")
    node, when = (first, more.strip()) if first in nodes else ("", rest)
    what = f"node {node}" if node else "the server"
    if when == "off":
        if not lobby.drains(node):
            raise InputError("bad_request", f"{what} is not about to stop")
        lobby.begin_drain(None, node)
        return done(context, f"{sentence_case(what)} does not stop.", "drain off", node)
    minutes = read_number(when) if when else DRAIN_MINUTES
    if minutes is None or minutes > DRAIN_MINUTES_MOST:
        raise InputError("bad_request", f"MINUTES is 0 to {DRAIN_MINUTES_MOST}, or off; NODE is {listed(nodes)}")
    is_part = lobby.begin_drain(minutes * 60, node)
    return done(context, notice(minutes * 60, is_part=is_part), "drain", node, how_long=f"{minutes}m")


@op_command("nodes")
async def nodes(context: Context, _: str) -> Answer:
    """List the parts of the server, and how they are."""
    found = _nodes(context.lobby)
    return Answer([_node_text(each) for each in found], _NodesJson(found))


@op_command("people")
async def people(context: Context, _: str) -> Answer:
    """List players with keys, addresses and nodes."""
    found = _people(context.lobby)
    lines = [
        f"{each.name} ({each.where}): {each.key or 'a guest'} from {each.address or 'this terminal'}"
        f", on {each.node} for {timedelta(seconds=each.here_s)}"
        for each in found
    ]
    return Answer(lines or ["Nobody is here."], _PeopleJson(found))


async def send_away_banned(lobby: Lobby) -> None:
    """Disconnect all banned players."""
    for visitor in list(lobby.visitors.here):
        caller = visitor.caller
        found = lobby.bans.on((caller.key, visitor.player.id), caller.address)
        if found and not lobby.is_op(caller):
            await _send_away(lobby, visitor, f"You are banned from this server {found.how_long}.", found.by)


async def _send_away(lobby: Lobby, visitor: Visitor, farewell: str, by: str) -> None:
    """End a session, and free the seats that its player had; ``by`` is the key of the op who decided that."""
    try:
        op = await lobby.accounts.of(by) or by
    except NotSaved:
        op = by  # the player is sent away all the same
    for number in await lobby.tables.seats_of(visitor.player.id):
        with suppress(InputError):  # it has closed just now
            table = await lobby.tables.find_table(str(number))
            await table.expel(visitor.player.id, op)
    visitor.dismiss(farewell)


async def _lift(context: Context, act: str, sanctions: Sanctions, rest: str) -> Answer:
    lifted = await sanctions.lift(await context.lobby.accounts.of(rest) or rest) if rest else []
    if not lifted:
        raise InputError("bad_request", f"no such {act.removeprefix('un')}: bans lists them")
    targets = ", ".join(one.target for one in lifted)
    return done(context, f"Lifted: {', '.join(one.whom for one in lifted)}.", act, targets)


def _visitor(context: Context, name: str, otherwise: str) -> Visitor:
    """The person of this name who is here. Raises InputError if there is none, or they are an op."""
    if not name:
        raise InputError("bad_request", otherwise)
    visitor = context.lobby.visitors.find(name)
    _must_be_no_op(context.lobby, visitor.caller.key)
    return visitor


async def _target(context: Context, text: str) -> tuple[str, str]:
    """The key or network that a ban of this text is about, and the name that goes with it. Raises InputError."""
    lobby = context.lobby
    if text.startswith("SHA256:"):
        if not is_fingerprint(text):
            raise InputError("bad_request", f"{text[:60]!r} is not a whole fingerprint")
        return await _account(lobby, text), ""
    if (network := read_network(text)) is not None:
        _must_be_elsewhere(context, network)
        return str(network), ""
    if not text:
        raise InputError("bad_request", "which player? Type ban NAME, or ban NAME 30m; help ban tells more")
    if found := lobby.visitors.recent_player(text):
        player, caller = found
    elif owner := await lobby.profiles.owner(text):
        return await _account(lobby, owner), clean(text)
    else:
        visitor = lobby.visitors.find(text)
        player, caller = visitor.player, visitor.caller
    _must_be_no_op(lobby, caller.key)
    if player.account is not None:
        return await _account(lobby, player.account), player.name
    if (network_text := _guest_network(context, player, caller)) is None:
        raise InputError("bad_request", "other players share this guest's address: kick or mute the guest")
    _must_be_elsewhere(context, ip_network(network_text))
    return network_text, player.name


async def _account(lobby: Lobby, key: str) -> str:
    account = await lobby.accounts.of(key) or key
    _must_be_no_op(lobby, *await lobby.accounts.keys(account))
    return account


def _guest_network(context: Context, player: Player, caller: Caller) -> str | None:
    """The network that a guest comes from; None for players with a key, and if it does not tell guests apart."""
    if player.account or caller.address is None or caller.address in context.lobby.spared:
        return None
    return str(ip_network(network_of(caller.address)))


def _must_be_no_op(lobby: Lobby, *keys: str | None) -> None:
    if set(keys) & set(lobby.config.ops):
        raise InputError("bad_request", "that player is an op: the config lists the ops")


def _must_be_elsewhere(context: Context, network: Network) -> None:
    own, spared = context.caller.address, context.lobby.spared
    if network.network_address in spared and network.broadcast_address in spared:
        raise InputError("bad_request", "the config lists that address under exempt or proxies")
    if own is not None and own in network and own not in spared:
        raise InputError("bad_request", "that is your own address")


def _whom(visitor: Visitor) -> str:
    return f"{visitor.caller.key or 'a guest'} from {visitor.caller.address or 'this terminal'}"


def _json(one: Sanction) -> _SanctionJson:
    until = None if one.until is None else time_text(round(one.until))
    return _SanctionJson(one.target, one.name or None, until, one.by)


def _by(context: Context) -> str:
    """The key of the op who acts, or the host at the terminal of the server."""
    return context.caller.key or "the host"


def done(context: Context, said: str, act: str, whom: str = "", how_long: str = "", **more: str) -> Answer:
    """Log what an op did, and say it to them."""
    log.info("op acted", by=_by(context), act=act, whom=whom, how_long=how_long, **more)
    return Answer([said], _DoneJson(said))


def _nodes(lobby: Lobby) -> list[_NodeJson]:
    now, left = asyncio.get_running_loop().time(), lobby.drain.seconds_left
    own = _NodeJson(lobby.peers.node, 1, len(lobby.visitors.here), int(now - lobby.peers.began), left)
    found = {own.node: own}
    for process in lobby.peers.others:
        node = found.setdefault(process.node, _NodeJson(process.node, 0, 0, 0, None))
        node.processes += 1
        node.people += len(process.people)
        node.up_s = max(node.up_s, int(now - process.began))
        if process.stops_at is not None:
            node.stops_in_s = max(node.stops_in_s or 0.0, process.stops_at - now)
    return [found[name] for name in sorted(found)]


def _node_text(node: _NodeJson) -> str:
    processes = f"{node.processes} process{'' if node.processes == 1 else 'es'}"
    stops = "" if node.stops_in_s is None else f", stops in {node.stops_in_s / 60:.0f} min at the latest"
    return f"{node.node}: {processes}, {quantity(node.people, 'player')}, up {timedelta(seconds=node.up_s)}{stops}"


def _people(lobby: Lobby) -> list[_PersonJson]:
    """All players, in the order of coming."""
    now = asyncio.get_running_loop().time()
    nodes: dict[Visitor, str] = dict.fromkeys(lobby.visitors.here, lobby.peers.node)
    nodes |= {each: process.node for process in lobby.peers.others for each in process.people.values()}
    return [
        _PersonJson(
            each.player.name,
            each.caller.key,
            address_text(each.caller.address),
            each.player.kind == "bot",
            Presence(each.player.name, each.table_number, each.is_watching).where,
            nodes[each],
            int(now - lobby.visitors.came[each]),
        )
        for each in lobby.visitors.everybody()
    ]
