"""When a copy is due, and which ones are deleted."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from server.commands.finding import HostWords
from server.config import Config
from server.features import Feature
from server.lobby.lobby import Lobby, Runs
from server.lobby.personal_data import PersonalData
from server.lobby.service import Service, Serving
from server.storage.database import NotSaved
from server.timed_backups import BackupSettings
from server.timed_backups.copying import copy_database

LOOK_SECONDS: Final = 60.0
"""How often a process looks whether a copy is due. After its start it waits as long: then it knows the others."""
NAME: Final = "quatch-%Y-%m-%dT%H%M%SZ.db"
"""The name of a copy, by the time at which it was begun, in UTC."""

log = structlog.get_logger("quatch.backups")


class Backups(Service):
    """Makes copies of the database while players are served; of several processes one does.

    The copies themselves say when the next one is due, so a server that was started again makes none too many.
    """

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._settings = lobby, lobby.config.of(BackupSettings)
        self._folder = Path(self._settings.backup_folder or Path(lobby.config.data, "backups"))
        self._last = 0.0
        """When the last copy was begun, in seconds since 1970; 0 if this process does not make them."""

    def serve(self, serving: Serving) -> None:  # noqa: ARG002 - the number of a process says nothing at a renewal
        """Begin, if copies are wanted."""
        if self._settings.backup_every:
            self._background.repeat(self.look, LOOK_SECONDS, "making a backup", first_after=LOOK_SECONDS)

    async def look(self) -> None:
        """Make a copy if one is due, and delete those that are too old or too many."""
        now = self._lobby.wall()
        if self._lobby.peers.turn:
            self._last = 0.0
            return  # another process does
        last = await asyncio.to_thread(self._made)
        if not last or now - last[0][0] >= self._settings.backup_every * 3600:
            await asyncio.to_thread(self._make, now)
            await asyncio.to_thread(self._delete, now)
            last = await asyncio.to_thread(self._made)
        self._last = last[0][0] if last else 0.0

    def gauges(self) -> list[tuple[str, str, float | None]]:
        """How old the last copy is."""
        age = self._lobby.wall() - self._last if self._last else None
        return [("backup_age_seconds", "Seconds since the last copy of the database.", age)]

    def _make(self, now: float) -> None:
        file = self._folder / datetime.fromtimestamp(now, UTC).strftime(NAME)
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            copy_database(self._lobby.store, file, although_moved=True)  # the server runs on it
        except (NotSaved, OSError) as error:
            log.error("no backup made", problem=str(error))  # noqa: TRY400 - it says what is wrong
        else:
            log.info("backup made", file=str(file), bytes=file.stat().st_size)

    def _delete(self, now: float) -> None:
        """The last one stays in any case."""
        made, days = self._made(), self._settings.backup_days
        for number, (at, file) in enumerate(made):
            if number and (number >= self._settings.backup_keep or now - at > days * 86_400):
                file.unlink(missing_ok=True)

    def _made(self) -> Sequence[tuple[float, Path]]:
        """When the copies that there are were begun, in seconds since 1970, and their files; the latest first."""
        found = list[tuple[float, Path]]()
        for file in self._folder.glob("quatch-*Z.db"):
            with suppress(ValueError):
                found.append((datetime.strptime(file.name, NAME).replace(tzinfo=UTC).timestamp(), file))
        return sorted(found, reverse=True)


def _told(config: Config) -> str:
    settings = config.of(BackupSettings)
    if not settings.backup_every:
        return "copies of all that, which the person who runs the server makes"
    return f"copies of all that, which are deleted after {settings.backup_days:g} days"


HOW_TO: Final = HostWords(
    "(back ?ups?|save|copy)",
    lambda lobby, _: f"Type in a shell: quatch backup --data {lobby.config.data} FILE makes a copy at any time.",
)
FEATURE: Final = Feature("timed_backups", (Runs(Backups), PersonalData(name="backups", told=_told), HOW_TO))
