"""What a server asks of its system: descriptors, memory, and a quick start."""

import ctypes.util
import gc
import inspect
import resource
import weakref
from collections.abc import Iterator

import asyncssh.crypto.pq
import asyncssh.crypto.umac
import pytest

from server.app.app import SPARE, room_for
from server.cli.serve import UNUSED_LIBRARIES, without_unused_libraries
from server.config import ConfigError
from server.process.gc_tuning import (
    CLOSED,
    THRESHOLDS,
    DisconnectCollector,
    freeze_startup_objects,
    pause_until_started,
)
from server.transport.ssh import PROFILES


@pytest.fixture(autouse=True)
def _limits_as_they_were() -> Iterator[None]:
    """What a test sets is not there for the next."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_limit_is_raised_as_far_as_needed_and_allowed() -> None:
    """Fewer connections where the system allows no more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    assert room_for(50) == 50
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 200
    assert room_for(100) == 100
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == 100 + SPARE
    assert room_for(hard + 1) == hard - SPARE


def test_a_server_for_hardly_anybody_does_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told what to type."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (100, 100))
    monkeypatch.setattr(resource, "setrlimit", lambda _, __: None)
    with pytest.raises(ConfigError, match="the system allows 100 open files, too few: type ulimit -n 144 or more"):
        room_for(256)


class Remains:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def left_behind() -> "weakref.ref[Remains]":
    """Remains that Python takes for something that stays."""
    remains = Remains()
    gc.collect()
    return weakref.ref(remains)


@pytest.mark.parametrize(("still_open", "closed"), [(3, CLOSED), (CLOSED + 1, CLOSED + 1)])
def test_remains_are_cleared_away_when_enough_connections_have_gone(still_open: int, closed: int) -> None:
    """As many as a small server may leave lying about; where many are there, less often, for it takes longer."""
    remains = left_behind()
    collector = DisconnectCollector()
    for _ in range(closed):
        collector.closed(still_open=still_open)
    assert remains() is not None
    collector.closed(still_open=still_open)
    assert remains() is None


def test_nothing_is_collected_before_the_start_is_over() -> None:
    """Then what is there stays, and the collector runs again."""
    usual, frozen = gc.get_threshold(), gc.get_freeze_count()
    try:
        pause_until_started()
        assert not gc.isenabled()
        freeze_startup_objects()
        assert (gc.isenabled(), gc.get_threshold()) == (True, THRESHOLDS)
        assert gc.get_freeze_count() > frozen
    finally:
        gc.set_threshold(*usual)
        gc.enable()


def test_unused_libraries_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are, and all are found again afterwards."""
    monkeypatch.setattr(ctypes.util, "find_library", str.upper)
    with without_unused_libraries():
        assert [ctypes.util.find_library(name) for name in ("nettle", "pq")] == [None, "PQ"]
    assert ctypes.util.find_library("nettle") == "NETTLE"


def test_asyncssh_looks_for_no_others_and_the_server_offers_nothing_that_needs_them() -> None:
    """What they are for: umac needs nettle; sntrup761 needs liboqs, and so would mlkem without cryptography."""
    sources = inspect.getsource(asyncssh.crypto.pq) + inspect.getsource(asyncssh.crypto.umac)
    assert all(f"'{name}'" in sources for name in UNUSED_LIBRARIES)
    assert sources.count("find_library(") == 2
    assert "umac" not in str(PROFILES)
    assert "sntrup" not in str(PROFILES)
    assert asyncssh.crypto.pq.mlkem_available
