"""Learning over ssh: a lesson, tips in a game, odds."""

from tests.support.people import RunningServer


async def test_a_lesson_on_the_screen(open_server: RunningServer) -> None:
    """Begun from the lobby, wrong and right cards, a question, and back to the lobby."""
    async with open_server.person() as ana:
        await ana.until("lobby>")
        ana.type("lesson")
        first = await ana.until("Step 1 of 14: Your turn")
        assert "Lesson  Quatch   step 1" in first
        assert "Play the 9: type 9" in first
        assert "Now with other cards." not in first
        ana.type("5")
        await ana.until("You can play 9.")
        ana.type("why 9")
        await ana.until("You can play 9 now: it is higher than 8.")
        ana.type("play")
        await ana.until("Play works in the lobby: type leave first")
        ana.type("9")
        await ana.until("Step 2 of 14: Several at once")
        ana.type("leave")
        await ana.until("lobby>")


async def test_a_whole_lesson_in_lines(open_server: RunningServer) -> None:
    """A player who types what each step says comes to the end and is in the lobby, where a game begins at once."""
    async with open_server.person(term=None) as ana:
        await ana.until_text("Type play for a game")
        ana.type("lesson life")
        for step in range(1, 19):
            text = await ana.until_text(f"Step {step} of 18:")
            text = await ana.until(lambda person, step=step: ": type " in person.text.partition(f"Step {step} of")[2])  # type: ignore[misc]
            ana.type(ana.text.rpartition(": type ")[2].split("\n")[0].strip())
        text = await ana.until_text("play life begins a game")
        assert "That is how a game is won!" in text
        ana.type("play life")
        await ana.until_text("Choose 3 cards to lay face up")


async def test_tips_come_in_a_game_and_can_be_turned_off(open_server: RunningServer) -> None:
    """On the first turn; not once they are off."""
    async with open_server.person() as ana, open_server.person("bo") as bo:
        for person in (ana, bo):
            await person.until("lobby>")
        bo.type("set tips off")
        await bo.until("Set: tips off.")
        for person in (ana, bo):
            person.type("play cathedral seats=2")
            await person.until("arranging")
        await ana.until("Tip: Cards laid aside are played late")
        assert "Tip:" not in bo.shown
        ana.type("odds")
        await ana.until("cards are hidden from you")
