"""The host and the ops learn why nothing can be saved, and of a wrong clock; what else follows from it."""

import asyncio
import time

import pytest
from structlog.testing import capture_logs

from server.alarms import CALM_SECONDS, Alarms
from server.app.app import App
from server.config import Config
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from tests.support.emulator import open_lobby
from tests.support.front_end import come_in
from tests.support.tables import ANA, BO, Watcher, known_seeds, table_settings
from tests.support.tables_in_time import mover, play_began

pytestmark = pytest.mark.virtual_time
OP_KEY, LATE_KEY = ("SHA256:" + letter * 43 for letter in "ol")


async def test_ops_are_told_once_and_when_it_is_over() -> None:
    """Also an op who comes later; a problem that comes and goes is told once. Players are not told."""
    store = MemoryDatabase()
    async with open_lobby(store, ops=(OP_KEY, LATE_KEY)) as lobby:
        alarm = Alarms(lobby)
        (_, ana), (_, op), (host, told) = [await come_in(lobby, *who) for who in (("ana",), ("bo", OP_KEY), ("host",))]
        host.caller = Caller(runs_server=True)
        with capture_logs() as logs:
            for now, problem in enumerate(("", "the disk is full", "", "the disk is full")):
                store.problem = problem
                alarm.check(now)
            _, later = await come_in(lobby, "late", LATE_KEY)
            alarm.check(4)
            store.problem = ""
            alarm.check(5)
            assert op.lines == told.lines == later.lines == ["server: nothing can be saved: the disk is full"]
            alarm.check(4 + CALM_SECONDS)
            alarm.check(5 + CALM_SECONDS)
        assert op.lines[1:] == told.lines[1:] == later.lines[1:] == ["server: games can be saved again"]
        assert ana.lines == []
        assert [line["event"] for line in logs] == ["nothing can be saved"] * 3 + ["games can be saved again"]


async def test_a_wrong_clock_is_told_and_does_not_count() -> None:
    """What ends at a time of day ends by the clock of the database, not by that of one machine."""
    store, noon = MemoryDatabase(), time.mktime((2026, 11, 22, 12, 0, 0, 0, 0, -1))
    app = App(Config(ops=(OP_KEY,)), store, [], wall=lambda: noon)
    await app.lobby.open()
    assert app.lobby.wall() == noon
    store.clock_ahead = -3600.0
    assert app.lobby.wall() == noon + 3600.0
    alarms, (_, op) = Alarms(app.lobby), await come_in(app.lobby, "bo", OP_KEY)
    for now, ahead in enumerate((600.0, 605.0, 2.0, 0.0)):
        store.clock_ahead = ahead
        alarms.check(CALM_SECONDS * now)
    told, over = op.lines
    assert told.startswith("server: the clock of this machine is wrong: it is more than ten minutes ahead")
    assert over.endswith("the clock is right again")
    await app.lobby.close()


class FullDisk(MemoryDatabase):
    """A log that nothing can be written to until there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.problem, self.is_full = "the disk is full", True

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """As the logs on a disk do it."""
        if self.is_full:
            raise NotSaved(self.problem)
        self.problem = ""
        await super().put_text(kind, key, value)


async def test_a_server_at_which_nobody_plays_finds_out_that_there_is_room_again() -> None:
    """It tries to write: no player comes to a server that cannot."""
    store = FullDisk()
    lobby = Lobby(Config(), store, new_seed=known_seeds())
    running = asyncio.create_task(Alarms(lobby).run())
    await asyncio.sleep(4.5)
    assert store.problem
    store.is_full = False
    await asyncio.sleep(2)
    assert not store.problem
    running.cancel()


async def test_clocks_stand_still_while_nothing_can_be_saved() -> None:
    """A player has as much time as before when moves can be saved again."""
    store = MemoryDatabase()
    async with open_lobby(store) as lobby:
        running = asyncio.create_task(Alarms(lobby).run())
        table = await lobby.tables.open_table(table_settings(clock=10))
        ana, bo = Watcher(), Watcher()
        await play_began(table, (ana, ANA), (bo, BO))
        slow = mover(ana, bo)

        def is_away() -> bool:
            return slow.snapshot is not None and slow.snapshot.away

        await asyncio.sleep(6.5)  # never at the moment at which something is looked at
        store.problem = "the disk is full"
        await asyncio.sleep(60)
        assert not is_away()
        store.problem = ""
        await asyncio.sleep(1)
        assert not is_away()
        await asyncio.sleep(4)
        assert is_away()
        running.cancel()
