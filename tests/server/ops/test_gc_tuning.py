"""What connections leave behind is cleared away, however long they lasted."""

import gc
import weakref

from server.ops.gc_tuning import CLOSED, DisconnectCollector


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
