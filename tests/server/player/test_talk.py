"""Talk of the last minutes, for a player who comes or comes back: what they are told of it, and what they are not."""

import asyncio
from pathlib import Path

import asyncssh
import pytest

from engine.errors import InputError
from server.commands.typed_line import execute, parse
from server.limits import TALK_KEPT, TALK_KEPT_SECONDS, TALK_OF_ADDRESS, TALK_REPEATED_SECONDS
from server.lobby.lobby import Lobby
from server.player.player_session import PlayerSession
from server.storage.sqlite_database import SqliteDatabase
from server.table.recent_talk import EARLIER
from tests.support import front_end
from tests.support.emulator import open_lobby
from tests.support.front_end import Remembering
from tests.support.people import running_server
from tests.support.virtual_time import in_virtual_time


async def come_in(where: Lobby, name: str, key: str | None = None, address: str = "192.0.2.1") -> PlayerSession:
    """A player who has just come in."""
    return (await front_end.come_in(where, name, key, address))[0]


async def type_line(session: PlayerSession, *lines: str) -> None:
    """Type lines, a little apart."""
    for line in lines:
        await execute(parse(line, session), session)
        await asyncio.sleep(1)


def told(session: PlayerSession) -> list[str]:
    """All that a player was told of talk since the last call, as lines."""
    remembering = session.front_end
    assert isinstance(remembering, Remembering)
    lines, remembering.lines = remembering.lines, []
    talk = [line for line in lines if line == EARLIER or line.startswith(("ana: ", "bo: ", "host: "))]
    return [line for line in talk if ": hand " not in line]


@in_virtual_time
async def test_who_comes_to_a_table_is_told_what_was_said_there_and_not_what_was_said_elsewhere() -> None:
    """As player and as spectator, and only once; the talk of a private table only with its word."""
    async with open_lobby(exempt=()) as where:
        ana, bo = await come_in(where, "ana"), await come_in(where, "bo")
        await type_line(ana, "/in the lobby", "new seats=3 key=apple", "/at the table")
        for line in ("sit 1 apple", "watch 1 apple"):
            cy = await come_in(where, "cy")
            assert told(cy) == [EARLIER, "ana: in the lobby"]
            with pytest.raises(Exception, match="private"):
                await type_line(cy, "watch 1")
            assert told(cy) == []
            await type_line(cy, line)
            assert told(cy) == list(cy.scene.talk) == [EARLIER, "ana: at the table"]
            await type_line(cy, "leave")
            assert told(cy) == [], "all of it was heard in the lobby before"
            assert list(cy.scene.talk) == [EARLIER, "ana: in the lobby"]
            await cy.finish()
        assert told(bo) == ["ana: in the lobby"]


@in_virtual_time
async def test_who_comes_back_from_a_table_is_told_what_the_lobby_said_meanwhile() -> None:
    """Only that, as they have heard what came before; on the screen that is there as well."""
    async with open_lobby(exempt=()) as where:
        ana, bo = await come_in(where, "ana"), await come_in(where, "bo")
        await type_line(ana, "/one")
        await type_line(bo, "new seats=2")
        await type_line(ana, "/two")
        told(bo)
        await type_line(bo, "leave")
        assert told(bo) == [EARLIER, "ana: two"]
        assert list(bo.scene.talk) == ["ana: one", EARLIER, "ana: two"]
        assert told(ana) == ["ana: one", "ana: two"]


@in_virtual_time
async def test_an_announcement_that_was_heard_at_a_table_is_not_told_again_in_the_lobby() -> None:
    """One from before the player came straight to a kept seat is told."""
    async with open_lobby(exempt=()) as where:
        ana, bo = await come_in(where, "ana"), await come_in(where, "bo", "SHA256:bo")
        await type_line(bo, "new seats=2", "start")
        await bo.finish()
        await asyncio.sleep(1)
        where.visitors.announce("before bo came back")
        await asyncio.sleep(1)
        bo = await come_in(where, "bo", "SHA256:bo")
        await asyncio.sleep(1)
        where.visitors.announce("at the table")
        await type_line(ana, "/in the lobby")
        assert told(bo) == ["host: at the table"]
        await type_line(bo, "leave")
        assert told(bo) == [EARLIER, "host: before bo came back", "ana: in the lobby"]


@in_virtual_time
async def test_a_player_whose_connection_was_lost_is_told_their_tables_talk_again() -> None:
    """At once when they come in, since a seat was kept for them."""
    async with open_lobby(exempt=()) as where:
        ana, bo = await come_in(where, "ana"), await come_in(where, "bo", "SHA256:bo")
        await type_line(ana, "new seats=2")
        await type_line(bo, "sit 1")
        await type_line(ana, "start", "/hold on")
        await bo.finish()
        await type_line(ana, "/are you there")
        again = await come_in(where, "bo", "SHA256:bo")
        assert again.at_table
        assert told(again) == [EARLIER, "ana: hold on", "ana: are you there"]


@in_virtual_time
async def test_talk_of_spectators_is_told_to_spectators_alone() -> None:
    """A player who comes back in the middle of the game must not learn from them what others hold."""
    async with open_lobby(exempt=()) as where:
        ana, bo = await come_in(where, "ana", "SHA256:ana"), await come_in(where, "bo")
        await type_line(ana, "new seats=2", "start")
        await type_line(bo, "watch 1", "/ana has no ten")
        await ana.finish()
        again, cy = await come_in(where, "ana", "SHA256:ana"), await come_in(where, "cy")
        assert again.in_game
        assert told(again) == []
        await type_line(cy, "watch 1")
        assert told(cy) == [EARLIER, "bo: (watching) ana has no ten"]


@in_virtual_time
async def test_private_words_and_those_of_ignored_players_are_not_told_again() -> None:
    """All else that was said lately is."""
    async with open_lobby(exempt=()) as where:
        ana, bo = await come_in(where, "ana", "SHA256:ana"), await come_in(where, "bo", address="198.51.100.7")
        await type_line(ana, "/from ana")
        await type_line(bo, "/from bo", "tell ana a secret")
        assert told(await come_in(where, "cy")) == [EARLIER, "ana: from ana", "bo: from bo"]
        await type_line(bo, "new seats=2")
        await type_line(ana, "ignore bo")
        bo.talk.take_turn()
        await type_line(bo, "/at the table")
        told(ana)
        await type_line(ana, "watch 1")
        assert told(ana) == []


@in_virtual_time
async def test_a_line_is_not_said_again_at_once_and_an_address_says_only_so_much() -> None:
    """Case and signs make no other line. Many sessions of an address share what they may say; others talk on."""
    async with open_lobby(exempt=()) as where:
        ana = await come_in(where, "ana", address="192.0.2.1")
        await type_line(ana, "/Buy gold")
        for line in ("/buy  GOLD!", "/Buy gold"):
            with pytest.raises(InputError, match="just said that"):
                await type_line(ana, line)
        await asyncio.sleep(TALK_REPEATED_SECONDS)
        await type_line(ana, "/buy gold")
        many = [await come_in(where, f"eve{n}", address="198.51.100.7") for n in range(5)]
        for n in range(int(TALK_OF_ADDRESS.share.burst)):
            await execute(parse(f"/{n}", many[n % 5]), many[n % 5])
        with pytest.raises(InputError, match="many talk at your address"):
            await type_line(many[0], "/too much")
        assert where.ledger.used(TALK_OF_ADDRESS)["198.51.100.7"] == TALK_OF_ADDRESS.share.burst
        await asyncio.sleep(1)
        await type_line(many[0], "/too much")  # what was refused was not said
        await type_line(ana, "/hello")


@in_virtual_time
async def test_talk_is_forgotten_after_some_lines_and_some_minutes() -> None:
    """And what the host announces is told like talk in the lobby."""
    async with open_lobby(exempt=()) as where:
        ana = await come_in(where, "ana")
        await type_line(ana, "/too old")
        await asyncio.sleep(TALK_KEPT_SECONDS)
        assert told(await come_in(where, "bo")) == []
        for number in range(TALK_KEPT + 3):
            await type_line(ana, f"/line {number}")
            await asyncio.sleep(1)
        where.visitors.announce("pizza is here")
        expected = [f"ana: line {number}" for number in range(4, TALK_KEPT + 3)]
        assert told(await come_in(where, "bo")) == [EARLIER, *expected, "host: pizza is here"]


def holds(tmp_path: Path, text: bytes) -> bool:
    """Whether a file of the database holds a text."""
    return any(text in file.read_bytes() for file in tmp_path.glob("quatch.db*"))


async def test_talk_is_there_on_the_screen_and_in_lines_and_not_on_the_disk(tmp_path: Path) -> None:
    """With a real client: who comes reads it in the talk part of the screen, or below the greeting."""
    store, key = SqliteDatabase(tmp_path / "quatch.db"), asyncssh.generate_private_key("ssh-ed25519")
    async with running_server(tmp_path, store) as server, server.person("ana") as ana:
        ana.type("/who plays pontoon")
        async with server.person("bo", term=None) as bo:
            assert f"{EARLIER}\nana: who plays pontoon" in (await bo.until("pontoon")).replace("\r", "")
        await ana.enter("new seats=2", "Your table.")
        async with server.person("cy", key=key) as cy:
            await cy.until("ana: who plays pontoon")
            await cy.enter("sit 1", "seat 2   cy  (you)")
            assert "pontoon" not in cy.shown
            cy.type("/hello")
            await ana.until("cy: hello")
            await cy.enter("start", "ready begins")
        async with server.person("cy", key=key) as cy:
            shown = await cy.until(" cy: hello")
            assert f" {EARLIER}" in shown
    assert holds(tmp_path, b"opened")
    assert not holds(tmp_path, b"pontoon")


@in_virtual_time
async def test_who_is_ignored_with_a_key_is_ignored_the_next_time_too() -> None:
    """Until the player hears them again."""
    async with open_lobby(exempt=()) as where:
        bo = await come_in(where, "bo")
        for typed, heard in (("ignore bo", []), ("ignore bo", []), ("ignore bo\nignore bo", ["bo: hello"])):
            ana = await come_in(where, "ana", "SHA256:ana")
            for line in typed.split("\n"):
                await type_line(ana, line)
            await ana.finish()
            ana = await come_in(where, "ana", "SHA256:ana")
            told(ana)
            await asyncio.sleep(TALK_REPEATED_SECONDS)
            await type_line(bo, "/hello")
            assert told(ana) == heard
            await ana.finish()


@in_virtual_time
async def test_what_a_player_said_is_told_later_under_the_name_that_they_have_then() -> None:
    """A name that an op has taken from them is not read again."""
    async with open_lobby(exempt=()) as where:
        ana, bo = await come_in(where, "ana"), await come_in(where, "bo")
        await type_line(bo, "new seats=2")
        await type_line(ana, "/hello")
        await type_line(ana, "name anna")
        told(bo)
        await type_line(bo, "leave")
        assert list(bo.scene.talk) == [EARLIER, "anna: hello"]
