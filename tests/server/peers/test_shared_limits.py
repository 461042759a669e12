"""Limits by address hold in all processes of a server together."""

import asyncio
from ipaddress import ip_address

import pytest

from engine.errors import InputError
from server.addresses import Address, AddressSet
from server.app.app import Penalty
from server.limits import PENALTY_ABUSE, PENALTY_LONGEST, WRONG_GUESSES
from server.lobby.lobby import Lobby
from server.net.connection_limits import ConnectionDenied, ConnectionLimits
from server.people.players import Caller
from server.player.player_session import PlayerSession
from tests.support.front_end import Remembering
from tests.support.nodes import lobbies, peers_of

pytestmark = pytest.mark.virtual_time
EVE = ip_address("192.0.2.7")
ANA = ip_address("192.0.2.8")
SOON = 2.0


def limits_of(lobby: Lobby) -> ConnectionLimits:
    """Connection limits that a process shares with others, as `App` has them; three connections for an address."""
    peers = peers_of(lobby)

    def penalised(address: Address, seconds: float) -> None:
        peers.tell(Penalty(str(address), seconds))

    limits = ConnectionLimits(100, 3, AddressSet([]), elsewhere=peers.sessions_from, penalised=penalised)
    peers.on(Penalty, lambda _, told: limits.penalise(told.of, min(told.seconds, PENALTY_LONGEST)))
    return limits


async def come(lobby: Lobby, name: str) -> PlayerSession:
    """A player from Eve's address."""
    session = PlayerSession(lobby, Caller(name, None, EVE), Remembering())
    await session.identify()
    await session.begin()
    return session


async def test_an_address_has_as_many_connections_in_all_processes_as_in_one() -> None:
    """Sessions that end, or whose process ends, count no more."""
    async with lobbies(number=3) as (_, (here, there, third)):
        limits = limits_of(here)
        await asyncio.sleep(SOON)
        sessions = [await come(there, "eve1"), await come(there, "eve2"), await come(third, "eve3")]
        await asyncio.sleep(SOON)
        with pytest.raises(ConnectionDenied, match="your address has 3 connections already"):
            limits.admit(EVE, lambda: None)
        limits.admit(ANA, lambda: None)
        await sessions[0].finish()
        await asyncio.sleep(SOON)
        limits.admit(EVE, lambda: None)
        with pytest.raises(ConnectionDenied):
            limits.admit(EVE, lambda: None)
        await third.close()
        await asyncio.sleep(SOON)
        limits.admit(EVE, lambda: None)


async def test_a_penalty_holds_in_all_processes() -> None:
    """What a stranger writes into the channel penalises for no longer than a process would."""
    async with lobbies() as (_, (here, there)):
        limits, others = limits_of(here), limits_of(there)
        await asyncio.sleep(SOON)
        limits.admit(EVE, lambda: None).penalise(PENALTY_ABUSE)
        await asyncio.sleep(SOON)
        with pytest.raises(ConnectionDenied, match="too much trouble from your address"):
            others.admit(EVE, lambda: None)
        others.admit(ANA, lambda: None)
        for penalty in (Penalty(str(ANA), 1e9), Penalty(str(ANA), -1e9), Penalty("nowhere", 60.0)):
            there.peers.tell(penalty)
        await asyncio.sleep(PENALTY_LONGEST + SOON)
        limits.admit(ANA, lambda: None)


async def test_wrong_secrets_count_in_all_processes() -> None:
    """For the address, and for the table of the word."""
    async with lobbies() as (_, (here, there)):
        await asyncio.sleep(SOON)
        eve = Caller("eve", None, EVE)
        for _ in range(int(WRONG_GUESSES.burst)):
            with pytest.raises(InputError, match="wrong"), here.guess_limits.attempt(eve, 1):
                raise InputError("bad_word", "wrong")
        await asyncio.sleep(SOON)
        with pytest.raises(InputError, match="too many wrong words"), there.guess_limits.attempt(eve):
            pass
        with there.guess_limits.attempt(Caller("ana", None, ANA), 1):
            pass
