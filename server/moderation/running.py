"""What ops ask and do about the whole server, however many processes and nodes it has."""

import asyncio
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

from msgspec import Struct

from engine.errors import InputError
from engine.wording.phrases import listed, quantity, sentence_case
from server.addresses import address_text, read_address, share_of
from server.clean_text import clean
from server.commands.acts import done, op_command
from server.commands.finding import HostWords
from server.commands.registry import Answer, Context
from server.ledger import REFUSED, RateLimit, Resource
from server.limits import TALK_LENGTH
from server.lobby.drain import notice
from server.lobby.lobby import Lobby
from server.lobby.peers import Message, Seconds
from server.lobby.service import Service
from server.lobby.visitor import Visitor
from server.number_text import read_number
from server.table.occasion import ANOTHER_GAME, NO_OTHER_GAME
from server.table.snapshot import Presence

DRAIN_MINUTES: Final = 30
DRAIN_MINUTES_MOST: Final = 24 * 60
"""The usual and the longest time that a draining server waits for running games."""


class DrainAsked(Message, frozen=True, tag="drain"):
    """Processes stop when their games are over, after so many seconds at the latest; None: they go on."""

    processes: list[str]
    """Those that the sender knows, for processes of 1.0.0, which read no node."""
    seconds: Seconds | None
    is_part: bool = False
    """Whether others go on."""
    node: str | None = None
    """The node whose processes are meant; all if it is empty. None from a process of 1.0.0."""


class Draining(Service):
    """Has processes stop when their games are over, here and elsewhere."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

        def hear(_: object, asked: DrainAsked) -> None:
            if lobby.peers.process in asked.processes or asked.node in {"", lobby.peers.node}:
                self._drain_here(asked)

        lobby.peers.on(DrainAsked, hear)

    def drains(self, node: str) -> bool:
        """Whether a process of this node drains, or of any if it is empty."""
        peers = self._lobby.peers
        is_here = self._lobby.drain.is_active and node in {"", peers.node}
        return is_here or any(each.stops_at is not None for each in peers.of(node))

    def begin(self, seconds: float | None, node: str) -> bool:
        """Have the processes of a node drain within so many seconds, or go on (None); all if it is empty.

        Returns whether some go on meanwhile.
        """
        peers = self._lobby.peers
        is_part = bool(node) and peers.nodes() != [node]
        asked = DrainAsked([each.name for each in peers.of(node)], seconds, is_part, node)
        peers.send(asked)
        if node in {"", peers.node}:
            self._drain_here(asked)
        return is_part

    async def retire(self, _: str) -> None:
        """Tell the newer process of a drain that began before it could hear of it."""
        drain, peers = self._lobby.drain, self._lobby.peers
        if drain.is_active:
            peers.send(DrainAsked([], drain.seconds_left, drain.is_part, peers.node))

    def _drain_here(self, asked: DrainAsked) -> None:
        """Drain this process, or go on, and tell the players here."""
        lobby = self._lobby
        if asked.seconds is not None:
            lobby.drain.begin(asked.seconds, is_part=asked.is_part)
            lobby.visitors.announce_here(lobby.drain.notice)
        elif lobby.drain.is_active:
            lobby.drain.cancel()
            what = "This part of the server" if asked.is_part else "The server"
            lobby.visitors.announce_here(f"{what} does not stop: new games can start.")
        for table in lobby.tables.here.values():
            table.runtime.next = NO_OTHER_GAME if lobby.drain.is_active else ANOTHER_GAME
            table.show()


class _NodeJson(Struct):
    node: str
    processes: int
    people: int
    up_s: int
    """Since the start of its first process."""
    stops_in_s: float | None
    """At the latest, if all its processes drain."""


class _PersonJson(Struct):
    name: str
    key: str | None
    address: str | None
    bot: bool
    where: str
    node: str
    here_s: int


def as_relabelled(typed: str) -> str:
    """What stands behind relabel for two names as they were typed, as in "ann to annie" and "ann annie"."""
    return re.sub(r"^(\S+) (?:(?:to|into|as|is|=) )?(\S+)$", r"\1 as \2", typed)


IN_THEIR_WORDS: Final = (
    HostWords(
        "(((turn|switch) off|disable|stop|end|close|forbid|no)( the)? (chat|talk|talking)|(chat|talk)( is)? off)",
        lambda _, __: "The chat has no switch: mute NAME silences one player.",
    ),
    HostWords(
        "(say|tell|shout|chat|talk|broadcast|message|msg|write)( to)?( (all|everybody|everyone))?",
        lambda _, rest: f"To tell all players something, type announce {rest or 'TEXT'}",
    ),
    HostWords(
        "(rename|call|relabel|change( the)? name of)",
        lambda _, rest: f"Type relabel {as_relabelled(rest) or 'NAME as NAME'}",
    ),
    HostWords(
        "(throw|remove|disconnect|kick out|log ?out|log(?= .+ out$))",
        lambda _, rest: "" if " " in (name := re.sub("^out | out$", "", rest)) else f"Type kick {name or 'NAME'}",
    ),
    HostWords(
        r"((stop|keep)(?= \S+ (from )?(talking|chatting|quiet)$)|\S+ (shut up|stop talking|be quiet)$)",
        lambda _, rest: f"Type mute {rest.partition(' ')[0] or 'NAME'}: stop a player from talking.",
    ),
    HostWords(
        "(end|stop|close|cancel|finish|kill|abort|break off)( (a|the|this))* (games?|tables?)",
        lambda _, __: "No command ends one game: kick NAME takes a player out of it, an AI player gets the seat.",
    ),
    HostWords(
        r"(deal with|handle|punish|warn|\S+ (is|was|keeps)( \S+)? (rude|nasty|mean|annoying|insulting|swearing|cheating"
        r"|spamming|stalling|trolling))",
        lambda _, __: "mute NAME stops a player's talk, kick NAME disconnects them, ban NAME 1h keeps them out.",
    ),
    HostWords("(block|exclude|lock out|keep out)", lambda _, rest: f"Type ban {rest or 'NAME'}"),
    HostWords(
        r"((lift|forgive|allow|unblock|readmit)( (ban|mute)( (of|on|from|for))?)?|let(?= \S+ (back|in|talk)\b))",
        lambda _, rest: f"Type unban {(who := rest.partition(' ')[0] or 'NAME')}, or unmute {who}: bans lists both.",
    ),
    HostWords(
        r"((de)?op|(add|new|be|become|remove|give \S+|\S+ (an?|as))( an?)? (op|admin|operator|moderator)"
        r"|(ops|admins|operators|moderators)$)",
        lambda lobby, _: (
            "people shows the fingerprint of each key: put that of an op under ops in the settings, then type in a "
            f"shell: quatch reload --data {lobby.config.data}."
        ),
    ),
)
"""What hosts call these commands."""


@op_command("announce TEXT")
async def announce(context: Context, rest: str) -> Answer:
    """Tell all players something."""
    text = clean(rest, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", "announce what? Type announce TEXT")
    context.lobby.visitors.announce(text)
    people = sum(each.player.kind != "bot" for each in context.lobby.visitors.came)
    return await done(context, f"Told {people} {'person' if people == 1 else 'people'}.", "announce", after=text)


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
    draining, nodes = context.lobby.service(Draining), context.lobby.peers.nodes()
    first, _, more = rest.partition(" ")
    node, when = (first, more.strip()) if first in nodes else ("", rest)
    what = f"node {node}" if node else "the server"
    if when == "off":
        if not draining.drains(node):
            raise InputError("bad_request", f"{what} is not about to stop")
        draining.begin(None, node)
        return await done(context, f"{sentence_case(what)} does not stop.", "drain off", node)
    minutes = read_number(when) if when else DRAIN_MINUTES
    if minutes is None or minutes > DRAIN_MINUTES_MOST:
        raise InputError("bad_request", f"MINUTES is 0 to {DRAIN_MINUTES_MOST}, or off; NODE is {listed(nodes)}")
    is_part = draining.begin(minutes * 60, node)
    return await done(context, notice(minutes * 60, is_part=is_part), "drain", node, after=f"within {minutes} minutes")


@op_command("nodes")
async def nodes(context: Context, _: str) -> Answer:
    """List the parts of the server, and how they are."""
    lobby = context.lobby
    now, left = asyncio.get_running_loop().time(), lobby.drain.seconds_left
    own = _NodeJson(lobby.peers.node, 1, len(lobby.visitors.here), int(now - lobby.peers.began), left)
    found = {own.node: own}
    for process in lobby.peers.others:
        left = None if process.stops_at is None else process.stops_at - now
        node = found.setdefault(process.node, _NodeJson(process.node, 0, 0, 0, left))
        node.processes += 1
        node.people += len(process.people)
        node.up_s = max(node.up_s, int(now - process.began))
        node.stops_in_s = None if left is None or node.stops_in_s is None else max(node.stops_in_s, left)
    listed_nodes, lines = [found[name] for name in sorted(found)], list[str]()
    for each in listed_nodes:
        processes = f"{each.processes} process{'' if each.processes == 1 else 'es'}"
        stops = "" if each.stops_in_s is None else f", stops in {max(1, round(each.stops_in_s / 60))} min at the latest"
        how_long = timedelta(seconds=each.up_s)
        lines.append(f"{each.node}: {processes}, {quantity(each.people, 'player')}, up {how_long}{stops}")
    return Answer(lines, {"nodes": listed_nodes})


@op_command("people")
async def people(context: Context, _: str) -> Answer:
    """List players with keys, addresses and nodes."""
    lobby, now = context.lobby, asyncio.get_running_loop().time()
    node_of: dict[Visitor, str] = dict.fromkeys(lobby.visitors.here, lobby.peers.node)
    node_of |= {each: process.node for process in lobby.peers.others for each in process.people.values()}
    found = [
        _PersonJson(
            each.player.name,
            each.caller.key,
            address_text(each.caller.address),
            each.player.kind == "bot",
            Presence(each.player.name, each.table_number, each.is_watching).where,
            node_of[each],
            int(now - lobby.visitors.came[each]),
        )
        for each in lobby.visitors.everybody()
    ]
    lines = [
        f"{each.name} ({each.where}): {each.key or 'a guest'} from {each.address or 'this terminal'}"
        f", on {each.node} for {timedelta(seconds=each.here_s)}"
        for each in found
    ]
    return Answer(lines or ["Nobody is here."], {"people": found})


MOST_LISTED: Final = 3
"""The payers that are listed of a resource unless one is named."""


class _UsageJson(Struct):
    resource: str
    charged_to: str
    share: str
    beyond: str
    refused: int
    """In the process that answers, since its start."""
    used: dict[str, float]
    """By payer, those with the most first."""


@op_command("usage [NAME]", details=("NAME can also be an address; it shows what is charged to this one alone.",))
async def usage(context: Context, rest: str) -> Answer:
    """List what is used up, and who uses it."""
    ledger = context.lobby.ledger
    found, of = list[_UsageJson](), await _payers(context, rest) if rest else None
    for each in ledger.resources.values():
        used, share = ledger.used(each), each.share
        if of is not None:
            used = {name: amount for name, amount in used.items() if name in of(each)}
        shown, number = dict([*used.items()][:MOST_LISTED]), REFUSED[each.name]
        if shown or (number and not rest):
            told = f"{share} at a time"
            if isinstance(share, RateLimit):
                told = f"{share.burst:g} at once, then {share.per_second:.3g} a second"
            found.append(_UsageJson(each.name, each.charged_to, told, each.beyond, number, shown))
    lines = list[str]()
    for one in found:
        refused = f"; {one.refused} refused" if one.refused else ""
        lines.append(f"{one.resource}: {one.share} for each {one.charged_to}{refused}. Beyond: {one.beyond}.")
        lines += [f"    {name or 'exempt'} has used {amount:.3g}" for name, amount in one.used.items()]
    return Answer(lines or [f"Nothing is charged {'to that one ' if rest else ''}now."], {"usage": found})


async def _payers(context: Context, text: str) -> Callable[[Resource[Any]], set[str]]:
    """The payers for a player of this name, or for this address. Raises InputError."""
    try:
        address = share_of(read_address(text))
    except ValueError:
        player, caller = await context.lobby.names.find_player(text)
    else:
        return lambda _: {address}
    ids = {player.id, *await context.lobby.accounts.keys_of(player.id)}
    return lambda each: ids | ({context.lobby.ledger.payer(each, caller)} if caller else set())
