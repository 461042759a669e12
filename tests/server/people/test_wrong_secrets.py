"""Guessing words: after a handful of wrong ones an address is answered nothing about a word, right or wrong."""

import asyncio
import math
from collections.abc import AsyncIterator
from ipaddress import ip_address
from pathlib import Path
from typing import NoReturn

import pytest

from engine.errors import InputError
from server.addresses import AddressSet
from server.ledger import PAYERS_REMEMBERED, Ledger, Paying, RateLimit, Resource
from server.limits import WRONG_GUESSES, WRONG_GUESSES_AT_TABLE
from server.people.players import Caller, new_code
from tests.support.bots import bot
from tests.support.people import RunningServer, running_server, said_to
from tests.support.virtual_time import in_virtual_time

pytestmark = pytest.mark.waiting_takes_no_time

HANDFUL = int(WRONG_GUESSES.share.burst)
SHARED = "127.0.0.1"
TOO_MANY = "There were too many wrong words or codes: wait a minute, then try again."


def caller(address: str, name: str = "eve") -> Caller:
    """A caller from this address."""
    return Caller(name, None, ip_address(address))


def refuse(code: str) -> NoReturn:
    """The word is wrong."""
    raise InputError(code, "wrong")


def charges(who: Caller, table: int | None = None) -> list[tuple[Resource[RateLimit], Paying | str]]:
    """What a wrong word is charged to; see `PlayerSession.try_secret`."""
    at_table = [] if table is None else [(WRONG_GUESSES_AT_TABLE, f"table {table}")]
    return [(WRONG_GUESSES, who), *at_table]


def attempt(limits: Ledger, who: Caller, *, right: bool = False, table: int | None = None) -> str:
    """Try a word; what came of it."""
    try:
        with limits.attempt(*charges(who, table)):
            if not right:
                refuse("bad_word")
    except InputError as error:
        return error.code
    return "right"


@pytest.fixture
def limits() -> Ledger:
    """No word has been tried yet."""
    return Ledger((), AddressSet([]), AddressSet([SHARED]))


@in_virtual_time
async def test_after_a_handful_of_wrong_words_the_right_one_is_refused_too() -> None:
    """For a minute; then one more may be tried, and after some minutes a handful again."""
    limits, eve = Ledger((), AddressSet([]), AddressSet([])), caller("192.0.2.7")
    for _ in range(3):
        assert [attempt(limits, eve) for _ in range(HANDFUL)] == ["bad_word"] * HANDFUL
        assert attempt(limits, eve, right=True) == attempt(limits, eve) == "too_fast"
        await asyncio.sleep(60)
        assert [attempt(limits, eve), attempt(limits, eve)] == ["bad_word", "too_fast"]
        await asyncio.sleep(60 * (HANDFUL + 1))


async def test_right_words_and_other_refusals_cost_nothing(limits: Ledger) -> None:
    """Only a wrong word is counted."""
    eve = caller("192.0.2.7")
    for _ in range(20):
        assert attempt(limits, eve, right=True, table=1) == "right"
        with pytest.raises(InputError, match="full"), limits.attempt(*charges(eve, 1)):
            raise InputError("table_full", "full")


async def test_an_address_has_one_handful_for_all_kinds_of_words(limits: Ledger) -> None:
    """A network of IPv6 is one address; each player behind a proxy without headers counts alone."""
    assert [attempt(limits, caller(f"2a00:1450::{n}"), table=n) for n in range(HANDFUL)] == ["bad_word"] * HANDFUL
    assert attempt(limits, caller("2a00:1450::ffff", "ana"), right=True) == "too_fast"
    assert attempt(limits, caller("2a00:1450:0:1::1"), right=True) == "right"
    for name in ("ana", "bo"):
        assert [attempt(limits, caller(SHARED, name)) for _ in range(HANDFUL)] == ["bad_word"] * HANDFUL
        assert attempt(limits, caller(SHARED, name), right=True) == "too_fast"


async def test_a_table_is_closed_to_guesses_from_many_addresses(limits: Ledger) -> None:
    """But to no one address alone; other tables are not concerned."""
    most = int(WRONG_GUESSES_AT_TABLE.share.burst)
    assert [attempt(limits, caller(f"192.0.2.{n}"), table=1) for n in range(most)] == ["bad_word"] * most
    assert attempt(limits, caller("192.0.2.99"), right=True, table=1) == "too_fast"
    assert attempt(limits, caller("192.0.2.99"), right=True, table=2) == "right"
    assert attempt(limits, caller("192.0.2.99"), right=True) == "right"
    assert most > HANDFUL


async def test_words_that_are_tried_at_the_same_time_count_as_well(limits: Ledger) -> None:
    """A word counts from the moment on at which it is tried."""
    eve = caller("192.0.2.7")

    async def slowly() -> str:
        try:
            with limits.attempt(*charges(eve, 1)):
                await asyncio.sleep(0)
                refuse("private")
        except InputError as error:
            return error.code

    codes = await asyncio.gather(*(slowly() for _ in range(50)))
    assert codes.count("private") == HANDFUL


async def test_as_many_addresses_are_remembered_as_there_is_room_for(limits: Ledger) -> None:
    """Those that tried last."""
    first, last = caller("10.0.0.0"), caller("10.255.0.0")
    for who in (first, last):
        for _ in range(HANDFUL):
            attempt(limits, who)
    for number in range(PAYERS_REMEMBERED - 1):
        attempt(limits, Caller("eve", None, ip_address(0x0B000000 + number)))
    assert attempt(limits, last, right=True) == "too_fast"
    assert attempt(limits, first, right=True) == "right"


def test_a_code_has_more_than_fifty_bits() -> None:
    """Resume codes and link codes are as hard to guess as they are long."""
    codes = [new_code().replace("-", "") for _ in range(500)]
    assert len(set(codes)) == 500
    assert min(map(len, codes)) * math.log2(len(set("".join(codes)))) >= 50


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server."""
    async with running_server(tmp_path) as running:
        yield running


async def test_people_bots_and_commands_share_the_guesses_of_their_address(server: RunningServer) -> None:
    """Whatever they try, and however: then even the right word is refused, to them alone."""
    eve = "127.0.0.2"
    async with server.person("ana", term=None) as ana:
        await said_to(ana, "new key=apple", "Your table")
        async with bot(server.port, source=eve) as machine:
            for _ in range(2):
                machine.send(type="join", table=1, key="pear")
                assert (await machine.until("error"))["code"] == "private"
        async with server.person("eve", term="xterm", command="watch 1 plum", source=eve) as commander:
            await commander.until("is not the word of table 1")
        async with server.person("eve", term=None, source=eve) as person:
            await said_to(person, "sit 1 cherry", "is not the word of table 1")
            await said_to(person, "sit 1", "is private")
            await said_to(person, "watch 1 fig", "is not the word of table 1")
            await said_to(person, "sit 1 apple", TOO_MANY)
            await said_to(person, "resume abcd-efgh-jkmn", TOO_MANY)
        async with bot(server.port, source=eve) as machine:
            answer = await machine.ask("error", type="join", table=1, key="apple")
            assert answer["code"] == "too_fast"
            assert 30 < answer["retry_s"] <= 1 / WRONG_GUESSES.share.per_second
        async with server.person("bo", term=None, source="127.0.0.3") as bo:
            await said_to(bo, "sit 1 pear", "is not the word of table 1")
            await said_to(bo, "sit 1 apple", "You sit down.")
