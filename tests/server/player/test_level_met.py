"""Which level of AI players a person meets at the tables that they open, and which games count for it."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import asyncssh
import pytest

from server.people.accounts import Accounts
from server.people.settings import OwnLevel, Settings
from server.player.level_of_opponents import FIRST
from server.session.terminal_session import TerminalSession
from server.storage.sqlite_database import MemoryDatabase
from tests.support.bots import bot
from tests.support.each import for_each
from tests.support.emulator import SETTLED, TerminalPlayer, open_lobby
from tests.support.features import FEATURES
from tests.support.people import running_server
from tests.support.playing_on_screen import play_on_screen
from tests.support.positions import at
from tests.support.tables import put
from tests.support.virtual_time import in_virtual_time

pytestmark = pytest.mark.waiting_takes_no_time

WON: Final = Settings(own_level=OwnLevel("easy", won=3))
"""The settings of a player who meets medium AI players in the next game."""
NEWS: Final = "AI players: medium now, you were ahead of easy ones in 3 games of 3."


@asynccontextmanager
async def a_person(
    settings: Settings | None = None, store: MemoryDatabase | None = None, level: str = "auto"
) -> AsyncIterator[TerminalPlayer]:
    """A player with a key at a server that has just started, with these settings."""
    async with open_lobby(store, features=FEATURES, level=level) as lobby:
        ana = await TerminalPlayer(lobby, "ana").arrived()
        ana.session.player_session.settings = settings or Settings()
        yield ana


def levels(ana: TerminalPlayer) -> list[str | None]:
    """The levels of the AI players at a player's table, as everybody sees them."""
    snapshot = ana.session.player_session.location.snapshot
    assert snapshot is not None
    return [sitter.ai_level for sitter in snapshot.sitters if sitter is not None and sitter.is_ai]


async def end_game(session: TerminalSession, *, won: bool) -> None:
    """Let the game at a player's table end with the next move of two."""
    table = session.player_session.table
    mine = "hand 7c" if won else "hand 7c 3c 3d 3h"
    put(table, at("quatch", mine, "hand 8s", pile="6s"))
    await asyncio.sleep(SETTLED)


# At the tables that a person opens.


@in_virtual_time
async def test_a_newcomer_plays_alone_against_one_ai_player() -> None:
    """Against two a player who plays the lowest card wins a fifth of the games. Later, and to meet people, more."""
    for settings, line, ai_players in (
        (Settings(), "play", 1),
        (Settings(own_level=OwnLevel(lost=1)), "play quatch", 1),
        (Settings(own_level=OwnLevel(won=1, lost=1)), "play", 2),
        (Settings(level="easy"), "play", 2),
        (Settings(), "play life", 2),
        (Settings(), "meet", 2),
    ):
        async with a_person(settings) as ana:
            await ana.type(line)
            assert levels(ana) == ["easy"] * ai_players, (settings, line)
            assert "One rule is not as usual" not in ana.shown, "only a table of a level has the rules of that level"


@pytest.mark.features("plain_questions")
@for_each(
    ("line", "met"),
    [
        *((line, ["easy"]) for line in ("give me an easy game", "I want an easy game", "play against easy bots")),
        *((f"{asked} opponents", ["hard"] * 3) for asked in ("play a game with 3 hard", "new game with three hard")),
        ("play 3 easy bots", ["easy"] * 3),
    ],
)
@in_virtual_time
async def test_players_of_a_level_are_opponents_so_many_as_are_named_with_the_usual_rules(
    line: str, met: list[str]
) -> None:
    """A newcomer meets one, if they name no number. Only `play easy` names a table of the level, with its own rules."""
    async with a_person() as ana:
        await ana.type(line)
        assert levels(ana) == met
        assert "One rule is not as usual" not in ana.shown


@in_virtual_time
async def test_the_first_ai_players_are_easy_and_three_games_ahead_bring_the_next_level() -> None:
    """At the same table, with the same names; it is told once, in one line, and shown wherever levels are."""
    async with a_person() as ana:
        assert FIRST in await ana.type("play seats=2")
        assert "Fox" in ana.shown
        assert levels(ana) == ["easy"]
        for _ in range(3):
            await ana.type("ready")
            await end_game(ana.session, won=True)
            assert NEWS not in ana.shown
            await ana.type("7", "start")
        assert NEWS in ana.shown
        assert "*medium" in ana.shown
        assert levels(ana) == ["medium"]
        assert ana.session.player_session.settings.own_level == OwnLevel("medium")
        await ana.type("leave", "leave", "play seats=2")
        assert levels(ana) == ["medium"]
        assert "AI players: " not in ana.shown


@in_virtual_time
async def test_three_games_behind_bring_the_level_before() -> None:
    """A game that the player leaves counts neither way."""
    async with a_person(Settings(own_level=OwnLevel("medium"))) as ana:
        await ana.type("play seats=2", "ready", "leave", "leave")
        assert ana.session.player_session.settings.own_level == OwnLevel("medium")
        await ana.type("play seats=2")
        for _ in range(3):
            await ana.type("ready")
            await end_game(ana.session, won=False)
            await ana.type("7", "start")
        assert "AI players: easy now, medium ones were ahead of you in 3 games of 3." in ana.shown
        assert levels(ana) == ["easy"]


@in_virtual_time
async def test_a_level_that_is_named_stays_whatever_the_own_level_is() -> None:
    """For the whole table in its command, and for one AI player who is added; the others have the own level."""
    async with a_person(WON) as ana:
        await ana.type("play seats=2 level=extreme")
        assert levels(ana) == ["extreme"]
        assert NEWS not in ana.shown
        await ana.type("leave", "leave", "new seats=3", "add hard", "add", "start")
        assert NEWS in ana.session.player_session.feed.log
        assert levels(ana) == ["hard", "medium"]
        session = ana.session.player_session
        session.settings = Settings(own_level=OwnLevel("medium", won=3))
        await ana.type("ready")
        put(session.table, at("quatch", "hand 7c", "hand 8s", "hand 9s", pile="6s"))
        await ana.type("7", "start")
        assert levels(ana) == ["hard", "medium"], "the table has a named level, so it keeps all"


@in_virtual_time
async def test_a_level_that_is_named_stays_after_a_restart_of_the_server() -> None:
    """Also if the own level has changed meanwhile; the others at the table stay, too."""
    store = MemoryDatabase()
    async with a_person(store=store) as ana:
        await ana.type("new seats=4", "add hard", "add")
        assert levels(ana) == ["hard", "easy"]
    async with a_person(WON, store=store) as ana:
        await ana.type("start")
        assert levels(ana) == ["hard", "easy", "easy"]


@in_virtual_time
async def test_the_rules_of_a_table_do_not_change_with_the_own_level() -> None:
    """Quatch has a rule for tables of level easy and medium: it counts only if the level is named."""
    async with a_person() as ana:
        await ana.type("play seats=2")
        assert not ana.session.player_session.table.journal.state.rules.play_whole_sets
        await ana.type("leave", "leave", "play seats=2 level=easy")
        assert ana.session.player_session.table.journal.state.rules.play_whole_sets


@in_virtual_time
async def test_a_table_says_of_which_level_the_ai_players_will_be() -> None:
    """Before they sit down; the host's level holds if another player starts the game."""
    async with a_person(WON) as ana:
        assert "AI players here are medium." in await ana.type("new seats=3")
        bo = await TerminalPlayer(ana.session.player_session.lobby, "bo").arrived()
        assert "AI players here are medium." in await bo.type("sit 1")
        await bo.type("start")
        assert levels(ana) == levels(bo) == ["medium"]


@in_virtual_time
async def test_a_level_that_the_host_sets_before_the_deal_is_shown_and_holds() -> None:
    """Also for the AI player that takes the seat of a player who leaves the game."""
    async with a_person() as ana:
        assert "AI players here are medium." in await ana.type("new seats=3", "set level medium")
        bo = await TerminalPlayer(ana.session.player_session.lobby, "bo").arrived()
        await bo.type("sit 1", "start")
        assert levels(ana) == ["medium"]
        await bo.type("leave", "leave")
        assert levels(ana) == ["medium", "medium"]


@in_virtual_time
async def test_an_ai_player_in_the_place_of_a_player_who_is_away_has_the_level_of_the_others() -> None:
    """And not that of a table without a host whom they follow."""
    async with a_person() as ana:
        await ana.type("new seats=3")
        bo = await TerminalPlayer(ana.session.player_session.lobby, "bo").arrived()
        await bo.type("sit 1", "start")
        await bo.go()
        await asyncio.sleep(60)
        assert re.search(r"bo +\*easy .*\(away\)", ana.shown)


@in_virtual_time
async def test_set_level_shows_and_changes_what_the_player_meets() -> None:
    """At their own table with the next game; `auto` goes on from the level that was chosen."""
    async with a_person() as ana:
        assert "set level auto       of AI players; or easy, medium, hard, extreme, master" in await ana.type("set")
        assert "auto is easy now; help set tells when that changes" in ana.shown
        await ana.type("", "help set")
        assert "level auto: after 3 more good games than bad ones" in ana.shown
        assert "Set: level hard, from your next game on." in await ana.type("", "play seats=2", "set level hard")
        assert levels(ana) == ["easy"]
        await ana.type("ready")
        await end_game(ana.session, won=True)
        await ana.type("7", "start")
        assert levels(ana) == ["hard"]
        assert "Set: level auto, which is hard now, from your next game on." in await ana.type("set level auto")
        await ana.type("leave", "leave", "play seats=2 level=easy", "set level m")
        assert "Type set level auto or easy or medium" in ana.shown
        assert "Set: level master, from the next table that you open on." in await ana.type("set level master")


@in_virtual_time
async def test_the_hosts_level_holds_for_all_who_have_set_none() -> None:
    """And a level that a person has set holds before it."""
    async with a_person(WON, level="extreme") as ana:
        assert "auto is extreme here, as the server's settings say" in await ana.type("set")
        await ana.type("", "play seats=2")
        assert levels(ana) == ["extreme"]
        assert NEWS not in ana.shown
        await ana.type("leave", "leave", "set level medium", "play seats=2")
        assert levels(ana) == ["medium"]


# What is kept.


async def test_the_own_level_is_kept_with_the_settings_of_a_key(tmp_path: Path) -> None:
    """With a real client: a finished game counts, a server that starts later knows it; a guest begins anew."""
    store, key = MemoryDatabase(), asyncssh.generate_private_key("ssh-ed25519")
    async with running_server(tmp_path, store) as server, server.person(key=key) as ana:
        await ana.enter("play seats=2", "*easy")
        await play_on_screen(ana)
        account = server.app.lobby.visitors.here[0].player.account
        assert account is not None
    kept = Settings.from_json((await Accounts(store).account(account)).settings)
    assert kept.own_level.won + kept.own_level.lost == 1
    await Accounts(store).keep_account(account, 1, settings='{"v":1,"tips":"off","own_level":{"won":3}}')
    async with running_server(tmp_path, store) as server:
        async with server.person(key=key) as ana:
            await ana.until("game over")
            shown = await ana.enter("start", NEWS)
            assert "*medium" in shown, "the table still follows its host"
        async with server.person() as guest:
            await guest.enter("play seats=2", "*easy")


def test_settings_begin_with_auto() -> None:
    """What is wrong in the own level is like what is wrong anywhere in the settings."""
    assert Settings.from_json('{"v":1,"mode":"line"}') == Settings(mode="line")
    assert Settings().to_json() == '{"v":1}'
    assert Settings.from_json(WON.to_json()) == WON
    assert Settings.from_json('{"v":1,"mode":"line","own_level":{"level":"god"}}').own_level == OwnLevel()


async def test_bots_are_not_concerned(tmp_path: Path) -> None:
    """A bot with the key of a person who meets medium AI players: its own are hard, and its games count for nobody."""
    store, key = MemoryDatabase(), asyncssh.generate_private_key("ssh-ed25519")
    account = "account:fox"
    await Accounts(store).add_account(account, key.get_fingerprint(), 1)
    await Accounts(store).keep_account(account, 1, settings=WON.to_json())
    async with running_server(tmp_path, store) as server, bot(server.port, key=key) as fox:
        await fox.ask("joined", type="new", seats=2)
        fox.send(type="start")
        await fox.play()
        (listing,) = server.app.lobby.tables.listings()
        assert [sitter and sitter.ai_level for sitter in listing.sitters] == [None, "hard"]
    assert Settings.from_json((await Accounts(store).account(account)).settings) == WON
