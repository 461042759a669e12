"""What players are told whose table gave way to another, or who have more than one, and how they come back."""

import asyncio

import pytest

from server.commands.typed_line import execute, parse
from server.player.player_session import PlayerSession
from server.player.way_back import parting_lines
from server.table.unlogged_state import LOADED_SECONDS
from tests.support.front_end import come_in
from tests.support.many_tables import a_lobby, comes
from tests.support.tables import ANA

pytestmark = pytest.mark.virtual_time


async def answer(session: PlayerSession, line: str) -> list[str]:
    """The lines of the answer to a command."""
    return [*(await execute(parse(line, session), session)).lines]


async def test_players_find_their_game_again_that_had_to_give_way() -> None:
    """They read where it is when they come in while there is no room, and go on in it as soon as there is."""
    async with a_lobby(tables=6) as lobby:
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        await answer(ana, "play")
        number, game = ana.table.number, ana.snapshot and ana.snapshot.game
        others = [await comes(lobby, host) for host in (1, 1, 2, 3, 4)]
        await comes(lobby, 5)
        assert not ana.at_table
        await ana.finish()
        for _ in range(2):
            await asyncio.sleep(LOADED_SECONDS)
            ana, read = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
            refusal = f"There is no room for table {number} now, but your seat is kept: come back with sit {number}."
            assert (read.lines, ana.reminder) == ([refusal], refusal)
            assert f"Your seat at table {number} is kept: sit {number}" in await answer(ana, "resume")
            await ana.finish()
        for table, watcher in others[:2]:
            await table.leave(watcher, for_good=True)
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        assert (ana.table.number, ana.in_game, ana.snapshot and ana.snapshot.game) == (number, True, game)


async def test_a_guest_whose_game_had_to_give_way_leaves_with_the_resume_code() -> None:
    """As one does whose game runs; and only while the seat is kept."""
    async with a_lobby(tables=6) as lobby:
        ana, _ = await come_in(lobby, "ana", address="192.0.2.1")
        assert not parting_lines(ana)
        await answer(ana, "play")
        for host in (1, 1, 2, 3, 4, 5):
            await comes(lobby, host)
        assert not ana.at_table
        assert parting_lines(ana) == [f"Your seat is kept for a while: come in again and type resume {ana.resume_code}"]
        await asyncio.sleep(lobby.config.keep_table + 60)
        assert not parting_lines(ana)


async def test_a_player_with_a_key_who_hangs_up_during_a_game_leaves_with_its_seat() -> None:
    """Plain lines without a terminal are not asked before, so the last line says it."""
    async with a_lobby() as lobby:
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        assert not parting_lines(ana)
        await answer(ana, "play")
        assert parting_lines(ana) == ["Your seat is kept for a while: come in again."]


async def test_a_player_with_seats_at_two_tables_is_told_of_the_other_one() -> None:
    """They come back to the first; it may be the other one that had to give way."""
    async with a_lobby(tables=6) as lobby:
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        await answer(ana, "play")
        await ana.table.give_way()
        await answer(ana, "play")
        await ana.finish()
        ana, _ = await come_in(lobby, "ana", "SHA256:ana", "192.0.2.1")
        (other,) = (await lobby.tables.seats_of(ANA.id)).keys() - {ana.table.number}
        assert f"Your seat at table {other} is kept, too: sit {other}" in ana.scene.log
