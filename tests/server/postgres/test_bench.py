"""`quatch bench log` in a file and in PostgreSQL."""

import pytest

from server.cli.main import main
from tests.support.postgres import Postgres


def test_the_logs_figures_stand_beside_their_baseline(capsys: pytest.CaptureFixture[str], postgres: Postgres) -> None:
    """Throughput, latency and the work of the thread, in a file and elsewhere, each with its ratio."""
    database = postgres.new_database()
    assert main(["bench", "log", "--seconds", "0.001", "--database", database]) == 0
    heading, *file, other, throughput, half, most = capsys.readouterr().out.splitlines()
    assert "beside bare SQLite" in heading
    assert "elsewhere" in other
    assert len(file) == 4
    assert all(" x " in line for line in (*file, throughput))
    assert all("until an entry is durable elsewhere" in line for line in (half, most))
    assert main(["bench", "log", "--seconds", "0.001", "--database", database]) == 2
    assert "must be empty" in capsys.readouterr().err
