"""`quatch bench cluster`: what it prints; the figures themselves are the machine's."""

import pytest

from server.cli.main import main
from tests.support.postgres import Postgres


@pytest.mark.features("bot_protocol", "postgres")
@pytest.mark.takes_long
def test_a_second_process_stands_beside_one(capsys: pytest.CaptureFixture[str], postgres: Postgres) -> None:
    """Bots play at real servers of one process and of two, on a file and on PostgreSQL."""
    database = postgres.new_database()
    assert main(["bench", "cluster", "--seconds", "0.1", "--database", database]) == 0
    _, on_file, so, on_postgres, and_so = capsys.readouterr().out.splitlines()
    assert on_file.endswith(" x   CPU of a move with two processes, beside one")
    assert on_postgres.endswith(" x   CPU of a move with two processes elsewhere, beside one")
    assert "as many people as one" in so
    assert "as many people as one" in and_so
