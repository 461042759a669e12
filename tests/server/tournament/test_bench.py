"""What `quatch bench tournament` prints."""

import pytest

from server.cli.main import main


def test_the_pairing_of_a_tournament_stands_beside_one_by_points(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The times and the shares of both, for each number of players."""
    monkeypatch.setattr("server.tournament.bench.SIZES", (8,))
    assert main(["bench", "tournament"]) == 0
    heading, slowest, meetings = capsys.readouterr().out.splitlines()
    assert heading.startswith("A swiss of 6 rounds")
    assert slowest.endswith(" x   the slowest pairing, 8 players")
    assert meetings.endswith(" x   meetings that are not the first, 8 players")
