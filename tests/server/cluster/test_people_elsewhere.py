"""What processes of one server tell each other of their players, whatever is lost, stopped or killed meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from unittest.mock import MagicMock, patch

import pytest
from msgspec import ValidationError, convert, json
from structlog.testing import capture_logs

from engine.errors import InputError
from server.cluster.channel import VERSION
from server.cluster.other_processes import Beat, Changed, Person, Private
from server.cluster.several import BEAT_SECONDS, SILENT_SECONDS, STALLED_SECONDS, TICK_SECONDS, Several
from server.lobby.lobby import Lobby
from server.lobby.tables import READ_SECONDS
from server.lobby.visitors import NAMES_TOLD, TAKEN_OVER
from server.people.players import Caller, Player
from server.session.exec_commands import answer
from server.storage.sqlite_database import MemoryDatabase
from server.table.recent_talk import Said
from server.table.table_events import LOST
from tests.server.cluster.several import peers_of
from tests.support.front_end import come_in
from tests.support.nodes import lobbies as strangers
from tests.support.nodes import meet
from tests.support.simulated_log import PERFECT, Faults, SimulatedLog
from tests.support.tables import ANA, BO, Watcher, table_settings
from tests.support.virtual_time import now

pytestmark = pytest.mark.virtual_time
CEM = Player("guest:cem", "cem")
KEY = "SHA256:" + "k" * 43
SOON = TICK_SECONDS * 2
"""Seconds after which every process knows what has changed, if nothing is lost."""
GHOST_SECONDS = 10.0
"""How long a player may be listed after their process has died."""


@asynccontextmanager
async def lobbies(faults: Faults = PERFECT, number: int = 2) -> AsyncIterator[tuple[MemoryDatabase, list[Lobby]]]:
    """Processes that know each other."""
    async with strangers(faults, number) as (log, servers):
        await asyncio.sleep(SOON)
        yield log, servers


def store_of(lobby: Lobby) -> SimulatedLog:
    """Its log, which can be frozen."""
    assert isinstance(lobby.store, SimulatedLog)
    return lobby.store


async def test_a_shell_at_one_process_changes_the_settings_of_a_session_at_another() -> None:
    """So neither undoes what the other has chosen."""
    async with lobbies() as (_, (here, there)):
        ana, _ = await come_in(here, "ana", KEY)
        bo, _ = await come_in(there, "bo")
        await asyncio.sleep(SOON)
        assert await answer("block bo", there, Caller("ana", KEY)) == (
            0,
            ["You hear no more from bo; they cannot sit with you."],
        )
        await asyncio.sleep(SOON)
        assert ana.settings.ignores(bo.player.name)


async def test_players_of_a_process_that_dies_are_listed_for_ten_seconds_at_most() -> None:
    """Also at their tables. Those of one that stops are gone at once."""
    async with lobbies(number=3) as (_, (here, there, third)):
        await come_in(here, "ana")
        await come_in(there, "bo")
        await come_in(third, "cem")
        table = await here.tables.open_table(table_settings())
        await table.sit(Watcher(), ANA)
        await asyncio.sleep(SOON)
        assert sorted(there.visitors.names()) == ["ana", "bo", "cem"]
        assert there.peers.at(1) == {ANA.id}
        await third.close()
        await asyncio.sleep(0.1)
        assert sorted(there.visitors.names()) == ["ana", "bo"]
        store_of(here).freeze()
        await asyncio.sleep(GHOST_SECONDS)
        assert there.visitors.names() == ("bo",)
        assert there.peers.at(1) == frozenset()
        assert [*peers_of(there).by_name] == []
        store_of(here).thaw()
        await asyncio.sleep(BEAT_SECONDS + 2 * SOON)
        assert sorted(there.visitors.names()) == sorted(here.visitors.names()) == ["ana", "bo"]
        assert there.peers.at(1) == {ANA.id}


async def test_processes_agree_again_whatever_was_lost() -> None:
    """A third of all messages are lost while players come, go, sit down and take other names."""
    faults = Faults(message_lost=1 / 3, latency=0.3)
    async with lobbies(faults, number=4) as (_, servers):
        for number in range(60):
            lobby = servers[number % 4]
            session, _ = await come_in(lobby, f"p{number}")
            if number % 3 == 0:
                await lobby.names.rename(session, f"q{number}")
            if number % 2:
                await session.finish()
            await asyncio.sleep(0.2)
        expected = {f"{'q' if number % 3 == 0 else 'p'}{number}" for number in range(0, 60, 2)}
        async with asyncio.timeout(120):
            while [set(lobby.visitors.names()) for lobby in servers] != [expected] * 4:
                await asyncio.sleep(1)


async def test_a_process_that_stood_still_does_not_take_others_for_dead() -> None:
    """It forgets those that say nothing after it goes on, and logs that: a console elsewhere shows it."""
    others = Several(store := MemoryDatabase(), "node")
    others.join(MagicMock())
    store.tell_message = others.hear

    def beat() -> None:
        message = json.encode(Beat("node", 1.0, 0)).decode()
        store.tell_message(f'{{"v":{VERSION},"from":"other","at":{now()},"message":{message}}}')

    beat()
    others.check()
    await asyncio.sleep(SILENT_SECONDS * 10)
    others.check()
    assert others.by_name
    with capture_logs() as logs:
        for _ in range(10):
            await asyncio.sleep(STALLED_SECONDS / 3)
            others.check()
    assert not others.by_name
    assert [(line["event"], line["node"]) for line in logs] == [("a process is silent: it has died, or hangs", "node")]


async def test_of_two_sessions_of_a_player_the_later_one_stays() -> None:
    """Whether the processes knew of each other or not: one that was cut off gives up its session when it is back."""
    async with lobbies() as (_, (here, there)):
        _, first = await come_in(here, "ana", KEY)
        await asyncio.sleep(SOON)
        _, second = await come_in(there, "ana", KEY)
        await asyncio.sleep(0.1)
        assert (set(first.farewells), second.farewells) == ({TAKEN_OVER}, [])
        await asyncio.sleep(SOON)
        store_of(there).freeze()
        await asyncio.sleep(SILENT_SECONDS + SOON)
        _, third = await come_in(here, "ana", KEY)
        await asyncio.sleep(10)
        store_of(there).thaw()
        await asyncio.sleep(BEAT_SECONDS + 2 * SOON)
        assert (set(second.farewells), third.farewells) == ({TAKEN_OVER}, [])


@pytest.mark.parametrize("apart", [0.0, 0.01, 0.04])
async def test_of_two_that_come_at_the_same_moment_one_stays(apart: float) -> None:
    """One session of a player, and one guest of a name: the other guest gets another name, and is told."""
    async with lobbies() as (_, (here, there)):
        _, one = await come_in(here, "ana", KEY)
        guest, heard = await come_in(here, "bo")
        await asyncio.sleep(apart)
        _, two = await come_in(there, "ana", KEY)
        other_guest, other_heard = await come_in(there, "bo")
        await asyncio.sleep(SOON)
        assert sorted(one.farewells + two.farewells) == [TAKEN_OVER]
        assert sorted((guest.player.name, other_guest.player.name)) == ["bo", "bo2"]
        await asyncio.sleep(SOON)
        told = [line for line in heard.lines + other_heard.lines if line.startswith("server: ")]
        assert told == ["server: another player has the name bo, so you are bo2 now"]


async def test_two_guests_of_one_name_who_are_at_tables_at_once_get_two_names() -> None:
    """One may not sit down beside the other, and has another name back in the lobby."""
    async with lobbies() as (_, (here, there)):
        table = await here.tables.open_table(table_settings())
        await asyncio.sleep(READ_SECONDS * 1.1)
        guests = [(await come_in(server, "bo"))[0] for server in (here, there)]
        tables = [table, await there.tables.bring_up("1")]
        sitting = (session.enter(at, at.sit, "") for session, at in zip(guests, tables, strict=True))
        refused = await asyncio.gather(*sitting, return_exceptions=True)
        assert [str(each) for each in refused if each] == ["another player called bo sits at table 1"]
        await asyncio.sleep(SOON)
        assert {(each.player.name, each.table_number) for each in guests} == {("bo", 1), ("bo2", None)}


async def test_a_player_with_a_key_keeps_a_name_before_a_guest() -> None:
    """However long the guest has had it where nobody knew."""
    async with lobbies() as (_, (here, there)):
        store_of(there).freeze()
        guest, _ = await come_in(here, "ana")
        await asyncio.sleep(60)
        store_of(there).thaw()
        owner, _ = await come_in(there, "ana", KEY)
        await asyncio.sleep(BEAT_SECONDS + 3 * SOON)
        assert (owner.player.name, guest.player.name) == ("ana", "ana2")


async def test_a_private_line_reaches_one_session() -> None:
    """Sessions of other processes have the same number."""
    async with lobbies(number=3) as (_, (here, there, third)):
        await come_in(here, "ana")
        (_, bo), (_, cem) = await come_in(there, "bo"), await come_in(third, "cem")
        await asyncio.sleep(SOON)
        here.visitors.find("bo").hear("ana", "a secret")
        await asyncio.sleep(SOON)
        assert ["ana: a secret" in each.lines for each in (bo, cem)] == [True, False]


async def test_a_player_who_names_nobody_is_told_the_names_of_few() -> None:
    """Of many, how to see them."""
    async with lobbies() as (_, (here, there)):
        await come_in(here, "ana")
        await come_in(there, "bo")
        await asyncio.sleep(SOON)
        with pytest.raises(InputError, match=r"^no player here is called 'zoe': here are (ana and bo|bo and ana)$"):
            here.visitors.find("zoe")
        for number in range(NAMES_TOLD):
            await come_in(there, f"p{number}")
        await asyncio.sleep(SOON)
        with pytest.raises(InputError, match=r"^which player: type who to see all 22$"):
            here.visitors.find("")


async def test_what_cannot_be_read_is_ignored_and_logged_once() -> None:
    """Text of strangers, a newer version, a kind that is not known here, and values that make no sense."""
    async with lobbies() as (_, (here, there)):
        await come_in(there, "bo")
        await asyncio.sleep(SOON)
        (name,) = peers_of(here).by_name
        number = peers_of(here).by_name[name].number

        def hear(message: str, version: int = VERSION) -> None:
            store_of(here).tell_message(f'{{"v":{version},"from":"{name}","at":0,"message":{message}}}')

        with capture_logs() as logs:
            for text in ("", "\x00", "{}", "[]", '{"v":1,"from":"x","at":0,"message":{}}'):
                store_of(here).tell_message(text)
            hear('{"kind":"ended"}', version=VERSION + 1)
            hear('{"kind":"dance"}')
            hear('{"kind":"beat","node":7}')
            hear('{"kind":"beat","node":"x","up":1e300,"number":0}')
            hear(f'{{"kind":"drain","processes":["{here.peers.process}"],"seconds":-1}}')
            hear('{"kind":"roster","number":0,"part":0,"parts":1000000,"people":{}}')
            hear('{"kind":"table","table":1,"event":{"kind":"won"}}')
            for bad in ('"address":"home"', '"key":"a key"'):
                person = f'{{"id":"x","name":"eve",{bad}}}'
                hear(f'{{"kind":"changed","number":{number + 1},"people":{{"98":{person}}}}}')
            for called in ("e\x1b[2Jve", "e\nve", "e\u202eve", "eve"):
                hear(json.encode(Changed(number + 1, {99: Person("guest:eve", called)})).decode())
        assert [line["event"] for line in logs] == ["message ignored, as others will be"]
        assert peers_of(here).ignored == 16
        assert not here.drain.is_active
        assert sorted(here.visitors.names()) == ["bo", "eve"]


async def test_a_table_notes_all_at_once_who_has_come_in_other_processes() -> None:
    """However many messages tell of it while the table waits for the log."""
    async with lobbies() as (_, (here, _)):
        table = await here.tables.open_table(table_settings())
        store_of(here).freeze()
        sitting = table.sit(Watcher(), ANA)
        (name,) = peers_of(here).by_name
        number = peers_of(here).by_name[name].number
        with patch.object(table, "note_elsewhere", wraps=table.note_elsewhere) as noted:
            for more in (1, 2):
                changed = Changed(number + more, {more: Person(f"guest:p{more}", f"p{more}", table=1)})
                message = json.encode(changed).decode()
                store_of(here).tell_message(f'{{"v":{VERSION},"from":"{name}","at":0,"message":{message}}}')
        assert noted.call_count == 1
        store_of(here).thaw()
        await sitting
        await asyncio.sleep(0.01)
        assert table.runtime.elsewhere == {"guest:p1", "guest:p2"}


async def test_what_is_in_no_log_of_a_table_is_known_to_all_who_have_it_loaded() -> None:
    """Talk, who has gone and is back, how AI players play; also to a process that starts."""
    async with lobbies(number=3) as (_, (here, there, late)):
        store_of(late).freeze()
        table, ana, other, bo = await meet(here, there)
        await table.set_pace(ana, 4.5)
        table.broadcaster.say(ana, Said("ana", 'a "good" \\ evening', ANA.id))
        here.visitors.say(Said("ana", "is anybody there", ANA.id))
        await asyncio.sleep(SOON)
        await other.leave(bo, LOST)
        await other.come(bo, BO)
        await asyncio.sleep(SOON)
        assert bo.lines == ['ana: a "good" \\ evening', 'before: ana: a "good" \\ evening']
        assert other.runtime.pace == 4.5
        assert [event.kind for event in ana.events][-2:] == ["disconnected", "reconnected"]
        assert other.listing() == table.listing()
        await asyncio.sleep(SILENT_SECONDS + SOON)
        store_of(late).thaw()
        await asyncio.sleep(BEAT_SECONDS + READ_SECONDS + SOON)
        third, cem = await late.tables.bring_up("1"), Watcher()
        await third.come(cem, CEM)
        assert cem.lines == ['before: ana: a "good" \\ evening']
        assert (third.runtime.pace, third.runtime.elsewhere) == (4.5, frozenset({ANA.id, BO.id}))
        assert [said.line for said in late.visitors.said_after(-inf)] == ["is anybody there"]


async def test_a_process_that_is_alone_tells_nothing_but_that_it_runs() -> None:
    """Talk above all: it need not pass through the database."""
    told = list[str]()
    async with lobbies(number=1) as (_, (here,)):
        store_of(here).send = told.append  # type: ignore[method-assign, assignment]
        await come_in(here, "ana")
        here.visitors.say(Said("ana", "a secret", ANA.id))
        here.visitors.announce("tea")
        await asyncio.sleep(60)
        assert {json.decode(text)["message"]["kind"] for text in told} == {"beat"}
        assert len(told) <= 3


@pytest.mark.parametrize(
    "line", ["quit", "sit", "sit here", "remove 2", "sit 1 word\nquit", "watch 3x", f"sit 1 {'x' * 33}"]
)
def test_an_invitation_of_another_process_goes_to_a_table_and_does_nothing_else(line: str) -> None:
    """Enter alone takes it."""
    fields = {"kind": "private", "to": "p", "session": 1, "name": "eve", "line": "come"}
    assert convert(fields | {"invitation": "sit 12 word"}, Private)
    with pytest.raises(ValidationError):
        convert(fields | {"invitation": line}, Private)
