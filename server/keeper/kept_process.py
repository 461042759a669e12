"""One of the processes of a server: it gets its settings and its sockets from the keeper."""

import asyncio
import signal
import socket
from collections.abc import Collection, Mapping
from contextlib import suppress
from math import inf
from random import uniform
from typing import Final

import structlog
from msgspec import json, msgpack

from server.app.app import FAREWELL, NOTICE, App
from server.app.run_process import ServerProcess
from server.app.signals_and_exit import print_stacks_on_request
from server.cli.failures import FAILURES, explain
from server.config import Config
from server.keeper.accept_turns import ConnectionCounts
from server.keeper.link import LONGEST_LINE, Failed, Measured, Taken, ToKeeper, follow, line_of, wait_for_welcome
from server.keeper.plan import Plan
from server.limits import FIRST_SESSION_SECONDS, LOGIN_SECONDS
from server.lobby.lobby import Lobby
from server.process import logs
from server.process.background_tasks import BackgroundTasks, attempt
from server.rulebook import Rulebook
from server.session.exec_commands import Session

GOES_ON: Final = f"{NOTICE} The game goes on here; come in again when it is over."
COME_AGAIN: Final = f"{NOTICE} This connection ends in about a minute: come in again to go on."


NOTICE_SECONDS: Final = (45.0, 75.0)
"""How long a player has after that notice. It differs, so that not all come in again at the same moment."""
CALM_SECONDS: Final = 5.0
"""A session does not end so soon after its player has typed."""
BEGIN_SECONDS: Final = LOGIN_SECONDS + FIRST_SESSION_SECONDS
"""A connection without a session may be about to begin one for so long."""
CHECK_SECONDS: Final = 0.5
"""How often a process that retires looks at its sessions."""


async def retire(app: App) -> None:
    """Stop listening, since a newer process does; return when every session has ended at a good moment."""
    app.listener.close()
    for service in app.lobby.services:
        await attempt(service.retire(FAREWELL), "retiring a service")
    await wind_down(app.lobby, app.listener.connection_limits.connections, app.sessions)


async def wind_down(lobby: Lobby, connections: Collection[object], sessions: Collection[Session]) -> None:
    """End all sessions; returns when the last one has ended, and no client is about to begin one.

    A game goes on until it is over, or for `reload_limit`. Then, and at once outside a game, the player is told that
    they have to come in again, and has about a minute for what they are doing.
    """
    lobby.drain.renewed = True
    now = asyncio.get_running_loop().time
    begun, told_to_stay = now(), set[Session]()
    # When sessions end that were told so; endless for those that have been ended.
    ends_at: dict[Session, float] = {}
    while sessions or (connections and now() < begun + BEGIN_SECONDS):
        for session in () if lobby.drain.is_active else list(sessions):  # a drain ends them, and has told them so
            player = session.player_session
            if now() >= begun + lobby.config.reload_limit or _is_time_to_end(session, ends_at, now()):
                ends_at[session] = inf
                player.dismiss(FAREWELL)
            elif _is_at_game(session):
                ends_at.pop(session, None)
                if session not in told_to_stay:
                    told_to_stay.add(session)
                    player.hear("host", GOES_ON)
            elif session not in ends_at and not _is_bot(session):
                ends_at[session] = now() + uniform(*NOTICE_SECONDS)
                player.hear("host", COME_AGAIN)
        await asyncio.sleep(CHECK_SECONDS)


def _is_time_to_end(session: Session, ends_at: Mapping[Session, float], now: float) -> bool:
    """Whether a session ends now though the limit is not over. A bot needs no time to read.

    It may be about to begin another game, which it has asked for in the instant in which the last one ended.
    """
    if _is_at_game(session):
        return False
    if _is_bot(session):
        return session not in ends_at and not session.player_session.front_end.is_busy
    return now >= ends_at.get(session, inf) and now >= session.terminal.last_input_at + CALM_SECONDS


def _is_at_game(session: Session) -> bool:
    """Whether the player plays or watches a game that runs or begins, or is called to one, whatever they look at."""
    snapshot, notice = session.player_session.location.snapshot, session.player_session.notice
    return bool(notice and notice.call) or (snapshot is not None and (snapshot.playing or snapshot.opening))


def _is_bot(session: Session) -> bool:
    return session.player_session.player.kind == "bot"


async def serve_players(link: socket.socket) -> int:
    """Serve until SIGTERM, the end of the keeper, the end of a drain, or SIGUSR2 and the end of the last session.

    Returns the exit status. The keeper is told why the process cannot start.
    """
    welcome, descriptors = wait_for_welcome(link)
    config = msgpack.decode(welcome.settings, type=Config)
    logs.configure(config.log_level)
    loop, background = asyncio.get_running_loop(), BackgroundTasks()
    loop.set_exception_handler(logs.log_loop_error)
    if config.processes > 1:
        structlog.contextvars.bind_contextvars(process=welcome.number)
    reader, writer = await asyncio.open_connection(sock=link, limit=LONGEST_LINE)
    counts, *listening = descriptors
    sockets = [socket.socket(fileno=each) for each in listening]
    carried = [*zip(welcome.carriers, sockets, strict=True)]
    accepting = ConnectionCounts(counts, welcome.number)

    def tell(message: ToKeeper) -> None:
        writer.write(line_of(message))

    async def end_at_good_moments() -> None:
        await retire(process.app)
        process.stop()

    async def answer(line: bytes = b"") -> None:
        if line:
            plan = json.decode(line, type=Plan)
            rulebook = await asyncio.to_thread(Rulebook, plan.house_rules)
            process.app.take(msgpack.decode(plan.settings, type=Config), rulebook)
            tell(Taken())
        else:
            tell(Measured(await process.app.measure()))

    try:
        process = ServerProcess(config, carried, tell, welcome.beginning, welcome.number, accepting)
        # Before the ready lines: from then on the keeper may ask for it.
        loop.add_signal_handler(signal.SIGTERM, process.stop)
        loop.add_signal_handler(signal.SIGUSR2, lambda: background.begin(end_at_good_moments(), "retiring"))
        print_stacks_on_request()
        following = asyncio.create_task(follow(reader, answer, process.stop))
        await process.run()
        await background.stop()
        if any(each.answers for each in config.listens_at()):
            await answer()
        following.cancel()
    except FAILURES as error:
        tell(Failed(*explain(error)))
        return 1
    finally:
        writer.transport.set_write_buffer_limits(0)
        with suppress(OSError):  # the keeper has ended
            await writer.drain()
    return 0
