"""People come first: no AI player has the name of a person who is here."""

from server.people.players import AI_NAMES
from tests.support.people import RunningServer


async def test_people_keep_names_that_ai_players_have_too(open_server: RunningServer) -> None:
    """Each of them, with a capital letter and without."""
    lobby = open_server.app.lobby
    for name in (*AI_NAMES, *map(str.lower, AI_NAMES)):
        assert await lobby.names.name_for("", name, {}) == name


async def test_ai_players_take_other_names_than_people_who_are_here(open_server: RunningServer) -> None:
    """Than the person at the table, and than one in the lobby."""
    async with open_server.person("fox", term=None) as fox, open_server.person("OWL", term=None) as owl:
        await fox.until("Welcome, fox.")
        await owl.until("Welcome, OWL.")
        await fox.enter("play seats=3", "played by you with AI players Hex and Ivy.")


async def test_an_ai_player_makes_room_for_a_person_of_its_name(open_server: RunningServer) -> None:
    """The person takes its seat, or it gets another name when the next game begins, of the same style."""
    async with open_server.person("ana", term=None) as ana, open_server.person("bo", term=None) as bo:
        await ana.until("Welcome")
        ana.type("new seats=3")
        for _ in range(2):
            ana.type("add")
        await ana.until("Owl (easy) sits down")
        await bo.enter("name owl", "You are owl.")
        await bo.enter("sit 1", "Seats: ana, Fox (AI player, easy), you.")
        await bo.enter("leave", "You are in the lobby.")
        await bo.enter("name fox", "You are fox.")
        await ana.enter("start", "played by you with AI players Ada and Owl.")
