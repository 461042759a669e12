"""`quatch bench cluster`: what it prints; the figures themselves are the machine's."""

import pytest

from server.bench import cluster, fan_out, presence, private_postgres, restarts
from server.bench.figures import Figure
from server.cli.main import main
from tests.support.postgres import Postgres


def test_moves_at_two_nodes_stand_beside_bare_inserts(
    postgres: Postgres, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every move arrived at the other node; there is a ratio for each time."""
    assert postgres
    monkeypatch.setattr(fan_out, "RATES", (100,))
    monkeypatch.setattr(fan_out, "TABLES", 20)
    monkeypatch.setattr(presence, "PEOPLE", 2)
    monkeypatch.setattr(presence, "MANY", 3)
    for missing in ("bench_restarts", "bench_processes"):
        monkeypatch.setattr(cluster, missing, lambda *_: iter(()))
    assert main(["bench", "cluster", "--seconds", "0.001"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    times, cpu, of, work = lines[:6], lines[6:8], lines[8], lines[9:12]
    assert heading.split() == ["100", "moves", "a", "second", "Quatch", "bare"]
    assert [line.rpartition(" x ")[2] for line in times] == ["INSERT", "INSERT", "INSERT, NOTIFY and SELECT"] * 2
    assert all(line.startswith("CPU of PostgreSQL for a move") for line in cpu)
    assert of.startswith("2 players at each node; a node")
    assert [line.split()[0] for line in work] == ["sends", "hears", "takes"]


def test_no_game_is_interrupted_when_its_node_is_restarted(postgres: Postgres) -> None:
    """A real server and a bot, which has its seat back when its game is over."""
    _, *figures = restarts.bench_restarts(postgres, restarts.Evening(nodes=1, games=1, restarts=1))
    interrupted, without, *back = [line for line in figures if isinstance(line, Figure)]
    assert (interrupted.value, without.value, without.baseline) == (0, 0, 1)
    assert all(0 < figure.value < restarts.RENEW_SECONDS for figure in back)


def test_without_postgresql_it_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one line."""
    monkeypatch.setattr(private_postgres, "_programs", lambda: None)
    assert main(["bench", "cluster"]) == 0
    assert capsys.readouterr().out.startswith("there is no PostgreSQL: apt-get install postgresql")
