"""What ops and hosts do to others: the form of their commands, and what is noted of each act."""

from functools import partial
from typing import Final

from server.clean_text import clean
from server.commands.registry import Answer, Command, Context
from server.limits import TALK_LENGTH
from server.lobby.service import Act

op_command = partial(Command, ops=True, grave=True)
"""A command of ops, also as `ssh HOST admin COMMAND`."""
HOST: Final = "the host"
"""Who acts at the terminal of the server, and by its settings."""
BECAUSE: Final = " because "
"""Stands before the reason in what is typed."""


def reason_of(typed: str) -> tuple[str, str]:
    """What was typed without its reason, and the reason; empty if none is given."""
    what, _, why = f" {typed}".partition(BECAUSE)
    return what.strip(), clean(why, TALK_LENGTH)


async def note_act(
    context: Context, did: str, whom: str = "", *, before: str = "", after: str = "", why: str = ""
) -> None:
    """Log what somebody has done to others, and tell the features of it."""
    name = context.player.name
    await context.lobby.note_act(Act(acts_as(context), name, did, whom, before, after, why))


async def done(context: Context, said: str, did: str, whom: str = "", **more: str) -> Answer:
    """Note what an op has done, with all that `note_act` takes, and say it to them."""
    await note_act(context, did, whom, **more)
    return Answer([said], {"done": said})


def acts_as(context: Context) -> str:
    """The key of the player who acts, or the host at the terminal of the server."""
    return context.caller.key or HOST
