"""How a player steps through a replay or a lesson, and goes back to where they were."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.errors import InputError
from server.commands.registry import Answer, Command
from server.history.replay import OPEN
from server.number_text import read_decimal, read_number
from server.player.lesson import Lesson
from server.player.player_session import PlayerSession
from server.player.replay_view import PLAY_SECONDS, ReplayView

AnySideView = TypeVar("AnySideView", ReplayView, Lesson)


def _looking(
    kind: type[AnySideView],
    usage: str,
    help_line: str,
    act: Callable[[AnySideView, int], Sequence[str] | None],
    *aliases: str,
) -> None:
    """Declare a command of a replay or a lesson.

    ``act`` takes what the player looks at, and the typed number: 1 if it was left out, 0 for a command without one.
    """
    name, _, argument = usage.partition(" ")

    async def handler(session: PlayerSession, rest: str) -> Answer:
        view, number = session.side_view, read_number(rest)
        if argument == "[N]":
            number = number if rest else 1
        if number is None and argument:
            raise InputError("bad_request", f"type a number behind {name}")
        return Answer((act(view, number or 0) if isinstance(view, kind) else None) or ())

    handler.__doc__ = help_line
    Command(usage, where={kind.location_name}, read_only=True, aliases=aliases)(handler)


_looking(ReplayView, "next [N]", "Go on a move, or N moves.", lambda view, n: view.go(view.replay.ply + n), "n", "")
_looking(ReplayView, "back [N]", "Go back a move, or N moves.", lambda view, n: view.go(view.replay.ply - n), "b")
_looking(
    ReplayView, "e", "Go to the next burn, pick-up or going out.", lambda view, _: view.go(view.replay.next_highlight)
)
_looking(ReplayView, "u", "Go to the one before.", lambda view, _: view.go(view.replay.previous_highlight))
_looking(ReplayView, "move N, or N", "Go to move N.", lambda view, ply: view.go(ply))
_looking(ReplayView, "start", "Go to the deal.", lambda view, _: view.go(0))
_looking(ReplayView, "end", "Go to the end.", lambda view, _: view.go(view.replay.length))
_looking(ReplayView, "seat N", "Show the game as seat N saw it.", lambda view, seat: view.look_from(seat - 1))
_looking(ReplayView, "watch", "Show the game as spectators saw it.", lambda view, _: view.look_from(None))
_looking(ReplayView, "open", "Show all cards.", lambda view, _: view.look_from(OPEN))
_looking(Lesson, "hint", "Show what to type now.", lambda view, _: [view.task], "h", "")
_looking(Lesson, "skip", "Go to the next step.", lambda view, _: view.go(1))
_looking(Lesson, "back", "Go back one step.", lambda view, _: view.go(-1), "b")


@Command("play [SECONDS]", where={"replay"}, read_only=True)
async def play(session: PlayerSession, rest: str) -> Answer:
    """Play the replay, a move every so many seconds."""
    least, most = PLAY_SECONDS
    seconds = read_decimal(rest) if rest else None
    if rest and (seconds is None or not least <= seconds <= most):
        raise InputError("bad_request", f"type the seconds for a move behind play, from {least:g} to {most:g}")
    view = session.side_view
    return Answer(view.play(seconds) if isinstance(view, ReplayView) else ())


@Command("leave", where={"replay", "lesson", "puzzle"})
@Command("quit", where={"replay", "lesson", "puzzle"}, pages=(), aliases=("q", "exit", "bye"))
async def close(session: PlayerSession, _: str) -> Answer:
    """Go back to where you were."""
    return Answer([f"You are {session.close_side_view()}."])
