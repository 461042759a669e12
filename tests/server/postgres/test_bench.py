"""`quatch bench log` in a file and in PostgreSQL."""

import pytest

from server.cli.main import main
from tests.support.postgres import Postgres


def test_the_logs_figures_stand_beside_those_of_one_writer(
    capsys: pytest.CaptureFixture[str], postgres: Postgres
) -> None:
    """Throughput and latency, in a file and elsewhere, each with its ratio."""
    database = postgres.new_database()
    assert main(["bench", "log", "--seconds", "0.001", "--database", database]) == 0
    heading, *figures = capsys.readouterr().out.splitlines()
    assert "beside one writer" in heading
    assert ["elsewhere" in line for line in figures] == [False] * 3 + [True] * 3
    assert all(" x " in line for line in figures)
    assert main(["bench", "log", "--seconds", "0.001", "--database", database]) == 2
    assert "must be empty" in capsys.readouterr().err
