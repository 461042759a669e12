"""What players say does nothing that they do not ask for, wherever they are.

`python -m tests.support.states "play on"` tells what a line does in each state.
"""

from collections import defaultdict
from typing import Final

import pytest

from tests.support.sentences import (
    ANSWERED,
    LIKINGS,
    MEANT_OTHERWISE,
    NO_FLIPS,
    UNDERSTOOD,
    WAITING,
    WORDS_ANSWERED,
    WORDS_UNDERSTOOD,
)
from tests.support.states import all_states, effect

ALIKE: Final = (
    {"play", "start", "new", "meet", "sit", "next", "skip"},
    {"leave", "back"},
    {"replay", "watch", "move", "end", "log"},
)
"""Commands that are one wish in several states: a sentence whose row names one of them may be another elsewhere."""
DONE_ELSEWHERE: Final = {
    "start": "i want to play now, let me play, deal again please, one more",
    "new": "new game with 4 players",
    "play": "i want to play now, let me play, deal again please, one more, I want to play quatch, "
    "let's switch to life, a game of four, I want to play life instead, "
    "go easy on me",
    "move": "i want to play now, let me play, done, I'm done, just go already, 7 7, q, "
    "I can't play anything, start, I'm ready, next, ok next, play, begin, go, let's play, lets play!, deal, play now, "
    "start game, i want to play",
    "next": "I'm next, one more",
    "sit": "let me play",
    "watch": "I want to watch someone",
    "lesson": "i am new to this game",
    "leave": "I'm done, close, back to the beginning, stop the game",
    "quit": "I quit",
    "set": "change my username please, change my nick to Marvin, change nick, change my name to Eva",
    "daily": "share, can I see the daily",
    "say": "hi, hi there, hi everybody, hello, hello!, gg, glhf, good game, well played, good luck all, ok, okay, "
    "ok next, thanks, thnx, thank you so much, lol everybody",
}
"""What asks for something in some states and in its row's tells or shows, by the command that is done."""


def rows() -> dict[str, set[str]]:
    """All sentences of the tables of tests, each with the commands that its rows name; "ask" for an answer."""
    found = defaultdict[str, set[str]](set)
    for table in (UNDERSTOOD, WORDS_UNDERSTOOD):
        for (_, command), said in table.items():
            for typed in said.split(", "):
                found[typed].add(command)
    for command, said in NO_FLIPS.items():
        for typed in said.split(", "):
            found[typed].add(command or "ask")
    answered = {typed for _, typed, _ in (*ANSWERED, *WORDS_ANSWERED)}
    unmeant = {typed for said in MEANT_OTHERWISE.values() for typed in said.split(", ")}
    for typed in answered | unmeant | {*LIKINGS.split(", "), *WAITING.split(", ")}:
        found[typed].add("ask")
    return found


@pytest.mark.features("plain_questions", "replay", "puzzles", "lesson", "daily", "review", "seasons")
@pytest.mark.waiting_takes_no_time
async def test_no_sentence_does_more_than_its_row_says() -> None:
    """In any state: a question or a statement is answered, and neither moves, deals, leaves nor opens a table."""
    done = defaultdict[str, set[str]](set)
    async with all_states() as states:
        for typed, commands in rows().items():
            meant = commands.union(*(like for like in ALIKE if not like.isdisjoint(commands)))
            for context in states.values():
                if (did := effect(typed, context)) and did not in meant:
                    done[did].add(typed)
    assert done == {command: {*said.split(", ")} for command, said in DONE_ELSEWHERE.items()}
