"""Which engine a server has: the file under its data, or that of a feature."""

from collections.abc import Sequence
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Final

from server.command_line import CommandLine, command_lines, other_database
from server.config import Config
from server.storage.database import WAS_MOVED, Database, NotSaved, moved_to
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME

UNFINISHED: Final = "unfinished"
"""The kind of a text in a database that is not yet all of another one: the name of that one as the key, and how the
copying goes on as the text. No server starts on it."""


async def refuse_if_not_in_use(database: Database, *, although_moved: bool = False) -> None:
    """Raises NotSaved if a database is an unfinished copy, or if it was moved and is to be used no more."""
    for mark in await database.oldest_texts(UNFINISHED, 1):
        raise NotSaved(f"the database is an unfinished copy of {mark.key}: {mark.text}")
    for mark in await database.oldest_texts(WAS_MOVED, 1):
        if not although_moved:
            raise NotSaved(moved_to(mark.key))


def database_of(config: Config, **options: Any) -> Database:  # noqa: ANN401 - see `database_at`
    """The database of a server with these settings. Raises as `database_at`."""
    return database_at(config.database, config.data, config.command_lines, **options)


def database_at(
    database: str,
    data: str | Path,
    lines: Sequence[CommandLine] | None = None,
    **options: Any,  # noqa: ANN401 - those of its engine
) -> Database:
    """The database with this URL, of an engine that a feature gives; if it is empty, the file in ``data``, a folder.

    ``lines``: what the features give; None for all of them.

    Raises ValueError if the URL is wrong, NotSaved if a package is not installed.
    """
    found: Database
    lines = [*command_lines().values()] if lines is None else lines
    if not database:
        shared = [each.shared_file for each in lines if each.shared_file]
        found = (resolve_name(shared[0]) if shared else SqliteDatabase)(Path(data, FILE_NAME))
        return found
    kind = other_database(database, lines)
    try:
        engine = resolve_name(kind.engine)
    except ImportError as error:
        install = f"pip install {error.name}, or make setup"
        raise NotSaved(f"this database needs the package {error.name}: {install}") from None
    found = engine(database, **options)
    return found
