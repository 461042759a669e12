"""The connection: how a player's terminal shows things, what it said, hanging up; and programs in a player's place."""

from typing import Final

from engine.errors import InputError
from server.commands.registry import AT_TABLE, LOBBY, Answer, Command, Context
from server.player.coming_back import kept_words
from server.player.player_session import PlayerSession

GOOD_BYE: Final = "Good-bye. Come again."


@Command("again", pages=(), only_looks=True)
async def again(session: PlayerSession, _: str) -> Answer:
    """Repeat what was said since your last line."""
    return Answer([*session.listener.said_before] or ["Nothing has been said yet."])


@Command("set [SETTING VALUE]", pages={"lobby", "between"})
async def set_(session: PlayerSession, rest: str) -> Answer:
    """Your screen, lines, cards, colours, bell, pace."""
    key, _, value = rest.lower().partition(" ")
    if not key:
        return Answer(session.settings.lines(drawn=session.listener.is_drawn))
    but = await session.choose(key, value.strip())
    notes = session.listener.screen_notes if key == "mode" else ()
    return Answer([f"Set: {key} {getattr(session.settings, key)}{but}.", *notes])


@Command("quit", where=LOBBY | AT_TABLE, aliases=("exit", "bye"))
async def quit_(session: PlayerSession, _: str) -> Answer | None:
    """Hang up."""
    if session.listener.can_answer and session.in_game and not session.confirmation.confirm("quit"):
        return Answer([f"Your game is not over. {kept_words(session.resume_code)} Type quit again to hang up."])
    session.dismiss(GOOD_BYE)
    return None


@Command("bot", where=frozenset(), ssh="bot")
async def bot(_: Context, __: str) -> Answer:
    """For programs: one JSON object a line."""
    # `session.bot_session` speaks with the program.
    raise InputError("bad_request", "this is for programs: ssh HOST bot")
