"""`quatch bench cluster`: what it prints; the figures themselves are the machine's."""

import pytest

from server.bench import cluster, private_postgres
from server.cli.main import main
from tests.support.postgres import Postgres


def test_moves_at_two_nodes_stand_beside_bare_inserts(
    postgres: Postgres, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every move arrived at the other node; there is a ratio for each time."""
    assert postgres
    monkeypatch.setattr(cluster, "RATES", (100,))
    monkeypatch.setattr(cluster, "TABLES", 20)
    monkeypatch.setattr(cluster, "LAST_SECONDS", 1.0)
    assert main(["bench", "cluster", "--seconds", "0.001"]) == 0
    heading, *times, cpu = capsys.readouterr().out.splitlines()
    assert heading.split() == ["100", "moves", "a", "second", "Quatch", "bare", "INSERT"]
    assert len(times) == 4
    assert all(line.endswith("x bare") for line in times)
    assert cpu.startswith("CPU of PostgreSQL for a move")


def test_without_postgresql_it_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line."""
    monkeypatch.setattr(private_postgres, "_programs", lambda: None)
    assert main(["bench", "cluster"]) == 0
    assert capsys.readouterr().out.startswith("there is no PostgreSQL: apt-get install postgresql")
