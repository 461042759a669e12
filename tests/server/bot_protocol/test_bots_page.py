"""The page for authors of bots says all that the code sends and reads, and nothing else."""

import ast
import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from textwrap import indent
from typing import Final, get_args

import msgspec
import pytest
from msgspec import Struct

from engine import events, moves
from engine.game import deal
from engine.protocol.view_json import view_json
from engine.rulesets import ruleset
from engine.view import view_of
from server.bot_protocol import messages as bot_messages
from server.bot_protocol import requests as bot_requests
from server.bot_protocol.session import PROTOCOL
from server.features import load
from server.session.bot_requests import BotMessage
from tests.support.sources import modules

ROOT: Final = Path(__file__).parents[3]
BOTS: Final = ROOT / "deploy" / "bots"
PAGE: Final = (BOTS / "README.md").read_text("utf-8")
NAME: Final = re.compile(r"`([a-z_-]+)`")
NOT_FOR_BOTS: Final = {"bad_word", "bad_position"}
"""The codes of wrong resume codes, and of positions that bots cannot send."""
MAY_REFUSE_BOTS: Final = r"engine\.(legality|moves|rules|rule_options)|server\.(session\.bot|table|lobby|language)"
"""The modules that decide about what bots send: a pattern."""


def rows(heading: str, table: int = 0) -> dict[str, str]:
    """A table below this heading: what is in the first column, and the rest of the row. Names in one cell share it."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    text = re.findall(r"(?:^[|].*\n?)+", section, re.MULTILINE)[table]
    cells = [line.strip("| ").partition(" | ") for line in text.splitlines()[2:]]
    return {name: rest for first, _, rest in cells for name in NAME.findall(first) or [first]}


def of_the_core(kinds: Iterable[type[Struct]]) -> dict[str, type[Struct]]:
    """Those of these messages or requests that no feature gives, by type."""
    core = {bot_messages.__name__, bot_requests.__name__}
    return {str(each.__struct_config__.tag): each for each in kinds if each.__module__ in core}


MESSAGES: Final = of_the_core(BotMessage.__subclasses__())
REQUESTS: Final = of_the_core(bot_requests.OF_THE_CORE)


@pytest.mark.parametrize(("heading", "kinds"), [("Requests", REQUESTS), ("Messages", MESSAGES)])
def test_every_message_and_request_is_there_with_its_keys(heading: str, kinds: dict[str, type[Struct]]) -> None:
    """Each type has a row, whose second column has its keys."""
    page, code = rows(heading), {name: each.__struct_fields__ for name, each in kinds.items()}
    assert page.keys() == code.keys()
    for name, keys in code.items():
        assert set(keys) <= set(NAME.findall(page[name])), name


def test_the_schema_is_current() -> None:
    """`make goldens` writes it anew, from all messages and requests, those of features included."""
    requests = bot_requests.kinds_of_requests(load())
    messages = sorted(BotMessage.__subclasses__(), key=lambda kind: kind.__module__ != bot_messages.__name__)
    sent = {"server": messages, "bot": requests.values()}
    parts = dict[str, object]()
    for side, kinds in sent.items():
        refs, named = msgspec.json.schema_components([*kinds], ref_template=f"#/$defs/{side}.{{name}}")
        parts |= {f"from_{side}": {"anyOf": [*refs]}} | {f"{side}.{name}": each for name, each in named.items()}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The bot protocol, version {PROTOCOL}: a line from the server, or from the bot",
        "anyOf": [{"$ref": f"#/$defs/from_{side}"} for side in sent],
        "$defs": parts,
    }
    text = json.dumps(schema, indent=1) + "\n"
    if os.environ.get("GOLDENS") == "write":
        (BOTS / "schema.json").write_text(text, "utf-8")
    assert (BOTS / "schema.json").read_text("utf-8") == text


@pytest.mark.parametrize(("message", "kind"), [("open", bot_messages.ShownCut), ("tables", bot_messages.ListedTable)])
def test_the_keys_of_what_a_message_lists_are_there(message: str, kind: type[Struct]) -> None:
    """Cuts and tables."""
    assert set(kind.__struct_fields__) <= set(NAME.findall(rows("Messages")[message]))


def test_every_key_of_a_view_and_of_its_seats_is_there() -> None:
    """Neither more nor less."""
    state, _ = deal(ruleset("quatch"), 2, "a view")
    view = view_json(view_of(state, 0))
    assert rows("The view").keys() == view.keys()
    seats = view["seats"]
    assert isinstance(seats, list)
    assert rows("The view", 1).keys() == seats[0].keys()


def test_the_results_are_explained() -> None:
    """The order of finishing and the ranks of seats, which a reader would mix up."""
    assert rows("Results").keys() == {"outcome", "places", "ranks", "left"} <= set(bot_messages.Over.__struct_fields__)


def test_every_kind_of_move_is_there() -> None:
    """In a form that can be read."""
    section = PAGE.partition("\n## Cards and moves\n")[2].partition("\n## ")[0]
    texts = re.findall(r"`((?:play|flip|pickup|pass|swap|lay|ready)\b[^`]*)`", section)
    forms = {type(moves.parse_move(text)) for text in texts}
    assert forms == set(get_args(moves.Move))


def test_every_event_is_there_with_its_keys() -> None:
    """By kind."""
    page = rows("Events")
    kinds = [*events.Event.__subclasses__(), *events.HiddenCards.__subclasses__()]
    code = {each.kind: set(each.__match_args__) for each in kinds if each.__dict__.get("kind")}
    assert page.keys() == code.keys()
    for kind, keys in code.items():
        assert keys <= set(NAME.findall(page[kind])), kind


def test_the_messages_of_the_example_are_as_the_server_sends_them() -> None:
    """The type first, then all keys in their order, without spaces; the shell script relies on it."""
    lines = re.findall(r"^    <- (.+)$", PAGE, re.MULTILINE)
    assert {"hello", "turn", "over"} <= {json.loads(line)["type"] for line in lines}
    for line in lines:
        keys = json.loads(line)
        message = MESSAGES[keys["type"]](**{key: value for key, value in keys.items() if key != "type"})
        assert isinstance(message, BotMessage)
        assert bot_messages.write_message(message) == line


def test_the_readme_has_the_loop_of_the_shell_script() -> None:
    """Only what connects before it differs, and names a host; the status after it is left out."""
    loop = (BOTS / "first_legal.sh").read_text("utf-8").partition("\nwhile ")[2].partition("\ndone\n")[0]
    assert loop
    assert indent(f"while {loop}\ndone\n", "    ") in (ROOT / "README.md").read_text("utf-8")


def test_every_code_is_there() -> None:
    """Those of moves and those of other requests, as they stand in the code that refuses bots."""
    page = {*rows("Error codes"), *rows("Error codes", 1)}
    assert codes() - NOT_FOR_BOTS <= page


def codes() -> set[str]:
    """The codes in the modules that may refuse what a bot sends."""
    found: set[str] = set()
    for package in ("engine", "server"):
        for _, tree in modules(package, MAY_REFUSE_BOTS, having="Error("):
            for node in ast.walk(tree):
                match node:
                    case ast.Call(ast.Name("InputError"), [ast.Constant(str(code)), *_]):
                        found.add(code)
                    case ast.Call(ast.Attribute(_, "Error"), [ast.Constant(str(code)), *_]):
                        found.add(code)
    return found | {"bad_move"}
