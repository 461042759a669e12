"""How a person opens a table over ssh."""

from tests.support.people import Person


async def opened(person: Person, table_settings: str = "seats=2") -> None:
    """Let a player open a table."""
    await person.until("lobby>")
    person.type(f"new {table_settings}")
    await person.until("Your table.")
