"""What ops type about players: kicks, bans, mutes, and the journal of what ops and hosts have done."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from ipaddress import ip_network
from secrets import token_hex
from typing import Final

from msgspec import structs
from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import listed, quantity
from server.addresses import Network, network_of, read_network
from server.clean_text import clean_name
from server.commands.acts import BECAUSE, HOST, acts_as, done, op_command, reason_of
from server.commands.registry import Answer, Context, declared_in
from server.config import NO_SETTINGS, is_fingerprint
from server.features import Feature
from server.lobby.lobby import Lobby, Runs
from server.lobby.peers import Message
from server.lobby.personal_data import Person, PersonalData
from server.lobby.service import Act, Service, Serving
from server.lobby.visitor import Visitor
from server.moderation import reports, running
from server.moderation.reports import kept_texts
from server.people.names import skeleton
from server.people.players import GUEST_PREFIX, Caller, Player
from server.people.sanctions import Sanction, Sanctions, duration_text, guest_name
from server.records.syntax import time_text
from server.storage import sql
from server.storage.database import Database
from server.typed_json import Versioned, read_versioned, write_versioned

KIND: Final = "act"
"""The kind of its texts."""
SETTINGS: Final = "settings"
"""The kind of the text for each node that tells its settings."""
KEPT: Final = 500
"""Acts that are kept; older ones are deleted."""


class Noted(Versioned, frozen=True):
    """An act, and when it was."""

    at: float
    """In seconds since 1970."""
    act: Act

    @property
    def line(self) -> str:
        """What ops read."""
        act = self.act
        changed = f": {act.before or 'nothing'} -> {act.after or 'nothing'}" if act.before or act.after else ""
        why = f", because {act.why}" if act.why else ""
        when = datetime.fromtimestamp(self.at, UTC)
        return f"{when:%Y-%m-%d %H:%M}  {act.name}: {' '.join(filter(None, (act.did, act.whom)))}{changed}{why}"


class _Settings(Versioned, frozen=True):
    """The settings of a node as they were last."""

    values: dict[str, str]


class Journal(Service):
    """What was done in all processes."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._store, self._wall = lobby, lobby.store, lobby.wall
        self._is_first = False
        """Whether this is the process that notes what a start or a reload has changed."""

    def serve(self, serving: Serving) -> None:
        """Note it in the first process."""
        self._is_first = serving.process == 0
        self.took_settings()

    def took_settings(self) -> None:
        """See `Service`."""
        if self._is_first:
            self._background.begin(self.note_settings(), "noting settings")

    async def note_settings(self) -> None:
        """Note which settings of this node are others than they were last. Raises NotSaved, OutcomeUnknown."""
        config, node = self._lobby.config, self._lobby.peers.node
        shown = (each.name for each in fields(config) if each.repr and each.name not in NO_SETTINGS)
        now = {name: str(getattr(config, name)) for name in shown}
        now |= {name: str(value) for name, value in config.of_features.items()}
        text = await self._store.text(SETTINGS, node)
        before = read_versioned(text, _Settings).values if text else now
        for name in sorted(name for name in before | now if before.get(name) != now.get(name)):
            act = Act(HOST, HOST, "setting", name, before.get(name, ""), now.get(name, ""))
            await self._lobby.note_act(act)
        if not text or before != now:
            await self._store.put_text(SETTINGS, node, write_versioned(_Settings(now)))

    async def note_act(self, act: Act) -> None:
        """Keep it. Raises NotSaved, OutcomeUnknown."""
        if is_fingerprint(act.by):  # the name may be that of ssh, and another player's
            account = await self._lobby.accounts.of(act.by)
            act = replace(act, name=await self._lobby.profiles.name_of(account or "") or act.by)
        await self._store.put_text(KIND, token_hex(8), write_versioned(Noted(self._wall(), act)))
        over = await self._store.count_texts(KIND) - KEPT
        for old in await self._store.oldest_texts(KIND, over) if over > 0 else ():
            await self._store.put_text(KIND, old.key, None)


async def acts_about(lobby: Lobby, person: Person) -> list[Act] | None:
    """What is kept of acts of which a person was the object, without who acted. Raises NotSaved."""
    found = [structs.replace(each.act, by="", name="") for each in (await acts_of(lobby.store)).values()]
    return [act for act in found if _without(act, person.taken_out_of) != act] or None


async def forget_in_acts(lobby: Lobby, person: Person) -> None:
    """Take a person out of the journal. Raises NotSaved, OutcomeUnknown."""
    await _rewrite(lobby.store, lambda noted: structs.replace(noted, act=_without(noted.act, person.taken_out_of)))


async def forget_addresses_of_acts(lobby: Lobby, before: float) -> None:
    """Put "an address" for each address and network in acts before this time. Raises NotSaved, OutcomeUnknown."""

    def without_addresses(text: str) -> str:
        return " ".join("an address" if read_network(word.strip("(),.")) else word for word in text.split(" "))

    def changed(noted: Noted) -> Noted:
        return noted if noted.at >= before else structs.replace(noted, act=_without(noted.act, without_addresses))

    await _rewrite(lobby.store, changed)


async def _rewrite(store: Database, change: Callable[[Noted], Noted]) -> None:
    for key, noted in (await acts_of(store)).items():
        if (after := change(noted)) != noted:
            await store.execute(sql.REWRITE_TEXT, KIND, key, write_versioned(after))


def _without(act: Act, change: Callable[[str], str]) -> Act:
    return Act(*map(change, structs.astuple(act)))


async def acts_of(store: Database) -> dict[str, Noted]:
    """All that is kept by key, the latest last. Raises NotSaved; passes over what cannot be read."""
    return await kept_texts(store, KIND, Noted, 2 * KEPT)


_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_NUMBERS: Final = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_IN_WORDS: Final[Mapping[str, str]] = {
    "half an hour": "30m",
    **dict.fromkeys(("a", "an"), "1"),
    **{word: str(number) for number, word in enumerate(_NUMBERS, 1)},
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
}
"""How people say a time, and how it is typed."""


async def impose(sanctions: Sanctions, seconds: float | None, sanction: Sanction) -> Sanction:
    """Impose a sanction for so many seconds from now, or for ever (None). Raises InputError if it is not saved."""
    sanction = replace(sanction, until=None if seconds is None else sanctions.wall() + seconds)
    await sanctions.put({**{old.target: None for old in sanctions.expired()}, sanction.target: sanction})
    return sanction


async def lift(sanctions: Sanctions, text: str) -> list[Sanction]:
    """Lift every sanction against this target, key or name. Raises InputError if that cannot be saved."""
    targets, look = {text, str(read_network(text))}, skeleton(text)
    found = [
        one
        for one in sanctions.all()
        if targets & {one.target, *one.keys, *one.of_guest} or (one.name and skeleton(one.name) == look)
    ]
    await sanctions.put({one.target: None for one in found})
    return found


def whom(sanction: Sanction) -> str:
    """The player or the network that a sanction is against, as in "ana (SHA256:...)"."""
    return f"{sanction.name} ({target_of(sanction)})" if sanction.name else target_of(sanction)


def target_of(sanction: Sanction) -> str:
    """The player's first key, which ops know them by, or the network of a guest; else the target."""
    networks = [each for each in sanction.of_guest if read_network(each)]
    own = "a guest" if sanction.target.startswith(GUEST_PREFIX) else sanction.target
    return next(iter((*sanction.keys, *networks, own)))


def read_duration(text: str) -> float | None:
    """The seconds in ``30m``, ``for ten minutes`` or ``7d``; None for ``for ever`` or no text. Raises InputError."""
    if text in {"", "for ever", "forever"}:
        return None
    said = re.sub(rf"\b({'|'.join(_IN_WORDS)})\b", lambda word: _IN_WORDS[word[0]], text.lower())
    unit = "(s(ec(ond)?s?)?|m(in(ute)?s?)?|h((ou)?rs?)?|d(ays?)?|w((ee)?ks?)?)"
    found = re.fullmatch(f"(?:for )?([0-9]{{1,4}}) ?{unit}", said)
    if found is None or not int(found[1]):
        how = f"Type 30m, 2h, 7d, or for ever; a reason stands behind{BECAUSE.rstrip()}"
        raise InputError("bad_request", f"how long is {text[:20]!r}? {how}")
    return float(int(found[1]) * _SECONDS[found[2][0]])


TIMES: Final = "TIME is 30m, 2h or 7d; without it, until an op lifts it."
REALLY: Final = " really"
"""Stands behind a ban that an op was asked about."""
NARROW: Final = {4: 256, 6: 2**80}
"""The addresses of the widest network that is banned without a question, by version of IP: a /24, a /48."""
AWAY_SECONDS: Final = 60.0
"""How long a kicked player stays away. Programs, and pages of phones, would be back at once."""
WHY: Final = "Type because and a reason behind it: bans and journal show it to ops."


@op_command(
    "kick NAME",
    words="boot, eject",
    details=("The player may come in again after a minute, and not at that table.", WHY),
)
async def kick(context: Context, rest: str) -> Answer:
    """Disconnect a player; an AI player gets the seat."""
    typed, why = reason_of(rest)
    name, _, how_long = typed.partition(" for ")
    if how_long:
        raise InputError("bad_request", f"a kick is for a minute: type ban {name} for {how_long}")
    visitor = _visitor(context, typed, "which player? Type kick NAME")
    lobby, caller, by = context.lobby, visitor.caller, acts_as(context)
    away = _person(context, visitor.player, caller)
    seats = await lobby.tables.seats_of(away.target)
    await lobby.expel(visitor, f"An op has disconnected you: come in again in {duration_text(AWAY_SECONDS)}.", by)
    keys = tuple(await lobby.accounts.keys_of(away.target))
    await impose(lobby.imposed.bans, AWAY_SECONDS, replace(away, why="kicked", keys=keys, is_kick=True))
    lobby.service(reports.Silencing).silence(away)
    if caller.key or _own_network(context, visitor.player, caller):
        lobby.send_away(caller)
    who = f"{away.name} ({caller.key or 'a guest'} from {caller.address or 'this terminal'})"
    too = _way_around(away) + _game_left(lobby, away.target, seats)
    return await done(context, f"Disconnected {who}. They may come in again after a minute.{too}", "kick", who, why=why)


@op_command(
    "ban NAME [TIME]",
    details=(
        "NAME can also be a key (SHA256:...), an address (192.0.2.7) or a network (192.0.2.0/24).",
        "A guest is banned by name and resume code, and by the address if nobody else comes from there.",
        TIMES,
        WHY,
    ),
)
async def ban(context: Context, rest: str) -> Answer:
    """Keep out a player, a key or an address."""
    typed, why = reason_of(rest)
    text, _, how_long = typed.removesuffix(REALLY).partition(" ")
    seconds = read_duration(how_long.strip())
    wanted = await _target(context, text)
    if (network := read_network(wanted.target)) is not None and not typed.endswith(REALLY):
        _refuse_if_wide(context, network, typed)
    return await _imposed(context, context.lobby.imposed.bans, "ban", wanted, seconds, why)


@op_command("unban NAME", words="pardon")
async def unban(context: Context, rest: str) -> Answer:
    """Lift a ban."""
    return await _lift(context, "unban", context.lobby.imposed.bans, rest)


@op_command("bans")
async def bans(context: Context, _: str) -> Answer:
    """List bans and mutes."""
    banned, muted = context.lobby.imposed.bans.all(), context.lobby.imposed.mutes.all()
    lines = [
        f"{done}  {whom(one)} {one.how_long(context.lobby.wall())}{f', because {one.why}' if one.why else ''}"
        for done, found in (("banned", banned), ("muted ", muted))
        for one in found
    ]
    found = {"bans": [*map(_json, banned)], "mutes": [*map(_json, muted)]}
    return Answer(lines or ["There are no bans and no mutes."], found)


@op_command("mute NAME [TIME]", words="silence, gag, shush", details=(TIMES, WHY))
async def mute(context: Context, rest: str) -> Answer:
    """Stop a player from talking."""
    typed, why = reason_of(rest)
    text, _, how_long = typed.partition(" ")
    seconds = read_duration(how_long.strip())
    visitor = _visitor(context, text, "which player? Type mute NAME, or mute NAME 30m")
    wanted = _person(context, visitor.player, visitor.caller)
    return await _imposed(context, context.lobby.imposed.mutes, "mute", wanted, seconds, why)


@op_command("unmute NAME", words="unsilence, ungag")
async def unmute(context: Context, rest: str) -> Answer:
    """Lift a mute."""
    return await _lift(context, "unmute", context.lobby.imposed.mutes, rest)


@op_command("journal [NAME]", details=("With NAME it shows only what concerns this name, key or address.",))
async def journal(context: Context, rest: str) -> Answer:
    """List what ops and hosts have done to others."""
    found = [
        each
        for each in (await acts_of(context.lobby.store)).values()
        if rest.lower() in f"{each.act.name} {each.act.by} {each.act.whom}".lower()
    ]
    acts = [{**structs.asdict(each.act), "at": time_text(round(each.at))} for each in found]
    return Answer([each.line for each in found] or ["Nothing was done."], {"journal": acts}, from_end=True)


async def _imposed(
    context: Context, sanctions: Sanctions, act: str, wanted: Sanction, seconds: float | None, why: str
) -> Answer:
    keys = tuple(await context.lobby.accounts.keys_of(wanted.target))
    _must_be_no_op(context.lobby, wanted.target, *keys)
    now = context.lobby.wall()
    before = next((one.how_long(now) for one in sanctions.all() if one.target == wanted.target), "")
    found = await impose(sanctions, seconds, replace(wanted, why=why, keys=keys))
    after, network = found.how_long(context.lobby.wall()), next(filter(read_network, found.of_guest), None)
    said = f"{whom(found)} is banned" if act == "ban" else f"{found.name} is muted"
    too = f" So is everybody else from {network}, also with a key." if network and act == "ban" else ""
    too += _way_around(found)
    context.lobby.service(reports.Silencing).silence(found)
    return await done(context, f"{said} {after}.{too}", act, whom(found), before=before, after=after, why=why)


def _way_around(sanction: Sanction) -> str:
    """What is told behind a sanction against a guest that is not against their address."""
    is_open = sanction.of_guest and not any(map(read_network, sanction.of_guest))
    return " Others share the address: that guest can come back under another name." if is_open else ""


def _game_left(lobby: Lobby, player_id: str, tables: Collection[int]) -> str:
    """What becomes of the game from which a player was just removed at one of these tables; empty if of none."""
    for table in (lobby.tables.here[number] for number in tables if number in lobby.tables.here):
        state = table.journal.state
        if state.playing and player_id in {state.dealt[seat].id for seat in state.removed}:
            then = "they are last" if state.settings.occasion else "the game does not count for them"
            return f" At table {table.number} an AI player plays on for them, and {then}."
    return ""


async def _lift(context: Context, act: str, sanctions: Sanctions, rest: str) -> Answer:
    typed, why = reason_of(rest)
    lifted = await lift(sanctions, typed) if typed else []
    if not lifted:
        raise InputError("bad_request", f"no such {act.removeprefix('un')}: bans lists them")
    names, before = ", ".join(map(whom, lifted)), ", ".join(one.how_long(context.lobby.wall()) for one in lifted)
    return await done(context, f"Lifted: {names}.", act, names, before=before, why=why)


def _visitor(context: Context, name: str, otherwise: str) -> Visitor:
    """The person of this name who is here. Raises InputError if there is none, or they are an op."""
    if not name:
        raise InputError("bad_request", otherwise)
    visitor = context.lobby.visitors.find(name)
    _must_be_no_op(context.lobby, visitor.caller.key)
    return visitor


async def _target(context: Context, text: str) -> Sanction:
    """A ban of whom this text means. Raises InputError."""
    lobby, by = context.lobby, acts_as(context)
    if text.startswith("SHA256:"):
        if not is_fingerprint(text):
            raise InputError("bad_request", f"{text[:60]!r} is not a whole fingerprint")
        return Sanction(await lobby.accounts.of(text) or text, "", None, by)
    if (network := read_network(text)) is not None:
        own, spared = context.caller.address, lobby.spared
        if network.network_address in spared and network.broadcast_address in spared:
            raise InputError("bad_request", "the config lists that address under exempt or proxies")
        if own is not None and own in network and own not in spared:
            raise InputError("bad_request", "that is your own address")
        return Sanction(str(network), "", None, by)
    if not text:
        raise InputError("bad_request", "which player? Type ban NAME, or ban NAME 30m; help ban tells more")
    player, caller = await lobby.names.find_player(text)
    if caller is None:
        return Sanction(player.id, player.name, None, by)
    _must_be_no_op(lobby, caller.key)
    return _person(context, player, caller)


def _person(context: Context, player: Player, caller: Caller) -> Sanction:
    """A sanction against one player; against a guest with all that tells them from others."""
    of_guest = () if player.account else (guest_name(player.name), _own_network(context, player, caller))
    return Sanction(player.id, player.name, None, acts_as(context), of_guest=tuple(filter(None, of_guest)))


def _own_network(context: Context, player: Player, caller: Caller) -> str | None:
    """The network from which a guest comes and nobody else; None if others may share it."""
    if player.account or caller.address is None or caller.address in context.lobby.shared:
        return None
    network = ip_network(network_of(caller.address))
    others = [each for each in context.lobby.visitors.everybody() if each.player.id != player.id]
    addresses = (context.caller.address, *(each.caller.address for each in others))
    return None if any(each is not None and each in network for each in addresses) else str(network)


def _refuse_if_wide(context: Context, network: Network, typed: str) -> None:
    """Raises InputError if a ban of this network would be against many."""
    lobby = context.lobby
    hit = [
        each.player.name
        for each in lobby.visitors.everybody()
        if (address := each.caller.address) and address in network and address not in lobby.spared
    ]
    is_many = network.num_addresses > (NARROW[network.version]) or (network.is_private and network.num_addresses > 1)
    if len(hit) > 1 or is_many:
        here = f"{quantity(len(hit), 'player')} here, {listed(hit, 'and')}" if hit else ""
        whom = " and ".join(filter(None, ["a whole network" if is_many else "", here]))
        raise InputError("bad_request", f"that keeps out {whom}: type ban {typed}{REALLY} if you mean it")


def _must_be_no_op(lobby: Lobby, *keys: str | None) -> None:
    if set(keys) & set(lobby.config.ops):
        raise InputError("bad_request", "that player is an op: the config lists the ops")


def _json(one: Sanction) -> Mapping[str, object]:
    """A sanction; one that holds for ever ends at no time."""
    until = None if one.until is None else time_text(round(one.until))
    return {"target": target_of(one), "name": one.name or None, "until": until, "by": one.by, "why": one.why}


HELD_SECONDS: Final = 86400.0
"""How long a player keeps a name that an op has chosen."""


class IsRenamed(Message, frozen=True, tag="rename"):
    """An op has chosen a name for a player."""

    player: str
    name: str


class Renaming(Service):
    """Renames players."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.peers.on(IsRenamed, lambda _, told: self._rename_here(told.player, told.name))

    async def rename(self, before: str, wished: str, by: str, why: str) -> str:
        """Give the player of this name a free one close to the wished one, for a day at least, and return it.

        The player may have left. Raises InputError if nobody had the first name lately, or its player is at a table.
        """
        lobby, visitor = self._lobby, self._lobby.visitors.named(before)
        if visitor is not None and visitor.table_number:
            problem = f"{before} is at a table, where names stay: kick {before}, then relabel them"
            raise InputError("bad_request", problem, name=before)
        player_id = (await lobby.names.find_player(before))[0].id
        name = await lobby.names.free(wished, player_id)
        await lobby.names.claim(Player(player_id, name))
        of_guest = {
            each for old in await lift(lobby.imposed.given_names, before) for each in (old.target, *old.of_guest)
        }
        if player_id.startswith(GUEST_PREFIX) and (look := guest_name(before)):
            of_guest.add(look)
        of_guest.discard(player_id)
        given = Sanction(player_id, name, None, by, why, of_guest=tuple(sorted(of_guest)))
        await impose(lobby.imposed.given_names, HELD_SECONDS, given)
        self._rename_here(player_id, name)
        lobby.peers.tell(IsRenamed(player_id, name))
        return name

    def _rename_here(self, player_id: str, name: str) -> None:
        for visitor in self._lobby.visitors.here:
            if visitor.player.id == player_id:
                visitor.hear("server", f"an op has given you the name {name}")
                self._background.begin(self._lobby.names.rename(visitor, name), "giving the name of an op")


@op_command(
    "relabel NAME as NAME",
    details=(
        "They cannot change it for a day; a guest who comes again under the name before is given it, too.",
        "A player at a table keeps the name there: kick NAME, then relabel NAME while they are away.",
    ),
)
async def relabel(context: Context, rest: str) -> Answer:
    """Give a player another name."""
    typed, why = reason_of(rest)
    before, _, wished = map(str.strip, typed.partition(" as "))
    if not clean_name(wished):
        meant = running.as_relabelled(typed)
        how = meant if " as " in meant else "NAME as NAME"
        raise InputError("bad_request", f"which player, and how are they to be called? Type relabel {how}")
    if " " in wished:
        raise InputError("bad_request", f"a name is one word: relabel {before} as {clean_name(wished)}")
    after = await context.lobby.service(Renaming).rename(before, wished, acts_as(context), why)
    return await done(context, f"{before} is {after} from now on.", "relabel", before, after=after, why=why)


FEATURE: Final = Feature(
    "moderation",
    (
        *declared_in(__name__, reports.__name__, running.__name__),
        reports.KEPT_OF_ONE,
        Runs(Journal),
        Runs(Renaming),
        Runs(reports.Silencing),
        Runs(running.Draining),
        *running.IN_THEIR_WORDS,
        PersonalData(
            name="what ops have done",
            told=lambda _: f"the last {KEPT} things that ops and hosts have done to others",
            read=acts_about,
            forget=forget_in_acts,
            forget_addresses=forget_addresses_of_acts,
        ),
        PersonalData(
            name="reports",
            told=lambda _: "what players report of others, with what both have said, until ops have settled it",
            read=reports.reports_by,
            forget=reports.forget_reports,
            forget_addresses=reports.forget_old_reports,
        ),
    ),
)
