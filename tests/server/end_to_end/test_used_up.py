"""What one address may use up: games dealt and kept, in the hands of programs that do nothing else."""

import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import asyncssh
import pytest

from server.ai.pool import BUSY
from server.limits import DEALS, GAMES_KEPT, PAGES_KEPT
from server.storage.database import NotSaved
from server.storage.sqlite_database import MemoryDatabase
from server.table.finished_game import dealt_keys
from tests.support.bots import BotClient, bot
from tests.support.faulty_log import FaultyLog
from tests.support.ops import hosted
from tests.support.people import running_server
from tests.support.resources import settled
from tests.support.tables import SHORT

EVE: Final = "127.0.0.2"
ADA: Final = "127.0.0.4"
FEW: Final = 5
"""Deals that are left to an address; the others are charged without playing."""


async def _play_until_refused(player: BotClient) -> tuple[int, dict[str, object]]:
    """Play short games as fast as the server deals them. Returns how many began, and the refusal of the next."""
    player.send(type="new", rules="quatch", seats=2, fill="easy", options=SHORT)
    begun = 1
    while (message := await player.until("turn", "over", "error"))["type"] != "error":
        if message["type"] == "turn":
            player.send(type="move", ply=message["ply"], move=message["legal"][0])
        else:
            player.send(type="again")
            begun += 1
    return begun - 1, message


async def test_programs_of_one_address_are_dealt_so_many_games_together(tmp_path: Path) -> None:
    """Then the next deal is refused at each table, and the refusal says when to try again; others go on playing."""
    async with running_server(tmp_path, pace=0.0) as server, AsyncExitStack() as opened:
        first, second = [await opened.enter_async_context(bot(server.port, n, source=EVE)) for n in ("b1", "b2")]
        for _ in range(int(DEALS.share.burst) - FEW):
            server.app.lobby.ledger.charge(DEALS, EVE)
        began = time.monotonic()
        begun, refusal = await _play_until_refused(first)
        elapsed = time.monotonic() - began
        assert FEW <= begun <= FEW + elapsed * DEALS.share.per_second + 1
        assert refusal["code"] == "too_fast"
        assert 0 < float(str(refusal["retry_s"])) <= 1 / DEALS.share.per_second
        begun, refusal = await _play_until_refused(second)
        assert begun <= 1 + elapsed
        assert "begun from your address" in str(refusal["message"])
        async with bot(server.port, "ana", source="127.0.0.3") as ana:
            await ana.ask("turn", "over", type="new", rules="quatch", seats=2, fill="easy")


async def test_many_tables_of_one_address_hurry_their_own_ai_players(tmp_path: Path) -> None:
    """Theirs count as hurried, and say so; the AI players of others have all the time of their level."""
    async with running_server(tmp_path, workers=1) as server, AsyncExitStack() as opened:
        tables = server.app.lobby.tables.here
        for number in range(3 * BUSY):
            eve = await opened.enter_async_context(
                bot(server.port, f"b{number}", asyncssh.generate_private_key("ssh-ed25519"), source=EVE)
            )
            await eve.ask("joined", type="new", rules="quatch", seats=2, fill="master")
            eve.send(type="move", ply=0, move="ready")
        await settled(lambda: any(table.journal.state.hurried for table in tables.values()))
        async with bot(server.port, "ana", source="127.0.0.3") as ana:
            own = (await ana.ask("joined", type="new", rules="quatch", seats=2, fill="master"))["table"]
            await settled(lambda: tables[own].journal.state.moves_of(1) > 0)
        assert not tables[own].journal.state.hurried
        hurried = [table for table in tables.values() if table.journal.state.hurried]
        assert {dealt_keys(table.journal.state)[1] for table in hurried} == {"ai:hurried"}
        ratings = {table.listing().rating for table in hurried}
        assert all(rating.endswith(" as hurried for lack of time") for rating in ratings)


@pytest.mark.waiting_takes_no_time
async def test_a_deal_is_charged_once_it_is_saved(tmp_path: Path) -> None:
    """However often it is tried."""
    log = FaultyLog()
    async with hosted(tmp_path, log) as server, bot(server.port, "b1", source=EVE) as guest:
        await guest.ask("joined", type="new", rules="quatch", seats=2, fill="easy", options=SHORT)
        await guest.play()
        ledger, journal = server.app.lobby.ledger, server.app.lobby.tables.here[1].journal
        await settled(lambda: journal.state.next_deal is not None)
        games, pages = ledger.used(GAMES_KEPT)[EVE], ledger.used(PAGES_KEPT)[EVE]
        log.refuses = NotSaved("the disk is full")
        assert (await guest.ask("error", type="again"))["code"] == "not_saved"
        await settled(lambda: server.app.counters.log_failures["not_saved"].value >= 2)
        assert ledger.used(GAMES_KEPT)[EVE] <= games
        assert ledger.used(PAGES_KEPT)[EVE] <= pages
        log.refuses = None
        await guest.until("turn", "over")
        assert ledger.used(GAMES_KEPT)[EVE] > games
        assert ledger.used(PAGES_KEPT)[EVE] > pages


@pytest.mark.waiting_takes_no_time
async def test_games_of_programs_without_keys_are_not_kept(tmp_path: Path) -> None:
    """The message says so, and `verify` says why; those of a key are kept until there are many from an address.

    No page is charged for a game that is not kept.
    """
    log = MemoryDatabase()
    async with hosted(tmp_path, log) as server:
        async with bot(server.port, "b1", source=EVE) as guest:
            await guest.ask("joined", type="new", rules="quatch", seats=2, fill="easy", options=SHORT)
            over = await guest.play()
            assert over["game"] is None
            game = next(iter(server.app.lobby.tables.here.values())).journal.state.game_id
        async with server.person("eve", term="xterm", command=f"verify {game}") as eve:
            await eve.until("in which no person moves, are not kept")
        async with bot(server.port, "b2", asyncssh.generate_private_key("ssh-ed25519"), source=EVE) as known:
            await known.ask("joined", type="new", rules="quatch", seats=2, fill="easy", options=SHORT)
            assert (await known.play())["game"]
            for _ in range(int(GAMES_KEPT.share.burst)):
                server.app.lobby.ledger.charge_if_free(GAMES_KEPT, EVE)
            pages = server.app.lobby.ledger.used(PAGES_KEPT)[EVE]
            known.send(type="again")
            assert (await known.play())["game"] is None
            assert server.app.lobby.ledger.used(PAGES_KEPT)[EVE] <= pages
        async with bot(server.port, "b3", asyncssh.generate_private_key("ssh-ed25519"), source=ADA) as other:
            server.app.lobby.ledger.charge_used(PAGES_KEPT, ADA, PAGES_KEPT.share.burst - 1)
            await other.ask("joined", type="new", rules="quatch", seats=2, fill="easy")
            assert (await other.play())["game"]
            other.send(type="again")
            assert (await other.play())["game"] is None
        assert len(await log.latest(9)) == 2
