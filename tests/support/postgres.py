"""A real PostgreSQL for tests: private, on a port of its own, started and killed as they like."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final

import pytest

USER: Final = "quatch"
PASSWORD: Final = "p@ss:word"  # noqa: S105 - it opens nothing but this
PASSWORD_IN_URL: Final = "p%40ss%3Aword"  # noqa: S105
SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "fsync": "off",  # a test kills the server, not the machine
    "timezone": "UTC",
    "log_timezone": "UTC",
}
LOOK_SECONDS: Final = 0.01
"""The pause between two looks into the log of a server that starts, so that it has the processor."""

EMPTY: Final = """
    DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'quatch' AND tablename <> 'form' LOOP
            EXECUTE format('DELETE FROM quatch.%I', name);
        END LOOP;
        IF to_regclass('quatch.counted') IS NOT NULL THEN
            INSERT INTO quatch.counted VALUES (0);
        END IF;
    END $$
"""


class Postgres:
    """One PostgreSQL server with as many databases as wanted."""

    def __init__(self, programs: Path, folder: Path) -> None:
        """``programs``: the folder of `initdb` and `postgres`. ``folder``: an empty one, for this server alone."""
        self.programs, self._folder = programs, folder
        self._numbers = count(1)
        self._empty: list[str] = []
        self._process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        # PostgreSQL does not run as root.
        self._user = "nobody" if os.geteuid() == 0 else None
        (password := folder / "password").write_text(PASSWORD)
        if self._user is not None:
            for path in (folder, password):
                shutil.chown(path, self._user)
        arguments = ("-D", "data", "-U", USER, f"--pwfile={password}", "-A", "md5", "-E", "UTF8", "--no-sync")
        command = [str(programs / "initdb"), *arguments, "--locale=C", "--no-instructions"]
        subprocess.run(command, cwd=folder, user=self._user, check=True, capture_output=True)

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        options = [f"--{name}={value}" for name, value in {**SETTINGS, "port": self.port}.items()]
        log = (self._folder / "log").open("ab")
        with log:
            began = log.tell()
            command = [str(self.programs / "postgres"), "-D", "data", *options]
            self._process = subprocess.Popen(command, cwd=self._folder, user=self._user, stdout=log, stderr=log)
        while b"ready to accept connections" not in self._log()[began:]:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(LOOK_SECONDS)
            assert self._process.returncode is None, self._log().decode()

    def _log(self) -> bytes:
        return (self._folder / "log").read_bytes()

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """Stop the server: at once by default, as in a crash; with SIGINT as in a shutdown."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def run(self, *statements: str, database: str = "postgres") -> str:
        """Run statements as the superuser, and return what they print."""
        arguments = [argument for statement in statements for argument in ("-c", statement)]
        command = [str(self.programs / "psql"), "-qtAX", "-v", "ON_ERROR_STOP=1", *arguments, self.url(database)]
        run = subprocess.run(command, check=True, capture_output=True, text=True)
        return run.stdout

    def new_database(self) -> str:
        """The URL of a new database without tables."""
        name = f"quatch{next(self._numbers)}"
        self.run(f"CREATE DATABASE {name}")
        return self.url(name)

    def empty_database(self, number: int = 0) -> str:
        """The URL of a database whose tables are empty, the same one for each number: that is faster than a new one."""
        if number < len(self._empty):
            self.run(EMPTY, database=self._empty[number].rpartition("/")[2])
        while number >= len(self._empty):
            self._empty.append(self.new_database())
        return self._empty[number]

    def url(self, database: str) -> str:
        """The URL of a database."""
        return f"postgresql://{USER}:{PASSWORD_IN_URL}@127.0.0.1:{self.port}/{database}"


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A PostgreSQL server that runs. Skips the test if there is none on this machine."""
    if (programs := _programs()) is None:
        pytest.skip("there is no PostgreSQL: apt-get install postgresql, or name the folder of initdb in PG_BIN")
    with tempfile.TemporaryDirectory(prefix="quatch-postgres-") as folder:
        server = Postgres(programs, Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.stop()


def _programs() -> Path | None:
    """The folder of PostgreSQL's programs: of $PG_BIN, the search path or Debian."""
    found = [Path(os.environ["PG_BIN"], "initdb")] if "PG_BIN" in os.environ else []
    if path := shutil.which("initdb"):
        found.append(Path(path))
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda each: -float(each.parts[4]))
    return next((each.resolve().parent for each in found if each.exists()), None)
