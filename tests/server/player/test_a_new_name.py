"""A player with a new key is asked once how they want to be called."""

import pytest

from tests.support.at_terminals import lobby_at, person
from tests.support.clock import Clock

pytestmark = pytest.mark.virtual_time
QUESTION = "You are new here: type your name, or go on as ana."


async def test_a_new_key_is_asked_for_a_name() -> None:
    """A word that means nothing else is the name if they say so. It is kept, and nothing is asked the next time."""
    async with lobby_at(Clock()) as lobby:
        async with person(lobby, "ana") as ana:
            assert QUESTION in ana.shown
            assert "Type yes to be called sudo" in await ana.type("sudo")
            await ana.type("who")
            assert "Type yes to be called Zoe" in await ana.type("Zoe")
            assert "You are Zoe." in await ana.type("yes")
            assert "unknown command 'bob'" in (await ana.type("bob")).lower()
        async with person(lobby, "ana") as again:
            assert "welcome, Zoe" in again.shown
            assert "You are new here" not in again.shown


async def test_enter_and_commands_keep_the_proposed_name() -> None:
    """Enter does what it says; a slip is no name; a guest is not asked."""
    async with lobby_at(Clock()) as lobby:
        async with person(lobby, "ana") as ana:
            assert "Did you mean rules?" in await ana.type("ruels")
            assert "ARRANGE" in await ana.type("no", "")
            assert ana.session.player_session.player.name == "ana"
        async with person(lobby, "gus", guest=True) as gus:
            assert "You are new here" not in gus.shown
            assert "unknown command 'zoe'" in (await gus.type("zoe")).lower()
