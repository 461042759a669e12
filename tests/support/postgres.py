"""A real PostgreSQL for tests."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from server.bench import private_postgres
from server.bench.private_postgres import PASSWORD, Postgres

__all__ = ["PASSWORD", "Postgres", "running_postgres"]


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A PostgreSQL server that runs. Skips the test if there is none on this machine."""
    # No syncs: a test kills the server, not the machine.
    with private_postgres.running_postgres(fsync="off") as server:
        if server is None:
            pytest.skip("there is no PostgreSQL: apt-get install postgresql, or name the folder of initdb in PG_BIN")
        yield server
