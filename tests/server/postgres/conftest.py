"""What the tests of PostgreSQL share."""

import pytest

from server.postgres.url import DatabaseUrl
from tests.support.postgres import Postgres


@pytest.fixture
def database(postgres: Postgres) -> DatabaseUrl:
    """An empty database."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed: make setup")
    return DatabaseUrl.read(postgres.empty_database())
