"""What players and ops type about privacy, and how a player is forgotten in all that outlives their session."""

import asyncio
import re
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.resources import files
from math import isfinite, isinf
from pathlib import Path
from typing import Final

import structlog
from msgspec import json, structs, to_builtins

from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import quantity
from server.clean_text import clean
from server.commands.acts import note_act
from server.commands.registry import ADMIN, Answer, Command, Context, declared_in
from server.features import Feature
from server.lobby.lobby import Lobby, Runs
from server.lobby.peers import Message, Origin
from server.lobby.personal_data import Person, PersonalData
from server.lobby.service import Service
from server.people.accounts import FORGOTTEN
from server.people.players import FORMER
from server.people.sanctions import Sanction, Sanctions
from server.pieces import Work, in_pieces
from server.privacy import PrivacySettings
from server.process.logs import FILE_NAME
from server.records.record import FIRST_LINE, checksum
from server.records.results import GUEST
from server.records.syntax import quoted, time_text
from server.storage import sql
from server.storage.database import EVERY, Database, FinishedGame
from server.storage.key_value_store import save
from server.table.entries import without_name
from server.table.place import ADMIN_SSH

CHECK_SECONDS: Final = 60.0
"""How often a process looks whether something is left to forget."""
AGAIN_SECONDS: Final = 600.0
"""When it is all done a second time."""
ADDRESSES_SECONDS: Final = 3600.0
"""How often old addresses are deleted."""
DAY: Final = 86_400.0
_TIME: Final = re.compile(r'"timestamp": "([^"]+)"')
"""When a line of the log was written."""
TABLES_AT_ONCE: Final = 100
GAMES_AT_ONCE: Final = 100
"""How many games are listed at once."""
FAREWELL: Final = "All that is kept of you is being deleted: your games stay without your name. Good-bye."

log = structlog.get_logger("quatch.privacy")


class PlayerForgotten(Message, frozen=True, tag="forgotten"):
    """A player is forgotten: their sessions end, and nothing is kept of them in memory."""

    account: str


async def person_of(lobby: Lobby, account: str) -> Person:
    """What an account is known by. Raises NotSaved."""
    name = (await lobby.accounts.account(account)).name
    seats = dict(await lobby.store.seats_of(account))
    return Person(
        account, frozenset(filter(None, (name, *seats.values()))), tuple(await lobby.accounts.keys_of(account))
    )


class Forgetting(Service):
    """Forgets players and old addresses, in all processes and in all that is kept.

    That is written down first, as a text under the account's id, so that it goes on after a crash. Then the name goes
    out of tables, games and what features keep; the account goes last, since it has the name and the keys that are to
    be looked for. It is all done again some minutes later: another process may just have written what it had read.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._one_by_one = asyncio.Lock()
        lobby.peers.on(PlayerForgotten, self._hear)

    def open(self) -> None:
        """Go on with what was begun, and delete old addresses, from now on."""
        self._background.repeat(self.go_on, CHECK_SECONDS, "forgetting players")
        self._background.repeat(self.forget_addresses, ADDRESSES_SECONDS, "forgetting addresses")

    async def forget_player(self, account: str) -> bool:
        """Forget a player, and end their sessions everywhere. Returns whether all is done; else it goes on later.

        The own accounts of linked keys go, too: it is one person. Raises InputError if that cannot be begun; NotSaved.
        """
        forgotten = dict.fromkeys([account, *(await self._lobby.accounts.keys_of(account)).values()])
        for each in forgotten:
            await save(self._lobby.store, FORGOTTEN, each, str(self._lobby.wall()))
        # The session that asks for it ends meanwhile, and the command with it.
        return all([await self._background.finish(self._forget(each), "forgetting a player") for each in forgotten])

    async def go_on(self) -> None:
        """Go on with what was begun, and do it again where that is due. Raises NotSaved, OutcomeUnknown."""
        store, accounts, now = self._lobby.store, self._lobby.accounts, self._lobby.wall()
        if self._lobby.peers.turn:
            return  # another process does
        for row in await store.read_texts(FORGOTTEN):
            began = float(row.text or "inf")
            is_again = began + AGAIN_SECONDS < now
            is_left = began + CHECK_SECONDS < now and (await accounts.account(row.key)).seen is not None
            if is_again or is_left:
                await self._forget(row.key)
            if is_again:
                await store.put_text(FORGOTTEN, row.key, None)

    async def forget_addresses(self) -> None:
        """Delete addresses that were kept for long enough. Raises NotSaved, OutcomeUnknown."""
        lobby = self._lobby
        before = lobby.wall() - lobby.config.of(PrivacySettings).privacy_addresses * DAY
        if not lobby.peers.turn:
            for sanctions in lobby.imposed.kinds.values():
                await sanctions.put({each.target: None for each in sanctions.expired() if (each.until or 0) < before})
            for kept in lobby.features.all(PersonalData):
                await kept.forget_addresses(lobby, before)
            if isfinite(before):
                with suppress(OSError):  # the host has made it somebody else's
                    await asyncio.to_thread(forget_lines, lobby.config.data, before)

    async def _forget(self, account: str) -> None:
        lobby = self._lobby
        async with self._one_by_one:
            person = await person_of(lobby, account)
            self._tell(account)
            await self._forget_at_tables(person)
            await lobby.standings.count_all()  # what is counted later would be a standing of this account again
            await _forget_in_games(lobby.store, account, person.names)
            for kept in lobby.features.all(PersonalData):
                await kept.forget(lobby, person)
            for sanctions in lobby.imposed.kinds.values():
                await _forget_in_sanctions(sanctions, account)
            await lobby.profiles.forget(account)
            self._tell(account)
        log.info("player forgotten", account=account)

    async def _forget_at_tables(self, person: Person) -> None:
        lobby, last = self._lobby, 0
        seats = dict(await lobby.store.seats_of(person.account))
        while tables := await lobby.store.select(sql.OPEN_AFTER, last, TABLES_AT_ONCE):
            for (number,) in tables:
                entries = {entry.seq: entry.data for entry in await lobby.store.read(number)}
                if number in seats or without_name(entries, person.account, ()):
                    try:
                        table = await lobby.tables.bring_up(str(number))
                        await table.forget(person.account, person.names)
                    except InputError as error:
                        log.info("player not forgotten at a table", table=number, problem=error.message)
                await asyncio.sleep(0)  # others get their turn
            last = tables[-1][0]

    def _tell(self, account: str) -> None:
        self._hear(None, PlayerForgotten(account))
        self._lobby.peers.tell(PlayerForgotten(account))

    def _hear(self, _: Origin | None, told: PlayerForgotten) -> None:
        lobby = self._lobby
        for visitor in [each for each in lobby.visitors.here if each.player.id == told.account]:
            visitor.dismiss(FAREWELL)
        lobby.visitors.forget_player(told.account)
        lobby.names.wished.pop(told.account, None)
        for table in lobby.tables.here.values():
            table.broadcaster.recent_talk.forget(told.account)
        for service in lobby.services:
            service.forget(told.account)


async def _forget_in_sanctions(sanctions: Sanctions, account: str) -> None:
    """Take the name out of a ban or a mute. The keys stay for as long as it holds: it would be worth nothing."""
    if any(each.target == account for each in sanctions.expired()):
        await sanctions.put({account: None})
    for each in sanctions.all():
        if each.target == account and each.name:
            await sanctions.put({account: structs.replace(each, name="")})


def forget_lines(folder: str, before: float) -> None:
    """Delete the lines of the logs in a folder from before this time, in seconds since 1970. Raises OSError.

    They have names, keys and addresses. A line that comes in between is lost.
    """
    earliest = datetime.fromtimestamp(before, UTC).isoformat()
    for file in (Path(folder, FILE_NAME), Path(folder, FILE_NAME).with_suffix(".log.1")):
        with suppress(FileNotFoundError), file.open("r+", encoding="utf-8", errors="replace") as log_file:
            lines = log_file.readlines()
            # What a line without a time belongs to stands before it.
            times = ((number, _TIME.search(line)) for number, line in enumerate(lines))
            first = next((number for number, found in times if found and found[1] >= earliest), len(lines))
            if first:
                log_file.seek(0)
                log_file.truncate()
                log_file.writelines(lines[first:])


REALLY: Final = "really"
PAGE_LENGTH: Final = 20_000
"""Characters of the host's own page that are shown."""
LINE_LENGTH: Final = 200
WHAT_GOES: Final = (
    "Your name, keys, settings, ratings and all else that is kept of you would be deleted; your seats are given up.",
    "Your games would stay, with a former player in place of your name. Nobody can undo that.",
    "export shows first what is kept. To be forgotten type: forget really",
)

UNDONE: Final = "Not all can be deleted now. That goes on by itself until nothing is left; export shows what is."
OPS: Final = "An op can type admin forget NAME really, for a player who asks to be forgotten."


@Command(
    "privacy",
    section="yourself",
    pages=(),
    in_full=True,
    read_only=True,
    ssh="answer",
    words="gdpr, data, my data, data protection",
)
async def privacy(context: Context, _: str) -> Answer:
    """Read what is kept of you, and for how long."""
    settings = context.lobby.config.of(PrivacySettings)
    days = settings.privacy_addresses
    page = _page(settings.privacy_page)
    kept = "".join(f"- {each.told(context.lobby.config)};\n" for each in context.lobby.features.all(PersonalData))
    page = page.replace("{kept}", kept).replace("{addresses}", "ever" if isinf(days) else quantity(round(days), "day"))
    return Answer([clean(line, LINE_LENGTH) for line in page[:PAGE_LENGTH].splitlines()], title="privacy")


@Command("export", on_server=True, section="yourself", pages=(), in_full=True, ssh="answer")
async def export_(context: Context, _: str) -> Answer:
    """Get all that is kept of you, as JSON."""
    found = await export(context.lobby, _account(context))
    return Answer(await in_pieces(_as_lines(found)), found)


def _as_lines(found: Mapping[str, Json]) -> Work[list[str]]:
    """An export as JSON for people, with a pause after each game."""
    games, whole = found["games"], {**found, "games": []}
    *lines, _, end = json.format(json.encode(whole)).decode().splitlines()
    lines.append('  "games": [')
    for game in games if isinstance(games, list) else ():
        lines += [f"    {line}" for line in json.format(json.encode(game)).decode().splitlines()]
        lines[-1] += ","
        yield
    lines[-1] = lines[-1].removesuffix(",")
    return [*lines, "  ]", end]


@Command(
    "forget [really]",
    on_server=True,
    section="yourself",
    pages=(),
    behind_admin=("forget NAME [really]", "have all that is kept of a player deleted"),
    grave=True,
    ssh="answer",
    words="delete account, delete my account, delete my data, delete me",
    details=(*WHAT_GOES, OPS),
)
async def forget(context: Context, rest: str) -> Answer:
    """Have all that is kept of you deleted."""
    is_of_another = context.place == ADMIN_SSH
    if context.lobby.is_op(context.caller) and not is_of_another:
        is_of_another, rest = rest not in {"", REALLY}, rest.removeprefix(ADMIN).lstrip()
    if is_of_another:
        name, _, really = rest.partition(" ")
        return await _forget_other(context, name, really)
    account = _account(context)
    if rest != REALLY:
        return Answer(WHAT_GOES)
    if not await context.lobby.service(Forgetting).forget_player(account):
        return Answer([UNDONE])
    return Answer(["You are forgotten here. Your games stay, with a former player in place of your name."])


async def _forget_other(context: Context, name: str, really: str) -> Answer:
    lobby = context.lobby
    here = lobby.visitors.named(name)
    owner = here.player.account if here else await lobby.profiles.owner_called(name)
    if not owner:
        raise InputError(
            "bad_request", "forget which player? Type admin forget NAME really; the name as they had it last"
        )
    if {*await lobby.accounts.keys_of(owner)} & {*lobby.config.ops}:
        raise InputError("bad_request", "that player is an op: the config lists the ops")
    if really != REALLY:
        return Answer([f"All that is kept of {name} would be deleted. To do that type: admin forget {name} really"])
    is_done = await lobby.service(Forgetting).forget_player(owner)
    await note_act(context, "forget", "a player")  # whom, is forgotten
    return Answer(["The player is forgotten." if is_done else UNDONE])


def _account(context: Context) -> str:
    if context.player.account is None:
        raise InputError("bad_request", "you came in without an ssh key, so nothing is kept under your name")
    return context.player.account


def _page(file: str) -> str:
    """The page in the host's file, or our own one if that is not named. Raises InputError."""
    try:
        return (Path(file) if file else files("server.privacy").joinpath("page.txt")).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise InputError("not_read", "the page of those who run the server cannot be read now: tell them") from None


async def export(lobby: Lobby, account: str) -> Mapping[str, Json]:
    """All that is kept of an account. Raises NotSaved.

    Of tables only their numbers are told: their logs have cards that nobody may see yet.
    """
    await lobby.standings.count_all()
    person, kept = await person_of(lobby, account), await lobby.accounts.account(account)
    games = [
        {"game": each.id, "rules": each.rules, "at": each.at, "result": _json(each.result), "record": each.record}
        async for each in all_games_of(lobby.store, account)
    ]
    texts = {kind: _json(text) for kind in lobby.profiles.kinds if (text := await lobby.store.text(kind, account))}
    others = {each.name: await each.read(lobby, person) for each in lobby.features.all(PersonalData)}
    return {
        "account": account,
        "name": kept.name,
        "last_day": kept.seen,
        "settings": _json(kept.settings),
        "keys": list(person.keys),
        "tables": [number for number, _ in await lobby.store.seats_of(account)],
        "ratings": [_json(text) for (text,) in await lobby.standings.rows_of(account)],
        **{
            name: [_end(each) for each in imposed.all() if each.target == account]
            for name, imposed in lobby.imposed.kinds.items()
        },
        **texts,
        **{name: to_builtins(value) for name, value in others.items() if value is not None},
        "games": games,
    }


def _end(sanction: Sanction) -> str:
    """When it ends: an export is read at any time."""
    return "when an op lifts it" if sanction.until is None else time_text(round(sanction.until))


def _json(text: str | None) -> Json:
    read: Json = json.decode(text) if text else None
    return read


FEATURE: Final = Feature("privacy", (*declared_in(__name__), Runs(Forgetting)))


async def all_games_of(store: Database, account: str) -> AsyncIterator[FinishedGame]:
    """Every finished game of an account that is kept, the latest first, with its record. Raises NotSaved."""
    before = EVERY
    while games := await store.games_of(account, GAMES_AT_ONCE, before):
        before = games[-1][0]
        for _, game in games:
            if (whole := await store.game(game.id)) is not None:
                yield whole
            await asyncio.sleep(0)  # a file is read without a pause


async def _forget_in_games(store: Database, account: str, names: Collection[str]) -> None:
    """Take the name of an account out of all finished games; it counts as a guest there. Raises NotSaved."""
    async for game in all_games_of(store, account):
        result, record = _game_without_name(game.result, game.record, account, names)
        await store.execute(sql.REWRITE_GAME, game.id, result, record)
    await store.execute(sql.FORGET_GAMES, account)


def _game_without_name(result: str, record: str, account: str, names: Collection[str]) -> tuple[str, str]:
    """The result and the record of a game without the name of an account, which counts as a guest.

    ``names``: what the account is known to have been called besides. Of what a newer version has written, the same
    keys are changed.
    """
    read = json.decode(result)
    known = {*names}
    for finish in read.get("finishes", ()):
        if finish.get("key") == account:
            known.add(finish["name"])
            finish["key"], finish["name"] = GUEST, FORMER
    return json.encode(read).decode(), _renamed(record, known - {FORMER})


def _renamed(record: str, names: Collection[str]) -> str:
    """A record with another name in the lines that have one of these, and with the checksum of that."""
    if not names:
        return record
    name, in_note = ("|".join(re.escape(form(each)) for each in names) for form in (quoted, _in_note))
    patterns = (
        (re.compile(rf"^(player \d+|cut by)(:?) (?:{name})", re.MULTILINE), rf"\1\2 {quoted(FORMER)}"),
        # A note has the name as a word, before a space or a semicolon, or at its end.
        (re.compile(rf"^(# (?:.* )?)(?:{in_note})(?=[ ;]|$)", re.MULTILINE), rf"\g<1>{FORMER}"),
    )
    first, _, body = record.partition("\nchecksum: ")
    body = body.partition("\n")[2]
    for pattern, instead in patterns:
        body = pattern.sub(instead, body)
    return f"{FIRST_LINE}\nchecksum: {checksum(body)}\n{body}" if first == FIRST_LINE else record


def _in_note(name: str) -> str:
    return quoted(name)[1:-1]
