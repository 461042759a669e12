"""Frames: exact in every cell, at every size, whatever the names and the talk."""

import random
import re
from collections.abc import Iterator
from functools import cache

import pyte
import pytest
from wcwidth import wcswidth

from engine.ai import LEVELS
from engine.game import deal, play
from engine.rulesets import rulesets
from engine.state import State
from engine.view import view_of
from server.cells import row_text, row_width
from server.clean_text import clean, clean_name
from server.people.settings import Settings
from server.render.canvas import Canvas, Scale
from server.render.frame import draw
from server.render.scene import Scene
from server.render.theme import theme_of
from server.table.snapshot import Listing, Presence, Sitter, Snapshot
from server.terminal.painter import Painter
from tests.soak import long
from tests.support.frames import SIZES, assert_exact, scene_of
from tests.support.positions import at
from tests.support.random_games import redealt

AT_HOME = "\x1b[1H\x1b[?25h"
"""How a painting ends: with the cursor in the corner."""


@cache
def states() -> list[State]:
    """States of AI players' games of every rule set, from the deal to the end: all of them, or every third."""
    return [*all_states()][:: long(3, 1)]


def all_states() -> Iterator[State]:
    """States of AI players' games of every rule set, from the deal to the end."""
    for rules in rulesets().values():
        for seats in (2, 4):
            chance = random.Random(seats)
            state, _ = deal(rules, seats, "frames")
            while state.phase != "over":
                yield state
                waiting = [n for n, ready in enumerate(state.ready) if not ready]
                mover = waiting[0] if state.phase == "arrange" else state.to_move or 0
                state, _ = play(state, mover, LEVELS["hard"](view_of(state, mover), chance))
            yield state


@pytest.mark.parametrize("size", SIZES)
def test_every_moment_of_every_game_fits(size: tuple[int, int]) -> None:
    """All rule sets, for players and for spectators; the hint row is never cut off."""
    for state in states():
        for seat in (0, None):
            frame = draw(scene_of(state, seat), *size)
            assert_exact(frame, *size)
            assert "help" in "".join(text for _, text in frame.rows[-1])


@pytest.mark.parametrize("size", SIZES)
def test_a_hand_of_forty_four_cards_is_shown_whole(size: tuple[int, int]) -> None:
    """A player who has picked up the whole deck still sees every card."""
    ranks = "3456789JQKA"
    hand = " ".join(rank + suit for rank in ranks for suit in "cdhs")
    state = at("quatch", f"hand {hand}", "down 2c", pile="Tc")
    frame = draw(scene_of(state, 0), *size)
    assert_exact(frame, *size)
    text = "\n".join("".join(part for _, part in row) for row in frame.rows)
    shown = (
        len(re.findall(r"\| ?cdhs ?\|", text)) if size >= (100, 30) else sum(f"{rank}cdhs" in text for rank in ranks)
    )
    assert shown == len(ranks)


def test_a_screen_never_shows_what_its_viewer_may_not_know() -> None:
    """Deal anew all that a viewer cannot see: every row stays the same."""
    chance = random.Random(1)
    for state in states():
        for seat in (0, None):
            other = redealt(state, seat, chance)
            assert draw(scene_of(other, seat), 100, 30) == draw(scene_of(state, seat), 100, 30)


def test_what_may_be_played_stands_in_parentheses() -> None:
    """Legality is not told by colour alone."""
    state = at("quatch", "hand 4c 7c 7d Kh", "hand 3c", pile="6d")
    row = next(row for row in draw(scene_of(state, 0), 80, 24).rows if row and row[0][1].startswith("   hand"))
    assert "".join(text for _, text in row).split()[2:] == ["4c", "(7cd)", "(Kh)"]


SCRIPTS = (
    *("ana", " ", "\u6f22\u5b57", "e\u0301\u0323", "\u0e44\u0e17\u0e22", "\u0928\u092e\u0938"),
    *("\ud55c\uae00", "\u1112\u1161\u11ab", "\u0645\u0631", "\u00e9", "\u2500", "\uff21", "\u202e"),
    *("\U0001f600", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469", "\u2665\ufe0f", "1\ufe0f\u20e3"),
    *("\U0001f1e9\U0001f1ea", "\u0300", "\ufffd", "\u2764", "\u3099", "\U000e0041"),
)
"""Letters of one cell, two and none; sequences that some terminals draw as one picture."""


@pytest.mark.parametrize("seed", range(long(4, 40)))
def test_every_row_is_as_wide_as_a_terminal_takes_it_for(seed: int) -> None:
    """Whatever people are called and say: our measure, wcwidth's and an emulator's are the same, cell for cell."""
    chance = random.Random(seed)
    for _ in range(5):
        scene = said_in_many_scripts(chance)
        for columns, rows in SIZES:
            frame = draw(scene, columns, rows)
            assert_exact(frame, columns, rows)
            screen = pyte.Screen(columns, rows)
            stream = pyte.ByteStream(screen)
            for row in frame.rows:
                screen.reset()
                painted = Painter(colour=True).paint((row,), (0, 0))
                stream.feed(painted.removesuffix(AT_HOME).encode())
                width = row_width(row)
                assert wcswidth(row_text(row)) == width
                # Spaces at the end of a row are not sent.
                assert width - len(row_text(row)) + len(row_text(row).rstrip(" ")) <= screen.cursor.x <= width


def said_in_many_scripts(chance: random.Random) -> Scene:
    """A table, or the lobby, full of what was typed and has passed the gate."""

    def typed() -> str:
        return "".join(chance.choice(SCRIPTS) for _ in range(chance.randrange(1, 40)))

    names = [clean_name(typed()) or "x" for _ in range(4)]
    state = deal(rulesets()["quatch"], 4, str(chance.random()))[0]
    sitters = tuple(map(Sitter, names))
    snapshot = Snapshot(1, state.rules, chance.choice((0, None)), sitters, view_of(state, None), 7, 3)
    log, talk = ([clean(f"{chance.choice(names)}: {typed()}") for _ in range(30)] for _ in range(2))
    return Scene(
        names[0],
        people=(*map(Presence, names),),
        has_signs=chance.random() < 0.5,
        snapshot=snapshot if chance.random() < 0.7 else None,
        tables=(Listing(1, "quatch", clean(typed()), sitters, chance.random() < 0.5, 1, 1),),
        log=log,
        talk=talk,
        answer=clean(typed()),
    )


@pytest.mark.parametrize(
    ("size", "scale"),
    [
        *(((59, 19), Scale.COMPACT), ((79, 22), Scale.COMPACT), ((78, 23), Scale.COMPACT), ((79, 23), Scale.USUAL)),
        *(((99, 29), Scale.ROOMY), ((98, 60), Scale.USUAL), ((200, 28), Scale.USUAL), ((138, 80), Scale.ROOMY)),
        *(((139, 39), Scale.WIDE), ((249, 38), Scale.ROOMY), ((249, 79), Scale.WIDE)),
    ],
)
def test_as_much_is_shown_as_there_is_space_for(size: tuple[int, int], scale: Scale) -> None:
    """Both ways: a wide screen that is low, and a high one that is narrow, show what fits."""
    assert Canvas.of(*size, theme_of(Settings())).scale == scale
