"""What `quatch bench tournament` prints."""

import argparse

from server.tournament.bench import bench_tournament


def test_the_pairing_of_a_tournament_stands_beside_one_by_points() -> None:
    """The times and the shares of both, for each number of players."""
    heading, slowest, meetings = map(str, bench_tournament(argparse.Namespace(), (8,)))
    assert heading.startswith("A swiss of 6 rounds")
    assert slowest.endswith(" x   the slowest pairing, 8 players")
    assert meetings.endswith(" x   meetings that are not the first, 8 players")
