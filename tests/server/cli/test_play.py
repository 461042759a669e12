"""`quatch play`: a game in one's own terminal, without a network."""

import subprocess
import sys

from tests.support.programs import as_a_host


def test_a_named_level_sits_down_in_the_first_game_and_nothing_is_said_to_be_kept() -> None:
    """Only if no level is named the first game is an easy one. There is no server that could keep a seat."""
    command = [sys.executable, "-m", "server", "play", "--seats", "2", "--level", "extreme"]
    typed = "tables\nresume\nleave\n"
    told = subprocess.run(command, input=typed, capture_output=True, text=True, check=True, env=as_a_host()).stdout
    assert "Fox (AI player, extreme)" in told
    assert told.count("resume") == told.count("kept") == told.count("keep your seat") == 0
    assert "This game is in your terminal alone, and is lost when you quit." in told
