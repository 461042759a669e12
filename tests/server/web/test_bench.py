"""What `quatch bench web` prints."""

import argparse

from server.web.bench import bench_web


def test_a_view_on_a_phone_stands_beside_bare_websockets() -> None:
    """The CPU time of both, and their calls."""
    heading, view, move, push, size = map(str, bench_web(argparse.Namespace(players=4, seconds=0.03), 0.1))
    assert heading.startswith("4 phones")
    assert view.endswith(" x   CPU for a view, 4 phones")
    assert move.endswith(" x   a move, 4 seats")
    assert push.endswith(" x   showing it to one more phone")
    assert "bytes of an update" in size
