"""The lesson over ssh, on the screen and in lines, and the keys that its steps ask for."""

import re
from typing import Final

import pytest

from engine.errors import InputError
from server.commands.finding import DidYouMean
from server.commands.typed_line import parse
from tests.support.asking import asking, meant
from tests.support.at_terminals import lobby_at
from tests.support.clock import Clock
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer
from tests.support.keys import ESC, RIGHT
from tests.support.people import Person, RunningServer
from tests.support.virtual_time import in_virtual_time

UNDERSTOOD: Final = (
    "lesson, Lesson, tutorial, learn, teach me, learn to play, how, how do I play?, how to play, how does this work, "
    "can you teach me, new player, new player here, how do I get started, HOW DO YOU PLAY THIS GAME, "
    "how does it work?, I'm new, practice, training"
)
"""What players mean by it."""


def typed(person: Person | TerminalPlayer) -> str:
    """What is in the input line."""
    return person.shown.rstrip().split("\n")[-1]


async def test_a_whole_lesson_in_lines(open_server: RunningServer) -> None:
    """A player who types what each step says comes to the end and is in the lobby, where a game begins at once."""
    async with open_server.person(term=None) as ana:
        await ana.until("Type play for a game")
        ana.type("lesson life")
        for step in range(1, 19):
            text = await ana.until(f"Step {step} of 18")
            text = await ana.until(lambda person, step=step: ": type " in person.text.partition(f"Step {step} of")[2])  # type: ignore[misc]
            ana.type(ana.text.rpartition(": type ")[2].split("\n")[0].strip())
        text = await ana.until("play life begins a game")
        assert "That is how a game is won!" in text
        await ana.enter("play life", "Choose 3 cards to lay face up")


async def test_leaving_a_lesson_leads_back(open_server: RunningServer) -> None:
    """With q, quit, leave or Esc; none of them ends the session."""
    async with open_server.person() as ana:
        await ana.until("lobby>")
        for key in (b"quit\r", b"q\r", ESC, b"leave\r"):
            await ana.enter("lesson", "Step 1 of 14")
            await ana.press(key, "lobby>")


@in_virtual_time
async def test_the_right_arrow_shows_what_the_lesson_asks_for() -> None:
    """So it goes through it, with Enter."""
    async with lobby_at(Clock()) as lobby:
        ana = TerminalPlayer(lobby, "ana")
        await ana.type("lesson")
        for step in range(1, 14):
            assert f"step {step} of 14" in ana.shown
            await ana.send(RIGHT)
            assert f"type {typed(ana).removeprefix('play> ')}\n" in re.sub(" +\n", "\n", ana.shown)
            await ana.type("")
        await ana.type("k")
        assert ana.shown.split("\n")[0].strip() == "lesson", "the page is not called by the move"


@pytest.mark.features("plain_questions")
@for_each("typed", UNDERSTOOD.split(", "))
def test_natural_words_lead_to_the_lesson(typed: str) -> None:
    """Of players who have never seen the game; to a question it is proposed, and Enter begins it."""
    try:
        found = meant(typed, asking("lobby"))
    except DidYouMean as proposal:
        found = proposal.line
    assert found == "lesson"


@for_each(
    ("place", "typed", "answer"),
    [
        ("lobby", "start tutorial", "did you mean tutorial?"),
        ("lobby", "tutroial", "Did you mean tutorial?"),
        ("lobby", "leson", "Did you mean lesson?"),
        ("table", "tutorial", "tutorial works in the lobby: finish this game first"),
    ],
)
def test_words_that_do_not_lead_there_are_answered_with_those_that_do(place: str, typed: str, answer: str) -> None:
    """A slip, and a table at which there is no lesson."""
    with pytest.raises(InputError) as caught:
        parse(typed, asking(place))
    assert answer in caught.value.message
