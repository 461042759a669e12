"""`quatch reload`: has the server on a folder of data take new settings, and the program as it is now."""

import argparse
import asyncio
import fcntl
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final, TypeAlias

from msgspec import MsgspecError, Struct, json

from server.config import Config, ConfigError
from server.storage.folder_in_use import folder_in_use

PID_FILE: Final = "quatch.pid"
"""The file beside the database with the number of the keeper, which locks it: of several keepers, the first one."""
OUTCOME_FILE: Final = "quatch.reload"
"""The file beside it with the `Outcome` of the last reload of this keeper."""
NOT_RELOADED: Final = "not reloaded, the server goes on as before"
READY_SECONDS: Final = 60.0
"""How long a new group of processes may take to start at SIGHUP."""
POLL_SECONDS: Final = 0.05


class Outcome(Struct, frozen=True):
    """What has become of a reload."""

    number: int
    """How many there were."""
    problem: str
    """Why the server goes on as before, in one line; empty if it has taken the new settings."""
    version: str
    """The version of the program."""
    changed: tuple[str, ...] = ()
    """The settings that are others than before."""


TellOutcome: TypeAlias = Callable[[Outcome], None]


@contextmanager
def pid_written(config: Config) -> Iterator[TellOutcome]:
    """Inside the context a file says which process this is; without it the server does without `quatch reload`.

    While another server has the file, it stays as it is. Yields what `quatch reload` is told by.
    """
    folder, is_ours = Path(config.data), Event()
    file, outcome_file = folder / PID_FILE, folder / OUTCOME_FILE

    def tell(outcome: Outcome) -> None:
        unfinished = outcome_file.with_suffix(".new")
        if is_ours.is_set():
            with suppress(OSError):
                unfinished.write_bytes(json.encode(outcome))
                unfinished.replace(outcome_file)

    def write_when_free() -> None:
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Only its owner may say which process gets the signal. It is locked until the process ends.
            while not _is_locked(os.open(file, os.O_RDWR | os.O_CREAT, 0o600), file):
                pass
            outcome_file.unlink(missing_ok=True)  # of a keeper that was killed
            file.write_text(f"{os.getpid()}\n", "ascii")
            is_ours.set()

    if config.database:
        yield lambda _: None
        return
    Thread(target=write_when_free, daemon=True).start()
    try:
        yield tell
    finally:
        if is_ours.is_set():
            with suppress(OSError):
                outcome_file.unlink(missing_ok=True)
                file.unlink()


def _is_locked(opened: int, file: Path) -> bool:
    """Lock an opened file as soon as nobody else has. Returns whether it is the file still, which may be deleted."""
    fcntl.flock(opened, fcntl.LOCK_EX)
    with suppress(FileNotFoundError):
        if os.path.samestat(os.fstat(opened), file.stat()):
            return True
    os.close(opened)
    return False


def reload(options: argparse.Namespace) -> int:
    """Have the server on a folder of data take new settings; tell whether it has. Raises ConfigError and OSError."""
    folder = Path(Config.load(options.config, os.environ, {"data": options.data}).data)
    try:
        main = int((folder / PID_FILE).read_text("ascii"))
    except (OSError, ValueError):
        raise ConfigError(f"no server runs on {folder}: name its folder with --data or --config") from None
    with folder_in_use(folder) as is_used:
        if not is_used:
            raise ConfigError(f"no server runs on {folder}")
    before = _outcome(folder)
    os.kill(main, signal.SIGHUP)
    outcome = asyncio.run(_outcome_after(before, folder, main))
    if outcome.problem:
        print(f"quatch: {NOT_RELOADED}: {outcome.problem}", file=sys.stderr)
        return 1
    print(f"The new settings were taken, version {outcome.version}.")
    print(f"Changed: {', '.join(outcome.changed) or 'nothing'}.")
    return 0


def _outcome(folder: Path) -> Outcome | None:
    """The outcome of the last reload; None if there was none."""
    with suppress(FileNotFoundError, MsgspecError):
        return json.decode((folder / OUTCOME_FILE).read_bytes(), type=Outcome)
    return None


async def _outcome_after(before: Outcome | None, folder: Path, main: int) -> Outcome:
    """Wait for the next outcome. Raises OSError if none comes."""
    try:
        async with asyncio.timeout(READY_SECONDS + 5):
            while (outcome := _outcome(folder)) is None or outcome == before:
                os.kill(main, 0)
                await asyncio.sleep(POLL_SECONDS)
            return outcome
    except ProcessLookupError:
        raise ProcessLookupError("the server has ended meanwhile") from None
    except TimeoutError:
        raise TimeoutError("the server has not answered; its log may say why") from None
