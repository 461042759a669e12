"""The commands of ops: who may give them, kicking, muting, announcing and draining."""

import asyncio
import json
import re
from pathlib import Path

import asyncssh
import pytest
from structlog.testing import capture_logs

from server.app import run_process
from server.app.main_process import Drained, ProcessNews
from server.app.run_process import ServerProcess
from server.config import Config
from server.features import load
from server.limits import GAMES_KEPT, IGNORED
from server.lobby.lobby import Lobby
from server.lobby.service import Act
from server.moderation.moderation import KEPT, Journal, acts_of
from server.net.listening_sockets import by_carrier, open_all
from server.people.players import Caller, Player
from server.process import gc_tuning
from server.storage.sqlite_database import MemoryDatabase
from tests.support.bots import bot
from tests.support.ops import AWAY, KEY, OP, admin, hosted
from tests.support.people import RunningServer
from tests.support.resources import settled


async def test_what_ops_can_do_is_nothing_to_others(server: RunningServer) -> None:
    """Neither help nor completion knows of it; behind admin they are told that their key is not on the list."""
    async with server.person("bo", key=KEY, term=None) as bo:
        await bo.enter("help", "Commands: play,")
        assert "announce" not in bo.text
        await bo.enter("announce hi", "That is not understood: play begins a game")
        await bo.enter("drain", "Unknown command 'drain'")
        await bo.enter("admin drain", "is not under ops")
    for key, told in ((KEY, f"Your key {KEY.get_fingerprint()} is not under ops"), (None, "you came without one")):
        status, said = await server.run("admin bans", key)
        assert status == 2
        assert told in said


async def test_ops_are_told_what_they_can_do(server: RunningServer) -> None:
    """Inside by help, outside by `admin`; what is typed must be the whole word, so that no slip does it."""
    async with server.person("host", key=OP, term=None) as op:
        await op.enter("help drain", "drain [NODE] [MINUTES|off]")
        await op.enter("d", "Unknown command 'd'")
        await op.enter("kick", "Which player? Type kick NAME")
        await op.enter("drain soon", "MINUTES is 0 to 1440")
        await op.enter("admin drain soon", "MINUTES is 0 to 1440")
        await op.enter("admin who", "1 here: host2 (lobby).")
        await op.enter("admin new", "New works without admin.")
        await op.enter("admin", "kick NAME")
        await op.enter("rename Bernd to Bernie", "type relabel Bernd as Bernie")
        await op.enter("relabel Bernd to Bernie", "Type relabel Bernd as Bernie")
    here = f"ssh -p {server.port} 127.0.0.1"
    told = await admin(server, "")
    assert told.startswith(f"{here} and one of these:")
    assert "admin ban NAME [TIME]" in told
    assert (await admin(server, "who")).strip() == "0 here."
    status, said = await server.run("admin dance", OP)
    assert (status, said.strip()) == (2, f"Unknown command 'dance': {here} admin help lists all.")


async def test_a_kicked_player_loses_session_and_seat(server: RunningServer) -> None:
    """An AI player has it for good; after a minute they may come in again, not to that table; they are not rated."""
    async with server.person("ana", term=None) as ana, server.person("bo", key=KEY, term=None) as bo:
        await ana.enter("new seats=2", "Your table.")
        await bo.enter("sit 1", "You sit down.")
        await ana.enter("start", "New game: Quatch")
        with capture_logs() as logs:
            told = await admin(server, "kick bo")
        assert "Disconnected bo (SHA256:" in told
        assert "At table 1 an AI player plays on for them, and the game does not count for them." in told
        (logged,) = [line for line in logs if line["event"] == "op acted"]
        assert logged["by"] == OP.get_fingerprint()
        assert (logged["did"], logged["whom"]) == ("kick", f"bo ({KEY.get_fingerprint()} from 127.0.0.1)")
        await bo.until("An op has disconnected you: come in again in 1 minute.")
        await bo.until_gone()
        await ana.until("bo leaves;")
        state = server.app.lobby.tables.here[1].journal.state
        assert ({*state.removed}, {*state.removers}) == ({1}, set())
        with pytest.raises(asyncssh.DisconnectError, match=r"an op has disconnected you: come in again in \d+ \w+"):
            await server.run("who", KEY)
        await admin(server, "unban bo")
        async with server.person("bo", key=KEY, term=None) as again:
            await again.enter("sit 1", "does not want you to sit there")


async def test_a_player_is_given_another_name(server: RunningServer) -> None:
    """Here or not; not at a table. They cannot take another one, and the journal says what it was."""
    async with server.person("bo", key=KEY, term=None) as bo:
        await bo.enter("name Rude", "You are Rude.")
        assert "Rude is Mild from now on." in await admin(server, "relabel Rude as Mild because of the children")
        await bo.until("an op has given you the name Mild")
        await bo.enter("name Rude", "An op has given you the name Mild, for 1 day")
        await bo.enter("play", "Arrange your cards")
        assert "Mild is at a table, where names stay" in (await server.run("admin relabel Mild as Milder", OP))[1]
        await bo.enter("leave", "You are in the lobby")
    assert "Mild is Milder from now on." in await admin(server, "relabel Mild as Milder")
    assert "Rude: nothing -> Mild, because of the children" in await admin(server, "journal Rude")
    async with server.person("bo", key=KEY, term=None) as bo:
        await bo.until("Welcome, Milder.")
    async with server.person("Crude", term=None) as guest:
        await admin(server, "relabel Crude as Kind")
        await guest.until("an op has given you the name Kind")
        await admin(server, "relabel Kind as Kinder")
        await guest.until("an op has given you the name Kinder")
    async with server.person("Crude", term=None) as again:
        await again.until("Welcome, Kinder.")
        await admin(server, "relabel Kinder as Nice")
    async with server.person("Crude", term=None) as again:
        await again.until("Welcome, Nice.")
        await again.enter("play", "Arrange your cards")
        assert "kick Nice, then relabel them" in (await server.run("admin relabel Nice as Sam", OP))[1]
        await admin(server, "kick Nice")
        assert "Nice is Sam from now on." in await admin(server, "relabel Nice as Sam")
    assert "Which player, and how" in (await server.run("admin relabel Milder as !", OP))[1]
    assert (
        "A name is one word: relabel Milder as MildMan."
        in (await server.run("admin relabel Milder as Mild Man", OP))[1]
    )
    assert "No player here is called 'Rude'" in (await server.run("admin relabel Rude as Nicer", OP))[1]


async def test_what_ops_do_is_noted(tmp_path: Path) -> None:
    """Who, what, to whom, before, after and why, also after a restart; of all, or of one name."""
    store = MemoryDatabase()
    async with hosted(tmp_path, store) as server, server.person("bo", key=KEY, term=None) as bo:
        await bo.until("Type play")
        assert await admin(server, "journal") == "Nothing was done.\n"
        await admin(server, "ban 192.0.2.7 2h because of a flood")
        assert "192.0.2.7/32 for 2 hours" in await admin(server, "bans")
        assert ", because of a flood" in await admin(server, "bans")
        await admin(server, "unban 192.0.2.7")
        await admin(server, "kick bo because he sleeps --json")
    async with hosted(tmp_path, store) as server:
        noted = json.loads(await admin(server, "journal --json"))["journal"]
        assert [each["did"] for each in noted] == ["ban", "unban", "kick"]
        assert {each["by"] for each in noted} == {OP.get_fingerprint()}
        assert noted[0]["after"] == noted[1]["before"] == "for 2 hours"
        # The op's key has no name, and that of ssh may be another player's.
        assert {each["name"] for each in noted} == {OP.get_fingerprint()}
        (kick,) = (await admin(server, f"journal {KEY.get_fingerprint()}")).splitlines()
        assert kick.endswith(f"kick bo ({KEY.get_fingerprint()} from 127.0.0.1), because he sleeps")


async def test_changed_settings_are_noted() -> None:
    """Those that a start or a reload has changed, also of features; the first start changes none."""
    async with MemoryDatabase() as store:
        for clock, features in ((60.0, {}), (45.0, {"web_port": 8080}), (45.0, {"web_port": 8080})):
            lobby = Lobby(Config(clock=clock, of_features=features), store, features=load())
            await lobby.service(Journal).note_settings()
            acts = [each.act for each in (await acts_of(store)).values()]
            found = [(act.whom, act.before, act.after) for act in acts]
            assert found == ([] if clock == 60 else [("clock", "60.0", "45.0"), ("web_port", "", "8080")])


@pytest.mark.features("cluster", "keeper")
async def test_one_of_several_processes_notes_the_settings_of_the_server(tmp_path: Path) -> None:
    """Not its share of the workers and the connections."""
    for processes in (1, 2):
        config = Config(processes=processes, workers=4, data=str(tmp_path))
        lobby = ServerProcess(config, [], lambda _: None, None).app.lobby
        async with lobby.store:
            await lobby.service(Journal).note_settings()
            acts = [each.act for each in (await acts_of(lobby.store)).values()]
    found = [(act.whom, act.before, act.after) for act in acts]
    assert found == [("processes", "1", "2")]


async def test_the_journal_is_bounded() -> None:
    """The oldest acts go."""
    async with MemoryDatabase() as store:
        journal = Journal(Lobby(Config(), store))
        for n in range(KEPT + 2):
            await journal.note_act(Act("SHA256:op", "op", "kick", str(n)))
        assert [each.act.whom for each in (await acts_of(store)).values()] == [str(n) for n in range(2, KEPT + 2)]


async def test_an_op_who_removes_an_opponent_has_lost(server: RunningServer) -> None:
    """By a ban as by a kick: it is no way to win."""
    async with server.person("op", key=OP, term=None) as op, server.person("bo", key=KEY, term=None) as bo:
        await op.enter("new seats=2", "Your table.")
        await bo.enter("sit 1", "You sit down.")
        await op.enter("start", "New game: Quatch")
        await op.enter("ban bo 5m", "is banned for ")
        await bo.until_gone()
        await op.until("bo leaves;")
        state = server.app.lobby.tables.here[1].journal.state
        assert ({*state.removed}, {*state.removers}) == ({1}, {0})


@pytest.mark.waiting_takes_no_time
async def test_a_player_who_reads_nothing_can_be_kicked(server: RunningServer) -> None:
    """The name is free at once, whatever becomes of the connection."""
    async with server.connection("bo") as connection:
        process = await connection.create_process(term_type="xterm", encoding=None)
        await process.stdout.readuntil(b"lobby>")
        process.channel.pause_reading()
        await admin(server, "kick bo")
        await settled(lambda: not server.app.lobby.visitors.here)


async def test_ops_are_no_match_for_one_another(server: RunningServer) -> None:
    """Only the config names the ops."""
    async with server.person("boss", key=OP, term=None) as op:
        for line in ("kick boss", "ban boss", f"ban {OP.get_fingerprint()}", "mute boss"):
            await op.enter(line, "That player is an op: the config lists the ops")
            op.raw = b""


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("ban", "Which player?"),
        ("ban nobody", "No player here is called 'nobody'"),
        ("ban SHA256:abc", "'SHA256:abc' is not a whole fingerprint"),
        ("ban 192.0.2.7 soon", "How long is 'soon'? Type 30m, 2h, 7d, or for ever"),
        ("ban 192.0.2.7 for noise", "a reason stands behind because."),
        ("ban 192.0.2.7 0m", "How long is '0m'?"),
        ("ban 127.0.0.1", "The config lists that address under exempt or proxies"),
        ("unban", "No such ban: bans lists them"),
        ("unban 192.0.2.7", "No such ban"),
        ("unmute bo", "No such mute"),
        ("silence bo", "No player here is called 'bo'"),
        ("mute", "Which player?"),
        ("announce", "Announce what?"),
        ("drain off", "The server is not about to stop"),
        ("drain 9999", "MINUTES is 0 to 1440"),
    ],
)
async def test_what_cannot_be_done_is_one_line(server: RunningServer, command: str, told: str) -> None:
    """And exit status 2; nothing is done, nothing logged."""
    async with server.person("visitor", term=None) as guest:
        await guest.until("Type play")
        with capture_logs() as logs:
            status, said = await server.run(f"admin {command}", OP)
        assert status == 2
        assert told in said
        assert said.count("\n") == 1
        assert not [line for line in logs if line["event"] == "op acted"]


async def test_a_muted_player_cannot_talk(server: RunningServer) -> None:
    """Neither aloud nor to one person, nor by cutting the cards; until it is taken back."""
    async with server.person("ana", term=None) as ana, server.person("eve", source=AWAY, term=None) as eve:
        await eve.until("Type play")
        assert await admin(server, "mute eve 1m") == "eve is muted for 1 minute.\n"
        for line in ("say hello", "/hello", "tell ana hello"):
            await eve.enter(line, "An op has muted you for ")
            eve.raw = b""
        await eve.enter("new seats=2", "Your table.")
        await eve.enter("cut hello", "An op has muted you")
        await eve.enter("leave", "You are in the lobby.")
        assert "hello" not in ana.text
        assert "muted   eve (127.0.0.7/32) for " in await admin(server, "bans")
        async with server.person("eve2", source=AWAY, term=None) as again:
            await again.enter("say hello", "has muted you")
            await admin(server, "mute eve2")
            async with server.person("zoe", source=AWAY, term=None) as zoe:
                await admin(server, "unmute eve")
                await zoe.enter("say hello", "zoe: hello")
        await eve.enter("say hello again", "eve: hello again")
        await admin(server, "mute ana")
        await ana.enter("say hello", "has muted you until an op lifts it")


@pytest.mark.parametrize("act", ["mute bo 1m", "kick bo", "ban bo 1m"])
async def test_what_a_player_said_goes_with_them(server: RunningServer, act: str) -> None:
    """In the lobby and at the table; what others have said stays."""
    async with server.person("ana", term=None) as ana, server.person("bo", key=KEY, term=None) as bo:
        await ana.enter("say hello", "hello")
        await bo.enter("say rude", "rude")
        await ana.enter("new seats=2", "Your table.")
        await bo.enter("sit 1", "You sit down.")
        await ana.enter("say welcome", "welcome")
        await bo.enter("say ruder", "ruder")
        lobby = server.app.lobby
        talks = lobby.visitors.recent_talk, lobby.tables.here[1].broadcaster.recent_talk
        kept = [said.line for talk in talks for said in talk.kept()]
        assert kept == ["hello", "rude", "welcome", "ruder"]
        await admin(server, act)
        assert [said.line for talk in talks for said in talk.kept()] == ["hello", "welcome"]


async def test_what_was_said_from_a_banned_address_goes_with_it(server: RunningServer) -> None:
    """What guests from elsewhere have said stays."""
    async with server.person("ana", term=None) as ana, server.person("eve", term=None, source=AWAY) as eve:
        await ana.enter("say hello", "hello")
        await eve.enter("say rude", "rude")
        await admin(server, f"ban {AWAY} 1m")
        assert [said.line for said in server.app.lobby.visitors.recent_talk.kept()] == ["hello"]


async def test_all_players_hear_an_announcement(server: RunningServer) -> None:
    """In the lobby and at a table, on a screen and in lines; cleaned like all that is typed."""
    async with server.person("ana", term=None) as ana, server.person("bo") as bo, server.person("op", key=OP) as op:
        await ana.enter("play", "New game: Quatch")
        await bo.until("lobby>")
        await op.enter("announce Tea is\x1b[31m ready.", "Told 3 people.")
        await bo.until("host: Tea is ready.")
        await ana.until("host: Tea is ready.")
        await admin(server, "announce Now.")
        await ana.until("host: Now.")


@pytest.mark.features("bot_protocol")
async def test_bots_are_not_told_and_not_counted(server: RunningServer) -> None:
    """The protocol of bots has no announcements."""
    async with server.person("ana", term=None) as ana, bot(server.port):
        await ana.until("Type play")
        assert "Told 1 person." in await admin(server, "announce Tea is ready.")


@pytest.mark.waiting_takes_no_time
async def test_a_server_is_drained(tmp_path: Path) -> None:
    """Nothing new begins, players who come are told, running games go on. When they are over the server stops."""
    async with hosted(tmp_path) as server, server.person("ana", term=None) as ana, server.person("bo", term=None) as bo:
        await ana.enter("play", "New game: Quatch")
        await bo.enter("new seats=2", "Your table.")
        assert "in 5 min at the latest" in await admin(server, "drain 5")
        await bo.until("host: The server stops when the running games are over, in 5 min")
        await bo.enter("start", "The server stops soon, so no new games begin")
        bo.type("leave")
        bo.raw = b""
        await bo.enter("play", "The server stops soon")
        async with server.person("cy", term=None) as cy:
            await cy.until("The server stops when the running games are over")
        assert not server.app.lobby.drained()
        await admin(server, "drain off")
        await bo.enter("play", "New game: Quatch")
        await admin(server, "drain")
        await ana.leave_game()
        await ana.until("You are in the lobby.")
        assert not server.app.lobby.drained()
        await bo.leave_game()
        await asyncio.wait_for(server.app.drained.wait(), 10)


@pytest.mark.waiting_takes_no_time
async def test_a_server_is_drained_for_only_so_long(tmp_path: Path) -> None:
    """A player who thinks for ever does not keep the server from stopping. Their game is kept."""
    async with hosted(tmp_path) as server, server.person("ana", term=None) as ana:
        await ana.enter("play", "New game: Quatch")
        assert "in 1 min at the latest" in await admin(server, "drain 0")
        await asyncio.wait_for(server.app.drained.wait(), 10)


async def test_a_drained_server_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so to its keeper, who starts no other."""
    monkeypatch.setattr(run_process, "end_in_time", lambda _: None)  # it would end this process
    monkeypatch.setattr(gc_tuning, "freeze_startup_objects", lambda: None)
    config, told = Config(host=("127.0.0.1",), port=0, hostkeys=str(tmp_path), data=str(tmp_path)), list[ProcessNews]()
    process = ServerProcess(config, by_carrier(await open_all(config.listens_at())), told.append, None)
    process.app.drained.set()
    await asyncio.wait_for(process.run(), 10)
    assert Drained() in told


async def test_ops_read_what_is_used(server: RunningServer) -> None:
    """By everybody, or what is charged to one address alone; and what was refused. What nobody uses is left out."""
    assert "games-kept" not in await admin(server, "usage")
    server.app.lobby.ledger.charge_if_free(GAMES_KEPT, AWAY)
    usage = await admin(server, f"usage {AWAY}")
    assert "games-kept: 200 at once" in usage
    assert f"    {AWAY} has used " in usage
    assert "lines" not in usage
    lobby, cy = server.app.lobby, Caller("cy", "SHA256:cy")
    await lobby.profiles.claim_name(Player((await lobby.profiles.account_of(cy)).id, "cy"))
    lobby.ledger.charge_if_free(GAMES_KEPT, "SHA256:cy")
    usage = await admin(server, "usage cy")  # who is not here
    assert "games-kept" in usage
    assert AWAY not in usage
    assert (await server.run("admin usage cyd", OP))[0] == 2
    IGNORED.refuse()
    everything = await admin(server, "usage")
    assert "games-kept" in everything
    assert re.search("ignored-players: 100 at a time for each session; [1-9][0-9]* refused", everything)
