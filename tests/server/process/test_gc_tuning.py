"""What connections leave behind is cleared away, however long they lasted."""

import gc
import weakref

from server.process.gc_tuning import (
    CLOSED,
    THRESHOLDS,
    DisconnectCollector,
    freeze_startup_objects,
    pause_until_started,
)


class Remains:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def left_behind() -> "weakref.ref[Remains]":
    """Remains that Python takes for something that stays."""
    remains = Remains()
    gc.collect()
    return weakref.ref(remains)


def test_remains_are_cleared_away_when_enough_connections_have_gone() -> None:
    """As many as a small server may leave lying about."""
    remains = left_behind()
    collector = DisconnectCollector()
    for _ in range(CLOSED):
        collector.closed(still_open=3)
    assert remains() is not None
    collector.closed(still_open=3)
    assert remains() is None


def test_where_many_are_there_it_is_done_less_often() -> None:
    """To look takes as long as there are people to look through."""
    remains = left_behind()
    collector = DisconnectCollector()
    for _ in range(CLOSED + 1):
        collector.closed(still_open=CLOSED + 1)
    assert remains() is not None
    collector.closed(still_open=CLOSED + 1)
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
