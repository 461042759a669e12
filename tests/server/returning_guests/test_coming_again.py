"""Guests without a key: known again in a room by device and name, elsewhere by the code, and by what the host says."""

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from server.people.players import Caller
from server.returning_guests import reseat
from server.session.exec_commands import context_at_prompt
from server.storage.sqlite_database import MemoryDatabase
from server.table.deadlines import DROWSY_SECONDS
from server.table.unlogged_state import LOADED_SECONDS
from tests.support.at_terminals import lobby_at
from tests.support.clock import Clock
from tests.support.emulator import SETTLED, TerminalPlayer
from tests.support.opening import at_play as your_turn
from tests.support.ops import AWAY, KEY, OP, admin
from tests.support.people import Person, RunningServer, running_server
from tests.support.tables import ANA, Watcher, table_settings

ELSEWHERE = "127.0.0.9"
"""Another device."""


def room(tmp_path: Path, store: MemoryDatabase | None = None) -> AbstractAsyncContextManager[RunningServer]:
    """A server for guests in a room."""
    return running_server(tmp_path, store, ops=[OP.get_fingerprint()], exempt=["127.0.0.1"], lan=True)


async def at_play(person: Person) -> None:
    """Sit down to a game that others would wait for."""
    await person.until("lobby>")
    await person.enter("play", "arranging")


@pytest.mark.features("lan")
async def test_enter_takes_the_seat_of_the_same_device_and_name(tmp_path: Path) -> None:
    """Also after the server was killed; not for another device or name, nor while the seat is taken."""
    store = MemoryDatabase()
    async with room(tmp_path, store) as server:
        async with server.person("anna", source=AWAY) as anna:
            await at_play(anna)
            async with server.person("anna", source=AWAY) as other:
                await other.until("anna is connected still. Is that you?")
                await other.enter("resume anna", "anna is still connected: wait a minute")
                await other.enter("play", "arranging")
        async with server.person("anna", source=ELSEWHERE) as other:
            await other.until("lobby>")
            assert "seat is waiting" not in other.text
    async with room(tmp_path, store) as server:
        for name in ("bill", "guest"):
            async with server.person(name, source=AWAY) as other:
                await other.until("lobby>")
                assert "seat is waiting" not in other.text
        async with server.person("anna", source=AWAY) as anna:
            await anna.until("anna's seat is waiting: is it you? Press Enter.")
            await anna.enter("", "Table 1  Quatch")
            await anna.until("YOUR TURN")
            await anna.leave_game()
            await anna.until("lobby>")


async def test_guests_with_one_name_at_one_device_are_two(tmp_path: Path) -> None:
    """All behind a hotspot come from one address: nobody is taken for another who is here."""
    async with (
        room(tmp_path) as server,
        server.person("anna", source=AWAY) as first,
        server.person("anna", source=AWAY) as second,
    ):
        await first.until("welcome, anna")
        await second.until("welcome, anna2")
        await second.enter("say hello", "anna2: hello")
        await first.until("anna2: hello")


@pytest.mark.features("lan")
async def test_the_host_says_who_a_guest_is(tmp_path: Path) -> None:
    """Who is that from then on, also the next time. Somebody with a key is known by it alone."""
    store = MemoryDatabase()
    async with room(tmp_path, store) as server:
        async with server.person("anna", source=AWAY) as anna:
            await at_play(anna)
        async with server.person("ann", source=ELSEWHERE) as again, server.person("kay", key=KEY) as kay:
            await again.until("lobby>")
            await kay.until("lobby>")
            for typed, told in (
                ("ann as zoe", "Nothing is kept for zoe"),
                ("kay as anna", "Kay has a key, and is known by it"),
                ("ann", "Which guest, as whom?"),
            ):
                status, said = await server.run(f"admin reseat {typed}", OP)
                assert (status, told in said) == (2, True), said
            assert "ann is anna again." in await admin(server, "reseat ann as anna")
            await again.until("Table 1  Quatch")
            await again.until("You are anna.")
    async with room(tmp_path, store) as server, server.person("ann", source=ELSEWHERE) as again:
        await again.until("anna's seat is waiting: is it you? Press Enter.")
        await again.enter("who", "1 here: ann")
        await again.enter("that was me", "anna's seat is waiting: is it you? Press Enter.")
        await again.enter("yes", "YOUR TURN")


async def test_a_guest_whose_name_has_a_kept_seat_reads_how_to_take_it(tmp_path: Path) -> None:
    """Also after a restart; not who has a key, nor while the other guest is here; the name alone takes no seat."""
    store, reads = MemoryDatabase(), "Were you cleo? Type resume and the code"
    async with running_server(tmp_path, store) as server, server.person("guest") as cleo:
        await cleo.enter("name cleo", "You are cleo")
        await cleo.enter("play", "arranging")
        async with server.person("cleo") as other:
            await other.until("welcome, cleo2")
            assert "Were you" not in other.text
    async with running_server(tmp_path, store) as server:
        async with server.person("fox", source=AWAY) as again, server.person("cleo", key=KEY) as kay:
            await kay.until("welcome, cleo2")
            assert "Were you" not in kay.text
            await again.enter("name cleo", f"You are cleo3. {reads}")
            await again.enter("resume cleo", "No seat is kept for that code")
            await again.enter("how do I get back to my game?", "Type resume and the code that you were shown")
        async with server.person("cleo", source=ELSEWHERE) as again:
            assert "Table 1" not in await again.until(reads)


@pytest.mark.features("moderation")
async def test_a_guest_whom_an_op_has_renamed_reads_how_to_take_the_seat(tmp_path: Path) -> None:
    """After a restart they come under the name that they have at home, and the seat has the one of the op."""
    store, reads = MemoryDatabase(), "Were you Gustav? Type resume and the code"
    async with running_server(tmp_path, store, ops=[OP.get_fingerprint()]) as server, server.person("gus") as gus:
        await gus.until("lobby>")
        await admin(server, "relabel gus as Gustav")
        await at_play(gus)
    async with running_server(tmp_path, store) as server, server.person("gus") as again:
        assert "Gustav2" in await again.until(reads)


@pytest.mark.features("lan")
async def test_a_banned_guest_has_no_seat_back(tmp_path: Path) -> None:
    """Neither as the same guest, nor by a code; the device's other guests have theirs."""
    async with room(tmp_path) as server:
        async with server.person("anna", source=AWAY) as anna, server.person("bill", source=AWAY) as bill:
            await at_play(anna)
            await at_play(bill)
            assert "anna (a guest) is banned" in await admin(server, "ban anna 1h")
            await anna.until_gone()
        async with server.person("bill", source=AWAY) as bill:
            await bill.until("bill's seat is waiting")
        async with server.connection("anna", None, AWAY) as connection:
            assert "the guest anna is banned" in str((await connection.run("who")).stderr)


async def test_the_resume_code_can_be_found(open_server: RunningServer) -> None:
    """`resume`, help and leaving show it. Typed alone it gives back the seat, from another table too."""
    async with open_server.person("newbie") as ana:
        await your_turn(ana)
        screen = await ana.enter("resume", "come in again and type resume ")
        word = screen.rpartition("type resume ")[2].split()[0]
        await ana.enter("help", "Enter goes ")
        assert f"type resume {word}" in ana.shown
        await ana.press(b"q\r", "play>")
        await ana.enter("quit", "Type quit again, or press Ctrl-C")
        assert word in ana.shown
        ana.type("quit")
        await ana.until_gone()
        assert f"type resume {word}" in ana.text.rpartition("\x1b[?1049l")[2]
    async with open_server.person("newbie") as again:
        screen = await again.until("Were you newbie? Type resume and the code")
        assert "type your name, or go on as" in " ".join(screen.split()), "it may be another guest"
        assert word not in again.text
        await your_turn(again, "life")
        await again.enter("resume", "Were you newbie?")
        assert "come in again and type resume " in again.shown
        await again.press(b"q\r", "play>")
        await again.enter(word, "Table 1  Quatch")
        await again.until("YOUR TURN")


@pytest.mark.virtual_time
async def test_a_guest_whose_seat_is_kept_reads_so_beside_the_answer_to_the_first_line() -> None:
    """After a lost connection guests repeat the line that they came with, and are new to the server."""
    async with lobby_at(Clock()) as lobby:
        table = await lobby.tables.open_table(table_settings(word="apple"))
        await table.sit(Watcher(), ANA, "apple")
        for typed, said in (("start", "ready begins"), ("clock", "Were you bo? Type resume and the code")):
            bo = TerminalPlayer(lobby, "bo", first="sit 1 apple", caller=Caller("bo"))
            await asyncio.sleep(SETTLED)
            assert said in await bo.type(typed)
            await bo.go()


@pytest.mark.virtual_time
async def test_a_guest_who_has_changed_their_name_is_found_by_it_when_the_table_sleeps() -> None:
    """As when all were cut off and nobody came back soon: by what they read, and by the person who runs the server."""
    async with lobby_at(Clock()) as lobby:
        first = TerminalPlayer(lobby, "fox", caller=Caller("fox"))
        await asyncio.sleep(SETTLED)
        await first.type("name bo", "play", "ready")
        await first.go()
        await asyncio.sleep(DROWSY_SECONDS + LOADED_SECONDS + 1)
        assert not lobby.tables.here
        again = TerminalPlayer(lobby, "bo", caller=Caller("bo"))
        await asyncio.sleep(SETTLED)
        assert "Were you bo? Type resume and the code" in " ".join(again.shown.split())
        host = await context_at_prompt(lobby, Caller(runs_server=True))
        assert (await reseat(host, "bo2 as bo")).lines == ["bo2 is bo again."]
        await asyncio.sleep(SETTLED)
        assert again.session.player_session.in_game
        await again.go()


@pytest.mark.virtual_time
async def test_a_guest_reads_of_the_code_in_the_lobby_as_long_as_a_seat_is_kept() -> None:
    """Also while the connection from before is only hung; not when the seat is given up."""
    async with lobby_at(Clock()) as lobby:
        first = TerminalPlayer(lobby, "bo", caller=Caller("bo"))
        await asyncio.sleep(SETTLED)
        await first.type("play", "ready")
        code = first.session.player_session.resume_code
        again = TerminalPlayer(lobby, "bo", caller=Caller("bo"))
        await asyncio.sleep(SETTLED)
        assert "bo is connected still. Is that you? Type resume and the code" in " ".join(again.shown.split())
        assert "resume   and the code that you were shown, if you are bo" in await again.type("who")
        await again.type(f"resume {code.upper().replace('-', ' ')}")
        assert again.session.player_session.in_game
        third = TerminalPlayer(lobby, "bo", caller=Caller("bo"))
        await asyncio.sleep(SETTLED)
        assert "if you are bo" in third.shown
        for typed in ("yes", "that was me", "I'm Bo", "i want my game back", "my game back", "continue my game"):
            told = " ".join((await third.type(typed)).split())
            assert "Type resume and the code that you were shown, if you are bo" in told, typed
        await third.type("who")
        await again.type("leave", "leave")
        assert "if you are bo" not in third.shown
        for each in (first, again, third):
            await each.go()
