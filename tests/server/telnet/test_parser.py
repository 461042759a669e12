"""The telnet parser: every rule once, and any bytes without harm."""

import random
from typing import Final

import pytest

from server.telnet.parser import (
    DO,
    IAC,
    SB,
    SE,
    SUBNEGOTIATION,
    WILL,
    Item,
    Parser,
    Subnegotiation,
    SubnegotiationTooLong,
    TelnetCommand,
    Verb,
    encode_output,
)
from tests.soak import Figure, long
from tests.support.each import for_each

FUZZED: Final = long(4_000, 1_000_000)
SAY: Final = bytes((IAC, SB))
SAID: Final = bytes((IAC, SE))


def parsed(*chunks: bytes) -> list[Item]:
    """All items that these bytes mean, with neighbouring text in one piece."""
    parser = Parser()
    items: list[Item] = []
    for chunk in chunks:
        for item in parser.feed(chunk):
            if isinstance(item, bytes) and items and isinstance(items[-1], bytes):
                items[-1] += item
            else:
                items.append(item)
    return items


@for_each(
    ("sent", "typed"),
    [
        (b"7 7\r\n", b"7 7\r"),
        (b"7 7\r\0", b"7 7\r"),
        (b"7 7\n", b"7 7\r"),
        (b"7 7\r", b"7 7\r"),
        (b"a\r\n\r\nb\n\nc\r\0\r\0d", b"a\r\rb\r\rc\r\rd"),
        (b"\r\0\n", b"\r\r"),
        (b"a\xff\xffb", b"a\xffb"),
        ("größe\r\n".encode(), "größe\r".encode()),
    ],
)
def test_a_line_ends_once_and_text_is_text(sent: bytes, typed: bytes) -> None:
    """CR LF, CR NUL, LF and CR each end one line; a doubled 255 is one byte."""
    assert parsed(sent) == [typed]


@for_each(
    ("sent", "items"),
    [
        (bytes((IAC, DO, 1)) + b"x" + bytes((IAC, WILL, 255)), [Verb(DO, 1), b"x", Verb(WILL, 255)]),
        (SAY + b"\x1f\0\x50\0\x18" + SAID, [Subnegotiation(31, b"\0\x50\0\x18")]),
        (SAY + b"\x1f\xff\xff\xff\xff\0\x18" + SAID, [Subnegotiation(31, b"\xff\xff\0\x18")]),
        (SAY + SAID + b"x", [b"x"]),
        (SAY + b"\x18ab" + bytes((IAC, DO, 6)) + b"x", [Verb(DO, 6), b"x"]),
        (bytes((IAC, 246)), [TelnetCommand(246)]),
        (bytes((IAC, 244, IAC, 242)), [b"\x03", TelnetCommand(242)]),
        (bytes((IAC, 247, IAC, 248, IAC, 236)), [b"\x7f\x15\x04"]),
    ],
)
def test_commands_are_told_from_text(sent: bytes, items: list[Item]) -> None:
    """Options, subnegotiations, other commands, and commands that stand for keys."""
    assert parsed(sent) == items


def test_a_subnegotiation_is_bounded() -> None:
    """The longest one passes. One that does not end is refused, and nothing beyond the bound is kept."""
    longest = b"\x18" + b"x" * (SUBNEGOTIATION - 1)
    assert parsed(SAY + longest + SAID) == [Subnegotiation(24, longest[1:])]
    parser = Parser()
    with pytest.raises(SubnegotiationTooLong):
        list(parser.feed(SAY + longest + b"x" * 2))
    doubled = b"\xff\xff" * SUBNEGOTIATION * 4
    assert parsed(SAY + b"\x18" + doubled + SAID) == [Subnegotiation(24, b"\xff" * SUBNEGOTIATION)]


def test_a_subnegotiation_that_was_broken_off_is_dropped() -> None:
    """A command in the middle ends it, and the next one begins empty."""
    assert parsed(SAY + b"\x18first", bytes((IAC, 241)), SAY + b"\x18second" + SAID)[-1] == Subnegotiation(
        24, b"second"
    )


def test_random_bytes_never_raise_and_never_depend_on_the_cut(figure: Figure) -> None:
    """Any bytes mean the same wherever they are cut."""
    chance = random.Random(11)
    pieces = [bytes((byte,)) for byte in (IAC, SB, SE, DO, WILL, 0, 10, 13, 24, 31, 42, 244, 246)] + [b"play", b"\xc3"]
    for _ in range(FUZZED):
        data = b"".join(chance.choices(pieces, k=chance.randrange(1, 40))) + chance.randbytes(chance.randrange(8))
        cut = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        assert parsed(data) == parsed(data[: cut[0]], data[cut[0] : cut[1]], data[cut[1] :])
    figure(f"{FUZZED:,} inputs by telnet")


def test_a_stream_means_the_same_split_at_every_byte() -> None:
    """One conversation with everything in it."""
    stream = (
        bytes((IAC, WILL, 24)) + SAY + b"\x18\0XTERM" + SAID + b"a\r\nb\r\0c\xff\xff" + SAY + b"\x1f\0\x50\0\x18" + SAID
    )
    for cut in range(len(stream)):
        assert parsed(stream[:cut], stream[cut:]) == parsed(stream)


def test_output_is_escaped() -> None:
    """A byte 255 is doubled and a lone CR ends no line; the parser gives back what was sent."""
    assert encode_output(b"\xff\r\n\r\n\r") == b"\xff\xff\r\n\r\n\r\0"
    chance = random.Random(12)
    for _ in range(200):
        text = bytes(chance.choices([IAC, 13, 65, 66, 195], k=30))
        assert b"".join(item for item in parsed(encode_output(text)) if isinstance(item, bytes)) == text
