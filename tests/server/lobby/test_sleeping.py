"""Tables without players: they take no memory, are loaded when somebody comes, and close in time."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any, ParamSpec

import apsw
import pytest

from engine.errors import InputError
from server.config import Config
from server.limits import CLOCK_SECONDS, TABLES_PER_CONNECTION, TABLES_PER_PLAYER
from server.lobby.lobby import CLOSE_SECONDS, Lobby
from server.lobby.tables import AWAITED_SECONDS, READ_SECONDS
from server.people.players import Caller, Player
from server.storage import sql, sqlite_database, sqlite_file
from server.storage.sqlite_database import MemoryDatabase, SqliteDatabase
from server.table.deadlines import DROWSY_SECONDS, WAKING_SECONDS
from server.table.table import Table
from server.table.table_events import LOST
from server.table.unlogged_state import LOADED_SECONDS
from tests.support.emulator import opened
from tests.support.log_entries import heads
from tests.support.nodes import node
from tests.support.simulated_log import World
from tests.support.tables import ANA, BO, Watcher, known_seeds, table_settings
from tests.support.virtual_time import SkippingLoop

pytestmark = pytest.mark.virtual_time
P = ParamSpec("P")

CONFIG = Config(pace=1.0, grace=10.0, keep_table=300.0, keep_seat=600.0, per_address=2, workers=0)
BELIEVED_SECONDS = 9.0
"""For so long others believe that a process lives which says nothing."""
UNLOADED = DROWSY_SECONDS + LOADED_SECONDS + 1


@asynccontextmanager
async def lobbies(log: MemoryDatabase, number: int = 1) -> AsyncIterator[list[Lobby]]:
    """Servers that share a log."""
    world = World(1)
    world.log = log
    servers = [node(world, str(each), CONFIG) for each in range(number)]
    for server in servers:
        await server.open()
    yield servers
    for server in servers:
        await server.close()


async def left_game(lobby: Lobby, player: Player = ANA, caller: Caller = Caller()) -> int:  # noqa: B008 - never changed
    """A player begins a game and hangs up; the number of the table."""
    ana = Watcher()
    table = await lobby.tables.open_table(table_settings(), caller, player.id)
    await table.sit(ana, player)
    await table.start(ana)
    await table.leave(ana, LOST)
    return table.number


async def test_a_table_that_all_have_left_is_forgotten_and_goes_on_when_a_player_returns() -> None:
    """Their seat and name are known meanwhile, and nobody else gets the name."""
    log, ana = MemoryDatabase(), Watcher()
    async with lobbies(log) as (lobby,):
        number = await left_game(lobby)
        before = await heads(log)
        await asyncio.sleep(UNLOADED)
        assert not lobby.tables.listings()
        assert await lobby.tables.seats_of(ANA.id) == {number: "ana"}
        assert [await lobby.tables.sleeping_seats(player.id) for player in (ANA, BO)] == [(number,), ()]
        assert await log.number(sql.COUNT_ASLEEP) == 1
        assert await lobby.names.name_for(ANA.id, "somebody", await lobby.tables.seats_of(ANA.id)) == "ana"
        assert await lobby.names.free("ana", BO.id) == "ana2"
        table = await lobby.tables.bring_up(str(number))
        await table.come(ana, ANA)
        assert await heads(log) == before
        assert (ana.seen.seat, ana.seen.playing) == (0, True)


def test_sleeping_tables_cost_no_query_and_no_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are: the same statements are executed, in as many steps and as often, by the same tasks."""
    executed: list[dict[str, Any]] = []

    def traced(opens: Callable[P, apsw.Connection]) -> Callable[P, apsw.Connection]:
        def open_traced(*args: P.args, **kwargs: P.kwargs) -> apsw.Connection:
            db = opens(*args, **kwargs)
            db.trace_v2(apsw.SQLITE_TRACE_PROFILE, executed.append)
            return db

        return open_traced

    for opens in (sqlite_file.open_for_reading, sqlite_file.open_for_writing):
        monkeypatch.setattr(sqlite_database, opens.__name__, traced(opens))

    async def minute(asleep: int, lobby: Lobby) -> tuple[dict[str, int], Counter[str], list[str]]:
        """With so many sleeping tables: the steps of each statement, how often it is executed, and the tasks."""
        for number in range(await lobby.store.number(sql.COUNT_ASLEEP), asleep):
            await left_game(lobby, Player(f"account:{number}", f"p{number}"))
        await asyncio.sleep(UNLOADED)
        assert await lobby.store.number(sql.COUNT_ASLEEP) == asleep
        executed.clear()
        await asyncio.sleep(60)
        steps = {each["sql"]: each["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"] for each in executed}
        return steps, Counter(each["sql"] for each in executed), sorted(task.get_name() for task in asyncio.all_tasks())

    async def compare() -> None:
        loop = asyncio.get_running_loop()
        log = SqliteDatabase(tmp_path / "quatch.db")
        async with opened(Lobby(CONFIG, log, new_seed=known_seeds(), wall=loop.time)) as lobby:
            none, few, many = [await minute(asleep, lobby) for asleep in (0, 2, 30)]
            assert many[0] == few[0]
            # A minute may have one look less or more, which reads three kinds of sanctions.
            assert many[1] == pytest.approx(none[1], rel=0.1, abs=3)
            assert many[2] == none[2]

    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(compare())


async def test_a_sleeping_table_closes_when_it_is_due_and_its_game_is_kept() -> None:
    """Also if the server has been started again since; a table that does not exist is not found."""
    log = MemoryDatabase()
    async with lobbies(log) as (lobby,):
        number = await left_game(lobby)
        await asyncio.sleep(UNLOADED)
    async with lobbies(log) as (lobby,):
        await asyncio.sleep(CONFIG.keep_seat - UNLOADED - 2)
        assert await heads(log)
        assert not lobby.tables.listings()
        await asyncio.sleep(2 + CLOSE_SECONDS)
        assert not await heads(log)
        assert len(await log.latest(5)) == 1
        with pytest.raises(InputError, match="no table"):
            await lobby.tables.bring_up(str(number))


async def test_a_player_who_returns_elsewhere_just_before_a_table_is_closed_is_faster() -> None:
    """The server that would close it loses, and reads that somebody is there."""
    log, ana = MemoryDatabase(), Watcher()
    async with lobbies(log, 2) as (here, there):
        number = await left_game(here)
        await asyncio.sleep(CONFIG.keep_seat - 1)
        table = await there.tables.bring_up(str(number))
        await table.come(ana, ANA)
        await asyncio.sleep(CONFIG.keep_seat / 2)
        assert await heads(log)
        assert "closed" not in ana.lines


async def test_tables_that_were_awake_when_a_server_died_fall_asleep() -> None:
    """For as long as they are kept from then on."""
    log, ana = MemoryDatabase(), Watcher()
    async with lobbies(log) as (lobby,):
        table = await lobby.tables.open_table(table_settings())
        await table.sit(ana, ANA)
        await asyncio.sleep(CONFIG.keep_table * 2)
    assert [*await log.awake()] == [1]
    async with lobbies(log) as (lobby,):
        await asyncio.sleep(BELIEVED_SECONDS + UNLOADED)
        assert not lobby.tables.listings()
        assert not await log.awake()
        assert await heads(log)
        await asyncio.sleep(CONFIG.keep_table)
        assert not await heads(log)


@asynccontextmanager
async def back_after_a_start(bo: Watcher) -> AsyncIterator[Table]:
    """A game of ana and bo that a start has found, to which ana has come back."""
    log, ana = MemoryDatabase(), Watcher()
    async with lobbies(log) as (lobby,):
        table = await lobby.tables.open_table(table_settings(2, clock=CLOCK_SECONDS.start))
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
    async with lobbies(log) as (lobby,):
        await asyncio.sleep(UNLOADED)
        table = await lobby.tables.bring_up("1")
        await table.come(ana, ANA)
        yield table


async def test_a_table_that_a_start_finds_waits_for_its_people() -> None:
    """Whoever is back first: no AI player plays for the others, and no clock runs out, until they had time to come."""
    clock = CLOCK_SECONDS.start
    async with back_after_a_start(Watcher()) as table:
        await asyncio.sleep(AWAITED_SECONDS - UNLOADED + min(clock, CONFIG.grace) - 1)
        assert not any(seat and seat.away for seat in table.journal.state.seats)
        await asyncio.sleep(abs(clock - CONFIG.grace) + 2)
        assert [seat.away for seat in table.journal.state.seats if seat and seat.player == BO] == ["gone"]


async def test_a_table_waits_no_more_when_its_people_are_back() -> None:
    """Their clock is the usual one, and a table that is opened after the start has no other."""
    bo = Watcher()
    async with back_after_a_start(bo) as table:
        assert table.deadline
        now, clock = asyncio.get_running_loop().time(), table.journal.state.clock or 0
        assert table.deadline > now + clock
        await table.come(bo, BO)
        assert table.deadline == now + clock


async def test_another_process_shows_the_clock_of_the_players_who_were_never_away() -> None:
    """As at the console after a renewal, while the game goes on in the process before."""
    ana, bo = Watcher(), Watcher()
    async with lobbies(MemoryDatabase(), 2) as (here, there):
        table = await here.tables.open_table(table_settings(2, clock=AWAITED_SECONDS))
        await table.sit(ana, ANA)
        await table.sit(bo, BO)
        await table.start(ana)
        await asyncio.sleep(READ_SECONDS)
        there.tables.begin_viewing(there)
        await asyncio.sleep(1)
        assert there.tables.here[1].deadline == table.deadline


async def test_a_player_who_opens_too_many_tables_loses_the_one_that_is_due_first() -> None:
    """Soon. A restart forgets none of them. Games of closed tables are kept, their numbers not given again."""
    log = MemoryDatabase()
    async with lobbies(log) as (lobby,):
        for number in range(1, TABLES_PER_PLAYER.share + 1):
            assert await left_game(lobby) == number
            await asyncio.sleep(UNLOADED)
    async with lobbies(log) as (lobby,):
        await asyncio.sleep(1)
        assert await left_game(lobby) == TABLES_PER_PLAYER.share + 1
        await asyncio.sleep(WAKING_SECONDS + READ_SECONDS)
        assert {*await heads(log)} == {*range(2, TABLES_PER_PLAYER.share + 2)}
        assert len(await log.latest(50)) == 1
        assert await left_game(lobby, BO) == TABLES_PER_PLAYER.share + 2


async def test_an_address_keeps_only_so_many_tables() -> None:
    """Unless somebody is present at all of them: then there is no other."""
    caller, most = Caller(address=ip_address("192.0.2.7")), TABLES_PER_CONNECTION.share * CONFIG.per_address
    async with lobbies(MemoryDatabase()) as (lobby,):
        for number in range(most):
            table = await lobby.tables.open_table(table_settings(), caller)
            await table.sit(Watcher(), Player(f"guest:{number}", f"g{number}"))
        with pytest.raises(InputError, match="sit down at one of them"):
            await lobby.tables.open_table(table_settings(), caller)
        await lobby.tables.open_table(table_settings(), Caller(address=ip_address("192.0.2.8")))


async def test_an_opener_of_too_many_tables_is_told_who_opened_them() -> None:
    """The player, or the address, which may be that of others, too. Somebody from elsewhere is at each table."""
    here, elsewhere = (Caller(address=ip_address(f"192.0.2.{n}")) for n in (7, 8))
    most = TABLES_PER_CONNECTION.share * CONFIG.per_address
    guests = [Player(f"guest:{n}", f"g{n}") for n in range(TABLES_PER_PLAYER.share)]
    async with lobbies(MemoryDatabase()) as (lobby,):
        numbers = [await left_game(lobby, guest, here) for guest in guests[:most]]
        await asyncio.sleep(UNLOADED)
        for number, guest in zip(numbers, guests, strict=False):
            await (await lobby.tables.bring_up(str(number), elsewhere)).come(Watcher(), guest)
        with pytest.raises(InputError, match=f"^your address has opened {most} tables: sit down at one of them"):
            await lobby.tables.open_table(table_settings(), here)
    async with lobbies(MemoryDatabase()) as (lobby,):
        for guest in guests:
            await (await lobby.tables.open_table(table_settings(), player_id=ANA.id)).sit(Watcher(), guest)
        with pytest.raises(
            InputError, match=f"^you have opened {TABLES_PER_PLAYER.share} tables: sit down at one of them"
        ):
            await lobby.tables.open_table(table_settings(), player_id=ANA.id)
