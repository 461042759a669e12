"""What is told of a daily deal that has been played: places, scores, days in a row, a text to share."""

import re

import pytest

from engine.wording.phrases import quantity
from server.daily import STREAK
from server.daily.commands import end_line
from server.joining import JoinLines
from server.people.players import Caller
from server.session import exec_commands
from tests.support.at_terminals import asked, flat, lobby_at, person, play
from tests.support.clock import DAY, Clock

pytestmark = [pytest.mark.virtual_time, pytest.mark.usefixtures("quick_deals")]


@pytest.mark.features("rankings")
async def test_results_are_cards_and_a_score_beside_masters_own() -> None:
    """They are the same in JSON, on the page and at the end of the game; nobody but the winner has a place."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("daily")
        await play(ana)
        left = re.search(r"You had (\d+) cards? left", flat(ana))
        assert not re.search(r"\d\. ana", flat(ana))
        assert "Your daily rating, against this table: " in flat(ana)
        await ana.type("daily")
        told = await asked(lobby, "daily")
        (row,) = told["results"]
        assert (told["v"], told["date"], told["rules"]) == (1, "2026-11-22", "quatch")
        assert (told["played"], row["name"], row["place"], row["you"]) == (True, "ana", 1, True)
        assert row["margin"] > 0 or (left and int(left[1]) == -row["margin"])
        assert 0 <= row["score"] <= 100
        own, par = (
            f"won, {margin} cards ahead" if margin > 0 else f"{quantity(-margin, 'card')} left"
            for margin in (row["margin"], told["par"])
        )
        assert re.search(rf"You: {own}, .*; score {row['score']}", flat(ana))
        beside = "the same as" if own == par else "better than" if row["margin"] > told["par"] else "worse than"
        assert f"{row['score']}, {beside} par." in flat(ana)
        assert f"Par, the middle one of 5 games by Master, our strongest AI player: {par}" in flat(ana)
        assert "All daily deals" in await ana.type("q", "daily top")
        assert (await asked(lobby, "top"))["top"] == []
        await ana.type("", "daily again")
        await play(ana)
        session = ana.session.player_session
        assert re.match(
            r"Here you did better than \d+% of people and AI players, and (the same as|better than|worse than) par\.",
            await end_line(session, session.game),
        )


async def test_the_lobby_says_whether_todays_deal_was_played() -> None:
    """To a player with a key, who need not ask."""
    clock = Clock()
    async with lobby_at(clock) as lobby, person(lobby, "ana") as ana:
        assert "today's deal (hard, one try): not played yet" in ana.shown
        await ana.type("daily", "leave")
        assert "today's deal: begun; type daily to go on" in ana.shown
        assert "sit 1" not in ana.shown
        await ana.type("daily")
        await play(ana)
        await ana.type("daily", "close", "leave")
        assert "you have played it today; see how others did" in ana.shown
        async with person(lobby, "bo") as bo:
            assert "today's deal (hard, one try): not played yet" in bo.shown
        clock.now += DAY
        assert "today's deal (hard, one try): not played yet" in await ana.type("who")


async def test_days_in_a_row_are_told() -> None:
    """A day on which the deal was begun and not finished ends them. What a newer version has written stays."""
    clock = Clock()
    async with lobby_at(clock) as lobby:
        for day, (moves, said) in enumerate([(1000, (1, 1)), (1000, (2, 2)), (2, (2, 2)), (1000, (1, 2))]):
            async with person(lobby, "ana") as ana:
                await ana.type("daily")
                await play(ana, moves)
                told = await asked(lobby, "daily")
                assert (told["days_in_a_row"], told["most_days_in_a_row"]) == said, day
                await ana.type("leave", "daily")
                assert (f"Days in a row: {said[0]}, at best 2." in ana.shown) == (day in {1, 3})
            clock.now += DAY
        newer = '{"v": 2}'
        await lobby.store.put_text(STREAK, "account:ana", newer)
        async with person(lobby, "ana") as ana:
            await ana.type("daily")
            await play(ana)
        assert (await asked(lobby, "daily"))["days_in_a_row"] == 0
        assert await lobby.store.text(STREAK, "account:ana") == newer


async def test_the_shared_text_names_no_card() -> None:
    """It needs no explanation, and tells how to play the same deal; no rank, no suit, nothing that helps a player."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        lobby.join_lines = JoinLines(("-p 2222 cards.example",))
        await ana.type("daily")
        await play(ana)
        _, lines = await exec_commands.answer("daily share", lobby, Caller("ana", "SHA256:ana"))
        assert len(lines) <= 5
        assert all(line.isascii() for line in lines)
        assert lines[0] == "Quatch, the daily card game, 2026-11-22"
        end = r"(won|had \d+ cards? left)"
        beaten = r"I did better than \d+% of people and AI players\."
        assert re.fullmatch(rf"I {end} against three AI players\. {beaten}", lines[1])
        assert re.fullmatch(rf"The strongest AI player in my place {end}\.", lines[2])
        assert re.fullmatch(r"How many cards I held, (turn by turn|every \w+ turn): \d+( \d+){0,11}", lines[3])
        assert lines[4] == "Play the same cards: ssh -t -p 2222 cards.example daily"
