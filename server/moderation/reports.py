"""Players report others to the ops, with what both have said lately; the list is bounded, and no address fills it."""

from datetime import UTC, datetime
from typing import Final, TypeVar

import structlog

from engine.errors import InputError
from server.addresses import AddressSet, read_network, share_of
from server.clean_text import clean
from server.commands.acts import done, op_command
from server.commands.registry import Answer, Command, Context
from server.ledger import Resource
from server.limits import TALK_LENGTH, TALK_OF_ADDRESS
from server.lobby.lobby import Lobby
from server.lobby.peers import Message
from server.lobby.personal_data import Person
from server.lobby.service import Service
from server.people.sanctions import Sanction
from server.player.player_session import PlayerSession
from server.records.syntax import time_text
from server.storage.database import Database
from server.storage.key_value_store import save
from server.table.recent_talk import RecentTalk, Said
from server.typed_json import Versioned, readable, write_versioned

log = structlog.get_logger("quatch.moderation")
T = TypeVar("T", bound=Versioned)

KIND: Final = "complaint"
KEPT: Final = 200
"""Reports that are kept; the oldest give way."""
KEPT_OF_ONE: Final = Resource(
    "reports",
    "caller",
    3,
    refusal="your last reports are not read yet: wait until they are",
)


class Report(Versioned, frozen=True):
    """What one player has reported of another."""

    at: float
    """In seconds since 1970."""
    by: str
    """The names at the time."""
    whom: str
    identity: str
    """The key of the player who was reported, or where a guest came from."""
    why: str
    said: tuple[str, ...]
    """What both have said lately where they were, the latest last."""

    @property
    def lines(self) -> list[str]:
        """What ops read."""
        why = f": {self.why}" if self.why else ""
        head = (
            f"{datetime.fromtimestamp(self.at, UTC):%Y-%m-%d %H:%M}  {self.by} about {self.whom} ({self.identity}){why}"
        )
        return [head, *(f"    {line}" for line in self.said)]


class IsSilenced(Message, frozen=True, tag="silence"):
    """An op has kicked, banned or muted who has one of these ids, or comes as a guest from one of these networks."""

    targets: list[str]


class Silencing(Service):
    """Takes the recent talk of players away from those who come later."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self.taken = RecentTalk()
        """What was taken away: who has heard it may yet report it."""
        lobby.peers.on(IsSilenced, lambda _, told: self._silence_here(told))

    def silence(self, sanction: Sanction) -> None:
        """Show nobody any more what those have said lately whom this is against."""
        told = IsSilenced([sanction.target, *sanction.of_guest])
        self._silence_here(told)
        self._lobby.peers.tell(told)

    def forget(self, account: str) -> None:
        """See `Service`."""
        self.taken.forget(account)

    def _silence_here(self, told: IsSilenced) -> None:
        networks, spared = AddressSet(filter(read_network, told.targets)), self._lobby.spared

        def is_theirs(said: Said) -> bool:
            is_from_there = said.address is not None and said.address in networks and said.address not in spared
            return is_from_there or said.player_id in told.targets

        tables = (table.broadcaster.recent_talk for table in self._lobby.tables.here.values())
        for talk in (self._lobby.visitors.recent_talk, *tables):
            theirs = [*filter(is_theirs, talk.kept())]
            self.taken.add_earlier(theirs)
            for said in theirs:
                talk.forget(said.player_id)


@Command(
    "report NAME [TEXT]",
    on_server=True,
    section="yourself",
    where={"lobby", "table", "watching"},
    pages=(),
    grave=True,
    ssh="answer",
    needs_name=True,
    details=(
        "The person who runs the server reads what you write, and what you both have said here lately.",
        "To hear no more of them type ignore NAME.",
    ),
)
async def report(context: Context, rest: str) -> Answer:
    """Report a player who misbehaves."""
    name, _, why = rest.partition(" ")
    lobby, session = context.lobby, context if isinstance(context, PlayerSession) else None
    found = lobby.visitors.recent_player(name) if name else None
    if name and found is None:
        raise InputError(
            "bad_request", f"nobody who is here, or was lately, is called {name[:20]!r}: type report, the name and why"
        )
    if found is None or found[0].id == context.player.id:
        raise InputError("bad_request", "report which player? Type report, the name and why; it is not for bugs")
    if session is not None:
        session.take_turn_to_talk()
    elif not context.player.account:
        raise InputError("bad_request", "without an ssh key report works in a session: come in with ssh HOST")
    else:
        lobby.imposed.refuse_if_muted(context.player, context.caller)
        lobby.ledger.charge(TALK_OF_ADDRESS, context.caller)
    player, caller = found
    both = {each.id: each.name for each in (context.player, player)}
    talk = session.table.broadcaster.recent_talk if session and session.at_table else lobby.visitors.recent_talk
    kept = sorted([*talk.kept(), *lobby.service(Silencing).taken.kept()], key=lambda each: each.at)
    said = tuple(f"{both[each.player_id]}: {each.line}" for each in kept if each.player_id in both)
    identity = caller.key or f"a guest from {caller.address or 'this terminal'}"
    by, why = context.player.name, clean(why, TALK_LENGTH)
    told = Report(lobby.wall(), by, player.name, identity, why, said)
    await _keep(lobby.store, _payer(context), player.id, told)
    log.warning("a player is reported: type complaints", by=by, whom=player.name)
    for each in lobby.visitors.everybody():
        if lobby.is_op(each.caller):
            each.hear("server", f"{by} has reported {player.name}: complaints lists it")
    return Answer([f"The person who runs the server will read what you report of {player.name}."])


@op_command("complaints [NAME]")
async def complaints(context: Context, rest: str) -> Answer:
    """List what players have reported of others."""
    found = [each for each in (await _read(context.lobby.store)).values() if _is_about(each, rest)]
    value = [
        {"at": time_text(round(each.at)), "by": each.by, "whom": each.whom, "identity": each.identity, "why": each.why}
        | {"said": each.said}
        for each in found
    ]
    lines = [line for each in found for line in each.lines]
    return Answer(lines or ["Nobody is reported."], {"complaints": value}, from_end=True)


@op_command("settle NAME")
async def settle(context: Context, rest: str) -> Answer:
    """Delete what players have reported of a player."""
    found = [key for key, each in (await _read(context.lobby.store)).items() if rest and _is_about(each, rest)]
    if not found:
        raise InputError("bad_request", "nobody of that name is reported: complaints lists them")
    for key in found:
        await save(context.lobby.store, KIND, key, None)
    return await done(context, f"Settled what was reported of {clean(rest)}.", "settle", clean(rest))


def _is_about(told: Report, name: str) -> bool:
    return name.casefold() in {"", told.whom.casefold()}


def _payer(context: Context) -> str:
    """The payer for a report: the address, or the player if many may share it.

    Not the key of the player, as in the ledger: a report that is deleted leaves its own key behind.
    """
    address = context.caller.address
    return context.player.id if address is None or address in context.lobby.shared else share_of(address)


async def _keep(store: Database, payer: str, player_id: str, told: Report) -> None:
    """Keep a report in the place of an earlier one of the same player. Raises InputError."""
    key, kept = f"{payer} {player_id}", await _read(store)
    if key not in kept and sum(each.startswith(f"{payer} ") for each in kept) >= KEPT_OF_ONE.share:
        raise KEPT_OF_ONE.refuse()
    await save(store, KIND, key, write_versioned(told))
    for old in [*kept][: max(0, len(kept) + (key not in kept) - KEPT)]:
        await save(store, KIND, old, None)


async def reports_by(lobby: Lobby, person: Person) -> list[Report] | None:
    """What a person has reported; not what others have reported of them. Raises NotSaved."""
    return [each for each in (await _read(lobby.store)).values() if each.by in person.names] or None


async def forget_reports(lobby: Lobby, person: Person) -> None:
    """Delete what a person has reported, and what was reported of them. Raises NotSaved, OutcomeUnknown."""
    for key, each in (await _read(lobby.store)).items():
        if _names(key, each, person):
            await lobby.store.put_text(KIND, key, None)


async def forget_old_reports(lobby: Lobby, before: float) -> None:
    """Delete what was reported before this time: it tells where guests came from. Raises NotSaved, OutcomeUnknown."""
    for key, each in (await _read(lobby.store)).items():
        if each.at < before:
            await lobby.store.put_text(KIND, key, None)


def _names(key: str, told: Report, person: Person) -> bool:
    return any(person.taken_out_of(text) != text for text in (key, told.by, told.whom, told.identity, *told.said))


async def _read(store: Database) -> dict[str, Report]:
    return await kept_texts(store, KIND, Report, 2 * KEPT)


async def kept_texts(store: Database, kind: str, of: type[T], most: int) -> dict[str, T]:
    """The texts of a kind by key, the oldest first. Raises NotSaved; passes over what cannot be read."""
    rows = await store.oldest_texts(kind, most)
    return {row.key: value for row in rows if (value := readable(row.text, of, key=row.key)) is not None}
