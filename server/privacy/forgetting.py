"""How a player is forgotten, in all processes and in all that is kept.

That is written down first, as a text under the account's id, so that it goes on after a crash. Then the name goes out
of tables, games and what features keep; the account itself goes last, since it has the name and the keys that are to be
looked for. It is all done a second time some minutes later: another process may just have written what it had read.
"""

import asyncio
import re
from contextlib import suppress
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Final

import structlog
from msgspec import structs

from engine.errors import InputError
from server.lobby.lobby import Lobby
from server.lobby.peers import Message, Origin
from server.lobby.personal_data import Person, PersonalData
from server.lobby.service import Service
from server.people.accounts import FORGOTTEN
from server.people.sanctions import Sanctions
from server.privacy import PrivacySettings
from server.privacy.games import forget_in_games
from server.process.logs import FILE_NAME
from server.storage import sql
from server.storage.key_value_store import save
from server.table.entries import without_name

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
    """Forgets players and old addresses."""

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
            for sanctions in lobby.sanctions:
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
            await forget_in_games(lobby.store, account, person.names)
            for kept in lobby.features.all(PersonalData):
                await kept.forget(lobby, person)
            for sanctions in lobby.sanctions:
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
