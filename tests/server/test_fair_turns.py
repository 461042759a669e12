"""Whose turn it is in the fair queue: by address, then by account, then by session."""

import asyncio
import gc
from collections import Counter

import pytest

from server import fair_queue
from tests.support.computer import STEP, Computer

pytestmark = pytest.mark.virtual_time


async def test_turns_go_by_address_then_by_account_then_by_session() -> None:
    """Many sessions or accounts get no more than one; each address gets its turn."""
    computer = Computer()
    one, other = computer.queue.address(), computer.queue.address()
    sessions = {
        "guest": one.session(),
        "first of bo": one.session("bo"),
        "second of bo": one.session("bo"),
        "other": other.session(),
    }
    await computer.exhaust(*sessions.values())
    floods = [asyncio.create_task(computer.flood(payer, name, 400)) for name, payer in sessions.items()]
    while len(computer.done) < 400:
        await asyncio.sleep(0)
    for flood in floods:
        flood.cancel()
    await asyncio.gather(*floods, return_exceptions=True)
    shares = Counter(computer.done[:400])
    assert shares["other"] == pytest.approx(200, rel=0.2)
    assert shares["guest"] == pytest.approx(100, rel=0.2)
    assert shares["first of bo"] == pytest.approx(50, rel=0.2)
    assert shares["second of bo"] == pytest.approx(50, rel=0.2)


async def test_no_payer_starves() -> None:
    """A payer that waits has a turn after at most one turn of each other payer."""
    computer = Computer()
    address = computer.queue.address()
    sessions = [address.session() for _ in range(20)]
    await computer.exhaust(*sessions)
    floods = [asyncio.create_task(computer.flood(payer, str(n), 30)) for n, payer in enumerate(sessions)]
    await asyncio.gather(*floods)
    for begin in range(0, len(computer.done), 20):
        assert len(set(computer.done[begin : begin + 20])) == 20


async def test_an_account_has_one_share_from_all_addresses() -> None:
    """What it has used from one address counts at the next; a guest has only an address."""
    computer = Computer()
    here = computer.queue.address().session("bo")
    await computer.exhaust(here)
    for account in ("bo", "ana", None):
        computer.queue.address().session(account).call(computer.step(account or "guest"))
    assert computer.done == ["ana", "guest"]


async def test_an_account_that_has_used_its_share_goes_last_from_a_fresh_address_too() -> None:
    """Also if it was not here in between. Each fresh address would be first otherwise."""
    computer = Computer(turn=STEP)
    await computer.exhaust(computer.queue.address().session("bo"))
    gc.collect()
    first, second = computer.queue.address(), computer.queue.address()
    fresh = [address.session("bo") for address in (first, second) for _ in range(2)]
    honest = computer.queue.address().session("ana")
    honest.call(computer.step("ana now"))
    for payer in fresh:
        payer.call(computer.step("bo"))
    honest.call(computer.step("ana"))
    first.session("cy").call(computer.step("cy"))
    await computer.turns(100)
    assert computer.done == ["ana now", "cy", "ana", *["bo"] * 4]


async def test_what_accounts_have_used_is_forgotten_when_it_is_forgiven(monkeypatch: pytest.MonkeyPatch) -> None:
    """With too many accounts; if none is forgiven yet, the one that came first is forgotten."""
    monkeypatch.setattr(fair_queue, "ACCOUNTS_REMEMBERED", 2)
    computer = Computer()

    def has_share(account: str) -> bool:
        return computer.queue.address().session(account).has_share

    await computer.exhaust(computer.queue.address().session("bo"))
    for idle in ("ana", "cy", "dee"):
        assert has_share(idle)
        assert not has_share("bo")
    await computer.exhaust(computer.queue.address().session("eve"))
    assert has_share("ana")
    assert (has_share("bo"), has_share("eve")) == (True, False)
