"""Learning over ssh: tips in a game, odds."""

from tests.support.people import RunningServer


async def test_tips_come_in_a_game_and_can_be_turned_off(open_server: RunningServer) -> None:
    """On the first turn; not once they are off."""
    async with open_server.person() as ana, open_server.person("bo") as bo:
        for person in (ana, bo):
            await person.until("lobby>")
        await bo.enter("set tips off", "Set: tips off.")
        for person in (ana, bo):
            await person.enter("play cathedral seats=2", "arranging")
        await ana.until("The right arrow key")
        assert "Tip:" not in bo.shown
        await ana.enter("odds", "cards are hidden from you")
