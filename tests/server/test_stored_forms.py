"""Every kind of value that is stored: what another release has put there is passed over, and written back."""

import json
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec import inspect, structs

import server
from server.history.ratings import Standing, rated
from server.people.settings import Settings
from server.records.results import Finish, Result, ai_key
from server.typed_json import Keeping, Versioned, read_versioned, write_versioned
from tests.support.each import for_each

LATER = {"later": {"a": [1, "two"]}}
"""A key of another release."""
T = TypeVar("T", bound=Versioned)


def kinds(of: type[Versioned] = Versioned) -> Iterator[type[Versioned]]:
    """All kinds of values that are stored."""
    for module in walk_packages(server.__path__, "server."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found = [of]
    while found:
        kind = found.pop()
        found += kind.__subclasses__()
        if not kind.__subclasses__() and kind.__module__.startswith("server."):
            yield kind


def form(of: inspect.Type, default: object = None, *, later: type[msgspec.Struct] | None = None) -> Any:  # noqa: ANN401
    """Some JSON of this type, other than the default, with a key of another release in each struct of this kind."""
    match of:
        case inspect.StructType(kind, fields, tag_field, tag):
            known = {
                each.encode_name: form(each.type, each.default, later=later)
                for each in fields
                if each.name != "unknown"
            }
            more = LATER if later is not None and issubclass(kind, later) else {}
            return ({tag_field: tag} if tag_field else {}) | known | more
        case inspect.UnionType(types):
            return form(next(each for each in types if not isinstance(each, inspect.NoneType)), later=later)
        case inspect.DictType(key, value):
            return {form(key): form(value, later=later)}
        case inspect.TupleType(items):
            return [form(each, later=later) for each in items]
        case inspect.NamedTupleType(_, fields):
            return [form(each.type, later=later) for each in fields]
        case inspect.VarTupleType(item) | inspect.FrozenSetType(item) | inspect.ListType(item):
            return [form(item, later=later)]
        case inspect.LiteralType(values):
            return next(each for each in values if each != default or len(values) == 1)
        case inspect.StrType() | inspect.AnyType():
            return "text"
        case inspect.BoolType():
            return default is not True
        case inspect.IntType() | inspect.FloatType():
            return 1
    raise TypeError(f"no form of {of}")


KINDS = sorted(kinds(), key=lambda kind: f"{kind.__module__}.{kind.__name__}")


@for_each("kind", KINDS)
def test_every_stored_kind_lives_with_keys_of_another_release(kind: type[Versioned]) -> None:
    """At any depth. What is known is read as ever, and the value is written with all keys that its parts keep."""
    type_info, decoder = inspect.type_info(kind), msgspec.json.Decoder(kind)
    plain, theirs = form(type_info), form(type_info, later=msgspec.Struct)
    assert json.loads(write_versioned(read_versioned(json.dumps(plain), decoder))) == plain
    read = read_versioned(json.dumps(theirs), decoder)
    assert json.loads(write_versioned(read)) == form(type_info, later=Keeping)
    changed = structs.replace(read, v=1)
    assert read_versioned(write_versioned(changed), decoder) == changed
    with pytest.raises(ValueError, match=r"^written by a newer version of this program$"):
        read_versioned(json.dumps(theirs | {"v": 2}), decoder)


@for_each("kind", KINDS)
def test_what_is_wrong_is_named_among_keys_of_another_release(kind: type[Versioned]) -> None:
    """They are no excuse for it."""
    theirs = form(inspect.type_info(kind), later=msgspec.Struct)
    for key in theirs.keys() - {"v", *LATER}:
        with pytest.raises(ValueError, match=f"^{key}"):
            read_versioned(json.dumps(theirs | {key: [[[]]]}), msgspec.json.Decoder(kind))


def of_another_release(value: T) -> T:
    """The value as another release might have written it."""
    written = json.loads(write_versioned(value)) | LATER
    return read_versioned(json.dumps(written), msgspec.json.Decoder(type(value)))


def test_a_value_that_is_changed_keeps_what_is_unknown_here() -> None:
    """Whatever changes it."""
    standing, hard = (of_another_release(Standing(key, "quatch")) for key in ("account:a", ai_key("hard")))
    result = Result((Finish("account:a", "ana", 1), Finish(ai_key("hard"), "Fox", 2)), drawn=False, plies=9)
    changed: list[Versioned] = [
        *rated({each.key: each for each in (standing, hard)}, result),
        of_another_release(Settings()).changed("cards", "suits"),
    ]
    for value in changed:
        assert json.loads(write_versioned(value))["later"] == LATER["later"]


def test_parts_of_a_value_that_are_changed_keep_it_too() -> None:
    """As the own level among the settings."""
    settings = Settings.from_json('{"v":1,"own_level":{"won":2,"later":"x"}}')
    after = structs.replace(settings, own_level=settings.own_level.after_game(1, 0).for_next_game())
    assert json.loads(after.to_json())["own_level"] == {"level": "medium", "later": "x"}
    assert json.loads(after.changed("level", "hard").to_json())["own_level"] == {"level": "hard", "later": "x"}
