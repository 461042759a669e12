"""The sub-commands for what a server keeps: ``backup`` copies its database, ``verify`` checks a finished game.

``reload`` finds the server by that, too.
"""

import argparse
import os
import signal
from pathlib import Path

from server.app.main_process import PID_FILE
from server.config import Config, ConfigError
from server.history.archive import record_text
from server.records.record_reader import verify
from server.storage.engines import database_at
from server.storage.folder_in_use import folder_in_use
from server.storage.sqlite_file import size_of


def back_up(options: argparse.Namespace) -> int:
    """Copy the database to a file. Raises NotSaved."""
    config = Config.load(options.config, os.environ, {"data": options.data, "although_moved": options.although_moved})
    database_at(config.database, config.data).back_up(options.file, although_moved=config.although_moved)
    print(f"{options.file}: {size_of(options.file) / 1e6:.1f} MB")
    return 0


def reload(options: argparse.Namespace) -> int:
    """Have the server on a folder of data take new settings, and the program as it is now. Raises ConfigError."""
    folder = Path(Config.load(options.config, os.environ, {"data": options.data}).data)
    try:
        main = int((folder / PID_FILE).read_text("ascii"))
    except (OSError, ValueError):
        raise ConfigError(f"no server runs on {folder}: name its folder with --data or --config") from None
    with folder_in_use(folder) as is_used:
        if not is_used:  # every server leaves the file when it ends
            raise ConfigError(f"no server runs on {folder}")
    os.kill(main, signal.SIGHUP)
    print("The server reads its settings anew; its log says when that is done, or why not.")
    return 0


def verify_record(options: argparse.Namespace) -> int:
    """Verify a finished game. Raises BadRecord if it does not hold."""
    print("\n".join(verify(record_text(options.game, options.data))))
    return 0
