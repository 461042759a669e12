"""Servers with few tables."""

import pytest


@pytest.fixture
def six_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that runs six tables, and one address may run them all."""
    monkeypatch.setattr("server.lobby.table_limits.TABLES", 6)
    monkeypatch.setattr("server.lobby.table_limits.PART_OF_FREE", 1)


@pytest.fixture
def two_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player keeps two tables at most."""
    monkeypatch.setattr("server.lobby.table_limits.TABLES_PER_PLAYER", 2)
