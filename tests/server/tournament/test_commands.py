"""What players and hosts type about tournaments, and the one line that they get if it is not possible."""

import asyncio
from ipaddress import ip_address
from math import inf

import pytest
from structlog.testing import capture_logs

from engine.errors import InputError
from server.commands.typed_line import execute, parse
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.rulebook import Rulebook
from server.session import exec_commands
from server.tournament import events
from server.tournament.answers import competition
from server.tournament.service import tournaments_of
from server.tournament.state import PLACES_OF_ADDRESS
from server.tournament.text import event_text
from tests.server.tournament.evenings import Contestant, tournament_lobby, until
from tests.support.accounts import keep_account
from tests.support.asking import asking, meant
from tests.support.at_terminals import asked
from tests.support.clock import Clock
from tests.support.each import for_each
from tests.support.ops import against

pytestmark = pytest.mark.virtual_time
NO_GAMES = "The server stops soon, so no new games begin: come again later."


async def said(lobby: Lobby, line: str, name: str = "ana", key: str | None = None) -> str:
    """The answer to `ssh HOST LINE` of the owner of a key, as one line."""
    caller = Caller(name, key if key is not None else f"SHA256:{name}")
    await keep_account(lobby, caller)
    _, lines = await exec_commands.answer(line, lobby, caller)
    return " ".join(lines)


@for_each(
    ("typed", "answer"),
    [
        ("new", "What is the tournament called? Type tournament new NAME."),
        ("new join me", "'join me' begins with a word of the command: choose another name."),
        ("new Pub quiz", "'Pub quiz' begins with a word of the command: choose another name."),
        ("new 12", "A tournament's name has letters in it."),
        ("new server: hello", "A tournament's name has no colon."),
        ("new x y=1", "A tournament has no 'y': it has format, rules, rounds, seats, clock, fill, start,"),
        ("new x format=cup", "Type format=open or format=swiss."),
        ("new x format=swiss rounds=99", "A swiss has 1 to 12 rounds, not 99."),
        ("new x seats=5", "The tables of a tournament have 2 to 4 seats."),
        ("new x fill=genius", "No level 'genius': there are easy, medium, hard, extreme, master."),
        ("new x start=25:00", "'25:00' is no time of day: type HH:MM; start also takes full, or host."),
        ("new x start=11:00", "11:00 is past, or more than 12 hours ahead: it is 12:0"),
        ("new x start=full", "start=full needs to know when it is full: add places=8, for example."),
        ("new x places=900", "places=N: a tournament has 1 to 200 places."),
        ("new x rules=poker", "No rule set 'poker'"),
        ("join", "No tournament goes on."),
        ("leave", "No tournament goes on."),
        ("end", "Type tournament close NAME: it ends the tournament."),
        ("Stop friday", "Type tournament close friday: it ends the tournament."),
        ("Friday start", "The name stands last: tournament start Friday."),
        ("hold friday", "No tournament is called 'friday': none goes on."),
        ("fix 3 ana", "No tournament goes on."),
        ("void friday:1.1", "No tournament is called 'friday': none goes on."),
    ],
)
async def test_what_cannot_be_is_refused_in_one_line(typed: str, answer: str) -> None:
    """Names, times, sizes, rules, and tournaments that there are not."""
    async with tournament_lobby(clock=Clock()) as lobby:
        assert (await said(lobby, f"tournament {typed}")).startswith(answer)


async def test_players_enter_leave_and_are_told() -> None:
    """By a key, or in a session as a guest; programs get JSON."""
    async with tournament_lobby() as lobby:
        assert "need an ssh key" in await said(lobby, "tournament new friday", key="")
        assert "You are its host" in await said(lobby, "tournament new friday format=swiss rounds=2 places=3")
        assert "ssh HOST brings you in, where you are called" in await said(lobby, "tournament join", "bo")
        assert await said(lobby, "tournament join fri", "bo") == "You are in friday already."
        assert (await said(lobby, "tournament join", key="")).startswith("Come in with ssh HOST, and type it there")
        guest = Contestant(lobby, "cy", key="")
        guest.plays = False
        await guest.come()
        lines = (await execute(parse("tournament join friday", guest.session), guest.session)).lines
        assert lines[0].startswith("You are in friday: 2 players;")
        found = await asked(lobby, "tournament friday")
        (shown,) = found["tournaments"]
        assert [row["name"] for row in shown["standings"]] == ["bo", "cy"]
        assert (shown["state"], shown["round"], shown["rounds"], shown["format"]) == ("open", 0, 2, "swiss")
        assert "You have left friday" in await said(lobby, "tournament leave", "bo")
        assert "bo has left friday already" in await said(lobby, "tournament leave friday", "bo")
        assert "Only the host of friday can do that" in await said(lobby, "tournament start friday", "bo")
        assert "begins" in await said(lobby, "tournament start")
        await until(lambda: guest.session.in_game)
        assert "friday, round 1" in await said(lobby, "tables")
        assert (await asked(lobby, "tables"))["tables"][0]["occasion"] == "friday, round 1"
        assert "is for those who play friday" in await said_inside(guest.session.lobby, "sit 1")


async def test_a_host_starts_an_open_night_at_once() -> None:
    """It does not wait for more players; they are told so, too, who start it before anybody has entered."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new night start=host")
        assert "when players have entered" in await said(lobby, "tournament start")
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new night")
        await come(lobby, "bo")
        assert "begins: the next tables are called in a moment" in await said(lobby, "tournament start")
        its = await tournaments_of(lobby).known.find("night")
        await until(lambda: bool(its.state.rounds), 5)


async def test_a_player_who_comes_late_is_told_with_how_many_points_they_begin() -> None:
    """In a swiss; the standings meanwhile say that a round goes on."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new cup format=swiss rounds=3")
        await come(lobby, "bo", "cy")
        await said(lobby, "tournament start cup")
        its = await tournaments_of(lobby).known.find("cup")
        await until(lambda: bool(its.state.rounds))
        assert "You have come late and begin with 4 points." in await said(lobby, "tournament join cup", "dee")
        await until(lambda: len(its.state.rounds) == 2)
        shown = competition(its.state, tournaments_of(lobby).now(), inf)
        assert shown.standings.title == "standings during round 2"


async def said_inside(lobby: Lobby, line: str) -> str:
    """The refusal of a line that another player types in a session."""
    other = Contestant(lobby, "dee")
    await other.come()
    try:
        await execute(parse(line, other.session), other.session)
    except Exception as error:  # noqa: BLE001 - its text is compared
        return str(error)
    finally:
        await other.go()
    return ""


async def come(lobby: Lobby, *names: str) -> list[Contestant]:
    """Players who come in and enter the only tournament, which the host cannot do for them."""
    people = [Contestant(lobby, name) for name in names]
    for name, each in zip(names, people, strict=True):
        await each.come()
        assert f"{name} has to enter" in await said(lobby, f"tournament add {name}")
        assert "You are in " in await said(lobby, "tournament join", name)
    return people


async def test_a_tournament_is_headed_with_the_title_of_house_rules() -> None:
    """In lines and for programs, where `rules` stays the rule set that they change."""
    async with tournament_lobby() as lobby:
        lobby.rulebook.take(Rulebook({"anna": 'base = "quatch"\ntitle = "Anna\'s Quatch"\n[draw]\nto = 4\n'}))
        assert (await said(lobby, "tournament new Cup rules=anna")).startswith("Cup: open night, Anna's Quatch, 0 p")
        assert "Cup: open night, Anna's Quatch, 0 players" in await said(lobby, "tournament results Cup")
        told = await said(lobby, "tournament Cup --json")
        assert '"rules": "quatch", "title": "Anna\'s Quatch"' in told


async def test_who_enters_without_a_session_reads_what_brings_them_in() -> None:
    """From a shell, and at the console, where ops type: nobody is called to a table there."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new Cup format=swiss")
        assert "brings you in, where you are called" in await said(lobby, "tournament join Cup")
        context = await exec_commands.context_at_prompt(lobby, Caller("bo", "SHA256:bo"))
        command, rest = exec_commands.understood(["tournament", "join", "Cup"], context)
        assert "brings you in, where you are called" in (await command.run(context, rest)).lines[0]


async def test_no_round_is_promised_while_the_server_drains() -> None:
    """To a player, a host or an op; a host can still end a tournament."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new Cup format=swiss")
        await said(lobby, "tournament join Cup")
        await Contestant(lobby, "bo").come()
        lobby.drain.begin(3600)
        for line in ("join Cup", "start Cup", "publish Cup", "new Other"):
            assert await said(lobby, f"tournament {line}") == NO_GAMES, line
        _, lines = await exec_commands.answer("tournament add bo Cup", lobby, Caller("host", runs_server=True))
        assert lines == [NO_GAMES]
        assert "Cup ends" in await said(lobby, "tournament close Cup")


async def test_why_nobody_new_is_added_and_how_ai_players_are_named() -> None:
    """A host is told what to type, and is not told what a player would do."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new friday format=swiss rounds=1 fill=full")
        await come(lobby, "bo", "cy")
        await said(lobby, "tournament start")
        its = await tournaments_of(lobby).known.find("friday")
        await until(lambda: bool(its.state.rounds))
        await Contestant(lobby, "eve").come()
        assert "Friday was open until round 1 was called." in await said(lobby, "tournament add eve")
        await until(lambda: its.state.phase == "over")
        assert "type bo, cy or AI, which means an AI player." in await said(lobby, "tournament fix friday:1.1 Fox")


async def test_the_host_corrects_voids_adds_and_removes() -> None:
    """The players of a board are told in one line; nothing that was published changes."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new friday format=swiss rounds=2")
        people = await come(lobby, "bo", "cy", "dee")
        await said(lobby, "tournament start")
        its = await tournaments_of(lobby).known.find("friday")
        await until(lambda: bool(its.state.rounds) and its.state.rounds[0].is_over)
        assert "waits" in await said(lobby, "tournament hold")
        drafted = await said(lobby, "tournament draft")
        assert drafted.startswith("friday, round 2, if nobody comes or goes")
        assert all(name in drafted for name in ("bo", "cy", "dee"))
        assert "the best first, dee too" in await said(lobby, "tournament fix 1.1 bo cy")
        assert "type bo, cy or dee" in await said(lobby, "tournament fix 1.1 bo cy zed")
        assert "No bo is left to place" in await said(lobby, "tournament fix 1.1 bo bo cy")
        assert "Which game of friday? Type its table, or 2.1 " in await said(lobby, "tournament fix bo cy dee")
        table = its.state.rounds[0].boards[0].table
        assert (await said(lobby, "tournament fix 99 bo")).endswith(f"it had table {table}.")
        with capture_logs() as logs:
            fixed = await said(lobby, "tournament fix 1.1 cy bo=dee because the dealer misread it")
        assert fixed == "Corrected: cy 12, bo 3, dee 3 points."
        (noted,) = (line for line in logs if line["event"] == "op acted")
        assert (noted["whom"], noted["after"]) == ("friday:1.1", "cy 12, bo 3, dee 3 points")
        assert noted["before"] != noted["after"]
        assert noted["why"] == "the dealer misread it"
        assert its.state.points() == {"account:cy": 12, "account:bo": 3, "account:dee": 3}
        assert any("the host has corrected a result" in line for line in people[0].lines)
        assert "points, corrected" in await said(lobby, "tournament results friday")
        assert "void" in await said(lobby, "tournament void 1.1")
        assert {*its.state.points().values()} == {6}
        assert "plays no more rounds" in await said(lobby, "tournament remove dee")
        assert "The host has removed you" in await said(lobby, "tournament join friday", "dee")
        assert "is in friday" in await said(lobby, "tournament add dee")
        assert "at most 60" in await said(lobby, "tournament extend 99")
        assert "No game of round 1 of friday goes on" in await said(lobby, "tournament extend 5")
        assert "called in a moment" in await said(lobby, "tournament go"), "a host who does not play leads on by it"
        await until(lambda: len(its.state.rounds) == 2)
        assert "paused" in await said(lobby, "tournament pause")
        assert "goes on" in await said(lobby, "tournament resume")
        table = its.state.rounds[1].boards[0].table
        assert f"Table {table} is still playing" in await said(lobby, f"tournament fix {table} bo cy dee")
        assert "played again at table" in await said(lobby, f"tournament void {table}")
        assert "ends" in await said(lobby, "tournament close")
        await until(lambda: its.state.phase == "over")
        assert "it is over" in await said(lobby, "tournament friday")
        assert "Corrected" in await said(lobby, "tournament fix 1.1 bo cy dee")
        assert (await tournaments_of(lobby).known.find("friday")).state.points()["account:bo"] > 6
        fixed = "friday, round 1: the host has corrected a result: bo 12, cy 6, dee 0 points. friday is over: "
        assert [line.count(fixed) for each in people for line in each.lines if fixed in line] == [1] * len(people)
        assert "Corrected in round 1: bo 12, cy 6, dee 0 points" in await said(lobby, "tournament standings friday")


async def test_a_host_who_only_watches_corrects_a_result_after_the_end() -> None:
    """They read what the players do."""
    async with tournament_lobby() as lobby:
        host = Contestant(lobby, "ana")
        await host.come()
        await said(lobby, "tournament new friday format=swiss rounds=1")
        await come(lobby, "bo", "cy")
        await said(lobby, "tournament start")
        its = await tournaments_of(lobby).known.find("friday")
        await until(lambda: its.state.phase == "over")
        await asyncio.sleep(1)
        assert "Corrected: cy 12" in await said(lobby, "tournament fix friday:1.1 cy AI bo")
        told = "server: friday, round 1: the host has corrected a result: cy 12, an AI player 6, bo 0 points."
        assert host.lines[-1].startswith(told)


async def test_only_one_or_two_who_wait_call_the_next_tables() -> None:
    """No stranger does, nor one of many; and nobody overrules the host."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new night")
        people = await come(lobby, "bo", "cy", "dee")
        its = await tournaments_of(lobby).known.find("night")
        assert await said(lobby, "tournament go night", "eve") == "You do not wait for a table of night now."
        assert await said(lobby, "tournament go", "bo") == "3 players wait: you will play together soon."
        await people[2].go()
        assert "waits" in await said(lobby, "tournament hold")
        assert await said(lobby, "tournament go", "bo") == "The host of night has stopped it for a while."
        assert "begins" in await said(lobby, "tournament publish")
        await until(lambda: bool(its.state.rounds), 5)
        await until(lambda: its.state.rounds[0].is_over)
        assert await said(lobby, "tournament go", "bo") == "The next tables are called now."
        assert await said(lobby, "tournament go", "cy") == "The next tables of night are called already."
        await until(lambda: len(its.state.rounds) == 2, 5)


async def test_a_tournament_counts_for_the_address_of_its_host() -> None:
    """A player with many keys does not open all of them. A player who is muted opens none, since all read its name."""
    async with tournament_lobby() as lobby:
        answers = list[str]()
        for number in range(5):
            caller = Caller(f"g{number}", f"SHA256:g{number}", ip_address("192.0.2.7"))
            _, lines = await exec_commands.answer(f"tournament new night{number}", lobby, caller)
            answers.append(" ".join(lines))
        assert "You are its host" in answers[3]
        assert "4 tournaments of yours, or of your address, go on" in answers[4]
        assert "night3 goes on already" in await said(lobby, "tournament new Night3")
        assert "You are its host" in await said(lobby, "tournament new elsewhere")
        await lobby.imposed.mutes.put(against("account:bo"))
        assert "has muted you" in await said(lobby, "tournament new buy-my-things", "bo")


async def test_guests_who_come_again_and_again_fill_no_tournament() -> None:
    """Those of an address who left without a game count as if they were in."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new night")
        address, answers = ip_address("192.0.2.7"), list[str]()
        for number in range(PLACES_OF_ADDRESS.share + 1):
            caller = Caller(f"g{number}", f"SHA256:g{number}", address)
            _, lines = await exec_commands.answer("tournament join", lobby, caller)
            answers.append(" ".join(lines))
            await exec_commands.answer("tournament leave", lobby, caller)
        assert "You are in night" in answers[-2]
        assert (
            "4 players from your address are in night already: ask the host, whose tournament add NAME" in answers[-1]
        )


async def test_nobody_enters_at_the_console_where_nobody_plays() -> None:
    """The host plays in a session, as all do."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new night")
        host = await exec_commands.context_at_prompt(lobby, Caller("host", runs_server=True))
        command, rest = exec_commands.understood(["tournament", "join"], host)
        with pytest.raises(InputError, match="come in with ssh HOST, and type it there"):
            await command.run(host, rest)


@pytest.mark.features("moderation")
async def test_a_player_whom_an_op_renames_stands_so_in_the_standings() -> None:
    """Also one who has left, and stays out."""
    async with tournament_lobby() as lobby:
        await said(lobby, "tournament new night")
        rude = Contestant(lobby, "rude")
        await rude.come()
        for line in ("tournament join", "tournament leave"):
            await execute(parse(line, rude.session), rude.session)
        await rude.go()
        host = await exec_commands.context_at_prompt(lobby, Caller("host", runs_server=True))
        relabel, rest = exec_commands.understood(["relabel", "rude", "as", "Sam"], host)
        await relabel.run(host, rest)
        entrants = (await tournaments_of(lobby).known.find("night")).state.entrants
        assert [(each.player.name, each.status) for each in entrants.values()] == [("Sam", "left")]


async def test_a_player_of_two_tournaments_says_which_one_they_leave() -> None:
    """In one alone they need not. A player who has left hears of no more rounds."""
    async with tournament_lobby() as lobby:
        for name in ("night", "cup format=swiss"):
            await said(lobby, f"tournament new {name}")
            await said(lobby, f"tournament join {name.split()[0]}", "bo")
        assert await said(lobby, "tournament leave", "bo") == "Which tournament: night, cup?"
        cup = (await tournaments_of(lobby).known.find("cup")).state
        called = events.Published(at=1.0, round=1, boards=())
        assert event_text(cup, called, "account:bo") == "cup, round 1 begins without you."
        assert "You have left cup" in await said(lobby, "tournament leave cup", "bo")
        assert event_text((await tournaments_of(lobby).known.find("cup")).state, called, "account:bo") == ""
        assert "You have left night" in await said(lobby, "tournament leave", "bo")


def test_more_than_one_tournament_can_be_asked_for() -> None:
    """The plural is the same command."""
    assert meant("tournaments", asking("lobby")) == "tournament"
