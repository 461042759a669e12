"""All servers on one database have the same host key; one with another key does not start."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from unittest.mock import patch

import pytest
from structlog.testing import capture_logs

from server.app.app import App
from server.cluster.host_key_check import check_host_key
from server.config import NEW_KEY, Config
from server.net.listening_sockets import by_carrier, open_all
from server.storage.database import Database, NotSaved
from server.storage.engines import database_at
from server.storage.sqlite_database import MemoryDatabase
from server.transport.host_keys import KEY_NAME, HostKeyError, load_or_create
from tests.support.features import FEATURES

OLD, NEW = (f"SHA256:{letter * 43}" for letter in "ab")
CONFIG = Config(hostkeys="keys", node="one")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def logs(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Sequence[Database]]:
    """The logs of two servers on one database."""
    memory: Database = MemoryDatabase()
    match request.param:
        case "memory":
            opened = [memory, memory]
        case "sqlite":
            opened = [database_at("", tmp_path) for _ in range(2)]
        case _:
            url = request.getfixturevalue("database")
            opened = [database_at(url, "") for _ in range(2)]
    async with AsyncExitStack() as undo:
        for log in {*opened}:
            await log.open()
            undo.push_async_callback(log.close)
        yield opened


async def test_the_first_key_counts(logs: Sequence[Database]) -> None:
    """Whatever key it is; the line says what to do with another one."""
    one, other = logs
    await check_host_key(one, OLD, CONFIG)
    await check_host_key(other, OLD, CONFIG)
    with pytest.raises(HostKeyError) as refusal:
        await check_host_key(other, NEW, CONFIG)
    assert str(refusal.value) == (
        f"the host key in keys is {NEW}, but players know {OLD}: put the {KEY_NAME} of that one there, as the other "
        "servers on this database have it; or start with --new-host-key new, and the ssh of everybody who was here "
        "refuses to come, until they type ssh-keygen -R with the name of this host"
    )


async def test_of_two_first_starts_at_the_same_time_one_is_refused(logs: Sequence[Database]) -> None:
    """Its players would meet a changed key later."""
    one, other = logs
    starts = (check_host_key(one, OLD, CONFIG), check_host_key(other, NEW, CONFIG))
    outcomes = await asyncio.gather(*starts, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {type(None), HostKeyError}
    for log in logs:
        await check_host_key(log, OLD if outcomes[0] is None else NEW, CONFIG)


async def test_a_key_that_the_host_names_replaces_the_other(logs: Sequence[Database]) -> None:
    """Once; the setting may stay. A server that still has the old key is refused."""
    one, other = logs
    await check_host_key(one, OLD, CONFIG)
    deliberate = Config(hostkeys="keys", new_host_key=NEW)
    with capture_logs() as logged:
        await check_host_key(other, NEW, deliberate)
        await check_host_key(other, NEW, deliberate)
    assert [(line["old"], line["new"]) for line in logged] == [(OLD, NEW)]
    await check_host_key(one, NEW, CONFIG)
    with pytest.raises(HostKeyError):
        await check_host_key(one, OLD, deliberate)


async def test_a_lost_key_is_replaced_if_the_host_says_so(logs: Sequence[Database]) -> None:
    """Who is told what players will see; the log warns, too."""
    await check_host_key(logs[0], OLD, CONFIG)
    with pytest.raises(HostKeyError, match="start with --new-host-key new, and the ssh of everybody who was here"):
        await check_host_key(logs[0], NEW, CONFIG)
    with capture_logs() as logged:
        await check_host_key(logs[0], NEW, Config(hostkeys="keys", new_host_key=NEW_KEY))
    assert [(line["log_level"], line["old"], line["new"]) for line in logged] == [("warning", OLD, NEW)]
    with pytest.raises(HostKeyError):
        await check_host_key(logs[1], OLD, CONFIG)


async def test_a_server_starts_if_the_key_cannot_be_written() -> None:
    """With a full disk, players can still look; a later start writes it."""
    log = MemoryDatabase()
    with patch.object(log, "write", side_effect=NotSaved("the disk is full")), capture_logs() as logged:
        await check_host_key(log, OLD, CONFIG)
    assert "the disk is full" in logged[0]["problem"]
    await check_host_key(log, NEW, CONFIG)


async def test_a_node_with_another_key_does_not_start(tmp_path: Path) -> None:
    """Nobody is let in; with the same key it starts."""
    log = MemoryDatabase()

    async def start(folder: str, **settings: str) -> None:
        config = Config(host=("127.0.0.1",), port=0, hostkeys=str(tmp_path / folder), **settings)  # type: ignore[arg-type]
        app = App(config, log, by_carrier(await open_all(config.listens_at())), features=FEATURES)
        await app.start()
        await app.stop()

    await start("one")
    with pytest.raises(HostKeyError, match="put the"):
        await start("two")
    await start("one")
    await start("two", new_host_key=load_or_create(tmp_path / "two").get_fingerprint())
