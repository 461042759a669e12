"""Rate limits, on a clock that jumps."""

import ast
import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest

from engine.errors import InputError
from server.addresses import AddressSet, read_address, share_of
from server.features import load
from server.ledger import REFUSED, Ledger, Rate, RateLimit, Resource
from server.limits import RESOURCES
from tests.support.addresses import EACH_HAS, WHO
from tests.support.each import for_each
from tests.support.sources import modules

pytestmark = pytest.mark.virtual_time


async def test_a_burst_is_free_and_then_each_token_waits_for_its_turn() -> None:
    """A token more than the burst waits for one interval, the next for two."""
    rate = Rate(RateLimit(3, 2))
    assert [rate.take() for _ in range(5)] == [0.0, 0.0, 0.0, 0.5, 1.0]
    assert rate.wait() == 1.5
    await asyncio.sleep(1.5)
    assert rate.take() == 0.0


async def test_a_token_that_is_not_free_is_not_taken() -> None:
    """So trying again and again does not make the wait longer."""
    rate = Rate(RateLimit(1, 1))
    assert [rate.take_if_free() for _ in range(5)] == [True, False, False, False, False]
    await asyncio.sleep(1)
    assert rate.take_if_free()


async def test_a_bucket_is_full_again_in_time_and_never_fuller() -> None:
    """After as long as the whole burst takes to fill."""
    rate = Rate(RateLimit(4, 2))
    rested = [not rate.used]
    assert rate.take(3) == 0.0
    for seconds in (0.0, 1.4, 0.2):
        await asyncio.sleep(seconds)
        rested.append(not rate.used)
    assert rested == [True, False, False, True]
    await asyncio.sleep(1000)
    assert rate.take(6) == 1.0


async def test_so_many_are_held_at_a_time() -> None:
    """By each address; the part of one of two processes is half. A refusal is counted."""
    few = Resource("few", "address", 4, refusal="there are {most}", processes="divided")
    ledger, other = (Ledger([few], AddressSet([]), AddressSet([]), processes=2) for _ in range(2))
    with ledger.held(few, "here"), ledger.held(few, "here"):
        refused = REFUSED[few.name]
        with pytest.raises(InputError, match="there are 2"):
            ledger.held(few, "here").__enter__()
        assert REFUSED[few.name] == refused + 1
        with ledger.held(few, "there"), other.held(few, "here"):
            assert ledger.used(few) == {"here": 2, "there": 1}
    assert ledger.used(few) == {}


EXCEPT = {"server.ledger", "server.transport.ssh", "server.net.connection_limits"}
"""The ledger itself, and rates that are given to what uses them, or divided among the processes."""


def test_every_rate_is_that_of_a_declared_resource() -> None:
    """A limiter is made of the share of a `Resource`; only the ledger makes them for each payer."""
    for module, tree in modules("server", having="Rate("):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Rate":
                assert ast.unparse(node.args[0]).endswith(".share") or module in EXCEPT, f"{module}: {node.lineno}"


def test_every_limiter_is_in_the_ledger() -> None:
    """Each `Resource` is declared once, and known to `admin usage` and to monitoring."""
    declared = [node.args[0] for node in _calls("Resource")]
    names = [ast.literal_eval(each) for each in declared]
    assert sorted(names) == sorted(each.name for each in (*RESOURCES, *load(()).all(Resource)))
    assert len(names) == len({*names}) == len(declared)


OWN: Final = {"computing-seconds": "each process has its own loop", "worker-seconds": "each has its own workers"}
"""What is charged to more than one session, and yet in each process for itself; and why."""


def test_what_several_sessions_have_together_is_shared_or_divided() -> None:
    """A server of several processes allows no more than one of one process."""
    found = {each.name for each in (*RESOURCES, *load(()).all(Resource)) if each.processes == "each"}
    assert found == {*OWN, "requests-waiting"}


def test_a_share_is_divided_among_processes() -> None:
    """Each allows its part, and one at least; what is shared is not divided."""
    boards = Resource("boards", "server", 8, processes="divided")
    assert [boards.part(processes) for processes in (1, 2, 3, 64)] == [8, 4, 3, 1]
    assert replace(boards, processes="shared").part(2) == 8


DAY_SECONDS: Final = 86_400.0


def used_in_a_day(resource: Resource[Any], addresses: Sequence[str]) -> float:
    """How much of it these addresses can use in a day, or hold at a time, by the shares that they have."""
    shares = {"" if resource.charged_to == "server" else share_of(read_address(each)) for each in addresses}
    share = resource.share
    most = share.burst + share.per_second * DAY_SECONDS if isinstance(share, RateLimit) else share
    return len(shares) * EACH_HAS.get(resource.charged_to, 1) * most


@for_each("addresses", WHO.values())
def test_a_day_of_all_that_is_permitted_leaves_little(addresses: Sequence[str]) -> None:
    """An address leaves at most 100 MB in the database."""
    every = (*RESOURCES, *load().all(Resource))
    assert sum(each.leaves * used_in_a_day(each, addresses) for each in every if each.leaves) <= 100e6 * len(addresses)


def test_what_all_share_takes_fifty_addresses_to_hold() -> None:
    """Each such resource declares what one address can have of it, or only ops have any."""
    for each in (*RESOURCES, *load().all(Resource)):
        if each.of_address:
            of_all = each.share.per_second if isinstance(each.share, RateLimit) else each.share
            assert of_all > 49 * each.of_address, each.name
        elif each.charged_to == "server":
            assert each.name in {"bans-mutes-and-names-given", "names-that-were-meant"}


def test_only_a_resource_refuses_what_is_too_much() -> None:
    """So what is refused is counted, and says what its declaration says."""
    codes = {ast.unparse(node.args[0]) for node in _calls("InputError")}
    assert "'bad_request'" in codes
    assert not codes & {"'too_many'", "'too_fast'"}


def _calls(name: str) -> Iterator[ast.Call]:
    """The places in which the server calls this by its name."""
    for _, tree in modules("server", having=name):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).partition("[")[0] == name:
                yield node
