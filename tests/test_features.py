"""Features can be taken out: the core names none of them, and the program works without each."""

import ast
import asyncio
import itertools
import math
import re
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from server.command_line import command_lines
from server.commands.registry import Command, commands_with
from server.config import Config, ConfigError
from server.features import ALL, FEATURES, is_left_out, load
from server.lobby.lobby import Lobby
from server.people.accounts import Accounts
from server.people.players import Player
from server.storage.sqlite_database import MemoryDatabase
from tests.soak import SOAKING, long
from tests.support.patience import PATIENCE
from tests.support.people import ReachedServer
from tests.support.playing_on_screen import play_on_screen
from tests.support.programs import SERVE, as_a_host, copy_program
from tests.support.sources import ROOT, modules

OTHER_MEANINGS = {
    "console": {"ConsoleRenderer"},
}
"""Identifiers and texts of the core in which the name of a feature means something else."""


ENGLISH_WORDS = "server.joining"
"""A list of words, of which one may be anything."""


def core_modules() -> Iterator[tuple[str, ast.Module]]:
    """The modules of the server that belong to no feature."""
    for module, tree in modules("server"):
        if module not in {"server.features", ENGLISH_WORDS} and not set(module.split(".")[1:2]) & {*FEATURES}:
            yield module, tree


def docstrings(tree: ast.Module) -> set[int]:
    """The ids of the texts that say what something is for."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def names(tree: ast.Module) -> Iterator[str]:
    """Its identifiers, imports and texts."""
    prose = docstrings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield from (name, other or "")
            case ast.ImportFrom(module=str(name)):
                yield name
            case ast.Constant(value=str(text)) if id(node) not in prose:
                yield text
            case _:
                pass


@cache
def words(name: str) -> frozenset[str]:
    """The words of an identifier or a text, each in the singular."""
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name))
    return frozenset(form for part in parts for form in (part.lower(), part.lower().removesuffix("s")))


def test_the_core_names_no_feature() -> None:
    """Not in an import, an identifier or a text of the program, so that it can be taken out without a look there."""
    their_words = {feature: {part.removesuffix("s") for part in feature.split("_")} for feature in FEATURES}
    named = {(module, name) for module, tree in core_modules() for name in names(tree)}
    found = [
        f"{module}: {name}"
        for module, name in named
        for feature, its_words in their_words.items()
        if its_words <= words(name) and name not in OTHER_MEANINGS.get(feature, ())
    ]
    assert not found


def test_tests_are_skipped_only_without_features_that_there_are() -> None:
    """A name that is no feature would skip a test for ever; a copy without features has no use for this test."""
    texts = [file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    given = [each for text in texts for each in re.findall(r"pytest\.mark\.features\(([^)]*)\)", text)]
    named = {name for each in given for name in re.findall(r'"(\w+)"', each)}
    assert named
    assert named <= {*FEATURES}


class CopiedServer(ReachedServer):
    """A server of a copy of the program."""

    def __init__(self, port: int) -> None:
        self.port = port


def take_lines_out(features: Collection[str], folder: Path) -> None:
    """Take the lines of these features out of the list in a copy of the program."""
    listed = folder / "server" / "features.py"
    lines = [f'    "{name}",' for name in features]
    kept = [line for line in listed.read_text("utf-8").splitlines() if line not in lines]
    listed.write_text("\n".join(kept) + "\n", "utf-8")


@asynccontextmanager
async def server_without(features: Collection[str], folder: Path) -> AsyncIterator[CopiedServer]:
    """A server of a copy of the program without the folders of these features, and without their lines."""
    copy_program(folder, *features)
    take_lines_out(features, folder)
    server = await asyncio.create_subprocess_exec(
        *SERVE,
        cwd=folder,
        env=as_a_host(QUATCH_PACE="0", QUATCH_GRACE="0"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert server.stdout is not None
    try:
        async with asyncio.timeout(PATIENCE):
            ready = (await server.stdout.readline()).decode()
        assert ready.startswith("ready ssh"), f"{ready!r} instead of a ready line"
        yield CopiedServer(int(ready.split()[-1]))
    finally:
        server.terminate()
        assert await server.wait() == 0


@pytest.mark.parametrize("features", [FEATURES, *((name,) for name in long((), FEATURES))], ids=" ".join)
async def test_without_their_folders_and_lines_a_whole_game_is_played(
    features: tuple[str, ...], tmp_path: Path
) -> None:
    """All at once, and each by itself. Their commands are unknown, and all others are there."""
    known = {word for each in commands_with(load(features)) for word in each.typed}
    left_out = {each.name for each in commands_with(load())} - known
    async with server_without(features, tmp_path) as server:
        async with server.person() as ana:
            ana.type("play")
            assert "game over" in await play_on_screen(ana)
        _, help_page = await server.run("help")
        assert not {*re.findall(r"^ssh (?:-t )?HOST (\S+)", help_page, re.MULTILINE)} & left_out
        for name in left_out:
            status, said = await server.run(name)
            assert (status, said[: len("Unknown command")]) == (2, "Unknown command")


OF_PAGES: Final = ("tests/test_features.py", "tests/test_named_files.py", "tests/test_pages.py")
"""The tests of pages, which are mended by hand, and these."""


def groups() -> list[tuple[str, ...]]:
    """The features that are taken out together: all, and for any two features a group with the first alone of them.

    Each feature is in its own half of the groups. So for each feature the tests of every other one run without it.
    """
    count = next(each for each in itertools.count(1) if math.comb(each, each // 2) >= len(FEATURES))
    halves = dict(zip(FEATURES, itertools.combinations(range(count), count // 2), strict=False))
    return [FEATURES, *(tuple(name for name, half in halves.items() if group in half) for group in range(count))]


@pytest.mark.skipif(not SOAKING, reason="takes minutes for each group")
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("features", groups(), ids=" ".join)
def test_without_their_folders_lines_and_tests_all_other_tests_pass(features: tuple[str, ...], tmp_path: Path) -> None:
    """After what `make goldens` writes is written anew: its pages and screens tell of all features."""
    not_copied = shutil.ignore_patterns("__pycache__", ".git", ".venv", ".*_cache", "dist", "shared")
    rooms = {str(ROOT / "server"), str(ROOT / "tests" / "server")}

    def left_out(place: str, names: list[str]) -> set[str]:
        theirs = {*features, *(f"{name}.py" for name in features)}
        return not_copied(place, names) | (theirs if place in rooms else set())

    shutil.copytree(ROOT, tmp_path, ignore=left_out, dirs_exist_ok=True)
    take_lines_out(features, tmp_path)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    env = as_a_host(PYTHONPATH=str(tmp_path))
    del env["SOAK"]

    def told(*arguments: str, **settings: str) -> str:
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=env | settings, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-10_000:]
        return done.stdout

    makefile = (ROOT / "Makefile").read_text("utf-8")
    rules = "".join(re.findall(r"^(?:goldens|pictures):.*?\n\n", makefile, re.MULTILINE | re.DOTALL))
    written = [each for each in re.findall(r"tests/\S+", rules) if (tmp_path / each).exists()]
    assert written, "without a path pytest would run all tests"
    (tmp_path / "deploy" / "quatch.1").write_text(told("deploy/manual_page.py"), "utf-8")
    told("-m", "pytest", "-q", *written, GOLDENS="write")
    # The engine knows of no feature.
    suite = ("-m", "pytest", "-q", "--tb=short", "tests", *(f"--ignore={each}" for each in (*OF_PAGES, "tests/engine")))
    try:
        told(*suite, "-n", "auto", "--dist", "worksteal")
    except AssertionError:  # real time can fail a test on a busy machine: what failed must pass when it runs alone
        told(*suite, "-n", "0", "--last-failed", "--last-failed-no-failures", "none")


@pytest.mark.parametrize("feature", [*FEATURES, ALL])
def test_a_host_leaves_features_out(feature: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their commands are gone, and their settings are passed over."""
    (tmp_path / "1").touch()
    monkeypatch.chdir(tmp_path)
    without = Config.load(None, {}, {"without": [feature]})
    left = load(without.without)
    assert feature not in {each.name for each in left}
    assert not set(commands_with(load())) - set(commands_with(left)) & set(left.all(Command))
    for name, line in command_lines().items():
        for setting in line.settings.defaults() if line.settings else ():
            config = Config.load(None, {f"QUATCH_{setting.upper()}": "1"}, {"without": [feature]})
            assert (setting in config.passed_over) == is_left_out(name, [feature])


def test_a_small_server_has_bots() -> None:
    """They play without all that people need beside the game."""
    assert [each.name for each in load([ALL])] == ["bot_protocol"]
    assert not list(load([ALL, "bot_protocol"]))


async def test_what_is_kept_of_an_account_goes_with_it_also_while_its_feature_is_left_out() -> None:
    """Or it would be kept for ever."""
    kinds = [kind for line in command_lines().values() for kind in line.account_texts]
    async with MemoryDatabase() as log:
        profiles, ana = Lobby(Config(), log).profiles, Player("account:ana", "ana")
        assert kinds
        for kind in kinds:
            assert await profiles.keep_text(kind, ana, "{}")
        await profiles.accounts.delete_account(await Accounts(log).account(ana.id), profiles.kinds)
        assert not [kind for kind in kinds if await log.text(kind, ana.id)]


def test_only_features_can_be_left_out() -> None:
    """One line names them."""
    with pytest.raises(ConfigError, match="without: must be features, which are ") as caught:
        Config.load(None, {}, {"without": "frob"})
    assert all(name in str(caught.value) for name in FEATURES)
