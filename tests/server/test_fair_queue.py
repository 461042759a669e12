"""The laws of the fair queue: what runs at once, what waits, in what order, and how much may pile up."""

import asyncio
import math
import sys
from collections import Counter
from collections.abc import Callable, Generator
from functools import partial
from types import FrameType

import pytest

from server.ai.pool import WorkTurns
from server.fair_queue import PAYER, TURNS_BETWEEN, UNLIMITED, AddressGroup, FairQueue, Payer
from server.limits import COMPUTING, WAIT_TOLD_SECONDS
from server.pieces import at_once, in_pieces
from tests.support.virtual_time import VirtualTimeLoop, in_virtual_time

STEP = 0.004
"""Seconds of computing that a step of these tests takes."""


class Computer:
    """A queue whose computing time is what the steps say, and the steps that were done, in order."""

    def __init__(self, turn: float = math.inf) -> None:
        """``turn``: how much may be done at once in one turn of the event loop."""
        self.time = 0.0
        self.queue = FairQueue(lambda: self.time, turn)
        self.done: list[str] = []

    def step(self, name: str, seconds: float = STEP) -> Callable[[], None]:
        """A step that takes so long."""

        def step() -> None:
            self.time += seconds
            self.done.append(name)

        return step

    async def turns(self, count: int) -> None:
        """Let the event loop turn."""
        for _ in range(count):
            await asyncio.sleep(0)

    async def exhaust(self, *payers: Payer) -> None:
        """Have each use up its share."""
        for payer in payers:
            payer.call(self.step("much", COMPUTING.share.burst + 1))
        await asyncio.sleep(0.01)
        self.done.clear()

    async def flood(self, payer: Payer, name: str, steps: int) -> None:
        """Do so many steps, each as soon as the one before is done, as a session does that types ahead."""

        async def work() -> None:
            for _ in range(steps):
                self.step(name)()
                await asyncio.sleep(0)

        await payer.run(work())


SHARE = COMPUTING.share


@in_virtual_time
async def test_a_share_is_used_at_once_and_comes_back_with_time() -> None:
    """A burst, then a rate; a rest gives no more than the burst."""
    computer = Computer()
    payer = Payer(computer.queue.address())
    for _ in range(round(SHARE.burst / STEP) + 5):
        payer.call(computer.step("now"))
        if payer.address.steps:
            break
    assert len(computer.done) == pytest.approx(SHARE.burst / STEP, abs=1)
    await asyncio.sleep(2 * STEP / SHARE.per_second)
    computer.done.clear()
    payer.call(computer.step("now"))
    assert computer.done == ["now"]
    await asyncio.sleep(100 * SHARE.burst / SHARE.per_second)
    assert not payer.address.used.used
    await computer.exhaust(payer)
    payer.call(computer.step("later"))
    assert not computer.done
    assert payer.address.used.used


@in_virtual_time
async def test_an_honest_player_goes_at_once_while_a_flood_waits() -> None:
    """However many steps of others wait."""
    computer = Computer()
    attacker = computer.queue.address()
    sessions = [Payer(attacker) for _ in range(80)]
    await computer.exhaust(*sessions)
    for session in sessions:
        session.call(computer.step("flood"))
    honest = Payer(computer.queue.address())
    honest.call(computer.step("honest"))
    assert computer.done == ["honest"]


@in_virtual_time
async def test_after_a_rest_there_is_a_whole_turn() -> None:
    """What was done before it counts no more, so that a move and all its frames are done at once."""
    computer = Computer(turn=2 * STEP)
    payer = Payer(computer.queue.address())
    payer.call(computer.step("before"))
    await asyncio.sleep(2 * STEP + 0.001)
    for _ in range(3):
        payer.call(computer.step("now"))
    assert computer.done == ["before", "now", "now"]


@in_virtual_time
async def test_many_who_come_at_once_share_each_turn_of_the_loop() -> None:
    """However many come, all within their shares, a turn is no longer, and a player waits for a step of each address.

    What the player has used of the share before does not count against them.
    """
    computer = Computer(turn=2 * STEP)
    honest = Payer(computer.queue.address())
    honest.call(computer.step("before", 0.8 * SHARE.burst))
    await computer.turns(2)
    computer.done.clear()
    attackers = [computer.queue.address() for _ in range(5)]
    for number in range(50):
        Payer(attackers[number % 5]).call(computer.step("burst"))
    assert computer.done == ["burst"] * 2
    honest.call(computer.step("honest"))
    await computer.turns(1)
    assert len(computer.done) == 2 + 2
    await computer.turns(2)
    assert computer.done.index("honest") <= 2 + 5
    await computer.turns(200)
    assert len(computer.done) == 51


@in_virtual_time
async def test_many_who_wait_cost_each_as_much_as_few() -> None:
    """As the spectators of one table do, who are all shown a move."""

    async def calls_of(people: int) -> float:
        computer, calls = Computer(turn=people * STEP), 0
        Payer(computer.queue.address()).call(computer.step("full", people * STEP))
        for _ in range(people):
            Payer(computer.queue.address()).call(computer.step("shown"))

        def count(_frame: FrameType, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event == "call"

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            await computer.turns(2)
        finally:
            sys.setprofile(before)
        assert len(computer.done) == 1 + people
        return calls / people

    assert await calls_of(400) < 1.2 * await calls_of(20)


@in_virtual_time
async def test_an_address_that_a_step_of_another_charges_comes_after_those_that_have_used_less() -> None:
    """In the same turn: one that has used up its share waits for a later turn."""
    computer = Computer(turn=10 * SHARE.burst)
    first, much, little, other = (Payer(computer.queue.address()) for _ in range(4))

    def step() -> None:
        much.call(computer.step("charged much", 2 * SHARE.burst), may_wait=False)
        little.call(computer.step("charged little", 2 * STEP), may_wait=False)

    first.call(computer.step("full", 10 * SHARE.burst))
    first.address.used.used_until = -1e6
    first.call(step)
    for payer, name in ((much, "much"), (little, "little"), (other, "other")):
        payer.call(computer.step(name))
    computer.done.clear()
    await computer.turns(1)
    assert computer.done == ["charged much", "charged little", "other", "little"]
    await computer.turns(2 * TURNS_BETWEEN)
    assert computer.done[4:] == ["much"]


@in_virtual_time
async def test_a_flood_gives_way_while_others_are_answered() -> None:
    """It has every turn of the loop for itself; after a step within a share it has one turn in eight."""
    computer = Computer()
    attacker = computer.queue.address()
    sessions = [Payer(attacker) for _ in range(80)]
    await computer.exhaust(*sessions)
    for session in sessions:
        session.call(computer.step("flood"))
    await computer.turns(TURNS_BETWEEN)
    assert len(computer.done) >= TURNS_BETWEEN - 1
    Payer(computer.queue.address()).call(computer.step("honest"))
    computer.done.clear()
    await computer.turns(TURNS_BETWEEN - 1)
    assert len(computer.done) <= 1


@in_virtual_time
async def test_what_waits_is_bounded() -> None:
    """The same step waits once, however often it is asked for, and nothing is left when all is done."""
    computer = Computer()
    payer = Payer(computer.queue.address())
    await computer.exhaust(payer)
    step = computer.step("painted")
    for _ in range(1_000):
        payer.call(step)
    await asyncio.sleep(0.1)
    assert computer.done == ["painted"]
    assert not payer.address.steps
    assert not computer.queue.waiting


@in_virtual_time
async def test_work_inside_other_work_is_charged_once_and_to_its_own_payer() -> None:
    """A step of a connection that handles a session's keys."""
    computer = Computer()
    outer, inner = Payer(computer.queue.address()), Payer(computer.queue.address())

    def step() -> None:
        computer.step("outer", 0.01)()
        inner.call(computer.step("inner", 0.02))

    outer.call(step)
    now = asyncio.get_running_loop().time()
    forgiven = SHARE.burst / SHARE.per_second
    assert outer.address.used.used_until == pytest.approx(now - forgiven + 0.01 / SHARE.per_second)
    assert inner.address.used.used_until == pytest.approx(now - forgiven + 0.02 / SHARE.per_second)
    assert computer.queue.charged == pytest.approx(0.03)


@in_virtual_time
async def test_a_failing_step_is_paid_and_the_queue_goes_on() -> None:
    """The loop's handler is told, as of any callback."""
    computer = Computer()
    address = computer.queue.address()
    payer, other = Payer(address), Payer(address)
    await computer.exhaust(payer, other)
    told: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context["exception"]))

    def fail() -> None:
        raise ValueError

    payer.call(fail)
    other.call(computer.step("other"))
    await asyncio.sleep(0.1)
    assert [type(error) for error in told] == [ValueError]
    assert computer.done == ["other"]
    assert not computer.queue.waiting


@in_virtual_time
async def test_a_payer_that_waits_long_is_told_once() -> None:
    """Not for a moment, not again, and not if others are the cause."""
    computer = Computer()
    payer = Payer(computer.queue.address())
    told: list[str] = []
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualTimeLoop)
    payer.when_waiting(partial(told.append, "told"))
    await computer.exhaust(payer)
    payer.call(computer.step("soon"))
    await asyncio.sleep(0.01)
    assert (computer.done, told) == (["soon"], [])
    for _ in range(2):
        # The loop itself is late: its clock goes on before the queue gets its turn.
        payer.call(computer.step("late"))
        loop.compute(WAIT_TOLD_SECONDS)
        await asyncio.sleep(0.01)
    assert told == ["told"]
    crowd = Computer(turn=STEP)
    newcomer = Payer(crowd.queue.address())
    newcomer.when_waiting(partial(told.append, "told for others"))
    for name in ("first", "second"):
        newcomer.call(crowd.step(name))
    assert newcomer.address.steps
    loop.compute(WAIT_TOLD_SECONDS)
    await asyncio.sleep(0.01)
    assert (crowd.done, told) == (["first", "second"], ["told"])


@in_virtual_time
async def test_work_keeps_its_result_its_errors_and_its_cancellation() -> None:
    """As if it were awaited directly, also while it waits for its turn. It knows its payer."""
    payer = Payer(Computer().queue.address())

    async def give(value: int) -> int:
        await asyncio.sleep(0.01)
        assert PAYER.get() is payer
        return value

    async def fail() -> None:
        await asyncio.sleep(0.01)
        raise KeyError

    ended: list[str] = []

    async def clean_up() -> None:
        try:
            await asyncio.sleep(100)
        finally:
            await asyncio.sleep(0.01)
            ended.append("cleaned up")

    async def paid() -> None:
        await payer.run(clean_up())

    assert await payer.run(give(7)) == 7
    assert PAYER.get() is UNLIMITED
    with pytest.raises(KeyError):
        await payer.run(fail())
    for exhausted in (False, True):
        task = asyncio.create_task(paid())
        await asyncio.sleep(0)
        if exhausted:
            payer.address.used.used_until = asyncio.get_running_loop().time() + 1e6
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert ended == ["cleaned up"] * 2


async def test_long_work_lets_others_have_their_turn() -> None:
    """A generator runs in pieces, and its result is that of the whole."""
    turns = 0

    def work() -> Generator[None, None, str]:
        for _ in range(200):
            sum(range(3_000))
            yield
        return "done"

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    assert at_once(work()) == "done"
    counting = asyncio.create_task(count())
    assert await in_pieces(work()) == "done"
    counting.cancel()
    assert turns >= 2


@pytest.mark.virtual_time
async def test_turns_go_by_address() -> None:
    """Many sessions get no more computing time than one, however long their steps; at an address they take turns."""
    computer = Computer()
    one, other = computer.queue.address(), computer.queue.address()
    sessions = {"first": Payer(one), "second": Payer(one), "other": Payer(other)}
    await computer.exhaust(*sessions.values())
    floods = [asyncio.create_task(computer.flood(payer, name, 400)) for name, payer in sessions.items()]
    while len(computer.done) < 400:
        await asyncio.sleep(0)
    for flood in floods:
        flood.cancel()
    await asyncio.gather(*floods, return_exceptions=True)
    shares = Counter(computer.done[:400])
    assert shares["other"] == pytest.approx(200, rel=0.2)
    assert shares["first"] == pytest.approx(100, rel=0.2)
    assert shares["second"] == pytest.approx(100, rel=0.2)


@pytest.mark.virtual_time
async def test_no_payer_starves() -> None:
    """A payer that waits has a turn after at most one turn of each other payer."""
    computer = Computer()
    address = computer.queue.address()
    sessions = [Payer(address) for _ in range(20)]
    await computer.exhaust(*sessions)
    floods = [asyncio.create_task(computer.flood(payer, str(n), 30)) for n, payer in enumerate(sessions)]
    await asyncio.gather(*floods)
    for begin in range(0, len(computer.done), 20):
        assert len(set(computer.done[begin : begin + 20])) == 20


@pytest.mark.virtual_time
async def test_who_comes_now_and_then_waits_for_no_step_of_each_who_always_asks() -> None:
    """At the workers: five others use up their bursts, and a player's few moves come next all the same."""
    turns, queue, began = WorkTurns(1), FairQueue(), list[str]()

    async def think(address: AddressGroup, name: str) -> None:
        PAYER.set(Payer(address))
        async with turns.move():
            began.append(name)
            await asyncio.sleep(1)

    async def always(address: AddressGroup) -> None:
        while True:
            await think(address, "flood")

    floods = [asyncio.create_task(always(address)) for address in [queue.address() for _ in range(5)] for _ in "12"]
    await asyncio.sleep(30.5)
    honest = queue.address()
    for _ in range(3):
        await asyncio.create_task(think(honest, "honest"))
    assert began[-6:] == ["honest", "flood"] * 3
    for flood in floods:
        flood.cancel()
    await asyncio.gather(*floods, return_exceptions=True)
