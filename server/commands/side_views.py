"""Stepping through a finished game, and through a lesson."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from server.clean import read_number
from server.commands.registry import LESSON, REPLAY, Answer, Command, Handler
from server.history.replay import OPEN, Replay
from server.player.lesson import Lesson
from server.player.player_session import PlayerSession
from server.player.replay_view import ReplayView

SideViewT = TypeVar("SideViewT", ReplayView, Lesson)

in_replay = partial(Command, where=REPLAY, only_looks=True)
in_lesson = partial(Command, where=LESSON, only_looks=True)


def _going(step: Callable[[Replay], object], help_line: str) -> Handler:
    """A handler that steps through a finished game."""

    async def go(session: PlayerSession, _: str) -> None:
        _view(session, ReplayView).go(step)

    go.__doc__ = help_line
    return go


in_replay("next", aliases=("n", ""))(_going(Replay.forward, "To the next move."))
in_replay("back", aliases=("b",))(_going(Replay.back, "One move back."))
in_replay("e")(_going(Replay.next_event, "To the next burn, pick-up or going out."))
in_replay("u")(_going(Replay.previous_event, "To the burn, pick-up or going out before."))
in_replay("start")(_going(Replay.start, "To the deal."))
in_replay("end")(_going(Replay.end, "To the end."))


@in_replay("move N, or N")
async def move(session: PlayerSession, rest: str) -> None:
    """To move N."""
    _view(session, ReplayView).go(lambda replay: replay.to(read_number(rest) or 0))


@in_replay("seat N")
async def seat(session: PlayerSession, rest: str) -> None:
    """See the game as seat N saw it."""
    _view(session, ReplayView).look_from((read_number(rest) or 0) - 1)


@in_replay("watch")
async def watch(session: PlayerSession, _: str) -> None:
    """See the game as spectators saw it."""
    _view(session, ReplayView).look_from(None)


@in_replay("open")
async def open_(session: PlayerSession, _: str) -> None:
    """See all cards."""
    _view(session, ReplayView).look_from(OPEN)


@in_lesson("hint", aliases=("h", ""))
async def hint(session: PlayerSession, _: str) -> Answer:
    """What to type now; you may try anything else."""
    return Answer([_view(session, Lesson).task])


@in_lesson("skip")
async def skip(session: PlayerSession, _: str) -> Answer:
    """To the next step."""
    return Answer(_view(session, Lesson).go(1))


@in_lesson("back", aliases=("b",))
async def step_back(session: PlayerSession, _: str) -> Answer:
    """To the step before."""
    return Answer(_view(session, Lesson).go(-1))


@Command("leave", where=REPLAY | LESSON)
@Command("quit", where=REPLAY | LESSON, pages=(), aliases=("q", "exit", "bye"))
async def close(session: PlayerSession, _: str) -> Answer:
    """Back to where you were."""
    return Answer([f"You are {session.close_side_view()}."])


def _view(session: PlayerSession, kind: type[SideViewT]) -> SideViewT:
    """The finished game or the lesson that the player looks at."""
    view = session.side_view
    assert isinstance(view, kind)  # noqa: S101 - where the command works there is one
    return view
