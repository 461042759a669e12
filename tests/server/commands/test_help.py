"""Help: short for players who hear it, of each command, over ssh and for ops, and what the README lists."""

import re
from pathlib import Path

import pytest

from engine.errors import InputError
from server.joining import JoinLines
from server.people.players import Caller
from server.session import exec_commands
from tests.support.asking import OP, Asking, answer, asking
from tests.support.at_terminals import lobby_at, person
from tests.support.clock import Clock
from tests.support.features import COMMANDS

README = Path(__file__).parents[3] / "README.md"


def test_help_is_short_for_players_who_hear_it() -> None:
    """They get the moves and the names of commands; a screen gets a list."""
    heard = answer(asking("table", drawn=False), "help")
    assert len(heard) < 12
    assert not any("  " in line or "screen" in line for line in heard)
    assert len(answer(asking("table"), "help")) > 12
    assert answer(asking("table"), "help pile") == ["pile: show the pile."]
    about_new = answer(asking("lobby"), "help new")
    assert len(about_new) > 10
    assert about_new[0] == "new [RULES] [KEY=VALUE]...: open a table for friends."


@pytest.mark.waiting_takes_no_time
async def test_help_tells_a_guest_how_to_come_back_if_something_is_kept() -> None:
    """A seat, and the code that takes it back."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana", guest=True) as ana:
        for line, is_told in (("who", False), ("play", True)):
            await ana.type(line, "help all")
            page = ana.session.display.page
            assert page is not None
            assert ("type resume" in " ".join(page.lines)) == is_told


@pytest.mark.features("lesson", "puzzles", "replay")
async def test_help_of_a_word_that_is_two_commands_says_where_each_works() -> None:
    """Where the player can give neither; else they read of the one that works there."""
    _, told = await exec_commands.answer("help quit", Asking().lobby, Caller("ana"))
    assert sorted(told) == [
        "quit (at a table, in the lobby or while you watch): hang up.",
        "quit (in a lesson, at a puzzle or in a replay): go back to where you were.",
    ]


def test_help_of_a_word_that_is_a_move_tells_the_move() -> None:
    """While a game goes on; elsewhere, and if it is a command there, the command."""
    assert answer(asking("table"), "help p") == ["p: pick up the pile; p K K takes two face-up kings with it."]
    assert answer(asking("table"), "help d") == ["d: pass a bonus turn."]
    assert answer(asking("table"), "help play")[0] == "7 7, 77, 7*: play two sevens, all sevens."
    assert answer(asking("table"), "help ready") == ["ready: before play: keep the cards as they are."]
    assert [line.partition(":")[0] for line in answer(asking("table"), "help turn")] == ["turn", "1, 2, 3"]
    assert answer(asking("lobby"), "help play")[0].startswith("play ")


@pytest.mark.parametrize("said", ["help me", "help me with this", "help us out please"])
def test_a_call_for_help_is_answered_like_help(said: str) -> None:
    """It is not about the command `me`; a command that it names is explained."""
    assert answer(asking("table"), said) == answer(asking("table"), "help")
    assert answer(asking("table"), "help me with hint") == answer(asking("table"), "help hint")


async def test_help_over_ssh_lists_what_works_there() -> None:
    """And for ops, what `ssh HOST admin` can do."""
    lobby = Asking().lobby
    for command, listed in (
        ("help", [f"  {each.usage}" for each in COMMANDS if each.ssh]),
        ("admin help", [f"admin {each.usage}" for each in COMMANDS if each.ops]),
    ):
        status, lines = await exec_commands.answer(command, lobby, Caller("ana", OP))
        assert status == 0
        assert not [usage for usage in listed if not any(usage in line and len(line) < 100 for line in lines)]


@pytest.mark.features("moderation")
def test_ops_are_told_what_stands_behind_admin() -> None:
    """In a session; others know no such command."""
    assert any(line.startswith("admin kick NAME ") for line in answer(asking("lobby", is_op=True), "help admin"))
    with pytest.raises(InputError, match="unknown command 'admin'"):
        answer(asking("lobby"), "help admin")


def test_no_sentence_of_help_is_broken_over_two_lines() -> None:
    """Each terminal wraps them to its own width; a line in two columns begins with what is typed."""
    sentences = [line for each in COMMANDS for line in each.details if re.match(r"[A-Z]\w* ", line)]
    assert len(sentences) > 10
    assert [line for line in sentences if not line.endswith((".", ":"))] == []


def test_help_says_how_a_command_is_given_to_ssh() -> None:
    """With the address of the server; not where nobody can come by ssh, and not over ssh itself."""
    here = asking("lobby")
    assert answer(here, "help watch") == ["watch N [WORD]: watch table N."]
    here.lobby.join_lines = JoinLines(("-p 2222 cards.example",))
    assert answer(here, "help watch")[1:] == ["From a shell: ssh -t -p 2222 cards.example watch N [WORD]"]
    assert answer(here, "help who")[1:] == ["From a shell: ssh -p 2222 cards.example who"]
    assert len(answer(here, "help repeat")) == 1
