"""What a sub-command may fail with, or warns of, in one line."""

import sys
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from engine.errors import InputError
from server.config import ConfigError
from server.records.syntax import BadRecord
from server.storage.database import NotSaved

FAILURES: Final = (ConfigError, InputError, NotSaved, OSError)
"""What a command may fail with through no fault of the program."""


def warn_of_password(option: str, database: str) -> None:
    """Tell the host if the address of a database in this option holds a password: `ps` shows it to every user."""
    with suppress(ValueError):
        if urlsplit(database).password:
            better = "leave it out there, and give it in the environment as PGPASSWORD or in ~/.pgpass"
            print(f"quatch: ps shows the password in {option} to all users here; {better}", file=sys.stderr)


def explain(error: Exception) -> tuple[str, int]:
    """One line about one of the `FAILURES`, and the exit status."""
    if isinstance(error, ConfigError | InputError):
        return str(error), 1 if isinstance(error, BadRecord) else 2
    file, why = getattr(error, "filename", None), getattr(error, "strerror", None) or error
    return f"{file}: {why}" if file else str(why), 1
