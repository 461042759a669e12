"""Random requests of bots: each is one, or an error; and each kind is among the attacks that are measured."""

import json
import random
from typing import Final

from msgspec import to_builtins

from engine.errors import InputError
from server.bench.attacks import all_attacks
from server.bot_protocol.requests import kinds_of_requests, read_request
from server.features import load
from server.limits import BOT_LINE
from server.session.bot_requests import LineSplitter
from tests.soak import Figure, long
from tests.support.features import FEATURES

LINES: Final = long(2_000, 1_000_000)
_GOOD: Final = [
    b'{"type":"move","ply":42,"move":"play 7 7"}',
    b'{"type":"new","rules":"life","seats":3,"fill":"easy","options":{"four.scope":"off"}}',
    b'{"type":"join","table":"any","key":"w\xc3\xb6rd"}',
    b'{"type":"ping","id":[1.5e3,null,true,"\\ud83c\\udfb2"]}',
]
_ODD: Final = b'{}[]:,"\\0123456789eE+-.tfn \x00\xff\xef\xbb\xbf\r'


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


def test_each_kind_of_request_is_among_the_attacks() -> None:
    """From one address, and from five."""
    assert sum(name.startswith("bot ") for name in all_attacks()) == 2 * len(kinds_of_requests(load()))
