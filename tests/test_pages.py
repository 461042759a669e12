"""Pages are easy to read in a terminal and in a diff, the glossary stays short, and what pages have us type exists."""

import re
import shlex
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

from engine.view import view_of
from server.cli.arguments import build_parser
from server.commands.registry import commands_with
from server.commands.typed_line import ParsedCommand, parse
from server.features import load
from server.language.parsing import parse_typed_move
from tests.support.asking import asking
from tests.support.each import for_each
from tests.support.positions import OTHER
from tests.support.positions import at as position
from tests.support.sources import ROOT

FOLDERS: Final = ("server", "engine", "tests", "deploy")
PAGES: Final = sorted(
    str(page.relative_to(ROOT))
    for page in [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
)
WIDTH: Final = 120
GLOSSARY_LINES: Final = 51
TARGETS: Final = {*re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)}
ANSWERED: Final = {"admin", *(word for each in commands_with(load()) if each.ssh for word in each.typed)}
"""What `ssh HOST` answers."""


@for_each("page", PAGES)
def test_the_lines_of_a_page_are_short(page: str) -> None:
    """Except in tables, whose rows cannot be divided, and in examples of what programs write."""
    lines = enumerate((ROOT / page).read_text("utf-8").splitlines(), 1)
    assert [n for n, line in lines if len(line) > WIDTH and not line.startswith(("|", "    "))] == []


def test_the_glossary_is_short() -> None:
    """So that it is read as a whole."""
    assert len((ROOT / "server" / "GLOSSARY.md").read_text("utf-8").splitlines()) <= GLOSSARY_LINES


def commands(page: str) -> Iterator[list[str]]:
    """The words of each command in the examples of a page, and between the quotes of its sentences."""
    lines = (ROOT / page).read_text("utf-8").splitlines()
    examples = [line.strip().removesuffix("\\") for line in lines if line.startswith("    ")]
    sentences = " ".join(line for line in lines if not line.startswith("    "))
    for text in [*examples, *re.findall(r"`([^`]+)`", sentences)]:
        lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        try:
            words = [*lexer]
        except ValueError:  # an apostrophe: this is no command
            continue
        for is_between, command in groupby(words, lambda word: set(word) <= set("();<>|&")):
            if not is_between:
                yield [*command]


@for_each("page", PAGES)
def test_what_a_page_has_us_type_exists(page: str) -> None:
    """Arguments of `quatch`, also where `make` passes them on, targets of `make`, and what `ssh HOST` answers.

    A word in capitals stands for something. A sub-command without arguments may be named for what it is.
    """
    parser = build_parser()
    for words in commands(page):
        of_quatch, of_make, asked = list[str](), set[str](), ""
        for at, (word, following) in enumerate(zip(words, [*words[1:], ""], strict=True), 1):
            if Path(word).name == "quatch" and following in parser.sub_commands:
                of_quatch = words[at:]
            elif word == "make" and at == 1:
                of_make = {each for each in words[at:] if each.isalpha()}
            elif word.startswith("ARGS=") and words[at - 2] in parser.sub_commands:
                of_quatch = [words[at - 2], *shlex.split(word.removeprefix("ARGS="))]
            elif word in {"HOST", "localhost"} and words[0] == "ssh" and following.islower():
                asked = following
        assert of_make <= TARGETS
        assert not asked or asked in ANSWERED
        if of_quatch[1:] not in ([], ["--help"]):
            parser.parse_args([re.sub("^[A-Z]+$", "1", word) for word in of_quatch])


def test_readme_lists_moves_and_commands_that_exist() -> None:
    """Everything that its table says to type is a move or a command at a table."""
    table = re.findall(r"^\| (`.*?) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(table) > 8
    positions = [
        ("quatch", "hand 7c 7d 7h Kh / up 4c / down 3c 3d 3h", "play"),
        ("quatch", "down 3c 3d 3h", "play"),
        ("quatch", "hand 7c Kh / up 4c", "arrange"),
        ("life", "hand 4c 5d Kh 6c 7c 8d", "arrange"),
    ]
    views = [view_of(position(rules, seat, OTHER, pile="", phase=phase), 0) for rules, seat, phase in positions]
    for typed in re.findall(r"`(.*?)`", " ".join(table)):
        is_move = any(
            parse_typed_move(typed, view) is not None for view in views if typed[0] not in "sdr" or view.phase
        )
        assert is_move or isinstance(parse(typed, asking("table")), ParsedCommand), typed
