"""Playing by what the screen shows alone, as a person does."""

import re

from tests.support.people import Person


def what_to_type(screen: str) -> str:
    """A move that a person could make by this screen alone."""
    own = screen[screen.index("   YOU") :]
    if "swaps your" in own or "ready begins" in own:
        return "ready"
    if playable := re.search(r"\((10|[2-9TJQKA])[cdhs\u2663\u2666\u2665\u2660]+\)", own):
        return playable[1]
    if slots := re.search(r"turn a face-down card: (\d)", own):
        return slots[1]
    return "p" if "type p to" in own else "d"


async def play_on_screen(person: Person) -> str:
    """Play a game on the full screen until it is over; the last screen."""
    seen = ""
    while True:
        screen = await person.until(
            lambda person, seen=seen: (  # type: ignore[misc]
                "game over" in person.shown or ("YOUR TURN" in person.shown and person.shown.split("\n")[0] != seen)
            )
        )
        if "game over" in screen:
            return screen
        seen = screen.split("\n")[0]
        person.type(what_to_type(screen))
