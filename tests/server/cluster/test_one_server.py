"""Several processes on one log are one server to their players: each test has people in two of them, over real ssh."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeAlias

import asyncssh
import pytest

from server.cluster.shared_file import SharedFile
from server.storage.database import Database
from server.storage.engines import database_at
from tests.support.ops import AWAY, KEY, OP, admin
from tests.support.people import RunningServer, running_server, said_to
from tests.support.resources import settled

Two: TypeAlias = tuple[RunningServer, RunningServer]


@pytest.fixture(params=["sqlite", "postgres"])
def make_log(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], Database]:
    """Makes the log as the node of a name has it; all share one."""
    if request.param == "sqlite":
        return lambda _: SharedFile(tmp_path / "quatch.db", poll=0.01)
    url: str = request.getfixturevalue("database")
    return lambda _: database_at(url, "")


@pytest.fixture
async def two(make_log: Callable[[str], Database], tmp_path: Path) -> AsyncIterator[Two]:
    """Two processes of one server that know of each other; their nodes are `here` and `there`."""
    settings = {"ops": [OP.get_fingerprint()], "exempt": ["127.0.0.1"]}
    async with AsyncExitStack() as undo:
        one, other = [
            await undo.enter_async_context(running_server(tmp_path, make_log(node), node=node, **settings))
            for node in ("here", "there")
        ]
        await settled(lambda: bool(one.app.lobby.peers.others and other.app.lobby.peers.others))
        yield one, other


@pytest.mark.features("metrics")
async def test_players_see_and_hear_each_other(two: Two) -> None:
    """In lists and names, in the lobby, in private and at tables, where spectators are heard by spectators alone."""
    here, there = two
    async with AsyncExitStack() as undo:
        ana = await undo.enter_async_context(here.person("ana", term=None))
        await settled(lambda: "ana" in there.app.lobby.visitors.names())
        ana2 = await undo.enter_async_context(there.person("ana", term=None))
        await ana2.until_text("Welcome, ana2")
        await settled(lambda: "ana2" in here.app.lobby.visitors.names())
        await said_to(ana, "who", "2 here: ana (lobby), ana2 (lobby).")
        await said_to(ana2, "/good evening", "ana2: good evening")
        await ana.until_text("ana2: good evening")
        await said_to(ana, "tell ana2 a secret", "ana: (to ana2) a secret")
        await ana2.until_text("ana: (to you) a secret")
        await said_to(ana2, "name bo", "You are bo.")
        await settled(lambda: "bo" in here.app.lobby.visitors.names())
        await said_to(ana, "new seats=3 word=apple", "Your table.")
        ana2.raw = b""
        await said_to(ana, "invite bo", "You invite bo.")
        await ana2.until_text("ana: (to you) come to table 1, Quatch: type sit 1 apple")
        await said_to(ana2, "decline", "ana reads that you do not come now.")
        await ana.until_text("bo: (to you) not now, thanks")
        await said_to(ana2, "sit 1 apple", "You sit down.")
        await ana.until_text("bo sits down.")
        await said_to(ana, "/welcome to my table", "ana: welcome to my table")
        await ana2.until_text("ana: welcome to my table")
        async with here.person("cem", term=None) as cem, there.person("dee", term=None) as dee:
            for spectator in (cem, dee):
                await said_to(spectator, "watch 1 apple", "ana: welcome to my table")
            await settled(lambda: [each.app.lobby.tables.listings()[0].watching for each in two] == [2, 2])
            await said_to(ana2, "start", "New game: Quatch")
            await said_to(dee, "/what a hand", "Only others who watch read this: players hear you after the game.")
            await cem.until("dee: (watching) what a hand")
            await said_to(cem, "who", "4 here: ana (table 1), bo (table 1), cem (watching 1), dee (watching 1).")
        await said_to(ana, "/are you there", "ana: are you there")
        await ana2.until_text("ana: are you there")
        assert "what a hand" not in ana.text + ana2.text
        ana2.process.close()
        await ana.until_text("bo was disconnected")
    status, said = await there.run("uptime --json")
    assert (status, '"processes": 2, "nodes": 2, "node": "there"' in said) == (0, True)
    assert "Nodes: 2. You are at there." in (await there.run("uptime"))[1]


@pytest.mark.features("moderation")
async def test_ops_reach_players_everywhere(two: Two) -> None:
    """Kicks, bans and mutes hold at once in every process, and announcements are heard in all."""
    here, there = two
    async with there.person("bo", key=KEY, term=None) as bo, there.person("eve", source=AWAY, term=None) as eve:
        await bo.until("Type play")
        await eve.until("Type play")
        await settled(lambda: len(here.app.lobby.visitors.came) == 2)
        assert "Told 2 people." in await admin(here, "announce tea is ready")
        await bo.until("host: tea is ready")
        assert "eve is muted for " in await admin(here, "mute eve 1h")
        (muted,) = (each for each in there.app.lobby.visitors.came if each.player.name == "eve")
        await settled(lambda: bool(there.app.lobby.imposed.mutes.on((muted.player.id,), muted.caller.address)))
        await said_to(eve, "/hello", "An op has muted you")
        await said_to(bo, "new seats=2", "Your table.")
        await said_to(bo, "start", "Arrange your cards.")
        assert "eve is eva from now on." in await admin(here, "relabel eve as eva")
        await eve.until("an op has given you the name eva")
        while "bo (table 1)" not in (people := await admin(here, "people")) or "eva (" not in people:
            await asyncio.sleep(0.05)  # it is not known there yet
        assert f"bo (table 1): {KEY.get_fingerprint()} from 127.0.0.1, on there for 0:00:0" in people
        assert f"eva (lobby): a guest from {AWAY}, on there for" in people
        kicked = await admin(here, "kick bo")
        assert f"{KEY.get_fingerprint()} from 127.0.0.1)." in kicked
        assert "At table 1 an AI player plays on for them, and the game does not count for them." in kicked
        await bo.until("An op has disconnected you: come in again in 1 minute.")
        assert await bo.until_gone() == 0
        assert "is banned for " in await admin(here, "ban eva 1h")
        await eve.until("You are banned from this server for ")
        await eve.until_gone()
    with pytest.raises(asyncssh.DisconnectError, match="your address is banned from this server for "):
        await there.run("who", source=AWAY)


@pytest.mark.features("moderation", "returning_guests")
async def test_an_op_says_who_a_guest_in_another_process_is(two: Two) -> None:
    """The guest has the seat at once."""
    here, there = two
    async with there.person("anna", source=AWAY, term=None) as anna:
        await said_to(anna, "play", "Arrange your cards.")
    async with there.person("ann", source=AWAY, term=None) as again:
        await again.until("Type play")
        await settled(lambda: "ann" in here.app.lobby.visitors.names())
        assert "ann is anna again." in await admin(here, "reseat ann as anna")
        await again.until("Arrange your cards.")


async def test_a_player_who_comes_in_elsewhere_takes_the_session_over(two: Two) -> None:
    """With the seat; the others at the table go on."""
    here, there = two
    async with here.person("ana", term=None) as ana, here.person("bo", key=KEY, term=None) as bo:
        await said_to(ana, "new seats=2", "Your table.")
        await said_to(bo, "sit 1", "You sit down.")
        await said_to(ana, "start", "New game: Quatch")
        await settled(lambda: len(there.app.lobby.peers.at(1)) == 2)
        async with there.person("bo", key=KEY, term=None) as again:
            await again.until("You are at table 1: quit keeps your seat")
            await bo.until("You have come in from another terminal")
            await bo.until_gone()
            await ana.until("bo is back")
            await settled(lambda: len(here.app.lobby.visitors.came) == 2)
            await said_to(ana, "/hello again", "ana: hello again")
            await again.until("ana: hello again")


@pytest.mark.features("moderation")
async def test_a_node_is_drained_alone_or_with_all(two: Two) -> None:
    """Its players are told; others play on. An op may be on another node."""
    here, there = two
    async with here.person("ana", term=None) as ana, there.person("bo", term=None) as bo:
        await ana.until("Type play")
        await bo.until("Type play")
        await settled(lambda: len(here.app.lobby.visitors.came) == 2)
        assert "there: 1 process, 1 player, up 0:00:" in await admin(here, "nodes")
        assert "This part of the server stops" in await admin(here, "drain there 20")
        await bo.until("host: This part of the server stops when the games on it are over, in 20 min")
        await said_to(bo, "play", "This part of the server stops soon: come in again, and play on another part.")
        await settled(lambda: any(each.stops_at is not None for each in here.app.lobby.peers.others))
        assert "stops in 20 min at the latest" in await admin(here, "nodes")
        await said_to(ana, "play", "New game: Quatch")
        assert "Node there does not stop." in await admin(here, "drain there off")
        await bo.until("host: This part of the server does not stop: new games can start.")
        await admin(there, "drain")
        await ana.until("host: The server stops when the running games are over, in 30 min at the latest.")
        await asyncio.wait_for(there.app.drained.wait(), 10)
        assert not here.app.drained.is_set()


@pytest.mark.features("moderation")
async def test_a_process_that_drains_waits_for_the_games_of_its_node(tmp_path: Path) -> None:
    """Players whose line breaks come back to it. Those of a process that it has replaced read of the stop, too."""
    file, settings = tmp_path / "quatch.db", {"ops": [OP.get_fingerprint()], "node": "here"}
    async with (
        running_server(tmp_path, SharedFile(file, poll=0.01), **settings) as old,
        running_server(tmp_path, SharedFile(file, poll=0.01), **settings) as new,
        old.person("ana", term=None) as ana,
    ):
        await ana.enter("play", "Arrange your cards")
        await settled(lambda: bool(new.app.lobby.peers.at(1) and new.app.lobby.peers.others))
        old.app.lobby.drain.renewed = True
        await admin(new, "drain 5")
        await ana.until("host: The server stops when the running games are over, in 5 min at the latest.")
        assert not new.app.lobby.drained()
        await ana.enter("quit", "Your seat is kept")
        await asyncio.wait_for(new.app.drained.wait(), 10)
