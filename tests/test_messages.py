"""What errors say, read from the source: phrases, of which `InputError.sentence` makes sentences."""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

import pytest

from tests.support.sources import modules

ERRORS: Final = {"InputError": 1, "BadMove": 0, "BadRecord": 0, "BadPosition": 0}
"""Where their message stands among the arguments."""
WHERE_BOTS_GO: Final = ("engine.moves", "server.table.", "server.lobby.", "server.rulebook", "server.session.bot")
"""The modules of what bots can ask for. `language.table_settings` reads what people type, too."""
TO_BE_TYPED: Final = re.compile(r"=\S*[^?]$|\b\d+\w?$|\b[A-Z]$")
"""A full stop behind this could be taken for a part of it."""


def test_a_message_begins_in_lower_case_and_ends_with_nothing_to_be_typed() -> None:
    """It may stand behind a key or a file, and a full stop comes behind it."""
    found = list(messages())
    assert len(found) > 100
    assert not [text for text in found if re.match("[A-Z][a-z]", text)]
    assert not [text for text in found if TO_BE_TYPED.search(text) and not text.endswith("UTF-8")]


def test_no_message_tells_a_bot_to_type() -> None:
    """Whatever a bot can get: it is told what to send."""
    told = pytest.importorskip("server.bot_protocol.messages", reason="it tells bots")
    found = [told.for_bots(text) for text in messages(WHERE_BOTS_GO)]
    assert len(found) > 50
    assert not [text for text in found if re.search(r"\btype [a-z]|\bsit \d|=\.\.\.", text)]


def messages(where: Sequence[str] = ("engine.", "server.")) -> Iterator[str]:
    """Every message that is written out where it is raised, with braces for what is put into it."""
    for _, tree in (each for each in [*modules("engine"), *modules("server")] if each[0].startswith(tuple(where))):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                match node.args[ERRORS[node.func.id] :]:
                    case [ast.Constant(str(text))]:
                        yield text
                    case [ast.JoinedStr(parts)]:
                        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
