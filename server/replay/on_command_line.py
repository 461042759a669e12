"""`quatch replay`: a finished game in this terminal, or in a file."""

import argparse
import asyncio
import os
import sys

from engine.errors import InputError
from server.cli.local_play import local_session
from server.command_line import print_lines
from server.config import Config
from server.history.archive import record_text
from server.pieces import at_once
from server.player.player_session import PlayerSession
from server.process import logs
from server.records.fairness import new_seed
from server.records.record import Record
from server.records.record_reader import read_record
from server.replay.playback import OPEN, Playback, Viewpoint, record_json, transcript
from server.replay.recording import read_size, recording
from server.replay.view import ReplayView
from server.typed_json import json_line


def replay(options: argparse.Namespace) -> int:
    """Show a finished game, or write it to a file. Raises InputError."""
    text = record_text(options.game, options.data, options.config)
    record = read_record(text)
    usual_viewpoint: Viewpoint = OPEN if options.cast is None else None
    viewpoint = usual_viewpoint if options.seat is None else options.seat - 1
    if options.size is not None and options.cast is None:
        raise InputError("bad_request", "--size goes with --cast FILE")
    if options.cast is not None:
        lines = recording(Playback(record, viewpoint), read_size(options.size))
        if str(options.cast) == "-":
            return print_lines(lines)
        options.cast.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    elif options.export is not None:
        options.export.write_text(text, "utf-8")
    elif options.json:
        print(json_line(at_once(record_json(record))))
    elif options.all or not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("\n".join(transcript(Playback(record, viewpoint))))
    else:
        logs.configure("error")
        asyncio.run(_step_through(Config.load(None, os.environ, {}), record, viewpoint))
    return 0


async def _step_through(config: Config, record: Record, viewpoint: Viewpoint) -> None:
    """Step through a finished game. Raises InputError if the record is no possible game or has no such seat."""
    async with local_session(config, new_seed) as session:
        session.player_session.set_side_view(OnlyReplay(Playback(record, viewpoint), session.player_session))
        await session.run()


class OnlyReplay(ReplayView):
    """The replay for which a session was opened: they end together."""

    def __init__(self, replay: Playback, session: PlayerSession) -> None:
        super().__init__(replay, session.front_end)
        self._session = session

    def stop(self) -> bool:
        """Also when the player leaves the replay."""
        asyncio.get_running_loop().call_soon(self._end_if_left)
        return super().stop()

    def _end_if_left(self) -> None:
        if self._session.side_view is None:
            self._session.dismiss("")
