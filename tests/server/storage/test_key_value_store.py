"""Texts about players: a process knows what stands in the log, whichever process writes at the same moment."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from engine.errors import InputError
from server.ledger import Resource
from server.storage.database import NotSaved, OutcomeUnknown, TextRow
from server.storage.key_value_store import DurableStore
from server.storage.sqlite_database import MemoryDatabase
from tests.support.simulated_log import Faults, World
from tests.support.virtual_time import in_virtual_time

NINE, MANY = (Resource("texts", "server", most, refusal="there are {most} of them already") for most in (9, 99))


class BusyLog(MemoryDatabase):
    """Between a write and the moment in which its writer goes on, something else happens once."""

    meanwhile: Callable[[], Awaitable[object]] | None = None
    unreadable = False
    on_the_way: asyncio.Event | None = None
    """What is read now arrives when this is set."""

    async def put_text(self, kind: str, key: str, value: str | None) -> None:
        """See `Database`."""
        await super().put_text(kind, key, value)
        happens, self.meanwhile = self.meanwhile, None
        if happens is not None:
            await happens()

    async def read_texts(self, kind: str, after: int = 0) -> list[TextRow]:
        """See `Database`."""
        if self.unreadable:
            raise NotSaved("the disk reports an error")
        found = await super().read_texts(kind, after)
        on_the_way, self.on_the_way = self.on_the_way, None
        if on_the_way is not None:
            await on_the_way.wait()
        return found


@pytest.mark.parametrize("theirs", ["theirs", None])
async def test_what_others_write_over_ones_own_is_never_put_back(theirs: str | None) -> None:
    """Though it was read before one went on."""
    log = BusyLog()
    texts = DurableStore(log, "x", NINE)

    async def others_write() -> None:
        await log.put_text("x", "a", theirs)
        await texts.load()

    log.meanwhile = others_write
    await texts.put("a", "ours")
    for _ in range(2):
        assert texts.texts.get("a") == theirs
        await texts.load()


async def test_what_is_written_and_cannot_be_read_back_is_known_all_the_same() -> None:
    """And is where it belongs among what others have written as soon as the log can be read."""
    log = BusyLog()
    kept = DurableStore(log, "x", NINE)
    await log.put_text("x", "b", "theirs")
    log.unreadable = True
    await kept.put("a", "ours")
    assert kept.texts == {"a": "ours"}
    log.unreadable = False
    await log.put_text("x", "a", "theirs")
    assert await kept.load()
    assert list(kept.texts.items()) == [("b", "theirs"), ("a", "theirs")]
    assert not await kept.load()


@pytest.mark.parametrize("written", [True, False])
async def test_an_outcome_that_is_not_known_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
    written: bool,  # noqa: FBT001
) -> None:
    """A text that was written after all is known; of another one it is said that it was not saved."""
    log = MemoryDatabase()
    texts, put_text = DurableStore(log, "x", NINE), log.put_text

    async def lose_the_answer(kind: str, key: str, value: str | None) -> None:
        if written:
            await put_text(kind, key, value)
        raise OutcomeUnknown("the answer got lost")

    monkeypatch.setattr(log, "put_text", lose_the_answer)
    if written:
        await texts.put("a", "ours")
        assert texts.texts == {"a": "ours"}
    else:
        with pytest.raises(InputError, match="cannot be saved now"):
            await texts.put("a", "ours")
        assert texts.texts == {}


async def test_what_was_read_before_is_never_put_back_though_it_arrives_late() -> None:
    """A process knows what it has written itself."""
    log = BusyLog()
    kept = DurableStore(log, "x", NINE)
    await log.put_text("x", "a", "old")
    arrives = log.on_the_way = asyncio.Event()
    works = [asyncio.create_task(work) for work in (kept.load(), kept.put("a", "ours"))]
    for _ in range(10):
        await asyncio.sleep(0)
    arrives.set()
    await asyncio.gather(*works)
    assert kept.texts == {"a": "ours"}


@in_virtual_time
async def test_all_processes_come_to_know_the_same_in_the_same_order() -> None:
    """Whatever they write at once, and however long the way to the log."""
    world = World(7, Faults(latency=1.0))
    nodes = [DurableStore(world.node(name), "x", MANY) for name in ("one", "two", "three")]

    async def write(node: DurableStore, name: str) -> None:
        for number in range(40):
            await node.put(str(world.chance.randrange(30)), f"{name}{number}")

    async def look(node: DurableStore) -> None:
        for _ in range(80):
            await node.load()

    works = (work for name, node in enumerate(nodes) for work in (write(node, str(name)), look(node), look(node)))
    await asyncio.gather(*works)
    for node in nodes:
        await node.load()
    assert [(row.key, row.text) for row in await world.log.read_texts("x")] == list(nodes[0].texts.items())
    assert [list(node.texts.items()) for node in nodes[1:]] == [list(nodes[0].texts.items())] * 2
