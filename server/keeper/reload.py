"""`quatch reload`: has the server on a folder of data take new settings, and the program as it is now."""

import argparse
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from server.config import Config, ConfigError
from server.storage.folder_in_use import folder_in_use

PID_FILE: Final = "quatch.pid"
"""The file beside the database with the number of the keeper. It stays if that was killed."""


@contextmanager
def pid_written(config: Config) -> Iterator[None]:
    """Inside the context the file says which process this is; without it the server does without `quatch reload`."""
    file, pid = Path(config.data) / PID_FILE, f"{os.getpid()}\n"
    if config.database:
        yield
        return
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(0o600)  # whoever writes it says which process gets the signal
        file.write_text(pid, "ascii")
    try:
        yield
    finally:
        with suppress(OSError):
            if file.read_text("ascii") == pid:  # that of another server on the same file stays
                file.unlink()


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
