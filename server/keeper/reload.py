"""`quatch reload`: has the server on a folder of data take new settings, and the program as it is now."""

import argparse
import fcntl
import os
import signal
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from time import monotonic, sleep, time_ns
from typing import Final

import structlog
from msgspec import MsgspecError, Struct, field, json

from server.config import Config, ConfigError
from server.storage.folder_in_use import folder_in_use

PID_FILE: Final = "quatch.pid"
"""The file beside the database with the number of the keeper, which locks it: of several keepers, the first one."""
RULES_LEFT_OUT: Final = 3
"""The exit status if the new settings were taken, but not all house rules."""
OUTCOME_FILE: Final = "quatch.reload"
"""The file beside it with the `Outcome` of its last reload; `quatch reload` locks it, so that each reads its own."""
NOT_RELOADED: Final = "not reloaded, the server goes on as before"
IN_PLACE: Final = "This holds from now on, as for new tables and tournaments; nobody has to come in again."
NOTHING: Final = "The server goes on as it is, and nobody has to come in again: kill -HUP {} renews it all the same."
RENEWED: Final = "The server is renewed, version {}: games go on, and players in no game come in again within a minute."
TAKEN: Final = (
    ", likely by the server on {0}: quatch reload --data {0} renews it, kill $(cat {0}/quatch.pid) stops it, "
    "ssh -t -p PORT HOST admin with the key of an op opens its console"
)
FILES: Final = "files of the program, or files that settings name"
READY_SECONDS: Final = 60.0
"""How long a new group of processes may take to start at SIGHUP."""
POLL_SECONDS: Final = 0.05

log = structlog.get_logger("quatch.keeper")


class Outcome(Struct, frozen=True):
    """What has become of a reload."""

    problem: str
    """Why the server goes on as before, in one line; empty if it has taken the new settings."""
    version: str
    """The version of the program of new processes; empty if there are none, since the settings were taken in place."""
    changed: tuple[str, ...] = ()
    """The settings that are others than before."""
    not_loaded: tuple[str, ...] = ()
    """What is wrong with house rules, which are left out."""
    file: str | None = None
    """The file of settings that the server reads; empty for none."""
    number: int = field(default_factory=time_ns)
    """Another one each time, for `quatch reload` of 1.0.0."""


class Reachable:
    """How `quatch reload` reaches this keeper: a file says which process it is, and another one what has come of it."""

    def __init__(self, folder: Path) -> None:
        """``folder``: that of the data."""
        self.folder, self._file, self._outcome_file = folder, folder / PID_FILE, folder / OUTCOME_FILE
        self._held: ExitStack | None = None
        """Gives the files away, while they are ours."""

    def begin(self) -> None:
        """Write the number of this process into the file, and lock it, unless that of another keeper is there."""
        try:
            with ExitStack() as held:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                # Only its owner may say which process gets the signal.
                opened = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
                held.callback(os.close, opened)
                fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                held.callback(self._file.unlink)
                self._outcome_file.write_bytes(b"")  # there may be one of a keeper that was killed
                held.callback(self._outcome_file.unlink)
                self._file.write_text(f"{os.getpid()}\n", "ascii")
                self._held = held.pop_all()
        except OSError as error:
            problem = "it reaches another one" if isinstance(error, BlockingIOError) else error.strerror
            log.warning("quatch reload does not reach this server", file=str(self._file), problem=problem)

    @property
    def is_waited_for(self) -> bool:
        """Whether `quatch reload` has asked for a reload, and waits for what comes of it."""
        return _is_locked(self._outcome_file)

    def tell(self, outcome: Outcome) -> None:
        """Say what has come of a reload."""
        if self._held is not None:
            with suppress(OSError):
                self._outcome_file.write_bytes(json.encode(outcome))

    def close(self) -> None:
        """Delete the files."""
        if self._held is not None:
            with suppress(OSError):
                self._held.close()
            self._held = None


def reload(options: argparse.Namespace) -> int:
    """Have the server on a folder of data take new settings; return the exit status. Raises ConfigError and OSError."""
    folder = Path(Config.load(options.config, os.environ, {"data": options.data}).data)
    try:
        main = int((folder / PID_FILE).read_text("ascii"))
    except (OSError, ValueError):
        raise ConfigError(f"no server runs on {folder}: name its folder with --data or --config") from None
    with folder_in_use(folder) as is_used:  # by a keeper of 1.0.0, too, which does not lock its file
        if not is_used and not _is_locked(folder / PID_FILE):
            raise ConfigError(f"no server runs on {folder}")
    with ExitStack() as held:
        with suppress(OSError):  # 1.0.0 has none before its first reload
            outcome_file = held.enter_context((folder / OUTCOME_FILE).open("r+b"))
            fcntl.flock(outcome_file, fcntl.LOCK_EX)
            outcome_file.truncate()
        os.kill(main, signal.SIGHUP)
        outcome = _outcome(folder, main)
    if outcome.problem:
        print(f"quatch: {NOT_RELOADED}: {outcome.problem}", file=sys.stderr)
        return 1
    changed = ", ".join(outcome.changed) or (FILES if outcome.version else "nothing")
    then = IN_PLACE if outcome.changed else NOTHING.format(main)
    print(f"Changed: {changed}. {RENEWED.format(outcome.version) if outcome.version else then}")
    if options.config and outcome.file is not None and Path(outcome.file).resolve() != options.config.resolve():
        read = outcome.file or "no file"
        print(f"quatch: the server reads {read}, as it was started with, and not {options.config}", file=sys.stderr)
    for problem in outcome.not_loaded:
        print(f"quatch: house rules not loaded: {problem}", file=sys.stderr)
    return RULES_LEFT_OUT if outcome.not_loaded else 0


def _is_locked(file: Path) -> bool:
    """Whether another program has locked a file."""
    with suppress(FileNotFoundError), file.open("rb") as opened:
        try:
            fcntl.flock(opened, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _outcome(folder: Path, main: int) -> Outcome:
    """Wait for what comes of a reload. Raises OSError if nothing does."""
    until = monotonic() + READY_SECONDS + 5
    while monotonic() < until:
        with suppress(FileNotFoundError, MsgspecError):  # there is none yet, or it is just being written
            return json.decode((folder / OUTCOME_FILE).read_bytes(), type=Outcome)
        try:
            os.kill(main, 0)
        except ProcessLookupError:
            raise ProcessLookupError("the server has ended meanwhile") from None
        sleep(POLL_SECONDS)
    raise TimeoutError("the server has not answered; its log may say why")
