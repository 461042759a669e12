"""What this room keeps in the log until somebody asks for it: acts, and reports."""

from contextlib import suppress
from typing import TypeVar

from server.storage.database import Database
from server.typed_json import Versioned, read_versioned

T = TypeVar("T", bound=Versioned)


async def kept_texts(store: Database, kind: str, of: type[T], most: int) -> dict[str, T]:
    """The texts of a kind by key, the oldest first. Raises NotSaved; passes over what cannot be read."""
    found = dict[str, T]()
    for row in await store.oldest_texts(kind, most):
        with suppress(ValueError):
            found[row.key] = read_versioned(row.text or "", of)
    return found
