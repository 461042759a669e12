"""The connection: how a player's terminal shows things, what it said, hanging up; and programs in a player's place."""

from collections.abc import Sequence
from typing import Final

from engine.errors import InputError
from server.commands.registry import AT_TABLE, LOBBY, Answer, Command, Context
from server.people.settings import CHOICES
from server.player.coming_back import kept_words
from server.player.player_session import PlayerSession

GOOD_BYE: Final = "Good-bye. Come again."


def settings(_: Context, before: Sequence[str]) -> list[str]:
    """Completes `set`: a setting, then what can be chosen for it."""
    match before:
        case []:
            return [*CHOICES, "pace"]
        case [key] if key in CHOICES:
            return list(CHOICES[key])
        case _:
            return []


@Command("again", "repeat what was said since your last line", pages=(), only_looks=True)
async def again(session: PlayerSession, _: str) -> Answer:
    """Repeat what the player was told last."""
    return Answer([*session.listener.said_before] or ["Nothing has been said yet."])


@Command(
    "set [KEY VALUE]",
    "your screen, lines, cards, colours, bell, pace",
    pages={"lobby", "between"},
    arguments=settings,
)
async def set_(session: PlayerSession, rest: str) -> Answer:
    """Change one of the player's settings; alone show them all."""
    key, _, value = rest.lower().partition(" ")
    if not key:
        return Answer(session.settings.lines(drawn=session.is_drawn))
    but = await session.choose(key, value.strip())
    notes = session.listener.screen_notes if key == "mode" else ()
    return Answer([f"Set: {key} {getattr(session.settings, key)}{but}.", *notes])


@Command("quit", "hang up", where=LOBBY | AT_TABLE, aliases=("exit", "bye"))
async def quit_(session: PlayerSession, _: str) -> Answer:
    """Hang up; a player in a game is asked first."""
    if session.listener.can_answer and session.in_game and not session.confirmation.confirm("quit"):
        return Answer([f"Your game is not over. {kept_words(session.resume_code)} Type quit again to hang up."])
    session.dismiss(GOOD_BYE)
    return Answer()


@Command("bot", "for programs: one JSON object a line", where=frozenset(), ssh="bot")
async def bot(_: Context, __: str) -> Answer:
    """`session.bot_session` speaks with the program, in its own protocol."""
    raise InputError("bad_request", "this is for programs: ssh HOST bot")
