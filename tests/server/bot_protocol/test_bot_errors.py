"""What a bot is told, over real ssh, when something is wrong: a code, and in words of the protocol what is right."""

import json
import random
from typing import Final

import asyncssh
import pytest
from msgspec import to_builtins

from engine.errors import InputError
from server.bench.attacks import all_attacks
from server.bot_protocol.requests import NESTING, kinds_of_requests, read_request
from server.bot_protocol.session import ERRORS, NEW_TABLES
from server.commands.typed_line import parse
from server.features import load
from server.limits import BOT_LINE, TABLES
from server.session.bot_requests import LineSplitter
from tests.soak import Figure, long
from tests.support.asking import asking
from tests.support.bots import bot, nested
from tests.support.features import FEATURES
from tests.support.people import RunningServer


async def test_a_bot_without_the_key_of_a_table_is_told_to_send_it(open_server: RunningServer) -> None:
    """Not to type it, as a person is."""
    async with bot(open_server.port) as fox, bot(open_server.port, "hal") as hal:
        await fox.ask("joined", type="new", seats=2, key="apple")
        hal.send(type="join", table=1)
        assert (await hal.until("error"))["message"] == "table 1 is private: send its key, too"
        hal.send(type="join", table=1, key="pear")
        assert (await hal.until("error"))["message"] == "'pear' is not the word of table 1: ask its players"
        hal.send(type="join", table=1, key="apple")
        assert (await hal.until("joined"))["seat"] == 1


async def test_a_bot_is_told_where_its_game_sleeps_that_had_to_give_way(open_server: RunningServer) -> None:
    """When it connects again while there is no room; later it goes on."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with bot(open_server.port, key=key) as hal:
        await hal.ask("turn", type="new", seats=2, fill="easy")
        await open_server.app.lobby.tables.here[1].give_way()
        assert (await hal.until("error"))["code"] == "closed"
    limits = open_server.app.lobby.tables.limits
    limits.tables = 0
    async with bot(open_server.port, key=key) as hal:
        message = "there is no room for table 1 now, but your seat is kept: come back with join, table 1"
        assert await hal.next() == {"type": "error", "code": "too_many", "message": message}
        limits.tables = TABLES.share
        hal.send(type="join", table=1)
        assert (await hal.until("joined"))["seat"] == 0


async def test_refusals_name_the_rule_and_the_turn_still_stands(open_server: RunningServer) -> None:
    """Illegal, stale and nonsensical moves are answered, and the next good one counts."""
    async with bot(open_server.port) as fox:
        turn = await fox.ask("turn", type="new", rules="quatch", seats=2, fill="easy")
        refused = await fox.ask("refused", type="move", ply=turn["ply"], move="play 7")
        assert refused["code"] == "wrong_phase"
        turn = await fox.ask("turn", type="move", ply=turn["ply"], move="ready")
        fox.send(type="move", ply=turn["ply"] - 1, move=turn["legal"][0])
        assert (await fox.until("refused"))["code"] == "stale"
        fox.send(type="move", ply=turn["ply"], move="fly")
        assert (await fox.until("refused"))["code"] == "bad_move"
        await fox.ask("event", type="move", ply=turn["ply"], move=turn["legal"][0])


WRONG: Final = (
    (b"hello", "bad_json", ""),
    (b"[]", "bad_json", ""),
    (b"\xff\xfe", "bad_json", ""),
    (b"[" * 4000, "bad_json", ""),
    (b"x" * (BOT_LINE + 1), "bad_json", ""),
    (b"x" * 1_000_000, "bad_json", ""),
    (b'{"type":"ping","id":' + b"[" * 2_000 + b"]" * 2_000 + b"}", "bad_json", ""),
    (b'{"type":"ping","id":' + nested(NESTING) + b"}", "bad_json", ""),
    (b'{"type":"ping","id":"' + b"[" * 2_000, "bad_json", ""),
    (b'{"type":"move","ply":NaN,"move":"ready"}', "bad_json", ""),
    (b'{"type":"move","ply":1e999,"move":"ready"}', "bad_json", ""),
    (b'{"type":"ping","type":"start"}', "bad_request", ""),
    (b'\xef\xbb\xbf{"type":"ping"}', "bad_json", ""),
    (b'{"type":"pi\0ng"}', "bad_json", ""),
    (b'{"type":"pi\\u0000ng"}', "unknown_type", ""),
    (b"{}", "unknown_type", ""),
    (b'{"type":["move"]}', "unknown_type", ""),
    (b'{"type":"dance"}', "unknown_type", ""),
    (b'{"type":"start"}', "bad_request", ""),
    (b'{"type":"start","now":true}', "bad_request", "'now' means nothing in start, which has no other keys"),
    (b'{"type":"leave"}', "bad_request", ""),
    (b'{"type":"move"}', "refused", ""),
    (b'{"type":"move","move":"ready"}', "bad_request", "ply: is missing"),
    (b'{"type":"move","ply":[7],"move":"ready"}', "bad_request", "ply: expected a whole number"),
    (b'{"type":"move","ply":true,"move":"ready"}', "refused", ""),
    (b'{"type":"move","ply":1.0,"move":"ready"}', "refused", ""),
    (b'{"type":"move","ply":1,"move":"ready","seat":1}', "refused", ""),
    (b'{"type":"join","table":99}', "no_such_table", ""),
    (b'{"type":"join","table":[]}', "bad_request", ""),
    (b'{"type":"join","table":"x"}', "bad_request", "table: cannot be 'x'"),
    (b'{"type":"join"}', "no_such_table", ""),
    (b'{"type":"new","rules":"poker"}', "unknown_rules", ""),
    (b'{"type":"new","rules":7}', "bad_request", ""),
    (b'{"type":"new","seats":99}', "bad_request", ""),
    (b'{"type":"new","seats":"many"}', "bad_request", "seats: expected a whole number or null"),
    (b'{"type":"new","fill":"god"}', "bad_request", ""),
    (b'{"type":"new","clock":-1}', "bad_request", ""),
    (b'{"type":"new","options":[]}', "bad_request", "options: expected an object or null"),
    (b'{"type":"new","options":{"four.scope":"never"}}', "bad_option", ""),
    (b'{"type":"new","options":{"no.such":1}}', "bad_option", ""),
    (b'{"type":"new","options":{"seats.max":9},"seats":9}', "bad_option", ""),
    (b'{"type":"new","seats":2.0}', "bad_request", ""),
    (
        b'{"type":"new","seat":2}',
        "bad_request",
        "'seat' means nothing in new, which has clock, fill, key, options, rules, seats",
    ),
    (b'{"type":"join","rules":"poker"}', "unknown_rules", ""),
)
"""Lines, the code or the kind of the answer, and its message if it is to name the key that is wrong."""


async def test_whatever_is_wrong_is_answered_in_one_line(open_server: RunningServer) -> None:
    """With a code and a message; a move is refused with its ply, and the connection goes on."""
    async with bot(open_server.port) as fox:
        for line, code, message in WRONG:
            fox.send_bytes(line + b"\n")
            answer = await fox.until("error", "refused")
            assert code in {answer["type"], answer["code"]}, line[:99]
            assert answer["message"] == message if message else answer["message"], line[:99]
            if message:
                assert answer.get("ply") == json.loads(line).get("ply")
            fox.send(type="ping", id=7)
            assert await fox.until("pong") == {"type": "pong", "id": 7}


async def test_ten_errors_in_a_row_end_the_connection(open_server: RunningServer) -> None:
    """A broken program is disconnected after ten errors in a row. One good request starts the count anew."""
    async with bot(open_server.port) as fox:
        for _ in range(2):
            for _ in range(ERRORS - 1):
                fox.send_bytes(b"?\n")
            await fox.ask("pong", type="ping")
        fox.send_bytes(b"?\n" * ERRORS)
        while await fox.next():
            pass


async def test_what_the_server_tells_by_itself_is_no_error_of_the_bot(open_server: RunningServer) -> None:
    """A table that closes, as often as it may, costs the bot none of its ten errors."""
    async with bot(open_server.port) as fox:
        await fox.ask("pong", type="ping")
        (session,) = open_server.app.sessions
        for _ in range(ERRORS):
            session.player_session.front_end.table_closed("table 5 sleeps now")
            assert await fox.until("error") == {"type": "error", "code": "closed", "message": "table 5 sleeps now"}
        fox.send_bytes(b"?\n")
        assert (await fox.until("error"))["code"] == "bad_json"
        await fox.ask("pong", type="ping")


async def test_a_bot_that_is_too_fast_is_told_when_to_try_again(open_server: RunningServer) -> None:
    """In seconds, for programs."""
    async with bot(open_server.port) as fox:
        for _ in range(int(NEW_TABLES.share.burst)):
            await fox.ask("joined", type="new", seats=2)
            fox.send(type="leave")
        answer = await fox.ask("error", type="new", seats=2)
        assert answer["code"] == "too_fast"
        assert 0 < answer["retry_s"] <= 1 / NEW_TABLES.share.per_second


WRONG_CUTS: Final[tuple[dict[str, object], ...]] = (
    {},
    {"seal": "0" * 64, "open": "x"},
    {"seal": "0" * 63},
    {"seal": 7},
    {"open": "x" * 33},
    {"open": "never sealed"},
    {"text": "seven"},
)


async def test_a_wrong_cut_of_a_bot_is_refused(open_server: RunningServer) -> None:
    """In one message; the bot goes on."""
    async with bot(open_server.port, "hal") as hal:
        await hal.ask("joined", type="new", seats=2)
        for cut in WRONG_CUTS:
            hal.send(type="cut", **cut)
            assert (await hal.until("error"))["code"] == "bad_request", cut
        await hal.ask("turn", type="start")


async def test_a_bot_is_told_what_to_send_where_a_person_is_told_what_to_type(open_server: RunningServer) -> None:
    """No seat, no game, no such table, a card that does not beat the pile."""
    async with bot(open_server.port) as fox, bot(open_server.port, "hal") as hal:
        hal.send(type="join", table=1)
        assert (await hal.until("error"))[
            "message"
        ] == "no table '1' is open now: none is open to all; send new to open one"
        fox.send(type="new", seats=2, clock=4)
        assert (await fox.until("error"))["message"].endswith('as in "clock":30')
        await fox.ask("joined", type="new", seats=2)
        fox.send(type="move", ply=0, move="ready")
        late = "the table has moved on since that ply: answer the newest turn"
        assert (await fox.until("refused"))["message"] == late
        turn = await fox.ask("turn", type="start")
        hal.send(type="join", table=1)
        full = "table 1 has no free seat in this game: when it is over, join takes an AI player's seat"
        assert (await hal.until("error"))["message"] == full
        fox.send(type="move", ply=turn["ply"], move="play 7")
        refused = (await fox.until("refused"))["message"]
        assert refused.endswith(": send a move that turn has in legal, or means by may")


def test_a_person_who_types_bot_is_told_where_it_works() -> None:
    """It opens a session of its own."""
    with pytest.raises(InputError) as caught:
        parse("bot", asking("lobby"))
    assert caught.value.sentence == "Bot works from a shell: ssh HOST bot."


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
