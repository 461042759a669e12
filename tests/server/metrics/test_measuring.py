"""What a host's monitoring reads of one process: the figures are right, and tell nothing of anybody."""

import asyncio
import json
import re
from pathlib import Path

import asyncssh
import pytest
from prometheus_client.parser import text_string_to_metric_families

from engine.ai import LEVELS
from engine.errors import InputError
from engine.moves import READY
from engine.rulesets import rulesets
from server import VERSION
from server.ledger import Resource
from server.limits import RESOURCES
from server.metrics.measuring import Measuring
from server.net.connection_limits import ConnectionDenied
from server.people.players import Caller
from server.process.counters import DENIALS, KINDS, SECONDS, Counters
from server.session import exec_commands
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from tests.support.asking import Asking
from tests.support.faulty_log import FaultyLog
from tests.support.features import FEATURES
from tests.support.limits import Limits, nth_address
from tests.support.people import RunningServer, running_server
from tests.support.playing_on_screen import play_on_screen
from tests.support.tables import ANA, Watcher, running
from tests.support.virtual_time import in_virtual_time

LABELS: dict[str, set[str]] = {
    "reason": set(DENIALS),
    "code": {"not_saved", "unknown"},
    "level": set(LEVELS),
    "le": {*map(str, SECONDS), "+Inf"},
    "carrier": {"ssh", "telnet"},
    "rules": {*rulesets(), "other"},
    "state": {"stranger", "known", "playing", "between_games", "asleep"},
    "kind": {*KINDS, "away", "free"},
    "generation": {"current", "retired"},
    "version": {VERSION},
    "resource": {each.name for each in (*RESOURCES, *FEATURES.all(Resource))},
}
"""Every label there is and all that it may say: a name, a key or a card is none of it."""


async def figures(running: RunningServer, name: str) -> dict[str, float]:
    """The figures of one name, each by the values of its labels."""
    return {
        " ".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(await running.app.measure())
        for sample in family.samples
        if sample.name == f"quatch_{name}"
    }


async def settled(running: RunningServer, name: str, expected: dict[str, float]) -> None:
    """Wait until figures are these; what has ended may take a moment to be gone."""
    seen: dict[str, float] = {}
    for _ in range(200):
        if (seen := await figures(running, name)) == expected:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{name}: {seen}")


@pytest.mark.waiting_takes_no_time
async def test_a_game_is_counted_and_nobody_is_named(tmp_path: Path) -> None:
    """Over real ssh: every figure against what was played, and every label against the list of those there may be."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with running_server(tmp_path) as running:
        async with running.person("zebrafinch", key=key) as ana, running.person("bowerbird", term=None) as bo:
            await ana.until("lobby>")
            await bo.enter("new cathedral seats=3 key=sesame", "invite shows how others come")
            await ana.enter("play quatch seats=2 level=hard", "YOUR TURN")
            assert await figures(running, "connections") == {"ssh known": 2}
            assert await figures(running, "sessions") == {"current person": 2}
            assert await figures(running, "logins_total") == {"person": 2, "bot": 0}
            assert await figures(running, "builds") == {VERSION: 1}
            assert await figures(running, "tables") == {"quatch playing": 1, "cathedral between_games": 1}
            assert await figures(running, "seats") == {"person": 2, "ai": 1, "free": 2}
            await play_on_screen(ana)
            (table,) = (table for table in running.app.lobby.tables.listings() if table.rules == "quatch")
            moves = await figures(running, "moves_total")
            assert sum(moves.values()) == table.ply
            assert moves["person"] > 0
            assert moves["ai"] > 0
            assert moves["bot"] == 0
            assert await figures(running, "games_total") == {"": 1}
            assert await figures(running, "players_today") == {"": 1}
            assert await figures(running, "move_seconds_count") == {"": moves["person"]}
            assert await figures(running, "ai_thinking_seconds_count") == dict.fromkeys(LEVELS, 0) | {
                "hard": moves["ai"]
            }
            assert (await figures(running, "frames_drawn_total"))[""] > moves["person"]
            assert (await figures(running, "tasks"))[""] >= len(asyncio.all_tasks()) - 1
            assert await figures(running, "tables_asleep") == {"": 0}
            assert (await figures(running, "database_bytes"))[""] == await running.app.lobby.store.size() == 0
            page = await running.app.measure()
            ana.type("quit")
            bo.type("/olé")
            bo.type("quit")
            assert (await ana.until_gone(), await bo.until_gone()) == (0, 0)
            assert await figures(running, "sent_bytes_total") == {"": len(ana.raw) + len(bo.raw)}
        await settled(running, "sessions", {})
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            for label, value in sample.labels.items():
                assert value in LABELS[label], f"{sample.name} tells {label} {value}"
    assert not re.search("zebrafinch|bowerbird|sesame|SHA256|127.0.0.1", page)


@pytest.mark.features("bot_protocol")
async def test_connections_without_a_login_and_bots_are_told_apart(tmp_path: Path) -> None:
    """Connections without a login, and the moves of a bot."""
    async with running_server(tmp_path) as running:
        _, silent = await asyncio.open_connection("127.0.0.1", running.port)
        async with running.person("robo", term=None, command="bot") as bot:
            await bot.press(b'{"type": "new", "rules": "quatch", "seats": 2, "fill": "easy"}\n', '"type":"turn"')
            await bot.press(b'{"type": "move", "ply": 0, "move": "ready"}\n', '"kind":"ready","seat":0')
            await settled(running, "connections", {"ssh known": 1, "ssh stranger": 1})
            assert await figures(running, "seats") == {"bot": 1, "ai": 1}
            assert (await figures(running, "moves_total"))["bot"] == 1
        silent.close()
        await settled(running, "connections", {})


@in_virtual_time
async def test_refused_logins_are_counted_by_reason() -> None:
    """Every way there is to be refused, and every penalty."""
    counters = Counters()

    def refused(limits: Limits, address: str, times: int = 1) -> None:
        for _ in range(times):
            with pytest.raises(ConnectionDenied):
                limits.admit(address)

    full = Limits(connections=1, counters=counters)
    full.admit(nth_address(1)).mark_authenticated()
    refused(full, nth_address(2))
    crowded = Limits(per_address=1, counters=counters)
    crowded.admit(nth_address(1)).mark_authenticated()
    refused(crowded, nth_address(1), 2)
    fast = Limits(per_address=10, counters=counters)
    for _ in range(20):
        entry = fast.admit(nth_address(1))
    refused(fast, nth_address(1), 3)
    entry.penalise(60)
    refused(fast, nth_address(1), 4)
    outlaw = Limits(denial=lambda _: "banned for good: never come again", counters=counters)
    refused(outlaw, nth_address(1), 5)
    assert {reason: counters.refused[reason].value for reason in DENIALS} == {
        "full": 1, "place_full": 2, "too_fast": 3, "penalty": 4, "banned": 5, "made_room": 10, "unlisted": 0
    }  # fmt: skip
    assert counters.penalties.value == 1


async def test_a_full_disk_is_counted() -> None:
    """What could not be written, beside what was."""
    store, ana = FaultyLog(), Watcher()
    counters = Counters()
    async with running(store, 2, counters) as table:
        await table.sit(ana, ANA)
        await table.start(ana)
        store.refuses = NotSaved("the disk is full")
        with pytest.raises(InputError, match="the disk is full"):
            await table.move(ana, 0, READY)
    assert counters.log_failures["not_saved"].value
    assert counters.log_failures["unknown"].value == 0
    # The first entry was written with the table's row, when it was opened.
    assert sum(counters.append_seconds.counts) == table.journal.head.seq - 1


async def test_each_server_counts_for_itself(tmp_path: Path) -> None:
    """Two in one process."""
    async with running_server(tmp_path) as one, running_server(tmp_path) as other, one.person() as ana:
        await ana.until("lobby>")
        assert await figures(one, "sessions") == {"current person": 1}
        assert await figures(other, "sessions") == {}
        await one.app.lobby.service(Measuring).retire("")
        assert await figures(one, "sessions") == {"retired person": 1}


async def test_a_server_is_ready_unless_it_drains_or_cannot_save(tmp_path: Path) -> None:
    """A balancer reads the reason as one line, and it stays while the reason does."""
    log = MemoryDatabase()
    async with running_server(tmp_path, log) as running:
        assert running.app.health() == "ready"
        running.app.lobby.drain.begin(60)
        assert running.app.health() == "draining"
        log.problem = "the disk is full"
        assert running.app.health() == "database down: the disk is full"
        log.problem = ""
        running.app.lobby.drain.cancel()
        assert running.app.health() == "ready"


@in_virtual_time
async def test_uptime_tells_how_long_the_server_has_been_up() -> None:
    """With its version, tables and people: in words inside, in words or JSON over ssh."""
    lobby = Asking().lobby
    await lobby.open()
    await asyncio.sleep(3725.5)
    _, (said,) = await exec_commands.answer("uptime", lobby, Caller("ana"))
    assert said == f"quatch {VERSION}, up 1:02:05. Tables: 0. People: 0."
    _, (said,) = await exec_commands.answer("uptime --json", lobby, Caller("ana"))
    read = json.loads(said)
    counts = {"uptime_s": 3725, "tables": 0, "people": 0, "processes": 1, "nodes": 1}
    assert read.pop("node") == lobby.config.node_name
    assert read == {"v": 1, "you": {"name": "ana", "identity": None}, "version": VERSION, **counts}
    await lobby.close()
