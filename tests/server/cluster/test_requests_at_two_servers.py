"""Two servers on one log: what a player asks for is not refused since another server wrote first. Only a move may be.

Neither server hears the other, so each knows nothing of what the other has just written.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

from server.config import Config
from server.lobby.lobby import Lobby
from server.lobby.tables import READ_SECONDS
from server.people.players import Player
from server.records.fairness import seal_of
from server.storage.sqlite_database import MemoryDatabase
from server.table.entries import (
    Away,
    Barred,
    Change,
    Cut,
    CutOpened,
    CutsClosed,
    CutSealed,
    Dealt,
    Left,
    Returned,
    Sat,
    read_change,
)
from server.table.journal import Journal
from tests.support.bots import MOMENT, Program
from tests.support.emulator import TerminalPlayer
from tests.support.features import CORE_COMMANDS
from tests.support.nodes import DEAF, lobbies, node
from tests.support.simulated_log import Faults, World
from tests.support.tables import ANA, BO, Watcher, add, changes, table_settings
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time
CY: Final = Player("guest:cy", "cy")
CY_SITS: Final = Sat(2, CY)
SEAL: Final = seal_of("lucky")


class Typed(NamedTuple):
    """What the host of a table types, and what must come of it although another server wrote something else first."""

    line: str
    becomes: type
    elsewhere: Change = CY_SITS
    before: tuple[str, ...] = ()


TYPED: Final = {
    "start": Typed("start", Dealt),
    "add": Typed("add hard", Sat),
    "remove": Typed("remove bo", Barred, before=("remove bo",)),
    "cut": Typed("cut lucky", Cut),
    "cut seal": Typed(f"cut seal {SEAL}", CutSealed),
    "cut open": Typed("cut open lucky", CutOpened, CutsClosed(), (f"cut seal {SEAL}",)),
    "back": Typed("back", Returned, Away(0, "gone"), ("start",)),
    "leave": Typed("leave", Left),
    "set": Typed("set level extreme", Sat, Sat(3, CY), ("add",)),
}
COMING: Final = {"sit", "watch", "meet"}
WRITE_TO_NO_OTHER_TABLE: Final = {
    *("play", "new", "invite", "say", "tell", "ignore", "resume", "decline"),
    *("name", "quit"),
}
SENT: Final[dict[str, tuple[dict[str, Any], type, Change, tuple[dict[str, Any], ...]]]] = {
    "start": ({}, Dealt, CY_SITS, ()),
    "again": ({}, Dealt, CY_SITS, ()),
    "cut": ({"seal": SEAL}, CutSealed, CY_SITS, ()),
    "cut open": ({"open": "lucky"}, CutOpened, CutsClosed(), ({"type": "cut", "seal": SEAL},)),
    "back": ({}, Returned, Away(0, "gone"), ({"type": "start"},)),
    "leave": ({}, Left, CY_SITS, ()),
}


@asynccontextmanager
async def servers() -> AsyncIterator[tuple[MemoryDatabase, Lobby, Lobby]]:
    """Two servers that do not hear each other."""
    async with lobbies(DEAF) as (log, (here, there)):
        yield log, here, there


async def bo_sits(there: Lobby) -> Watcher:
    """Bo sits down at the other server, and both servers know it."""
    bo = Watcher()
    await (await there.tables.bring_up("1")).sit(bo, BO)
    await asyncio.sleep(READ_SECONDS * 1.1)
    return bo


async def written_elsewhere(log: MemoryDatabase, *changes: Change) -> None:
    """Another server writes this."""
    journal = await Journal.load(log, 1, now)
    for change in changes:
        await add(journal, change)


async def written(log: MemoryDatabase) -> list[type]:
    """The kinds of all changes at table 1."""
    return [type(read_change(entry.data)) for entry in await log.read(1)]


def test_every_request_is_tried() -> None:
    """Each command of the core that players type at a table or on the way there, and each request of bots."""
    commands = {each.name for each in CORE_COMMANDS if not (each.read_only or each.ops)}
    commands &= {each.name for each in CORE_COMMANDS if {"lobby", "table", "watching"} & {*each.where}}
    assert commands == {name.partition(" ")[0] for name in TYPED} | COMING | WRITE_TO_NO_OTHER_TABLE
    bot_requests = pytest.importorskip("server.bot_protocol.requests")
    requests = {str(kind.__struct_config__.tag) for kind in bot_requests.OF_THE_CORE}
    others = {"join", "new", "move", "tables", "ping"}
    assert requests == {name.partition(" ")[0] for name in SENT} | others


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
@pytest.mark.parametrize("name", TYPED)
async def test_what_a_player_types_is_done_although_another_server_wrote_first(name: str, term: str) -> None:
    """On a screen and in lines."""
    typed = TYPED[name]
    async with servers() as (log, here, there):
        ana = TerminalPlayer(here, "ana", term=term)
        await ana.type("new seats=4")
        await bo_sits(there)
        await ana.type(*typed.before)
        await written_elsewhere(log, typed.elsewhere)
        before = len(await written(log))
        await ana.type(typed.line)
        assert typed.becomes in (await written(log))[before:]
        assert "moved on" not in ana.shown
        await ana.go()


@pytest.mark.parametrize("name", SENT)
async def test_what_a_bot_sends_is_done_although_another_server_wrote_first(name: str) -> None:
    """And it is told of no error."""
    keys, becomes, elsewhere, first = SENT[name]
    async with servers() as (log, here, there):
        hal = Program(here)
        await hal.send(type="new", rules="quatch", seats=4)
        await bo_sits(there)
        for request in first:
            await hal.send(**request)
        await written_elsewhere(log, elsewhere)
        before = len(await written(log))
        told = await hal.send(type=name.partition(" ")[0], **keys)
        assert becomes in (await written(log))[before:]
        errors = {message["code"] for message in told if message["type"] == "error"}
        assert errors <= {"away"}  # which tells it what `back` is for
        hal.running.cancel()


@pytest.mark.parametrize("line", ["sit 1", "watch 1"])
async def test_a_table_that_was_opened_at_another_server_is_found_at_once(line: str) -> None:
    """By its number, in the lists, and by a bot that comes."""
    async with servers() as (_, here, there):
        bo, hal = TerminalPlayer(there, "bo", term="dumb"), Program(there)
        await bo.type("tables")
        await (await here.tables.open_table(table_settings(4))).sit(Watcher(), ANA)
        assert "1 table." in await bo.type("tables all")
        await (await here.tables.open_table(table_settings())).sit(Watcher(), ANA)
        told = await hal.send(type="tables")
        assert [table["table"] for table in told[-1]["tables"]] == [1, 2]
        await (await here.tables.open_table(table_settings())).sit(Watcher(), ANA)
        told = await hal.send(type="join", table=3)
        assert "joined" in {message["type"] for message in told}
        await hal.send(type="leave")
        await (await here.tables.open_table(replace(table_settings(), rules="life"))).sit(Watcher(), ANA)
        told = await hal.send(type="join", table="any", rules="life")
        assert [message["table"] for message in told if message["type"] == "joined"] == [4]
        await bo.type(line)
        assert there.tables.here[1].runtime.here
        hal.running.cancel()
        await bo.go()


async def test_a_seat_that_was_left_at_another_server_is_free_at_once() -> None:
    """For a spectator, and for a player who comes."""
    async with servers() as (log, here, there):
        table = await here.tables.open_table(table_settings())
        await table.sit(Watcher(), ANA)
        await bo_sits(there)
        cy, di = TerminalPlayer(here, "cy", term="dumb"), TerminalPlayer(here, "di", term="dumb")
        assert "no free seat" in await cy.type("watch 1", "sit")
        await written_elsewhere(log, Left(1))
        await cy.type("sit")
        assert [seat and seat.player.name for seat in table.journal.state.seats] == ["ana", "cy"]
        await asyncio.sleep(READ_SECONDS * 1.1)
        await written_elsewhere(log, Left(1))
        await di.type("sit 1")
        assert [seat and seat.player.name for seat in table.journal.state.seats] == ["ana", "di"]
        await cy.go()
        await di.go()


async def test_a_host_does_not_remove_a_player_who_took_the_seat_of_an_ai_player_elsewhere() -> None:
    """They would be barred for ever, and the host has not seen them."""
    async with servers() as (log, here, _):
        table, ana = await here.tables.open_table(table_settings(4)), Watcher()
        await table.sit(ana, ANA)
        await table.add(ana)
        await written_elsewhere(log, Sat(1, BO))
        await table.remove(ana, 1)
        seat = table.journal.state.seats[1]
        assert seat is not None
        assert seat.player == BO
        assert not table.journal.state.barred


@pytest.mark.parametrize("seed", range(4))
async def test_again_at_two_servers_at_once_starts_one_game(seed: int) -> None:
    """The second bot has what it asked for, and is told no error; its turn comes when its server has read of it."""
    world = World(seed, Faults(latency=0.2))
    lobbies = [node(world, str(number), Config(pace=0)) for number in range(2)]
    for lobby in lobbies:
        await lobby.open()
    here, there = map(Program, lobbies)
    await here.hear(MOMENT)
    await here.send(type="new", seats=2)
    await there.hear(10)
    await there.send(type="join", table=1)
    await there.hear(10)

    async def again(bot: Program) -> list[dict[str, Any]]:
        return [*await bot.send(type="again"), *await bot.hear(10)]

    for told in await asyncio.gather(again(here), again(there)):
        assert [message["type"] for message in told if message["type"] in {"error", "refused", "turn"}] == ["turn"]
    assert len(await changes(world.log, Dealt)) == 1
    for each in (here, there):
        each.running.cancel()
    await asyncio.gather(here.running, there.running, return_exceptions=True)
    for lobby in lobbies:
        await lobby.close()
