"""`quatch bench cluster`: what it prints; the figures themselves are the machine's."""

import pytest

from server.cli.main import main
from tests.soak import SOAKING


@pytest.mark.features("bot_protocol", "postgres")
def test_a_second_process_stands_beside_one(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> None:
    """Bots play at real servers of one process and of two, on a file; in the soak on PostgreSQL, too."""
    elsewhere = ("--database", request.getfixturevalue("postgres").new_database()) if SOAKING else ()
    assert main(["bench", "cluster", "--seconds", "0.1", *elsewhere]) == 0
    _, *told = capsys.readouterr().out.splitlines()
    places = ("", " elsewhere") if SOAKING else ("",)
    for where, figure, so in zip(places, told[::2], told[1::2], strict=True):
        assert figure.endswith(f" x   CPU of a move with two processes{where}, beside one")
        assert "as many people as one" in so
