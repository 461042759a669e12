"""`ssh -t HOST COMMAND`: a session whose first line is the command. A wrong one is answered in the lobby."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest

from server.clean_text import clean
from server.commands.registry import Command
from server.lobby.lobby import Lobby
from server.session.exec_commands import opens
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer, open_lobby
from tests.support.features import COMMANDS, FEATURES
from tests.support.tables import ANA, Watcher, table_settings

pytestmark = pytest.mark.virtual_time
FIRST_LINES: Final = [each for each in COMMANDS if each.ssh in {"screen", "answer or screen"}]
HOSTILE: Final = (
    "0",
    "-1",
    "9" * 300,
    "\uff11",
    "\x1b[2Jx\x07",
    "1 1 1 1",
    "a=b",
    "=",
    "' --json",
    "%s{0}",
    "x" * 5000,
)
"""Arguments that lead nowhere, whatever the command."""


@asynccontextmanager
async def lobby_with_a_private_table() -> AsyncIterator[Lobby]:
    """A lobby, and at table 1 ana, who waits for players who know its word."""
    async with open_lobby(features=FEATURES) as lobby:
        table = await lobby.tables.open_table(table_settings(word="apple"))
        await table.sit(Watcher(), ANA, "apple")
        yield lobby


async def came_in(lobby: Lobby, first: str, term: str = "xterm-256color") -> TerminalPlayer:
    """Bo, who has come in with this first line."""
    return await TerminalPlayer(lobby, "bo", term=term, first=clean(first, 300)).arrived()


@for_each("each", FIRST_LINES)
def test_a_first_line_is_one_of_the_lobby(each: Command) -> None:
    """It opens a session on a terminal; without one it is answered, or refused, unless it reads plain lines."""
    assert "lobby" in each.where
    assert opens(f"{each.name} 1", FEATURES, has_terminal=True) == "session"
    assert opens(f"{each.name.upper()} 1", FEATURES, has_terminal=True) == "session"
    assert opens(f"{each.name} 1", FEATURES, has_terminal=False) == "answer"
    assert opens(f"{each.name} --help", FEATURES, has_terminal=True) == "answer"


@pytest.mark.parametrize("first", ["join 3", "begin", "matchmaking"])
def test_what_people_call_such_a_command_opens_a_session_too(first: str) -> None:
    """It is understood there."""
    assert opens(first, FEATURES, has_terminal=True) == "session"
    assert opens(first, FEATURES, has_terminal=False) == "answer"


@for_each("term", ["xterm-256color", "dumb"])
@for_each(
    ("first", "where", "shown"),
    [
        ("sit 1 apple", "table", "bo  (you)"),
        ("watch 1 apple", "watching", "seat 1   ana"),
        ("new life seats=3 key=pear", "table", "sit 2 pear"),
        ("play life", "table", "Life"),
    ],
)
async def test_the_first_line_leads_straight_there_and_leaving_leads_to_the_lobby(
    first: str, where: str, shown: str, term: str
) -> None:
    """On the screen and in plain lines."""
    async with lobby_with_a_private_table() as lobby:
        bo = await came_in(lobby, first, term)
        assert bo.session.player_session.place.name == where
        assert shown in bo.shown or term == "dumb"
        await bo.type("leave")
        if bo.session.player_session.in_game:
            await bo.type("leave")
        assert bo.session.player_session.place.name == "lobby"


@for_each("term", ["xterm-256color", "dumb"])
@for_each(
    ("first", "said"),
    [
        ("sit", "Which table? None is open to all; new opens one."),
        ("sit 7", "No table '7' is open now: none is open to all; new opens one."),
        ("sit one", "No table 'one' is open now: none is open to all; new opens one."),
        ("sit 1", "Table 1 is private: type its word, too, as in sit 1 WORD or watch 1 WORD."),
        ("sit 1 pear", "'pear' is not the word of table 1: ask its players."),
        ("watch", "Which table? None is open to all; new opens one."),
        ("watch 1 Pear", "'Pear' is not the word of table 1: ask its players."),
        ("new golf", "no rule set 'golf'"),
        ("new seats=99", "Quatch has 2 to 4 seats, not 99."),
    ],
)
async def test_a_wrong_first_line_is_answered_in_the_lobby(first: str, said: str, term: str) -> None:
    """In one line, which says what would be right."""
    async with lobby_with_a_private_table() as lobby:
        bo = await came_in(lobby, first, term)
        assert "lobby>" in bo.shown or term == "dumb"
        assert bo.shown.count(said) == 1


@for_each("each", FIRST_LINES)
async def test_a_hostile_first_line_leads_nowhere(each: Command) -> None:
    """The player stands in the lobby and can go on from there."""
    async with lobby_with_a_private_table() as lobby:
        for argument in HOSTILE:
            bo = await came_in(lobby, f"{each.name} {argument}")
            assert "lobby>" in bo.shown, argument
            assert 0 < len(bo.session.display.answer) < 160, argument
            assert " here: " in await bo.type("who")
            await bo.go()


async def test_a_player_with_a_kept_seat_is_at_their_table_whatever_the_first_line_is() -> None:
    """The line that led there once leads there again; another one is answered."""
    async with lobby_with_a_private_table() as lobby:
        bo = await came_in(lobby, "sit 1 apple")
        await bo.type("start")
        await bo.go()
        for first, said in (
            ("sit 1 apple", "You are at table 1"),
            ("sit 2", "After this game type sit 2."),
            ("new", "New works in the lobby: type leave first."),
        ):
            bo = await came_in(lobby, first)
            assert bo.session.player_session.in_game
            assert said in bo.shown
            await bo.go()
