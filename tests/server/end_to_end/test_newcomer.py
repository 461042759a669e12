"""What a newcomer meets: a first game, questions and help, leaving and coming back."""

import re

import asyncssh
import pytest
from msgspec.structs import replace

from engine.game import play
from engine.moves import READY, parse_move
from engine.state import State
from server.language.tips import reason
from server.render.scene import Scene
from server.table.place import TABLE
from tests.support.asking import Asking, answer
from tests.support.each import for_each
from tests.support.opening import at_play, opened
from tests.support.people import RunningServer
from tests.support.playing_on_screen import play_on_screen
from tests.support.positions import OTHER, at
from tests.support.snapshots import snapshot_of

pytestmark = pytest.mark.waiting_takes_no_time

CLAUSE = re.compile(r"\bD\d-\d")
"""The number of a clause: it means nothing to players."""
ESC, RIGHT = b"\x1b", b"\x1b[C"


async def test_only_a_guest_of_the_same_name_is_told_of_a_kept_seat(open_server: RunningServer) -> None:
    """And not while the guest of that name is connected."""
    async with open_server.person("newbie") as ana:
        await at_play(ana)
        async with open_server.person("newbie") as other:
            await other.until("lobby>")
            assert "A seat is kept" not in other.text
    async with open_server.person("other") as other:
        await other.until("lobby>")
        assert "A seat is kept" not in other.text


async def test_a_resume_code_does_not_end_a_game_with_others(open_server: RunningServer) -> None:
    """The player has to leave that table first."""
    async with open_server.person("newbie") as ana:
        await at_play(ana)
        ana.type("resume")
        word = (await ana.until("type resume ")).rpartition("type resume ")[2].split()[0]
    async with open_server.person("cy") as cy, open_server.person("bo") as bo:
        await opened(cy)
        await bo.enter("sit 2", "seat 2   bo  (you)")
        await bo.enter("start", "arranging")
        await bo.enter(f"resume {word}", "You play with others here: type leave first")
        await bo.enter("resume nonsense", "No seat is kept for that code")


async def test_leaving_a_game_is_confirmed_by_the_same_command(open_server: RunningServer) -> None:
    """`leave` asks, another command in between cancels it, and Ctrl-C asks for something else."""
    async with open_server.person() as ana:
        await at_play(ana)
        await ana.enter("ready", "PILE")
        await ana.enter("leave", "type leave to go")
        await ana.enter("who", "1 here: ana (table 1).")
        await ana.press(b"\x03", "Press the key again within 10 seconds to hang up. Your seat is kept")
        await ana.enter("leave", "type leave to go")
        await ana.enter("leave", "You are in the lobby.")


async def test_neither_the_first_game_nor_the_second_is_suddenly_hard(open_server: RunningServer) -> None:
    """Both are easy, also in the next session; a level that is named plays at once."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person(key=key) as ana:
        await at_play(ana)
        await ana.until("Your AI players are easy; stronger ones come once you lead by 3 games.")
        assert "*easy" in ana.shown
        await play_on_screen(ana)
        ana.type("leave")
        await at_play(ana, "seats=2 level=extreme")
        assert "*extreme" in ana.shown
        await ana.leave_game()
        await at_play(ana)
        assert "*easy" in ana.shown
        await ana.leave_game()
        await ana.until("lobby>")
    async with open_server.person(key=key) as ana:
        await at_play(ana)
        assert "*easy" in ana.shown


@for_each(
    ("state", "move", "told"),
    [
        (
            at("quatch", "hand 4c", OTHER, pile="8c"),
            "pickup",
            "You had nothing to play, so you took the pile.",
        ),
        (at("college", "hand 9c", OTHER, pile="8c"), "pickup", "You chose to pick up the pile."),
        (at("quatch", "down 4c 9d", OTHER, pile="8c"), "flip 1", "A face-down card that"),
        (
            at("quatch-original", "hand Ts", OTHER, pile="8c"),
            "play T",
            "If your last play resets or burns, it has no effect",
        ),
        (
            at("life", "hand 4h", "hand 5c 9d", pile="4c", to_move=1),
            "play 5",
            "You were passed over because of the 5. A 5",
        ),
    ],
)
def test_why_without_a_card_explains_the_last_event(state: State, move: str, told: str) -> None:
    """What happened to the player last, without the number of a clause."""
    seat = state.to_move or 0
    after, events = play(state, seat, parse_move(move))
    found = reason(snapshot_of(after), [event.seen_by(0) for event in events])
    assert found.startswith(told)
    assert not CLAUSE.search(found)
    scene = Scene("ana", snapshot=snapshot_of(after))
    assert answer(Asking(TABLE, scene), "why")[0].startswith("Ask about a card: why ")
    assert answer(Asking(TABLE, replace(scene, reason=found)), "why") == [found]


def test_why_explains_who_begins() -> None:
    """And with which cards."""
    ready, _ = play(at("quatch", "hand 4c 9d Kh", "hand 5c 6c 8d", phase="arrange"), 1, READY)
    after, events = play(ready, 0, READY)
    assert "is played for you" in reason(snapshot_of(after), events)


async def test_help_fits_on_a_page_and_fits_the_situation(open_server: RunningServer) -> None:
    """In the lobby, while arranging and in play; `help all` shows the rest."""
    async with open_server.person() as ana:
        await ana.enter("help", "Enter goes back>")
        ana.send(b"q\r")
        await at_play(ana)
        screen = await ana.enter("help", "Enter goes back>")
        assert "s K 4" in screen
        assert "lay 4 5 K" not in screen
        assert "7 7, 77" not in screen
        await ana.press(b"q\r", "play>")
        await ana.enter("ready", "order:")
        screen = await ana.enter("help", "Enter goes back>")
        assert "7 7, 77" in screen
        assert "s K 4" not in screen
        await ana.press(b"q\r", "order:")
        await ana.enter("help all", "Enter goes on>")
