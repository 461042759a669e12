"""What a sub-command may fail with, in one line."""

from typing import Final

from engine.errors import InputError
from server.config import ConfigError
from server.records.syntax import BadRecord
from server.storage.table_log import NotSaved

FAILURES: Final = (ConfigError, InputError, NotSaved, OSError)
"""What a command may fail with through no fault of the program."""


def explain(error: Exception) -> tuple[str, int]:
    """One line about one of the `FAILURES`, and the exit status."""
    if isinstance(error, ConfigError | InputError):
        return str(error), 1 if isinstance(error, BadRecord) else 2
    file, why = getattr(error, "filename", None), getattr(error, "strerror", None) or error
    return f"{file}: {why}" if file else str(why), 1
