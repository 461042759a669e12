"""`quatch play`: a game in one's own terminal, without a network."""

import subprocess
import sys

from tests.support.programs import as_a_host


def test_a_level_that_is_asked_for_sits_down_in_the_first_game_too() -> None:
    """Only if none is named the first game is an easy one."""
    command = [sys.executable, "-m", "server", "play", "--seats", "2", "--level", "extreme"]
    told = subprocess.run(command, input="tables\n", capture_output=True, text=True, check=True, env=as_a_host()).stdout
    assert "Fox (AI player, extreme)" in told
