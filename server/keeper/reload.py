"""`quatch reload`: has the server on a folder of data take new settings, and the program as it is now."""

import argparse
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Final

from server.config import Config, ConfigError
from server.storage.folder_in_use import folder_in_use

PID_FILE: Final = "quatch.pid"
"""The file beside the database with the number of the keeper. Every server leaves it when it ends."""


def write_pid(config: Config) -> None:
    """Say which process this is; without the file the server does without `quatch reload`."""
    folder = Path(config.data)
    if not config.database:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / PID_FILE).write_text(f"{os.getpid()}\n", "ascii")


def reload(options: argparse.Namespace) -> int:
    """Have the server on a folder of data take new settings. Raises ConfigError."""
    folder = Path(Config.load(options.config, os.environ, {"data": options.data}).data)
    try:
        main = int((folder / PID_FILE).read_text("ascii"))
    except (OSError, ValueError):
        raise ConfigError(f"no server runs on {folder}: name its folder with --data or --config") from None
    with folder_in_use(folder) as is_used:
        if not is_used:
            raise ConfigError(f"no server runs on {folder}")
    os.kill(main, signal.SIGHUP)
    print("The server reads its settings anew; its log says when that is done, or why not.")
    return 0
