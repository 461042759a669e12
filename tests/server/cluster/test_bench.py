"""`quatch bench cluster`: what it prints; the figures themselves are the machine's."""

import pytest

from server.cli.main import main
from tests.soak import SOAKING
from tests.support.postgres import Postgres


@pytest.mark.skipif(not SOAKING, reason="slow: three servers of four processes")
@pytest.mark.features("bot_protocol", "postgres")
def test_a_second_process_stands_beside_one(capsys: pytest.CaptureFixture[str], postgres: Postgres) -> None:
    """Bots play at real servers of one process and of two, on a file and on PostgreSQL."""
    assert main(["bench", "cluster", "--seconds", "0.1", "--database", postgres.new_database()]) == 0
    _, *told = capsys.readouterr().out.splitlines()
    for where, figure, so in zip(("", " elsewhere"), told[::2], told[1::2], strict=True):
        assert figure.endswith(f" x   CPU of a move with two processes{where}, beside one")
        assert "as many people as one" in so
