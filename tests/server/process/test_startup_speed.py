"""The start looks for no library that the server has no use for."""

import ctypes.util
import inspect

import asyncssh.crypto.pq
import asyncssh.crypto.umac
import pytest

from server.process.startup_speed import UNUSED, without_unused_libraries
from server.transport.ssh import PROFILES


def test_unused_libraries_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are, and all are found again afterwards."""
    monkeypatch.setattr(ctypes.util, "find_library", str.upper)
    with without_unused_libraries():
        assert [ctypes.util.find_library(name) for name in ("nettle", "pq")] == [None, "PQ"]
    assert ctypes.util.find_library("nettle") == "NETTLE"


def test_asyncssh_looks_for_no_others_and_the_server_offers_nothing_that_needs_them() -> None:
    """What they are for: umac needs nettle; sntrup761 needs liboqs, and so would mlkem without cryptography."""
    sources = inspect.getsource(asyncssh.crypto.pq) + inspect.getsource(asyncssh.crypto.umac)
    assert all(f"'{name}'" in sources for name in UNUSED)
    assert sources.count("find_library(") == 2
    assert "umac" not in str(PROFILES)
    assert "sntrup" not in str(PROFILES)
    assert asyncssh.crypto.pq.mlkem_available
