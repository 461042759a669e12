"""The pages about the referee and about rule files say what the code does."""

import json
import re
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

import pytest

import engine.events
from engine.events import Event
from engine.protocol.referee import answer_line
from engine.rule_options import NO_EFFECT
from engine.rules import Power, Rules
from engine.rulesets import rulesets
from engine.wording.rule_keys import key_lines
from tests.support.referee import CODES

ENGINE: Final = Path(engine.events.__file__).parent
PROTOCOL: Final = (ENGINE / "protocol" / "README.md").read_text("utf-8")
KEYS: Final = (ENGINE / "rulesets" / "KEYS.md").read_text("utf-8")
LINES: Final = [line.strip() for line in PROTOCOL.split("\n") if re.match(r" {4}(->|<-) ", line)]
EXAMPLES: Final = [(asked[3:], answer[3:]) for asked, answer in pairwise(LINES) if asked.startswith("->")]


def rows(page: str, heading: str) -> dict[str, list[str]]:
    """The table below a heading: what the first column names in backticks -> the other columns."""
    found: dict[str, list[str]] = {}
    for line in page.partition(f"# {heading}\n")[2].partition("\n#")[0].split("\n"):
        if line.startswith("| `"):
            first, *rest = (cell.strip() for cell in line.strip("|").split(" | "))
            found |= dict.fromkeys(re.findall(r"`([^`]*)`", first), rest)
    return found


def fits(found: Any, wanted: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether an answer is as the page says; ``"..."`` stands for any value, and as a key for all further keys."""
    if wanted == "...":
        return True
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            return False
        shown = [key for key in wanted if key != "..."]
        known = list(found)[: len(shown)] if "..." in wanted else list(found)
        return known == shown and all(fits(found[key], wanted[key]) for key in shown)
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(fits, found, wanted))
    return bool(found == wanted)


@pytest.mark.parametrize(("asked", "answer"), EXAMPLES, ids=[json.loads(asked)["op"] for asked, _ in EXAMPLES])
def test_each_example_of_the_protocol_is_answered_as_the_page_says(asked: str, answer: str) -> None:
    """The request goes through the referee; the answer has the same keys in the same order."""
    found = answer_line(asked.encode())
    assert found is not None
    assert fits(json.loads(found), json.loads(answer)), found


def test_every_operation_has_an_example() -> None:
    """What the referee says that it knows is what the page shows."""
    refused = json.loads(answer_line(b'{"op":"dance"}') or "")
    operations = refused["error"]["message"].removeprefix("op: must be one of ").split(", ")
    assert operations == list(dict.fromkeys(json.loads(asked)["op"] for asked, _ in EXAMPLES))


def test_the_page_lists_every_event_with_its_fields() -> None:
    """In the order of the code, with the fields as JSON has them."""
    kinds = [kind for kind in vars(engine.events).values() if isinstance(kind, type) and issubclass(kind, Event)]
    events = {kind.kind: list(kind.__match_args__) for kind in kinds if hasattr(kind, "kind")}
    table = {kind: re.findall(r"`(\w+)`", cells[0]) for kind, cells in rows(PROTOCOL, "Events").items()}
    assert table == events


def test_the_page_lists_every_error_code_in_the_order_that_decides() -> None:
    """The first code that applies wins, so the order is part of the protocol."""
    assert list(rows(PROTOCOL, "Error codes")) == list(CODES)


def test_the_page_of_keys_lists_every_key_with_every_choice() -> None:
    """Nothing that a rule file may say is missing, and nothing is there that it may not."""
    table = rows(KEYS, "The keys of a rule set")
    special = {f"special.RANK.{each.name}" for each in fields(Power)}
    known = {key for rules in rulesets().values() for key in [*rules.keys()] if not key.startswith("special.")}
    assert table.keys() == known | special == {line.split()[0] for line in key_lines()}
    types = {name.replace("_", ".", 1): kind for name, kind in get_type_hints(Rules).items()}
    types |= {f"special.RANK.{name}": kind for name, kind in get_type_hints(Power).items()}
    for key, (values, _) in table.items():
        if choices := [choice for choice in get_args(types[key]) if isinstance(choice, str)]:
            choices += [NO_EFFECT] if key.endswith(".effect") else []
            assert re.findall(r"`([^`]*)`", values) == choices, key
