"""The sub-commands for what a server keeps: ``backup`` copies its database, ``verify`` checks a finished game."""

import argparse
import os

from server.config import Config
from server.history.archive import record_text
from server.records.record_reader import verify
from server.storage.engines import database_at
from server.storage.sqlite_file import size_of


def back_up(options: argparse.Namespace) -> int:
    """Copy the database to a file. Raises NotSaved."""
    config = Config.load(options.config, os.environ, {"data": options.data, "although_moved": options.although_moved})
    database_at(config.database, config.data).back_up(options.file, although_moved=config.although_moved)
    print(f"{options.file}: {size_of(options.file) / 1e6:.1f} MB")
    return 0


def verify_record(options: argparse.Namespace) -> int:
    """Verify a finished game. Raises BadRecord if it does not hold."""
    print("\n".join(verify(record_text(options.game, options.data))))
    return 0
