"""Boards at terminals: what they follow, that they share their pictures, and that they show and cost little."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import ip_address
from random import Random
from unittest.mock import Mock

import pytest
from msgspec import structs

from engine.events import GameOver
from server.board import boards as boards_module
from server.board import feed, frame
from server.board.boards import Boards
from server.board.feed import FINAL_SECONDS, headlines
from server.config import Config
from server.features import Features
from server.joining import join_lines
from server.lobby.competitions import Held, Leaders
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.storage.sqlite_database import MemoryDatabase
from server.table.snapshot import GameStats, Sitter
from server.table.table_events import GameBegan
from server.terminal.terminal import Terminal
from tests.server.board.projector import Projector
from tests.support.competitions import BEGINS, CUP, Cups
from tests.support.emitted import check_emitted
from tests.support.emulator import SETTLED, EmulatorTransport, TerminalPlayer, opened
from tests.support.features import FEATURES
from tests.support.positions import after, at
from tests.support.random_games import redealt
from tests.support.snapshots import snapshot_of
from tests.support.tables import Watcher, known_seeds, table_settings

pytestmark = pytest.mark.virtual_time
IDLE_BYTES: int = 60_000
"""The most bytes a minute for a room in which nothing happens."""


@asynccontextmanager
async def server_with_boards(**settings: object) -> AsyncIterator[tuple[Lobby, Boards]]:
    """A lobby where AI players move at once, and its boards."""
    config = Config.load(None, {}, {"pace": 0, "grace": 0, "workers": 0, **settings})
    async with opened(Lobby(config, MemoryDatabase(), new_seed=known_seeds(), features=FEATURES)) as lobby:
        lobby.join_lines = join_lines(["192.168.1.20"], 2222, "SHA256:key")
        boards = lobby.service(Boards)
        yield lobby, boards
        boards.end("bye")
        await asyncio.gather(*boards.tasks)


async def test_a_board_shows_a_game_as_it_goes() -> None:
    """Who plays, what happens, who wins; every byte is one that a terminal may get."""
    async with server_with_boards() as (lobby, boards):
        board = Projector(boards, (200, 60))
        await asyncio.sleep(SETTLED)
        assert "No game is going on" in board.shown
        assert board.shown.rstrip().endswith("join: ssh -p 2222 192.168.1.20")
        ana = await TerminalPlayer(lobby, "ana").arrived()
        await ana.type("play seats=2 level=easy")
        await asyncio.sleep(2)
        assert "table 1  a new game: ana with AI player" in board.shown
        assert "*Fox" in board.shown, board.shown
        await ana.type("ready")
        await asyncio.sleep(2)
        assert "stock" in board.shown
        check_emitted(board.sent, "xterm-256color")


async def test_what_bots_do_comes_after_people() -> None:
    """They play all the time: their tables stand behind those of people, and make news only while no people play."""
    async with server_with_boards() as (lobby, boards):
        board, ana = Projector(boards, (200, 60)), TerminalPlayer(lobby, "ana")

        async def bots_play() -> None:
            table = await lobby.tables.open_table(table_settings())
            bots = [Watcher(), Watcher()]
            for number, bot in enumerate(bots):
                await table.sit(bot, Player(f"guest:{table.number}{number}", f"bot{number}", "bot"))
            await table.start(bots[0])
            await asyncio.sleep(2)

        await bots_play()
        assert "table 1  a new game: bot0 and bot1" in board.shown
        await ana.type("play seats=2")
        await asyncio.sleep(2)
        await bots_play()
        assert "table 2  a new game: ana" in board.shown
        assert "table 3  a new game" not in board.shown
        assert board.shown.index(" 2  Quatch") < board.shown.index(" 1  Quatch")


@pytest.mark.features("daily")
async def test_of_a_player_who_plays_alone_a_board_tells_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody can go there."""
    pytest.importorskip("tests.server.daily.quick").quicken(monkeypatch)
    async with server_with_boards() as (lobby, boards):
        board, ana = Projector(boards, (200, 60)), await TerminalPlayer(lobby, "ana").arrived()
        await ana.type("daily")
        await asyncio.sleep(2)
        assert re.search(r" ana +plays alone$", board.shown, re.MULTILINE)


def test_the_news_of_a_game_is_the_result_that_counts() -> None:
    """As at the table: the AI player in the place of one who has left wins nothing, and others keep their names."""
    state = after(at("quatch", "hand Kd Ad", "hand 9s", pile="4h", to_move=1), "play 9")
    stats = GameStats(("ana", "Fox (played for bo)"), (0, 0), (None, ""), ranks=(1, 2), won_because="bo left")
    snapshot = structs.replace(snapshot_of(state, seat=None), stats=stats)
    sitters = (Sitter("ana"), Sitter("Fox", "easy"))
    snapshot = structs.replace(snapshot, sitters=sitters)
    told = [*headlines([GameOver(1, (1,)), GameBegan()], snapshot)]
    assert told == ["ana wins: bo left", "a new game: ana with AI player Fox"]


async def test_boards_of_one_size_share_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is drawn once for twenty of them."""
    drawn = Mock(side_effect=frame.draw_board)
    monkeypatch.setattr(feed, "draw_board", drawn)
    async with server_with_boards() as (_, boards):
        screens = [Projector(boards) for _ in range(20)]
        await asyncio.sleep(SETTLED)
        assert drawn.call_count == 1
        assert len({screen.sent for screen in screens}) == 1


async def test_a_quiet_room_costs_little() -> None:
    """Pages turn and the clock goes on, and that is all that is sent."""
    async with server_with_boards() as (lobby, boards):
        ana = TerminalPlayer(lobby, "ana")
        screens = [Projector(boards, size) for size in ((80, 24), (300, 100))]
        await asyncio.sleep(SETTLED)
        await ana.type("new clock=60")
        await asyncio.sleep(30)
        before = [len(screen.sent) for screen in screens]
        await asyncio.sleep(60)
        assert all(len(screen.sent) - sent < IDLE_BYTES for screen, sent in zip(screens, before, strict=True))


async def test_private_tables_and_what_players_type_are_not_shown() -> None:
    """Neither the game behind a word, nor the word, nor talk, nor a cut; the host's announcements are."""
    async with server_with_boards() as (lobby, boards):
        ana, bo = TerminalPlayer(lobby, "ana"), TerminalPlayer(lobby, "bo")
        board = Projector(boards, (200, 60))
        await asyncio.sleep(SETTLED)
        await bo.type("/what a secret")
        await ana.type("new word=apple")
        await bo.type("new", "cut an ugly thing")
        lobby.visitors.announce("round two begins")
        await asyncio.sleep(2)
        assert "2 tables" in board.shown
        assert "round two begins" in board.shown
        for hidden in (b"apple", b"secret", b"ugly"):
            assert hidden not in board.sent


async def test_no_hidden_card_is_sent() -> None:
    """Deal anew all that a spectator cannot see: to boards of all sizes not a byte of it is sent."""
    async with server_with_boards() as (lobby, boards):
        ana = await TerminalPlayer(lobby, "ana").arrived()
        await ana.type("play seats=2 level=easy", "ready")
        screens = [Projector(boards, size, "board table 1") for size in ((40, 12), (80, 24), (200, 60))]
        await asyncio.sleep(2)
        table, chance = lobby.tables.here[1], Random(1)
        for _ in range(5):
            before, game = [screen.sent for screen in screens], table.journal.state.game
            assert game is not None
            table.journal.state = structs.replace(table.journal.state, game=redealt(game, None, chance))
            table.show()
            await asyncio.sleep(2)
            assert [screen.sent for screen in screens] == before


async def test_the_boards_of_a_process_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more is refused in one line, and the others go on."""
    monkeypatch.setattr(boards_module, "BOARDS", replace(boards_module.BOARDS, share=1))
    async with server_with_boards() as (_, boards):
        first = Projector(boards)
        await asyncio.sleep(SETTLED)
        second = Projector(boards)
        assert await second.task == 1
        assert "close one with q" in second.shown
        assert not first.task.done()


async def test_the_boards_of_an_address_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others can still open one, and so can those whom the host does not limit."""
    one = replace(boards_module.BOARDS_PER_ADDRESS, share=1)
    monkeypatch.setattr(boards_module, "BOARDS_PER_ADDRESS", one)
    async with server_with_boards() as (_, boards):
        first = Projector(boards, caller=Caller(address=ip_address("192.0.2.7")))
        await asyncio.sleep(SETTLED)
        second = Projector(boards, caller=Caller(address=ip_address("192.0.2.7")))
        others = [Projector(boards, caller=Caller(address=ip_address(text))) for text in ("192.0.2.8", *2 * ("::1",))]
        assert await second.task == 1
        assert "from your address" in second.shown
        await asyncio.sleep(SETTLED)
        assert not any(screen.task.done() for screen in (first, *others))


async def test_a_kick_closes_the_boards_of_a_player_and_no_others() -> None:
    """Those with the same key; those of a guest by the address, if it tells guests apart."""
    ana, guest, local = (
        Caller("ana", "SHA256:ana", ip_address("192.0.2.7")),
        Caller("bo", None, ip_address("192.0.2.7")),
        Caller("cy", None, ip_address("127.0.0.1")),
    )
    async with server_with_boards() as (lobby, boards):
        screens = [Projector(boards, caller=caller) for caller in (ana, guest, local)]
        await asyncio.sleep(SETTLED)
        closed = []
        for caller in (local, ana, guest):
            lobby.send_away(caller)
            await asyncio.sleep(SETTLED)
            closed.append([screen.task.done() for screen in screens])
        assert closed == [[False, False, False], [True, False, False], [True, True, False]]
        assert "An op has closed this board." in screens[0].shown


async def test_the_host_may_have_talk_on_the_boards() -> None:
    """With the setting board_talk."""
    async with server_with_boards(board_talk=True) as (lobby, boards):
        ana = TerminalPlayer(lobby, "ana")
        board = Projector(boards, (200, 60))
        await asyncio.sleep(SETTLED)
        await ana.type("/anyone for a game?")
        await asyncio.sleep(2)
        assert "ana: anyone for a game?" in board.shown


async def test_a_board_keeps_to_its_table_and_nobody_counts_it() -> None:
    """It is no spectator, and a table that only boards look at falls asleep."""
    async with server_with_boards() as (lobby, boards):
        ana = await TerminalPlayer(lobby, "ana").arrived()
        await ana.type("play seats=2")
        board = Projector(boards, command="board table 1")
        await asyncio.sleep(40)
        table = lobby.tables.here[1]
        assert (table.listing().watching, table.runtime.here) == (0, frozenset({"account:ana"}))
        assert "Quatch" in board.shown.splitlines()[2]
        await ana.go()
        await asyncio.sleep(2)
        assert table.listing().asleep
        assert not table.broadcaster.observers


async def test_only_q_closes_a_board() -> None:
    """Anything else that is typed does nothing. Nothing is collected when the last one has gone."""
    async with server_with_boards() as (_, boards):
        board = Projector(boards)
        await asyncio.sleep(SETTLED)
        board.terminal.feed(b"play\r\x1b[A")
        await asyncio.sleep(SETTLED)
        assert not board.task.done()
        board.terminal.feed(b"q")
        assert await board.task == 0
        before = len(board.sent)
        await asyncio.sleep(10)
        assert len(board.sent) == before


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("board table 7", "Nobody is at a table now"),
        ("board table", "board table N"),
        ("board everything", "board table N"),
        ("board 1 2", "board table N"),
    ],
)
async def test_what_is_no_board_is_refused(command: str, answer: str) -> None:
    """In one line that says what would be right."""
    async with server_with_boards() as (_, boards):
        board = Projector(boards, command=command)
        assert await board.task == 2
        assert answer.casefold() in board.shown.casefold()


async def test_a_terminal_that_shows_no_screen_gets_no_board() -> None:
    """One line says so."""
    async with server_with_boards() as (_, boards):
        transport = EmulatorTransport(80, 24)
        status = await boards.show(Terminal(transport, term="dumb", is_tty=True), Caller(), "board")
        assert (status, len(transport.writes)) == (1, 1)


async def test_a_window_that_changes_its_size_all_the_time_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """At most four pictures a second are made for it, and those of its earlier sizes are forgotten."""
    drawn = Mock(side_effect=frame.draw_board)
    monkeypatch.setattr(feed, "draw_board", drawn)
    async with server_with_boards() as (_, boards):
        board = Projector(boards)
        await asyncio.sleep(SETTLED)
        for columns in range(80, 160):
            board.terminal.resize(columns, 24)
            await asyncio.sleep(0.125)
        assert drawn.call_count < 60


async def test_boards_go_on_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be collected now is collected a second later."""
    async with server_with_boards() as (lobby, boards):
        board = Projector(boards, (200, 60))
        await asyncio.sleep(SETTLED)
        listings = Mock(side_effect=[ValueError("a board cannot know this"), *[()] * 99])
        monkeypatch.setattr(lobby.tables, "listings", listings)
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        await asyncio.sleep(3)
        lobby.visitors.announce("all is well")
        await asyncio.sleep(2)
        assert "all is well" in board.shown


async def test_a_resized_board_is_drawn_anew() -> None:
    """The host zooms the letters while it runs."""
    async with server_with_boards() as (_, boards):
        board = Projector(boards, (200, 60))
        await asyncio.sleep(SETTLED)
        board.transport.screen.resize(12, 40)
        board.terminal.resize(40, 12)
        await asyncio.sleep(2)
        assert len(board.shown.splitlines()[0]) < 40
        assert "join: ssh -p 2222 192.168.1.20" in board.shown


async def test_a_board_is_drawn_anew_when_its_window_has_its_old_size_again() -> None:
    """What was cut off in between comes back, also if both sizes come within a moment."""
    async with server_with_boards() as (_, boards):
        board = Projector(boards)
        await asyncio.sleep(SETTLED)
        before = board.shown
        for columns in (60, 50, 80):
            board.transport.screen.resize(24, columns)
            board.transport.screen.reset()
            board.terminal.resize(columns, 24)
        await asyncio.sleep(2)
        assert board.shown == before
        board.transport.screen.reset()
        board.terminal.resize(80, 24)
        await asyncio.sleep(2)
        assert board.shown == before


def lobby_with_a_cup() -> Lobby:
    """A lobby, which need not be open to show a competition."""
    return Lobby(Config(workers=0), MemoryDatabase(), features=Features((*FEATURES, CUP)))


async def test_a_room_follows_a_competition_on_the_board() -> None:
    """Also on a board that keeps to it, and after its end: the final standings stay until players enter another one."""
    lobby = lobby_with_a_cup()
    boards, cups = lobby.service(Boards), lobby.service(Cups)
    large, keeps = Projector(boards, (120, 40)), Projector(boards, command="board cup")
    await asyncio.sleep(2)
    assert "2 players entered" in large.shown
    assert "round 1: dealt in" in large.shown
    assert "cup   round 1 of 2" in keeps.shown.splitlines()[0]
    cups.now = structs.replace(cups.now, calls=(("ana", 4), ("bo", 4)))
    await asyncio.sleep(2)
    assert "to your tables" in large.shown
    assert " ana               table 4" in keeps.shown
    cups.now = structs.replace(cups.now, calls=(), is_paused=True)
    await asyncio.sleep(8)
    assert "PAUSED by the host" in keeps.shown
    cups.finish()
    await asyncio.sleep(2)
    assert "cup   it is over" in large.shown
    assert "honours" in large.shown
    bowl = structs.replace(BEGINS, name="bowl", standings=Leaders("0 players entered", ()))
    cups.opened_later = [Held("2", lambda: bowl)]
    await asyncio.sleep(2)
    assert "cup   it is over" in large.shown
    bowl = structs.replace(BEGINS, name="bowl")
    await asyncio.sleep(2)
    assert "bowl   round 1 of 2" in large.shown
    cups.opened_later = []
    cups.now = structs.replace(cups.now, ended=FINAL_SECONDS)
    await asyncio.sleep(2)
    assert "it is over" not in large.shown
    assert "cup   it is over" in keeps.shown
    boards.end("bye")
    await asyncio.gather(*boards.tasks)


async def test_a_board_of_no_competition_is_refused() -> None:
    """In the words of the feature that holds them."""
    board = Projector(lobby_with_a_cup().service(Boards), command="board cup x")
    assert await board.task == 2
    assert "No cup is called x" in board.shown
    board = Projector(lobby_with_a_cup().service(Boards), command="board x")
    assert await board.task == 2
    assert "board cup NAME" in board.shown
