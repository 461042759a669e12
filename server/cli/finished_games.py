"""The sub-commands for finished games, from a file or a server's log: ``replay``, ``review``, ``verify``."""

import argparse
import asyncio
import os
import sys
from pathlib import Path

from engine.errors import InputError
from server.ai.pool import AIPool
from server.cli.local_play import replay_locally
from server.commands.recording import read_size, recording
from server.config import Config
from server.history.replay import OPEN, Replay, Viewpoint, decisions_of, record_json, transcript
from server.history.review import review_game, review_subject, reviewed_game
from server.history.review_text import review_lines
from server.pieces import at_once
from server.process import logs
from server.records.record_reader import read_record
from server.records.syntax import BadRecord
from server.records.verify import verify
from server.storage.database import log_in
from server.storage.sqlite_file import FILE_NAME
from server.terminal.progress_bar import progress_bar
from server.typed_json import json_line


def replay(options: argparse.Namespace) -> int:
    """Show a finished game, or write it to a file. Raises InputError."""
    text = _record_text(options)
    record = read_record(text)
    usual_viewpoint: Viewpoint = OPEN if options.cast is None else None
    viewpoint = usual_viewpoint if options.seat is None else options.seat - 1
    if options.size is not None and options.cast is None:
        raise InputError("bad_request", "--size goes with --cast FILE")
    if options.cast is not None:
        lines = recording(Replay(record, viewpoint), read_size(options.size))
        options.cast.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    elif options.export is not None:
        options.export.write_text(text, "utf-8")
    elif options.json:
        print(json_line(at_once(record_json(record))))
    elif options.all or not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("\n".join(transcript(Replay(record, viewpoint))))
    else:
        logs.configure("error")
        asyncio.run(replay_locally(Config.load(None, os.environ, {}), record, viewpoint))
    return 0


def review(options: argparse.Namespace) -> int:
    """Print the review of a seat. Raises InputError."""
    record = read_record(_record_text(options))
    subject = review_subject(record, "" if options.seat is None else str(options.seat))
    # This process serves no other player, so it may compute in its event loop.
    with progress_bar("looking back", len(at_once(decisions_of(record, subject.seat)))) as add:
        reviewed = asyncio.run(review_game(subject, AIPool(), lambda done, _: add(min(done, 1))))
    lines = [json_line(reviewed_game(reviewed))] if options.json else review_lines(reviewed, plot=sys.stdout.isatty())
    print("\n".join(lines))
    return 0


def verify_record(options: argparse.Namespace) -> int:
    """Verify a finished game. Raises BadRecord if it does not hold."""
    print("\n".join(verify(_record_text(options))))
    return 0


def _record_text(options: argparse.Namespace) -> str:
    """The record in the named file, or of the game with this id. Raises InputError."""
    file = Path(options.game)
    if file.is_dir() or not file.exists():
        config = Config.load(None, os.environ, {"data": options.data})
        log = Path(config.data, FILE_NAME)
        if not config.database and not log.exists():
            raise InputError(
                "no_log",
                f"{options.game!r} is no file, and there is no {log}: "
                "name the file of a record, or with --data a server's folder",
            )
        return asyncio.run(_record_from_log(options.game, config))
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise BadRecord(f"{file} is no record: it is not text in UTF-8") from None


async def _record_from_log(game_id: str, config: Config) -> str:
    log = log_in(config.database, config.data)
    await log.open()
    try:
        game = await log.game(game_id) or await log.game(game_id.upper())
    finally:
        await log.close()
    if game is None:
        where = "database" if config.database else f"log in {config.data}"
        raise InputError("no_game", f"{game_id[:40]!r} is no file, and no game in the {where}")
    return game.record
