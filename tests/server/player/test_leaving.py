"""Going away, at any moment and in any manner: nothing leaks, other players do not notice, the game goes on."""

import asyncio
from functools import partial
from pathlib import Path

import asyncssh
import pytest

from server.config import Config
from server.limits import OUTPUT_WAITING
from server.session.terminal_session import TerminalSession
from server.table.deadlines import LINGER_SECONDS
from tests.support.at_terminals import flat, lobby_at, person
from tests.support.emulator import TerminalPlayer, begin_together, people
from tests.support.limits import asking_on, let_flood
from tests.support.log_entries import heads
from tests.support.opening import opened
from tests.support.people import Person, RunningServer, running_server
from tests.support.resources import settled
from tests.support.virtual_time import in_virtual_time, now

pytestmark = pytest.mark.waiting_takes_no_time


async def test_if_a_player_drops_in_their_turn_an_ai_player_goes_on(open_server: RunningServer) -> None:
    """A cut connection in the middle of a turn: the others' game goes on without a word from the dropped seat."""
    async with open_server.person("bo") as bo:
        async with open_server.connection("ana") as connection:
            process = await connection.create_process(term_type="xterm", term_size=(80, 24), encoding=None)
            ana = Person(process, 80, 24)
            ana.type("new seats=2")
            await bo.until("1 seat free")
            await bo.enter("sit 1", "seat 2   bo  (you)")
            await ana.enter("start", "YOUR TURN")
            ana.send(b"ready\r")
            connection.abort()
        await bo.until("ana is gone: an AI player plays for them")
        await bo.enter("ready", "order:")
        await bo.until("YOUR TURN")
        assert "*easy" in bo.shown


async def test_others_read_whether_a_player_hung_up_or_was_disconnected(tmp_path: Path) -> None:
    """`quit` is no lost connection."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with (
        running_server(tmp_path, grace=60) as open_server,
        open_server.person("bo") as bo,
        open_server.person("ana", key=key) as ana,
    ):
        ana.type("new seats=3")
        await bo.until("2 seats free")
        await bo.enter("sit 1", "seat 2   bo  (you)")
        async with open_server.person("cy") as cy:
            cy.type("sit 1")
            await bo.until("cy sits down.")
        await bo.until("cy was disconnected.")
        ana.type("quit")
        await bo.until("ana has hung up.")


async def test_input_that_ends_at_once_ends_the_session(open_server: RunningServer) -> None:
    """`ssh -T HOST </dev/null`, however early the end comes."""
    for _ in range(10):
        async with open_server.person(term=None) as ana:
            ana.process.stdin.write_eof()
            assert await ana.until_gone() == 0
            assert "Good-bye" in ana.text
    await settled(lambda: not open_server.app.sessions)


async def test_a_reader_that_takes_nothing_costs_nothing(open_server: RunningServer) -> None:
    """A client that does not read is cut off before its output piles up; another player notices nothing."""
    async with open_server.connection() as connection:
        channel, _ = await connection.create_session(asyncssh.SSHClientSession, encoding=None, window=1 << 30)
        await settled(lambda: bool(open_server.app.sessions))
        (reader,) = open_server.app.sessions
        assert isinstance(reader, TerminalSession)
        let_flood(open_server, reader, 1.0)
        transport = connection._transport
        assert transport is not None
        transport.pause_reading()
        ask = partial(channel.write, b"r l\n" * 50)
        async with open_server.person("bo") as bo:
            await bo.enter("who", "here:")
        await asking_on(ask, lambda: reader.terminal.stalled)
        assert reader.terminal.waiting <= OUTPUT_WAITING
        await asking_on(ask, lambda: not open_server.app.sessions)
        transport.resume_reading()


async def test_the_terminal_is_restored_on_every_exit(open_server: RunningServer) -> None:
    """quit, Ctrl-D, Ctrl-C twice, and being dismissed: the usual screen, cursor and modes are back."""
    for keys in (b"quit\r", b"\x04\x04", b"\x03\x03"):
        async with open_server.person() as ana:
            await ana.until("lobby>")
            ana.send(keys)
            assert await ana.until_gone() == 0
            assert ends_restored(ana)


async def test_a_stopping_server_says_good_bye(tmp_path: Path) -> None:
    """At SIGTERM all players are told, their terminals restored and their sessions ended."""
    async with running_server(tmp_path) as running, running.person() as ana, running.person("bo", term=None) as bo:
        await ana.until("lobby>")
        await bo.until("Type play")
        await running.app.stop()
        assert await ana.until_gone() == 0
        assert await bo.until_gone() == 0
        assert "The server has ended" in ana.text
        assert "The server has ended" in bo.text
        assert ends_restored(ana)


async def test_ctrl_c_twice_is_quit_and_keeps_the_seat(open_server: RunningServer) -> None:
    """In a game and at a waiting table. A lone q hangs up at neither, since it closes pages."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with open_server.person(key=key) as ana:
        await opened(ana)
        await ana.enter("q", "type quit to hang up")
        await ana.press(b"\x03", "Press the key again within 10 seconds to hang up.")
        ana.send(b"\x03")
        assert await ana.until_gone() == 0
    async with open_server.person(key=key) as ana:
        await ana.until("seat 1   ana")
        await ana.enter("start", "YOUR TURN")
        await ana.press(b"\x03", "seconds to hang up. Your seat is")
        ana.send(b"\x03")
        assert await ana.until_gone() == 0
    async with open_server.person(key=key) as ana:
        await ana.until("YOUR TURN")


@in_virtual_time
async def test_a_table_that_all_have_left_closes() -> None:
    """Guests cannot prove their identity, so a table that they leave is not kept."""
    async with lobby_at(now) as lobby, person(lobby, "ana", guest=True) as ana:
        await ana.type("play", "leave", "leave")
        assert "No table is open" in ana.shown
        assert await heads(lobby.store)
        await asyncio.sleep(2 * LINGER_SECONDS)
        assert not await heads(lobby.store)


def ends_restored(person: Person) -> bool:
    """Whether the last bytes put the terminal back: no alternate screen, a cursor, no modes, no colours."""
    after = person.text[person.text.rindex("\x1b[?1049h") :]
    return all(code in after for code in ("\x1b[?1049l", "\x1b[?25h", "\x1b[?2004l", "\x1b[0m"))


async def test_a_player_who_comes_back_reads_only_what_holds_now() -> None:
    """Where they are, how they leave, and that they are back; not that an AI player plays for them."""
    async with people("ana", "bo") as (ana, bo):
        await begin_together(ana, bo)
        await ana.go()
        await asyncio.sleep(Config().grace + 1)
        assert "plays for them until they are back" in flat(bo)
        again = await TerminalPlayer(ana.lobby, "ana").arrived()
        assert "You are back." in again.shown
        assert "An AI player plays for you" not in again.shown
        assert "You are at table 1: quit keeps your seat, leave gives it up." in flat(again)
