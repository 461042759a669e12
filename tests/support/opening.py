"""How a person opens a table over ssh, or begins to play."""

from tests.support.people import Person


async def opened(person: Person, table_settings: str = "seats=2") -> None:
    """Let a player open a table."""
    await person.until("lobby>")
    person.type(f"new {table_settings}")
    await person.until("Your table.")


async def at_play(person: Person, rules: str = "quatch seats=2") -> None:
    """Start a game and wait for the player's turn."""
    await person.until("lobby>")
    person.type(f"play {rules}")
    await person.until("YOUR TURN")


async def seated_together(host: Person, guest: Person, table_settings: str = "seats=2", word: str = "") -> str:
    """Let a player open a table and another one sit down there; what the second one's screen shows then."""
    await opened(host, table_settings)
    guest.type(f"sit 1 {word}".rstrip())
    return await guest.until("(you)")
