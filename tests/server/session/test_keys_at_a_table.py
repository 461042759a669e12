"""Keys on the full screen at a table: what they do to the line, to a page and to the game."""

from tests.support.keys import ESC
from tests.support.opening import at_play, seated_together
from tests.support.people import Person, RunningServer


def typed(person: Person) -> str:
    """What is in the input line."""
    return person.shown.rstrip().split("\n")[-1]


async def test_keys_on_a_page_turn_it_and_reach_no_game(open_server: RunningServer) -> None:
    """Q and Esc close it, Enter and Space turn it, and a move typed over it is not made."""
    async with open_server.person() as ana:
        await at_play(ana, "life seats=2")
        for key in (b"q", ESC, b"\x03"):
            await ana.enter("rules", "Enter goes ")
            await ana.press(key, "play>")
            assert typed(ana) == "play>"
        await ana.enter("rules", "Enter goes ")
        while "Enter goes " in ana.shown:
            before = ana.shown
            await ana.press(b" ", lambda person, before=before: person.shown != before)  # type: ignore[misc]
        await ana.enter("help", "Enter goes ")
        await ana.press(b"d\r", "Nothing is played from a page: type d again to play it.")
        assert "arranging" in ana.shown


async def test_escape_empties_the_line(open_server: RunningServer) -> None:
    """The Esc of an arrow key does not."""
    async with open_server.person() as ana:
        await ana.press(b"frob", "lobby> frob")
        await ana.press(ESC, lambda person: typed(person) == "lobby>")
        await ana.press(b"fr\x1b[Dx", lambda person: typed(person) == "lobby> fxr")


async def test_an_answer_disappears_when_the_game_begins(open_server: RunningServer) -> None:
    """What was answered before the deal is not shown after it."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await seated_together(ana, bo)
        bo.type("start")
        await ana.until("arranging")
        assert "Your table." not in ana.shown
