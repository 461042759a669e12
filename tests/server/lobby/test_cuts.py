"""Cutting the cards at a table, in the open and sealed."""

import re

from server.records.fairness import seal_of
from tests.support.opening import seated_together
from tests.support.people import RunningServer


async def test_cards_are_cut_before_they_are_dealt(open_server: RunningServer) -> None:
    """`fair` shows the commitment. All players see a cut, and each player cuts once."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        assert "commitment" not in await seated_together(ana, bo)
        bo.type("fair")
        assert re.search(r"[0-9a-f]{64}", await bo.until("SHA-256"))
        bo.type("x")
        bo.type("cut my lucky word")
        await ana.until("bo cuts the cards: my lucky word")
        await bo.enter("cut another", "cut these cards already")
        await ana.enter("fair", "bo cut with: my lucky word")
        ana.type("x")
        await ana.enter("start", "YOUR TURN")
        await bo.enter("cut late", "before they are dealt")


async def test_a_cut_is_sealed_first_and_opened_when_the_game_is_to_start(open_server: RunningServer) -> None:
    """The cards are dealt when all seals are open; what that proves is told, then and afterwards."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await seated_together(ana, bo)
        await ana.enter("cut seal my lucky word", "64 hexadecimal digits")
        await ana.enter("cut open my lucky word", "You have sealed no cut")
        for person, text in ((ana, "ana"), (bo, "bo")):
            person.type(f"cut seal {seal_of(text)}")
            await ana.until(f"{text} seals a cut")
        await bo.enter("fair", seal_of("ana"))
        bo.type("x")
        bo.type("start")
        await ana.until("Open yours within 10 seconds: type cut open TEXT")
        await ana.enter("cut open bo", "That is not the text that you sealed")
        ana.type("cut open ana")
        await bo.until("ana opens the sealed cut: ana")
        await bo.until("The cards are dealt when all sealed cuts are open")
        bo.type("cut open bo")
        await ana.until("No one could choose the cards.")
        await ana.until("YOUR TURN")
        await bo.enter("fair", "What that proves: no one could choose the cards.")
        bo.type("x")
