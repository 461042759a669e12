"""Guests without a key: known again in a room by device and name, elsewhere by the code, and by what the host says."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from server.storage.memory_database import MemoryDatabase
from tests.support.ops import AWAY, KEY, OP, admin
from tests.support.people import Person, RunningServer, running_server

ELSEWHERE = "127.0.0.9"
"""Another device."""


def room(tmp_path: Path, store: MemoryDatabase | None = None) -> AbstractAsyncContextManager[RunningServer]:
    """A server for guests in a room."""
    return running_server(tmp_path, store, ops=[OP.get_fingerprint()], exempt=["127.0.0.1"], lan=True)


async def at_play(person: Person) -> None:
    """Sit down to a game that others would wait for."""
    await person.until("lobby>")
    await person.enter("play", "arranging")


async def test_enter_takes_the_seat_of_the_same_device_and_name(tmp_path: Path) -> None:
    """Also after the server was killed; not for another device or name, nor while the seat is taken."""
    store = MemoryDatabase()
    async with room(tmp_path, store) as server:
        async with server.person("anna", source=AWAY) as anna:
            await at_play(anna)
            async with server.person("anna", source=AWAY) as other:
                await other.until("anna is connected still. Is that you?")
                await other.enter("resume anna", "Anna is still connected: wait a minute")
                await other.enter("", "arranging")  # Enter begins a game of one's own
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
            anna.leave_game()
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


async def test_a_place_in_a_tournament_is_kept_between_its_rounds(tmp_path: Path) -> None:
    """In a room by Enter; elsewhere by the code, which every guest can see."""
    async with room(tmp_path) as server, server.person("host", key=KEY, term=None) as host:
        await host.enter("tournament new Cup format=swiss start=host", "Cup")
        async with server.person("anna", source=AWAY) as anna:
            await anna.until("lobby>")
            await anna.enter("tournament join Cup", "You are in Cup")
        async with server.person("anna", source=AWAY) as anna:
            await anna.until("anna's seat is waiting")
            await anna.enter("", "welcome, anna ")
            await anna.enter("tournament who Cup", "Players: anna.")
            code = (await anna.enter("resume", "type resume ")).rpartition("type resume ")[2].split()[0]
        async with server.person("anna", source=ELSEWHERE) as anna:
            await anna.until("welcome, anna ")
            await anna.enter(f"resume {code}", "anna ")
            await anna.enter("tournament join Cup", "You are in Cup already")


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
    async with room(tmp_path, store) as server, server.person("ann", source=ELSEWHERE) as again:
        await again.until("anna's seat is waiting: is it you? Press Enter.")
        await again.enter("", "YOUR TURN")


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
            assert "the guest anna is banned" in str((await connection.run("who")).stdout)
