"""What ops type about players: kicks, bans, mutes, and the journal of what ops and hosts have done."""

from ipaddress import ip_network
from typing import Final

from msgspec import Struct, structs

from engine.errors import InputError
from server.addresses import Network, network_of, read_network
from server.clean_text import clean
from server.commands.acts import acts_as, done, op_command, reason_of
from server.commands.registry import Answer, Context, declared_in
from server.config import is_fingerprint
from server.extension import Feature
from server.lobby.lobby import Lobby
from server.lobby.service import Runs
from server.lobby.visitor import Visitor
from server.moderation import reports, running
from server.moderation.journal import Journal
from server.moderation.sanctions import impose, lift, read_duration, target_of, whom
from server.people.players import Caller, Player
from server.people.sanctions import Sanction, Sanctions
from server.records.syntax import time_text

TIMES: Final = "TIME is 30m, 2h or 7d; without it, until an op lifts it."
WHY: Final = "Put because and a reason behind it, which bans and journal show to ops."


class _SanctionJson(Struct):
    target: str
    name: str | None
    until: str | None
    """A time in UTC; None for ever."""
    by: str
    why: str


class _BansJson(Struct):
    bans: list[_SanctionJson]
    mutes: list[_SanctionJson]


class _ActJson(Struct):
    at: str
    """A time in UTC."""
    by: str
    name: str
    did: str
    whom: str
    before: str
    after: str
    why: str


class _JournalJson(Struct):
    journal: list[_ActJson]
    """The latest last."""


@op_command("kick NAME", details=(WHY,))
async def kick(context: Context, rest: str) -> Answer:
    """Disconnect a player; an AI player gets the seat."""
    typed, why = reason_of(rest)
    visitor = _visitor(context, typed, "which player? Type kick NAME")
    await context.lobby.expel(visitor, "An op has disconnected you.", acts_as(context))
    context.lobby.send_away(visitor.caller)
    return await done(
        context, f"Disconnected {visitor.player.name}: {_whom(visitor)}.", "kick", _whom(visitor), why=why
    )


@op_command(
    "ban NAME [TIME]",
    details=("NAME can also be a key (SHA256:...), an address (192.0.2.7) or a network (192.0.2.0/24).", TIMES, WHY),
)
async def ban(context: Context, rest: str) -> Answer:
    """Keep out a player, a key or an address."""
    typed, why = reason_of(rest)
    text, _, how_long = typed.partition(" ")
    seconds = read_duration(how_long.strip())
    target, name = await _target(context, text)
    return await _imposed(context, context.lobby.bans, "ban", target, name, seconds, why)


@op_command("unban NAME")
async def unban(context: Context, rest: str) -> Answer:
    """Lift a ban."""
    return await _lift(context, "unban", context.lobby.bans, rest)


@op_command("bans")
async def bans(context: Context, _: str) -> Answer:
    """List bans and mutes."""
    banned, muted = context.lobby.bans.all(), context.lobby.mutes.all()
    lines = [
        f"{done}  {whom(one)} {one.how_long}{f', because {one.why}' if one.why else ''}"
        for done, found in (("banned", banned), ("muted ", muted))
        for one in found
    ]
    found = _BansJson([*map(_json, banned)], [*map(_json, muted)])
    return Answer(lines or ["There are no bans and no mutes."], found)


@op_command("mute NAME [TIME]", details=(TIMES, WHY))
async def mute(context: Context, rest: str) -> Answer:
    """Stop a player from talking."""
    typed, why = reason_of(rest)
    text, _, how_long = typed.partition(" ")
    seconds = read_duration(how_long.strip())
    visitor = _visitor(context, text, "which player? Type mute NAME, or mute NAME 30m")
    # A guest is muted by address, unless others come from there.
    target = _guest_network(context, visitor.player, visitor.caller) or visitor.player.id
    return await _imposed(context, context.lobby.mutes, "mute", target, visitor.player.name, seconds, why)


@op_command("unmute NAME")
async def unmute(context: Context, rest: str) -> Answer:
    """Lift a mute."""
    return await _lift(context, "unmute", context.lobby.mutes, rest)


@op_command("journal [NAME]", details=("NAME shows what concerns this name, key or address alone.",))
async def journal(context: Context, rest: str) -> Answer:
    """List what ops and hosts have done to others."""
    found = [
        each
        for each in await context.lobby.service(Journal).read()
        if rest.lower() in f"{each.act.name} {each.act.by} {each.act.whom}".lower()
    ]
    acts = [_ActJson(time_text(round(each.at)), **structs.asdict(each.act)) for each in found]
    return Answer([each.line for each in found] or ["Nothing was done."], _JournalJson(acts), from_end=True)


async def _imposed(
    context: Context, sanctions: Sanctions, act: str, target: str, name: str, seconds: float | None, why: str
) -> Answer:
    keys = await context.lobby.accounts.keys(target)
    _must_be_no_op(context.lobby, target, *keys)
    before = next((one.how_long for one in sanctions.all() if one.target == target), "")
    found = await impose(sanctions, target, name, seconds, acts_as(context), why, keys)
    said = f"{whom(found)} is banned" if act == "ban" else f"{name} is muted"
    return await done(
        context, f"{said} {found.how_long}.", act, whom(found), before=before, after=found.how_long, why=why
    )


async def _lift(context: Context, act: str, sanctions: Sanctions, rest: str) -> Answer:
    typed, why = reason_of(rest)
    lifted = await lift(sanctions, typed) if typed else []
    if not lifted:
        raise InputError("bad_request", f"no such {act.removeprefix('un')}: bans lists them")
    names, before = ", ".join(map(whom, lifted)), ", ".join(one.how_long for one in lifted)
    return await done(context, f"Lifted: {names}.", act, names, before=before, why=why)


def _visitor(context: Context, name: str, otherwise: str) -> Visitor:
    """The person of this name who is here. Raises InputError if there is none, or they are an op."""
    if not name:
        raise InputError("bad_request", otherwise)
    visitor = context.lobby.visitors.find(name)
    _must_be_no_op(context.lobby, visitor.caller.key)
    return visitor


async def _target(context: Context, text: str) -> tuple[str, str]:
    """The account, key or network that a ban of this text is about, and the name that goes with it.

    Raises InputError.
    """
    lobby = context.lobby
    if text.startswith("SHA256:"):
        if not is_fingerprint(text):
            raise InputError("bad_request", f"{text[:60]!r} is not a whole fingerprint")
        return await lobby.accounts.of(text) or text, ""
    if (network := read_network(text)) is not None:
        _must_be_elsewhere(context, network)
        return str(network), ""
    if not text:
        raise InputError("bad_request", "which player? Type ban NAME, or ban NAME 30m; help ban tells more")
    if found := lobby.visitors.recent_player(text):
        player, caller = found
    elif owner := await lobby.profiles.owner(text):
        return owner, clean(text)
    else:
        visitor = lobby.visitors.find(text)
        player, caller = visitor.player, visitor.caller
    _must_be_no_op(lobby, caller.key)
    if player.account is not None:
        return player.account, player.name
    if (network_text := _guest_network(context, player, caller)) is None:
        raise InputError("bad_request", "other players share this guest's address: kick or mute the guest")
    _must_be_elsewhere(context, ip_network(network_text))
    return network_text, player.name


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
    return _SanctionJson(target_of(one), one.name or None, until, one.by, one.why)


FEATURE: Final = Feature("moderation", (*declared_in(__name__, reports.__name__, running.__name__), Runs(Journal)))
