"""`quatch bots`: our AI players come to a real server from outside."""

import asyncio
import socket
from pathlib import Path

import pytest

from engine.errors import InputError
from server.bot_protocol.bots import MOST_BOTS, BotOptions, ShownCards, result_words, run_bots
from server.cli.main import main
from server.history.archive import find_game
from server.people.players import Caller, Player
from server.people.sanctions import guest_name
from server.records.record_reader import read_record
from tests.support.ops import against
from tests.support.patience import PATIENCE
from tests.support.people import RunningServer
from tests.support.random_games import TABLES, Table, random_game
from tests.support.resources import settled


async def sent(errand: BotOptions) -> list[str]:
    """What is reported of an errand that ends by itself."""
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE):
        await run_bots(errand, lines.append)
    return lines


async def test_bots_open_a_table_where_none_is_open_and_play(open_server: RunningServer, tmp_path: Path) -> None:
    """The first opens one for all of them, begins when the seats are taken, and they go when they have played."""
    told = await sent(
        BotOptions(
            "127.0.0.1", open_server.port, count=3, level="easy", rules="college", games=2, pace=0, keys=str(tmp_path)
        )
    )
    assert told[:3] == [f"easy{n} sits at table 1, seat {n} of 3, college" for n in (1, 2, 3)]
    games = [line.rpartition(" ")[2] for line in told[3:]]
    assert len(games) == 6
    assert len(set(games)) == 2
    assert sum("has won" in line for line in told) <= 2
    for game in set(games):
        record = read_record((await find_game(open_server.app.lobby.store, game)).record)
        assert [bool(cut.seal and cut.text) for cut in record.cuts] == [True] * 3
        assert record.no_one_could_choose
    await settled(lambda: not open_server.app.lobby.tables.listings())


@pytest.mark.waiting_takes_no_time
async def test_a_muted_bot_plays_on_and_cuts_no_more(
    open_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused once, and not before every game."""
    imposed, cuts = open_server.app.lobby.imposed, list[str]()
    refuse_if_muted = imposed.refuse_if_muted
    await imposed.mutes.put(against(guest_name("easy1") or ""))

    def noted(player: Player, caller: Caller) -> None:
        cuts.append(player.name)
        refuse_if_muted(player, caller)

    monkeypatch.setattr(imposed, "refuse_if_muted", noted)
    told = await sent(BotOptions("127.0.0.1", open_server.port, count=2, level="easy", games=2, pace=0))
    assert len(told) == 2 + 2 * 2
    assert cuts.count("easy1") == 1 < cuts.count("easy2")


@pytest.mark.waiting_takes_no_time
async def test_a_bot_that_is_unmuted_cuts_again_when_it_comes_back(
    open_server: RunningServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its connection was lost; it sits down at its table anew."""
    cuts, muted = list[str](), {"easy1"}

    def noted(player: Player, _: Caller) -> None:
        cuts.append(player.name)
        if player.name in muted:
            raise InputError("muted", "an op has muted you")

    monkeypatch.setattr(open_server.app.lobby.imposed, "refuse_if_muted", noted)
    errand = BotOptions("127.0.0.1", open_server.port, count=2, level="easy", games=3, pace=0.02, keys=str(tmp_path))
    bots = asyncio.create_task(sent(errand))
    await settled(lambda: cuts.count("easy2") > 1)  # the first game is over
    assert cuts.count("easy1") == 1
    muted.clear()
    await open_server.app.listener.abort_connections()
    await bots
    assert cuts.count("easy1") > 1


async def test_a_bot_that_is_sent_away_reports_why(open_server: RunningServer) -> None:
    """In the words of the server; then it comes back."""
    told, visitors = list[str](), open_server.app.lobby.visitors
    bots = asyncio.create_task(run_bots(BotOptions("127.0.0.1", open_server.port, level="easy", pace=0), told.append))
    await settled(lambda: bool(told))
    visitors.here[0].dismiss("An op has disconnected you.")
    await settled(lambda: any("comes back" in line for line in told))
    bots.cancel()
    assert told[1] == "easy1: An op has disconnected you."


def test_a_draw_is_told_as_one() -> None:
    """Not as a game that nobody has won."""
    drawn = {"outcome": {"kind": "drawn", "seats": [0, 1]}, "game": "8F3K2Q", "ranks": [1, 1]}
    assert result_words(drawn, 0) == "drawn game 8F3K2Q"


def test_the_rank_that_counts_decides_who_has_won() -> None:
    """A player who left is last, also if the AI player in their seat got rid of its cards first."""
    over = {"outcome": {"kind": "won", "winner": 1}, "ranks": [1, 2], "game": "8F3K2Q"}
    assert [result_words(over, seat) for seat in (0, 1)] == ["won game 8F3K2Q", "not won game 8F3K2Q"]
    assert result_words(over | {"game": None}, 0) == "won a game that is not kept"


@pytest.mark.waiting_takes_no_time
async def test_bots_take_the_seats_of_the_table_that_is_named(open_server: RunningServer) -> None:
    """The player who opened the table starts the game, not the bots."""
    async with open_server.person("ana") as ana:
        await ana.enter("new cathedral seats=2", "seat 1   ana")
        bots = asyncio.create_task(
            sent(BotOptions("127.0.0.1", open_server.port, table=1, level="easy", pace=0, games=1))
        )
        await ana.until("easy1")
        assert not open_server.app.lobby.tables.listings()[0].playing
        await ana.enter("start", "cards to lay")
        await ana.leave_game()
        assert (await bots)[0] == "easy1 sits at table 1, seat 2 of 2, cathedral"


async def test_what_the_server_refuses_ends_it_in_one_line(open_server: RunningServer) -> None:
    """So does a number that cannot be, and a server that is not there."""
    with pytest.raises(InputError, match="no table '7'"):
        await sent(BotOptions("127.0.0.1", open_server.port, table=7))
    with pytest.raises(InputError, match=f"--count: 1 to {MOST_BOTS}"):
        await sent(BotOptions("127.0.0.1", open_server.port, count=MOST_BOTS + 1))
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with pytest.raises(ConnectionError, match=r"127\.0\.0\.1 port"):
            await sent(BotOptions("127.0.0.1", nobody.getsockname()[1]))


def test_a_wrong_option_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what would be right."""
    assert main(["bots", "127.0.0.1", "--port", "99999"]) == 2
    assert capsys.readouterr().err == "quatch: --port: 1 to 65535, not 99999\n"
    assert main(["bots", "127.0.0.1:99999"]) == 2
    assert capsys.readouterr().err == "quatch: --port: 1 to 65535, not 99999\n"


@pytest.mark.parametrize("at", TABLES, ids=str)
def test_bots_remember_public_cards(at: Table) -> None:
    """The cards that went to a hand in the open, as the view that people are shown has them."""
    for seed in "01":
        remembered = ShownCards()
        for step in random_game(at, seed).steps:
            for event in step.events:
                remembered.observe(event.seen_by(None).to_json())
            assert remembered.by_seat(at.seats) == step.after.public_hands
