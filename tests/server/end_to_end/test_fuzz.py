"""Random requests of programs: each gets one answer or one error."""

import asyncio
import json
import random
from typing import Final

from msgspec import to_builtins

from engine.errors import InputError
from server.bot_protocol.requests import read_request
from server.config import Config
from server.limits import BOT_LINE
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.session import exec_commands as remote
from server.session.bot_requests import LineSplitter
from server.storage.memory_database import MemoryDatabase
from tests.soak import Figure, long
from tests.support.emitted import check_emitted
from tests.support.features import FEATURES
from tests.support.tables import known_seeds

LINES: Final = long(2_000, 1_000_000)
COMMANDS: Final = long(500, 100_000)
_GOOD: Final = [
    b'{"type":"move","ply":42,"move":"play 7 7"}',
    b'{"type":"new","rules":"life","seats":3,"fill":"easy","options":{"four.scope":"off"}}',
    b'{"type":"join","table":"any","key":"w\xc3\xb6rd"}',
    b'{"type":"ping","id":[1.5e3,null,true,"\\ud83c\\udfb2"]}',
]
_ODD: Final = b'{}[]:,"\\0123456789eE+-.tfn \x00\xff\xef\xbb\xbf\r'
_WORDS: Final = (
    *("help", "version", "who", "tables", "rules", "life", "top", "replay", "verify", "admin", "watch", "--json"),
    *("1", "-1", "../..", "'", '"', ";", "$(who)", "%s", "\x00", "\x1b[31m", "\u202e", "漢", "x" * 300, "\n", " "),
)


def test_any_line_of_a_bot_is_a_request_or_an_error(figure: Figure) -> None:
    """58: good lines with bytes changed, cut anywhere."""
    chance = random.Random(58)
    splitter, refused = LineSplitter(), 0
    for _ in range(LINES):
        line = bytearray(chance.choice(_GOOD))
        for _ in range(chance.randrange(5)):
            line[chance.randrange(len(line))] = chance.choice(_ODD)
        cut = chance.randrange(len(line))
        for whole in [*splitter.feed(bytes(line[:cut])), *splitter.feed(bytes(line[cut:]) + b"\n")]:
            try:
                json.dumps(to_builtins(read_request(whole, FEATURES)), allow_nan=False)
            except InputError:
                refused += 1
    assert 0 < refused < LINES
    assert not list(splitter.feed(b"x" * (BOT_LINE + 1)))
    figure(f"{LINES:,} lines of bots, {refused:,} refused")


async def test_any_command_of_ssh_is_answered(figure: Figure) -> None:
    """28: exit status 0, 1 or 2, and an answer in plain text."""
    chance = random.Random(28)
    lobby = Lobby(Config(), MemoryDatabase(), new_seed=known_seeds())
    await lobby.open()
    await asyncio.sleep(0)
    statuses = dict.fromkeys((0, 1, 2), 0)
    for _ in range(COMMANDS):
        command = chance.choice((" ", "", "  ")).join(chance.choices(_WORDS, k=chance.randrange(1, 5)))
        status, lines = await remote.answer(command, lobby, Caller("ana"))
        statuses[status] += 1
        assert lines
        check_emitted("\n".join(lines).encode(), None)
        assert status == 0 or len(lines) == 1, command
    await lobby.close()
    assert all(statuses[status] for status in (0, 2))
    figure(f"{COMMANDS:,} commands of ssh, {statuses[0]:,} answered")
