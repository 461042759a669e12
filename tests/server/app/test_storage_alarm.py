"""The host and the ops learn why nothing can be saved."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace
from structlog.testing import capture_logs

from server.app.storage_alarm import CALM_SECONDS, StorageAlarm
from server.config import Config
from server.lobby.lobby import Lobby
from server.ops.metrics import Metrics
from server.people.players import Caller, Player
from server.storage.memory_log import MemoryLog
from tests.support.tables import ANA, BO, Watcher, known_seeds
from tests.support.virtual_time import in_virtual_time

OP_KEY = "SHA256:" + "o" * 43


class Session(Watcher):
    """A player in the lobby, with this key."""

    at_table = is_watching = False
    table_number = None

    def __init__(self, player: Player, key: str | None = None) -> None:
        super().__init__()
        self.player, self.caller = player, Caller(key=key)

    def lobby_changed(self, *_: object) -> None:
        """Of no interest here."""

    seats_read: Mapping[int, str] = MappingProxyType({})

    async def read_seats(self) -> None:
        """It has none."""

    async def rename(self, wished: str) -> None:
        """Take another name."""
        self.player = replace(self.player, name=wished)

    def dismiss(self, farewell: str) -> None:
        """The session is ended."""
        self.lines.append(farewell)


@in_virtual_time
async def test_ops_are_told_once_and_when_it_is_over() -> None:
    """Also an op who comes later; a problem that comes and goes is told once. Players are not told."""
    store = MemoryLog()
    lobby = Lobby(Config(ops=(OP_KEY,)), store, new_seed=known_seeds())
    await lobby.open()
    await asyncio.sleep(0)
    metrics = Metrics()
    alarm = StorageAlarm(lobby, metrics)
    ana, op, later = Session(ANA), Session(BO, OP_KEY), Session(Player("SHA256:late", "late"), OP_KEY)
    lobby.visitors.enter(ana)
    lobby.visitors.enter(op)
    with capture_logs() as logs:
        for now, problem in enumerate(("", "the disk is full", "", "the disk is full")):
            store.problem = problem
            alarm.check(now)
        lobby.visitors.enter(later)
        alarm.check(4)
        assert metrics.registry.get_sample_value("quatch_log_writable") == 0
        store.problem = ""
        alarm.check(5)
        assert metrics.registry.get_sample_value("quatch_log_writable") == 1
        assert op.lines == later.lines == ["server: nothing can be saved: the disk is full"]
        alarm.check(4 + CALM_SECONDS)
        alarm.check(5 + CALM_SECONDS)
    assert op.lines[1:] == later.lines[1:] == ["server: games can be saved again"]
    assert ana.lines == []
    assert [line["event"] for line in logs] == ["nothing can be saved"] * 3 + ["the log can be written again"]
    await lobby.close()
