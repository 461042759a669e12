"""JSON as typed values: a struct says which keys there are and what may stand there, and every error names the key.

What is stored outlives the program that wrote it. Another release of the same version may have written keys that are
unknown here: they are passed over, and a `Keeping` value writes them again. A field may come or go within a version if
it does no harm that a program does not know it; else the version rises. What a newer version wrote is refused.
"""

import copy
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec
import structlog
from msgspec import UNSET, Meta, UnsetType, structs

from server.clean_text import clean

VERSION: Final = 1
"""The version of every `Versioned` value."""

T = TypeVar("T")
log = structlog.get_logger("quatch.values")

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
_UNKNOWN_FIELD: Final = re.compile(r"Object contains unknown field `(.*?)`(?: - at `\$(.*)`)?", re.DOTALL)
_STEP: Final = re.compile(r"\.([^.[]+)|\[(\d+|\.\.\.)\]")
_KEPT: Final = "*"
"""The key under which a value has what is unknown here, until it is written."""

_Json: TypeAlias = Any
"""What stands in JSON: an object, a list, or something that holds no others."""


class Keeping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, repr_omit_defaults=True, kw_only=True):
    """A part of a stored value that keeps the keys which are unknown here.

    Change such a value with `msgspec.structs.replace`, so that it still has them when it is written.
    """

    unknown: Annotated[str, Meta(pattern=r"^\{\}$")] | UnsetType = msgspec.field(default=UNSET, name=_KEPT)
    """These keys and their values as JSON; nothing is written for a value that has none."""


class Versioned(Keeping, frozen=True, kw_only=True):
    """A value that is kept as JSON, together with the version of its form."""

    v: Literal[1] = VERSION


class _Version(msgspec.Struct):
    v: int


_VERSION: Final = msgspec.json.Decoder(_Version)
_decoder_of: Final[Callable[[type], msgspec.json.Decoder[Any]]] = cache(msgspec.json.Decoder)


def write_versioned(value: Versioned) -> str:
    """A value as JSON, its version first."""
    text = msgspec.json.encode({"v": value.v, **msgspec.to_builtins(value)}).decode()
    # Quotes within texts are escaped, so this can only be a key.
    return msgspec.json.encode(_with_kept(msgspec.json.decode(text))).decode() if f'"{_KEPT}":' in text else text


def read_versioned(data: bytes | str, kind: type[T] | msgspec.json.Decoder[T]) -> T:
    """Returns a value as `write_versioned` wrote it, here or in another release.

    ``kind`` is the type of the value, or a decoder for one of several types.
    Raises ValueError with one line, which names the key that is wrong, or says that a newer version has written this.
    """
    decoder: msgspec.json.Decoder[T] = kind if isinstance(kind, msgspec.json.Decoder) else _decoder_of(kind)
    try:
        if _VERSION.decode(data).v > VERSION:
            raise ValueError("written by a newer version of this program")
        try:
            return decoder.decode(data)
        except msgspec.ValidationError as error:
            if not _UNKNOWN_FIELD.fullmatch(str(error)):
                raise
            return _read_known(msgspec.json.decode(data), decoder)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(problem(error)) from None


def read_or_new(text: str | None, kind: type[T]) -> T:
    """As `read_versioned`; if there is no text, a value with all defaults."""
    return kind() if text is None else read_versioned(text, kind)


def readable(text: str | None, kind: type[T] | msgspec.json.Decoder[T], **of: object) -> T | None:
    """As `read_versioned`; None without a text, and if it cannot be read: the log says so, and what it is ``of``."""
    try:
        return None if text is None else read_versioned(text, kind)
    except ValueError as error:
        log.warning("value left out", problem=str(error), **of)
        return None


def _read_known(given: _Json, decoder: msgspec.json.Decoder[T]) -> T:
    """A value in which some keys are unknown here. Raises DecodeError."""
    known = given
    while True:
        try:
            value: T = _keeping(decoder.decode(msgspec.json.encode(known)), given)
        except msgspec.ValidationError as error:
            known = _without_unknown(known, error)
        else:
            return value


def _without_unknown(given: _Json, error: msgspec.ValidationError) -> _Json:
    """What stands in JSON without the key that is unknown here. Raises the error if it is another one."""
    rest = copy.deepcopy(given)
    found = _UNKNOWN_FIELD.fullmatch(str(error))
    holders = [each for each in _at(rest, found[2] or "") if found[1] in each] if found else []
    if found is None or not holders:
        raise error
    for each in holders:
        del each[found[1]]
    return rest


def _at(given: _Json, path: str) -> Iterator[_Json]:
    """What stands at a path as errors name it, like ``.seats[0]``; ``[...]`` stands for any value of an object."""
    if (step := _STEP.match(path)) is None:
        yield given
        return
    for key, each in given.items() if isinstance(given, dict) else enumerate(given):
        if step[1] == key or step[2] in {"...", str(key)}:
            yield from _at(each, path[step.end() :])


def _keeping(value: Any, given: _Json) -> Any:  # noqa: ANN401 - a value of any form
    """A value that was read from this JSON, with what is unknown here in each `Keeping` part of it."""
    if isinstance(value, msgspec.Struct):
        names = dict(zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True))
        parts = {name: _keeping(getattr(value, name), given[key]) for key, name in names.items() if key in given}
        if isinstance(value, Keeping):
            tag = value.__struct_config__.tag_field
            if unknown := {key: each for key, each in given.items() if key not in names and key != tag}:
                parts["unknown"] = msgspec.json.encode(unknown).decode()
        return structs.replace(value, **parts)
    if isinstance(value, dict):
        return {key: _keeping(each, inner) for (key, each), inner in zip(value.items(), given.values(), strict=True)}
    if type(value) in {tuple, list}:
        return type(value)(map(_keeping, value, given))
    return value


def _with_kept(given: _Json) -> _Json:
    """What stands in JSON, with the keys that `Keeping` parts have kept among their others."""
    if isinstance(given, list):
        return [*map(_with_kept, given)]
    if isinstance(given, dict):
        known = {key: _with_kept(each) for key, each in given.items() if key != _KEPT}
        return {**known, **msgspec.json.decode(given[_KEPT]), **known} if _KEPT in given else known
    return given


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
