"""Random commands of programs: each gets an answer."""

import random
from typing import Final

from server.people.players import Caller
from server.session import exec_commands as remote
from tests.soak import Figure, long
from tests.support.emitted import check_emitted
from tests.support.emulator import open_lobby

COMMANDS: Final = long(500, 100_000)
_WORDS: Final = (
    *("help", "version", "who", "tables", "rules", "life", "top", "replay", "verify", "admin", "watch", "--json"),
    *("1", "-1", "../..", "'", '"', ";", "$(who)", "%s", "\x00", "\x1b[31m", "\u202e", "漢", "x" * 300, "\n", " "),
)


async def test_any_command_of_ssh_is_answered(figure: Figure) -> None:
    """28: exit status 0, 1 or 2, and an answer in plain text."""
    chance = random.Random(28)
    async with open_lobby() as lobby:
        statuses = dict.fromkeys((0, 1, 2), 0)
        for _ in range(COMMANDS):
            command = chance.choice((" ", "", "  ")).join(chance.choices(_WORDS, k=chance.randrange(1, 5)))
            status, lines = await remote.answer(command, lobby, Caller("ana"))
            statuses[status] += 1
            assert lines
            check_emitted("\n".join(lines).encode(), None)
            assert status == 0 or len(lines) == 1, command
    assert all(statuses[status] for status in (0, 2))
    figure(f"{COMMANDS:,} commands of ssh, {statuses[0]:,} answered")
