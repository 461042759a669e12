"""The best of tonight and of the month, and past nights, over ssh."""

import pytest

from server.people.players import Caller
from server.session import exec_commands
from tests.support.asking import Asking


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("nights tomorrow", "A night is a date, as in nights 2026-11-22, not 'tomorrow'."),
        ("nights 9999-12-31", "A night is a date, as in nights 2026-11-22, not '9999-12-31'."),
        ("nights 2020-01-01", "No finished game of 2020-01-01 is kept."),
        ("top tonight chess", "No rule set 'chess'"),
    ],
)
async def test_bad_words_are_refused_in_one_line(command: str, said: str) -> None:
    """Dates that are none, or that no clock shows, and unknown rules."""
    lobby = Asking().lobby
    await lobby.open()
    _, (line,) = await exec_commands.answer(command, lobby, Caller("ana"))
    assert line.startswith(said)
    await lobby.close()
