"""JSON as typed values: a struct says which keys there are and what may stand there, and every error names the key."""

import json
import re
from collections.abc import Mapping
from typing import Final, Literal, TypeVar

import msgspec

from server.clean import clean

VERSION: Final = 1
"""The version of every `Versioned` value, except of some entries of the log (`table/entries.py`)."""

T = TypeVar("T")

_NAMES: Final = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "null": "null",
    "object": "an object",
    "str": "a text",
}
_FIELD: Final = re.compile(r"Object (?:missing required|contains unknown) field `(.*)`", re.DOTALL)
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`([^,]*)")
_INVALID: Final = re.compile(r"Invalid (?:enum )?value (.*)", re.DOTALL)


class Versioned(msgspec.Struct, frozen=True, forbid_unknown_fields=True, repr_omit_defaults=True, kw_only=True):
    """A value that is kept as JSON, together with the version of its form."""

    v: Literal[1] = VERSION


class _Version(msgspec.Struct):
    v: int


_VERSION: Final = msgspec.json.Decoder(_Version)


def write_versioned(value: Versioned) -> str:
    """A value as JSON, its version first."""
    return msgspec.json.encode({"v": value.v, **msgspec.to_builtins(value)}).decode()


def read_versioned(data: bytes | str, decoder: msgspec.json.Decoder[T], newest: int = VERSION) -> T:
    """A value as `write_versioned` wrote it; ``newest`` is the newest version of its form that is known here.

    Raises ValueError with one line, which names the key that is wrong, or says that a newer version has written this.
    """
    try:
        if _VERSION.decode(data).v > newest:
            raise ValueError("written by a newer version of this program")
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(problem(error)) from None


def json_line(value: msgspec.Struct | Mapping[str, object]) -> str:
    """A value as JSON for other programs, in one line of ASCII: no character in a name or an id can end it early."""
    return json.dumps(msgspec.to_builtins(value))


def problem(error: Exception) -> str:
    """What is wrong, in one line that begins with the key: ``seats: expected a whole number``."""
    what, _, path = str(error).rpartition(" - at ")
    what, key = (what, path.rpartition("`$")[2].strip("`.")) if what else (path, "")
    if found := _FIELD.fullmatch(what):
        key = f"{key}.{found[1]}" if key else found[1]
        what = "is missing" if "missing" in what else "means nothing here"
    elif found := _EXPECTED.match(what):
        names = " or ".join(_NAMES.get(kind, kind) for kind in found[1].split(" | "))
        what = f"expected {names}{found[2]}"
    elif found := _INVALID.fullmatch(what):
        what = f"cannot be {found[1]}"
    return f"{clean(key, 40)}: {clean(what)}" if key else clean(what)
