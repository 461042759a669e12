"""A hint is searched for in a worker: the table goes on meanwhile, and a worker that dies costs the search alone."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import pytest

from engine.ai.verdict import Depth
from engine.moves import parse_move
from server.ai.pool import AIPool
from server.commands import looking
from server.commands.looking import NOT_SEARCHED
from server.commands.registry import Answer, command_named
from server.config import Config
from server.features import NO_FEATURES
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.storage.sqlite_database import MemoryDatabase
from tests.support.emulator import TerminalPlayer
from tests.support.patience import PATIENCE
from tests.support.positions import at
from tests.support.tables import known_seeds, put

T = TypeVar("T")


class Guest(TerminalPlayer):
    """A player in real time."""

    settled = 0.02

    @property
    def line(self) -> str:
        """The screen as one line."""
        return " ".join(self.shown.split())

    async def until(self, is_shown: Callable[[str], bool]) -> None:
        """Wait until the screen, as one line, shows this."""
        async with asyncio.timeout(PATIENCE):
            while not is_shown(self.line):
                await asyncio.sleep(0.01)


@pytest.fixture
async def ana(request: pytest.FixtureRequest) -> AsyncIterator[Guest]:
    """A player to move, who may play a king, a 3 or take the pile; the parameter says how many workers there are."""
    config = Config(pace=0, workers=getattr(request, "param", 0))
    lobby = Lobby(config, MemoryDatabase(), new_seed=known_seeds())
    lobby.ai_pool.patience = PATIENCE
    await lobby.open()
    guest = Guest(lobby, "ana", caller=Caller("ana", "SHA256:ana"))
    await guest.until(lambda shown: "play" in shown)
    await guest.type("play seats=2")
    await guest.until(lambda shown: "ready begins" in shown)
    game = at("quatch", "hand Tc 7h Kd Ks 3c / up 3s / down 4c - 5d", "hand 4s 9c / down 6c 6d 6h", pile="9s")
    put(lobby.tables.here[1], game)
    await guest.until(lambda shown: "YOUR TURN" in shown and "ready begins" not in shown)
    try:
        yield guest
    finally:
        await guest.go()
        await lobby.close()


@pytest.mark.parametrize("ana", [1], indirect=True)
async def test_a_hint_comes_from_a_worker_and_the_table_goes_on(ana: Guest) -> None:
    """That somebody watches is shown meanwhile. The worker's death gives a quick hint, and one line that says so."""
    before = set(multiprocessing.active_children())
    ana.terminal.feed(b"hint more\r")
    await ana.until(lambda shown: "Your best left" in shown)
    assert NOT_SEARCHED not in ana.line
    (worker,) = set(multiprocessing.active_children()) - before
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)
    await ana.type("hand")
    ana.terminal.feed(b"hint more\r")
    bo = Guest(ana.session.player_session.lobby, "bo", caller=Caller("bo", "SHA256:bo"))
    await bo.until(lambda shown: "ana" in shown)
    await bo.type("watch 1")
    await ana.until(lambda shown: "1 watching" in shown)
    assert "Your best left" not in ana.line
    worker.kill()
    await ana.until(lambda shown: NOT_SEARCHED in shown and "Your best left" in shown)
    await bo.go()


async def test_the_right_arrow_key_shows_the_move_of_the_hint(ana: Guest) -> None:
    """Which need not be the usual one, with all cards of a rank."""
    ana.terminal.feed(b"\x1b[C")
    await ana.until(lambda shown: shown.endswith("play> k k"))
    ana.terminal.feed(b"\x15hint\r")
    await ana.until(lambda shown: "Play a king" in shown)
    ana.terminal.feed(b"\x1b[C")
    await ana.until(lambda shown: shown.endswith("play> k"))


async def test_what_was_refused_is_explained(ana: Guest) -> None:
    """Also if the question does not name the card; after the next turn it is forgotten."""
    await ana.type("7", "why can't I play that?")
    assert "lower than" in ana.session.display.answer
    await ana.type("why 3", "why")
    assert "lower than" in ana.session.display.answer


async def test_why_after_a_hint_tells_all_its_reasons(ana: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    """In whatever words it is asked, also if a move was refused before the hint."""
    monkeypatch.setattr(looking, "HINT_DEPTH", Depth(simulations=60, proposed=6, playouts=60))
    await ana.type("7")
    for asked in ("why", "why a king", "why is that the best", "why should I", "why is it better"):
        ana.terminal.feed(b"hint\r")
        await ana.until(lambda shown: "Play a king" in shown and "Your best left" not in shown)
        ana.terminal.feed(f"{asked}\r".encode())
        await ana.until(lambda shown: "Your best left" in shown)


async def test_a_card_that_is_typed_while_a_hint_is_searched_for_is_played_at_once(
    ana: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the hint is not told any more."""

    async def never(_: AIPool, work: Callable[[], T], **__: object) -> T:
        await asyncio.Event().wait()
        return work()

    monkeypatch.setattr(AIPool, "run", never)
    ana.terminal.feed(b"hint\r")
    await ana.until(lambda shown: "One moment" in shown)
    ana.terminal.feed(b"k\r")
    await ana.until(lambda shown: "You play a king" in shown)
    assert "One moment" not in ana.line


async def test_other_answers_are_not_given_up_for_a_card(ana: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card waits for them."""
    asked, may_answer, answered = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def answer(*_: object) -> Answer:
        asked.set()
        await may_answer.wait()
        answered.set()
        return Answer(["These are the rules."])

    monkeypatch.setattr(command_named("rules", NO_FEATURES), "handler", answer)
    ana.terminal.feed(b"rules\rk\r")
    await asked.wait()
    may_answer.set()
    await ana.until(lambda shown: "You play a king" in shown)
    assert answered.is_set()


async def test_a_hint_for_a_position_that_has_passed_is_not_told(ana: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when the clock has run out meanwhile."""
    found = asyncio.Event()

    async def slow(_: AIPool, work: Callable[[], T], **__: object) -> T:
        await found.wait()
        return work()

    monkeypatch.setattr(AIPool, "run", slow)
    ana.terminal.feed(b"hint more\r")
    await asyncio.sleep(0.1)
    session = ana.session.player_session
    assert session.snapshot is not None
    await session.table.move(session, session.snapshot.ply, parse_move("play K"), session.snapshot.game)
    await ana.until(lambda shown: "You play a king" in shown)
    found.set()
    await ana.until(lambda shown: "the game went on before the hint was found" in shown.lower())
