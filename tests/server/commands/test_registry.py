"""The registry of commands: every command is listed, completed, refused and, over ssh, answered as its value says."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from functools import cache
from inspect import signature
from types import UnionType
from typing import cast

import pytest
from msgspec.structs import replace

from engine.errors import InputError
from server.commands.completion import completions
from server.commands.finding import find
from server.commands.registry import Command, usable
from server.commands.typed_line import ParsedCommand, parse
from server.history.ratings import Standings
from server.language.table_settings import read_table_settings
from server.lobby.lobby import Lobby
from server.people.accounts import Accounts
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.render.scene import Scene
from server.session import exec_commands
from server.storage.database import NotSaved
from server.table.place import ADMIN_SSH, OF_THE_CORE, PROMPT, SSH, WATCHING, Place
from server.table.snapshot import Sitter
from tests.soak import long
from tests.support.asking import OP, Asking, answer, asking, placed
from tests.support.each import for_each
from tests.support.features import COMMANDS, FEATURES
from tests.support.tables import ANA, Watcher

PLACES = {each.name: each for each in (*OF_THE_CORE, *FEATURES.all(Place))}
LOCATIONS = (*PLACES,)
SHELLS = (SSH, ADMIN_SSH, PROMPT)
"""Where commands are given without a session."""
SESSIONS = {each.name for each in COMMANDS if each.ssh == "bot"}
"""Commands that open a session over ssh."""
NEED_WORDS = {"review", "ask", "report"}
"""Commands of features that are refused over ssh without more words."""
OF_FEATURES = {each.name for each in FEATURES.all(Command) if each.ssh.startswith("answer")} - NEED_WORDS
ANSWERED = {
    *OF_FEATURES,
    *("help", "ignore", "rules", "tables", "top", "uptime", "version", "who"),
    *(
        "admin bans",
        "admin complaints",
        "admin drain",
        "admin journal",
        "admin nodes",
        "admin people",
        "admin reports",
        "admin usage",
    ),
}
"""What is answered over ssh; every other command, without more words, is refused."""
ANSWERED_WITHOUT_THE_LOG = ANSWERED - {*OF_FEATURES, "top", "admin complaints", "admin journal", "admin reports"} | {
    "admin announce ABCDEF",
    "uptime",
    "privacy",
    "forget",
}


BEGUN = (
    "can you",
    "i want to",
    "tell me",
    "let me",
    "please can i",
    "how do i",
    "what happens if i",
    "how to",
    "what is",
)
"""How people begin sentences and questions."""


@pytest.fixture
async def lobby() -> AsyncIterator[Lobby]:
    """One lobby for all cases of a test."""
    lobby = Asking().lobby
    await lobby.open()
    await asyncio.sleep(0)
    yield lobby
    await lobby.close()


@cache
def all_help(location: str, *, is_op: bool) -> Sequence[str]:
    """What `help all` answers there."""
    return answer(placed(location, is_op=is_op), "help all")


def test_what_works_without_a_session_asks_for_none() -> None:
    """Only the function of a command that works in sessions alone may take a `PlayerSession`."""
    for each in COMMANDS:
        (context, _), works_without = signature(each.handler).parameters.values(), any(map(each.works, SHELLS))
        takes_any = isinstance(cast("object", context.annotation), UnionType)
        assert takes_any or context.annotation is PlayerSession, each.name
        assert takes_any or not works_without or each.ssh in {"screen", "own screen"}, each.name


@for_each("each", COMMANDS)
def test_each_command_is_listed_where_it_works_and_refused_in_one_line_elsewhere(each: Command) -> None:
    """By `help all`, by `help` and its name, and by completion; first pages list only what works there."""
    assert re.fullmatch(r"[a-z].*[^.]", each.help)
    assert len(each.help) <= 78 - 31
    for location in LOCATIONS:
        here = placed(location, is_op=each.ops)
        listed = any(line.startswith(each.usage) and each.help in line for line in all_help(location, is_op=each.ops))
        assert listed == each.works(PLACES[location])
        assert (each.name in completions(each.name[:1], here)) == any(each.name == other.name for other in usable(here))
        if each.works(PLACES[location]):
            assert find(each.name, here) is each
            if each.name != "me":  # "help me" asks for help
                assert answer(here, f"help {each.name}")[0].startswith(f"{each.usage}: ")
        elif not any(other.name.startswith(each.name) or each.name in other.typed for other in usable(here)):
            with pytest.raises(InputError, match=f"^{each.name} works ") as caught:
                find(each.name, here)
            assert "\n" not in caught.value.sentence


@for_each("location", LOCATIONS)
def test_a_word_means_one_command_at_a_location(location: str) -> None:
    """No two commands that work at one location share a name or another word; none that works at a table is a rank."""
    words = [word for each in usable(asking(location, is_op=True)) for word in each.typed]
    assert len(words) == len(set(words))
    assert PLACES[location].kind in {"record", "exercise"} or not set(words) & set("ajkqt0123456789")


@for_each("each", [each for each in COMMANDS if each.ops])
def test_players_who_are_no_ops_know_no_command_of_ops(each: Command) -> None:
    """Not by name, by help, by completion, or by a guess at what was meant."""
    for location in LOCATIONS:
        for line in (each.name, f"help {each.name}", f"{each.name}x"):
            with pytest.raises(InputError) as caught:
                answer(placed(location), line)
            assert not set(re.findall(r"\w+", caught.value.message.partition("'.")[2])) & {each.name}
        assert each.name not in completions(each.name[:2], placed(location))


@for_each(
    ("line", "location", "name", "rest"),
    [
        ("?", "table", "help", ""),
        ("he", "table", "help", ""),
        ("h", "table", "hint", ""),
        ("why 7", "table", "why", "7"),
        ("/hello there", "table", "say", "hello there"),
        ("'hello", "table", "say", "hello"),
        ("say hi", "lobby", "say", "hi"),
        ("leave", "table", "leave", ""),
        ("lo", "table", "log", ""),
        ("RU life", "table", "rules", "life"),
        ("qu", "table", "quit", ""),
        ("q", "lobby", "quit", ""),
        ("bye", "table", "quit", ""),
        ("p", "watching", "pile", ""),
    ],
)
def test_commands_by_any_clear_beginning(line: str, location: str, name: str, rest: str) -> None:
    """Those that work here come before those that work elsewhere."""
    meant = parse(line, asking(location))
    assert isinstance(meant, ParsedCommand)
    assert (meant.command.name, meant.rest) == (name, rest)


@for_each("location", LOCATIONS)
def test_any_unique_prefix_works(location: str) -> None:
    """No question, talk or move takes it: of three letters, and of those commands that need not be typed in full."""
    here = asking(location)
    names = [each.name for each in usable(here) if not (each.in_full or each.grave)]
    begun = {name[:end]: name for name in names for end in range(3, len(name) + 1)}
    for typed, name in begun.items():
        is_cards = typed == "ask"  # an ace and a king of spades, where cards are played
        if not is_cards and sum(each.startswith(typed) for each in names) == 1:
            meant = parse(typed, here)
            assert isinstance(meant, ParsedCommand)
            assert (meant.command.name, meant.rest) == (name, ""), typed


@for_each("each", [each for each in COMMANDS if each.grave])
def test_no_sentence_leads_to_a_grave_command(each: Command) -> None:
    """A player deletes what is kept, and an op acts against another, by a line that begins with a word for it.

    Neither a sentence, nor a line with a slash, a misspelt one or a question does it or has Enter do it.
    """
    words = [word for word in each.typed if word]
    asked = [f"{begun} {word}" for begun in BEGUN for word in words]
    asked += [said for word in words for said in (f"/{word}", f"/{word.title()}", f"{word[0]}{word[2:]}", f"{word}x")]
    rests = ("", " really", " bo really", " me please, really")
    lines = [f"{said}{rest}" for number, said in enumerate(asked) for rest in long(rests[number % 4 :][:1], rests)]
    if "TEXT" not in each.usage:
        lines += [f"{word}{rest}?" for word in words for rest in rests]
    for location in ("lobby", "table"):
        here = asking(location, is_op=True)
        for line in lines:
            try:
                meant = parse(line, here)
            except InputError as error:
                proposed = getattr(error, "line", "") or "/"
                meant = parse(proposed, here)
            assert not (isinstance(meant, ParsedCommand) and meant.command.grave), line


@for_each("each", [each for each in COMMANDS if each.ops or "really" in each.usage])
def test_what_only_ops_do_and_what_deletes_is_grave(each: Command) -> None:
    """And none of these is done by a guess behind ssh HOST."""
    assert each.grave
    assert not each.read_only
    assert each.ssh in {"", "answer"}


def test_a_rank_wins_over_a_command() -> None:
    """At the table k is a king; in the lobby no rank is a move."""
    assert str(parse("k", asking("table"))) == "play K"
    with pytest.raises(InputError, match="no game is running here"):
        parse("7 7", asking("lobby"))


@pytest.mark.parametrize(
    ("line", "location", "said"),
    [
        ("frob", "lobby", "Unknown command 'frob': play begins a game, help lists all."),
        ("hlep", "lobby", "Unknown command 'hlep'. Did you mean help? Enter does it, help lists all."),
        pytest.param(
            "lesosn",
            "table",
            "Unknown command 'lesosn'. Lesson works in the lobby: finish this game first.",
            marks=pytest.mark.features("lesson"),
        ),
        (
            "strt",
            "table",
            (
                "Unknown command 'strt'. The game is going on: hint proposes a move, turn tells what you can do, "
                "rules tells how it is played, help lists all."
            ),
        ),
        pytest.param(
            "dialy",
            "table",
            (
                "Unknown command 'dialy'. The game is going on: hint proposes a move, turn tells what you can do, "
                "rules tells how it is played, help lists all."
            ),
            marks=pytest.mark.features("daily"),
        ),
        ("life", "lobby", "Life is a rule set. Did you mean play life? Enter does it, help lists all."),
        (
            "lief",
            "table",
            (
                "Unknown command 'lief': hint proposes a move, turn tells what you can do, "
                "rules tells how it is played, help lists all."
            ),
        ),
        ("wach 1", "lobby", "Unknown command 'wach'. Did you mean watch 1? help lists all."),
        ("s", "lobby", "'s' could be sit, say, set: type a little more."),
        ("turn", "lobby", "Turn works at a table: type play or new, or sit N for a table."),
        ("hint", "watching", "Hint works with a seat: none is free for you now."),
        ("new life", "table", "New works in the lobby: finish this game first."),
        ("new", "table", "New works in the lobby: finish this game first."),
        ("new", "watching", "New works in the lobby: type leave first."),
        ("", "watching", "Unknown command '': leave goes back, help lists all."),
        ("7 7", "lobby", "No game is running here: type play to begin one."),
        ("10h", "lobby", "No game is running here: type play to begin one."),
    ],
)
def test_what_cannot_be_done_here_says_what_can(line: str, location: str, said: str) -> None:
    """In one line."""
    with pytest.raises(InputError) as caught:
        parse(line, asking(location))
    assert caught.value.sentence == said


def test_who_watches_reads_how_to_get_a_seat_only_if_that_would_work() -> None:
    """Between games."""
    shown = asking("watching").snapshot
    assert shown is not None
    between = Scene("ana", snapshot=replace(shown, view=None, sitters=(Sitter("ana"), None)))
    with pytest.raises(InputError, match="with a seat: type sit to take one"):
        parse("hint", Asking(WATCHING, between))


@for_each("each", [each for each in COMMANDS if each.name not in SESSIONS])
async def test_each_command_over_ssh_answers_or_is_refused_in_one_line(each: Command, lobby: Lobby) -> None:
    """With exit status 0 or 2; `--json` is one JSON object either way."""
    command, caller = f"admin {each.name}" if each.ops else each.name, Caller("ana", OP)
    status, lines = await exec_commands.answer(command, lobby, caller)
    assert status == (0 if command in ANSWERED else 2)
    assert status == 0 or len(lines) == 1
    if not each.ops and not any(other.ssh for other in COMMANDS if other.name == each.name):
        assert re.fullmatch(r"\w+ works .*: come in with ssh HOST, and type it there\.", lines[0])
    status, (said,) = await exec_commands.answer(f"{command} --json", lobby, caller)
    read = json.loads(said)
    assert read["v"] == 1
    assert ("error" in read) == (status == 2)
    assert "error" in read or read["you"] == {"name": "ana", "identity": OP}


@for_each("each", [each for each in COMMANDS if each.name not in SESSIONS])
async def test_each_command_says_in_one_line_that_the_log_cannot_be_read(
    each: Command, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it has to read the log once the key of its caller is known; the others answer as ever."""

    async def fails(*_: object) -> None:
        raise NotSaved("the file is damaged")

    tables = ("read", "seats_of", "seat_named")
    for name in (*tables, "game", "latest", "games", "read_texts", "text", "oldest_texts"):
        monkeypatch.setattr(lobby.store, name, fails)
    for name in ("keys_of", "name_owners"):
        monkeypatch.setattr(Accounts, name, fails)
    for name in ("counted", "rows_of", "top"):
        monkeypatch.setattr(Standings, name, fails)
    command, caller = f"admin {each.name}" if each.ops else each.name, Caller("ana", OP)
    for typed in (command, f"{command} ABCDEF"):
        status, lines = await exec_commands.answer(typed, lobby, caller)
        assert status == (0 if typed in ANSWERED_WITHOUT_THE_LOG else 2)
        assert status == 0 or len(lines) == 1
        if typed in {"top", "replay", "replay ABCDEF", "verify ABCDEF", "review ABCDEF"}:
            assert lines == ["That cannot be read now (the file is damaged): try again in a moment."]


async def test_every_key_of_a_table_as_json(lobby: Lobby) -> None:
    """A seat is null while it is free."""
    table = await lobby.tables.open_table(
        read_table_settings("life seats=3 key=apple", lobby.rulebook, lobby.config), Caller()
    )
    await table.sit(Watcher(), ANA, "apple")
    _, (said,) = await exec_commands.answer("tables --json", lobby, Caller("bo"))
    ana = {"name": "ana", "ai_level": None, "away": False, "bot": False}
    assert json.loads(said)["tables"] == [
        {
            "table": 1,
            "rules": "life",
            "title": "Life",
            "state": "open",
            "ply": 0,
            "seats": [ana, None, None],
            "open": 2,
            "watching": 0,
            "private": True,
            "hints": True,
            "asleep": False,
            "rating": "rated",
            "occasion": "",
        }
    ]
