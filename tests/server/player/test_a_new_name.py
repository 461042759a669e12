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


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("im joe", "joe"),
        ("I'm Tom.", "Tom"),
        ("hi, I\u2019m Tom", "Tom"),
        ("it's Bob", "Bob"),
        ("mary ann", "mary-ann"),
        ("I'm Mary Ann!", "Mary-Ann"),
        ("hello there", ""),
        ("oops", ""),
        ("this is all nonsense", ""),
    ],
)
async def test_a_name_is_found_in_what_people_say(typed: str, name: str) -> None:
    """Two words become one name; small talk is no name, nor is a sentence."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type(typed)
        assert ana.session.player_session.typed_again.asked == (f"name {name}" if name else "")


async def test_a_player_who_wants_another_name_at_a_table_has_it_in_the_lobby() -> None:
    """At a table names stay."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        assert "you are Eva as soon as you are in the lobby" in await ana.type("play", "change my name to Eva")
        assert ana.session.player_session.player.name == "ana"
        assert "welcome, Eva" in await ana.type("leave")


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
