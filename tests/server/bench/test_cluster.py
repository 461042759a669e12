"""`quatch bench cluster`: what it prints; the figures themselves are the machine's."""

import pytest

from server.bench import cluster, nodes, presence, private_postgres
from server.bench.figures import Figure
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
    monkeypatch.setattr(presence, "PEOPLE", 2)
    monkeypatch.setattr(presence, "MANY", 3)
    for missing in ("bench_restarts", "bench_processes"):
        monkeypatch.setattr(cluster, missing, lambda _: iter(()))
    assert main(["bench", "cluster", "--seconds", "0.001"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    times, cpu, of, work = lines[:4], lines[4], lines[5], lines[6:9]
    assert heading.split() == ["100", "moves", "a", "second", "Quatch", "bare", "INSERT"]
    assert all(line.endswith("x bare") for line in times)
    assert cpu.startswith("CPU of PostgreSQL for a move")
    assert of.startswith("2 players at each node; a node")
    assert [line.split()[0] for line in work] == ["sends", "hears", "takes"]


def test_no_game_is_interrupted_when_its_node_is_restarted(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real server and a bot, which comes in again when its game is over."""
    for size in ("GAMES", "NODES", "RESTARTS"):
        monkeypatch.setattr(nodes, size, 1)
    (figure,) = nodes.bench_restarts(postgres)
    assert isinstance(figure, Figure)
    assert (figure.value, figure.baseline) == (0, 1)


def test_without_postgresql_it_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line."""
    monkeypatch.setattr(private_postgres, "_programs", lambda: None)
    assert main(["bench", "cluster"]) == 0
    assert capsys.readouterr().out.startswith("there is no PostgreSQL: apt-get install postgresql")
