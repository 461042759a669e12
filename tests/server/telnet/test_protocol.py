"""The telnet protocol: every rule of its bytes once, any bytes without harm, and options with each kind of client."""

import random
import re
from typing import Final

import pytest

from server.telnet.protocol import (
    BINARY,
    CHARSET,
    DO,
    DONT,
    ECHO,
    IAC,
    SB,
    SE,
    SUBNEGOTIATION,
    SUPPRESS_GO_AHEAD,
    TERMINAL_TYPE,
    TYPE_ROUNDS,
    WILL,
    WINDOW_SIZE,
    WONT,
    Item,
    OptionNegotiation,
    Parser,
    Subnegotiation,
    SubnegotiationTooLong,
    TelnetCommand,
    Verb,
    encode_output,
)
from tests.soak import Figure, long
from tests.support.each import for_each

YES = {DO: WILL, WILL: DO}
NO = {DO: WONT, WILL: DONT}
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


class Client:
    """A client that agrees to some options and sends these types in turn, the last one for ever."""

    def __init__(self, *types: str, ours: set[int] | None = None, size: bytes = b"\0\x78\0\x28") -> None:
        self.agrees = {TERMINAL_TYPE, WINDOW_SIZE, ECHO, SUPPRESS_GO_AHEAD} if ours is None else ours
        self._types = list(types)
        self._size = size
        self.asked: list[Verb | Subnegotiation] = []

    def answer(self, item: Verb | Subnegotiation) -> bytes:
        """What the client sends in answer to the server."""
        self.asked.append(item)
        if isinstance(item, Subnegotiation):
            if (item.option, item.content) != (TERMINAL_TYPE, b"\x01"):
                return b""
            name = self._types.pop(0) if len(self._types) > 1 else self._types[0]
            return bytes((IAC, SB, TERMINAL_TYPE, 0)) + name.encode() + bytes((IAC, SE))
        if item.verb not in YES:
            return b""
        if item.option not in self.agrees:
            return bytes((IAC, NO[item.verb], item.option))
        said = bytes((IAC, YES[item.verb], item.option))
        if item == Verb(DO, WINDOW_SIZE):
            said += bytes((IAC, SB, WINDOW_SIZE)) + self._size.replace(b"\xff", b"\xff\xff") + bytes((IAC, SE))
        return said


def talk(server: OptionNegotiation, client: Client, said: bytes = b"") -> None:
    """Let both sides talk until neither has anything to say; the client begins with ``said``."""
    to_client, from_client = Parser(), Parser()
    out = server.begin()
    for _ in range(20):
        answers = b""
        for item in to_client.feed(out):
            assert isinstance(item, Verb | Subnegotiation)
            answers += client.answer(item)
        out = b""
        for item in from_client.feed(said + answers):
            assert isinstance(item, Verb | Subnegotiation)
            out += server.verb(item) if isinstance(item, Verb) else server.subnegotiation(item)
        said = b""
        if not out:
            return
    raise AssertionError("they never stop talking")


@for_each("types", [["XTERM-256COLOR"], ["linux"], ["VT100"], ["putty-256color"]])
def test_a_real_terminal_gets_the_screen(types: list[str]) -> None:
    """It agrees to our echo, and sends its type twice and its size."""
    server, client = OptionNegotiation(), Client(*types)
    talk(server, client)
    assert server.settled
    assert server.echoes
    assert server.term == types[0].lower()
    assert server.size == (120, 40)


@for_each(
    ("types", "why"),
    [
        (["MUDLET", "ANSI-TRUECOLOR", "MTTS 2349"], "edits its lines by itself: no VT100"),
        (["NVDA-MUD", "XTERM", "MTTS 79"], "a screen reader, whatever else it can"),
        (["TINTIN++", "XTERM", "MTTS 99999999999999999999"], "nonsense for a number"),
        (["TINTIN++", "XTERM", "MTTS -1"], "nonsense for a number"),
        (["ZMUD"], "no terminal that is known"),
        (["DUMB"], "says so"),
        (["UNKNOWN"], "says so"),
        (["VTNT"], "no VT100 in spite of its name"),
        (["\x1b[31m"], "no name at all"),
        ([""], "no name at all"),
    ],
)
def test_a_client_in_lines_keeps_its_own_echo(types: list[str], why: str) -> None:
    """The server does not offer to echo, so the client shows what is typed."""
    server, client = OptionNegotiation(), Client(*types)
    talk(server, client)
    assert server.settled, why
    assert server.term == "dumb"
    assert not server.echoes
    assert Verb(WILL, ECHO) not in client.asked


def test_a_mud_client_with_a_screen_gets_it() -> None:
    """MTTS: it sends its name, its type, and its features, with VT100 among them."""
    server = OptionNegotiation()
    talk(server, Client("TINTIN++", "XTERM-256COLOR", "MTTS 15"))
    assert (server.term, server.echoes) == ("xterm-256color", True)


def test_a_client_may_refuse_everything() -> None:
    """It plays in lines."""
    server = OptionNegotiation()
    talk(server, Client("XTERM", ours=set()))
    assert server.settled
    assert (server.term, server.echoes, server.size) == ("dumb", False, None)


def test_a_client_that_refuses_our_echo_has_no_tty() -> None:
    """It edits its own lines; a later request changes nothing."""
    server = OptionNegotiation()
    talk(server, Client("XTERM", ours={TERMINAL_TYPE, WINDOW_SIZE}))
    server.conclude()
    assert not server.echoes
    assert server.verb(Verb(DO, ECHO)) == bytes((IAC, WONT, ECHO))
    assert not server.echoes


def test_a_client_that_asks_first_is_answered_once() -> None:
    """PuTTY begins with its wishes: the server agrees and does not ask for the same again."""
    server, client = OptionNegotiation(), Client("XTERM")
    begins = bytes((IAC, WILL, WINDOW_SIZE, IAC, WILL, TERMINAL_TYPE, IAC, WILL, 32, IAC, DO, ECHO, IAC, DO, 3))
    talk(server, client, begins + bytes((IAC, SB, WINDOW_SIZE, 0, 100, 0, 30, IAC, SE)))
    assert server.settled
    assert server.echoes
    verbs = [item for item in client.asked if isinstance(item, Verb)]
    assert len(verbs) == len(set(verbs))
    assert Verb(DONT, 32) in verbs


@for_each("option", [5, 6, 32, 34, 39, 69, 86, 201, 255])
def test_unknown_options_are_refused_each_time(option: int) -> None:
    """A refusal is never answered. The timing mark of RFC 860 needs an answer each time."""
    server = OptionNegotiation()
    for _ in range(3):
        assert server.verb(Verb(DO, option)) == bytes((IAC, WONT, option))
        assert server.verb(Verb(WILL, option)) == bytes((IAC, DONT, option))
        assert server.verb(Verb(DONT, option)) == b""
        assert server.verb(Verb(WONT, option)) == b""


def test_a_request_is_answered_only_if_it_changes_something() -> None:
    """RFC 1143: an option that is on is not agreed to again, and can be ended."""
    server = OptionNegotiation()
    assert server.verb(Verb(WILL, BINARY)) == bytes((IAC, DO, BINARY))
    assert server.verb(Verb(WILL, BINARY)) == b""
    assert server.verb(Verb(WONT, BINARY)) == bytes((IAC, DONT, BINARY))
    assert server.verb(Verb(WONT, BINARY)) == b""


def test_the_character_set_is_utf8() -> None:
    """The server offers it to clients that can choose (RFC 2066), accepts it, and refuses any other."""
    server = OptionNegotiation()
    assert not re.search(rb"[ -~]", server.begin()), "shown by a client that knows no telnet"
    assert server.verb(Verb(WONT, WINDOW_SIZE)) == bytes((IAC, WILL, CHARSET))
    assert server.verb(Verb(WONT, TERMINAL_TYPE)) == b"", "once is enough"
    assert server.verb(Verb(DO, CHARSET)) == bytes((IAC, SB, CHARSET, 1)) + b";UTF-8" + bytes((IAC, SE))
    request = Subnegotiation(CHARSET, b"\x01 ISO-8859-1 utf-8")
    assert server.subnegotiation(request) == b"", "not agreed on"
    server.verb(Verb(WILL, CHARSET))
    assert server.subnegotiation(request) == bytes((IAC, SB, CHARSET, 2)) + b"utf-8" + bytes((IAC, SE))
    for content in (b"\x01;KOI8-R", b"\x01", b"\x01;"):
        assert server.subnegotiation(Subnegotiation(CHARSET, content)) == bytes((IAC, SB, CHARSET, 3, IAC, SE))


def test_the_server_asks_only_a_few_times() -> None:
    """New types in every answer, or without a question, end the negotiation after a few rounds."""
    server = OptionNegotiation()
    server.begin()
    server.verb(Verb(WILL, TERMINAL_TYPE))
    answers = [server.subnegotiation(Subnegotiation(TERMINAL_TYPE, b"\0XTERM%d" % n)) for n in range(50)]
    assert sum(b"\x18\x01" in answer for answer in answers) == TYPE_ROUNDS - 1
    assert sum(map(len, answers)) < 40


@for_each("content", [b"", b"\0", b"\0\x50\0", b"\0\x50\0\x18\0"])
def test_a_malformed_size_is_ignored(content: bytes) -> None:
    """NAWS is four bytes (RFC 1073)."""
    server = OptionNegotiation()
    talk(server, Client("XTERM"))
    server.subnegotiation(Subnegotiation(WINDOW_SIZE, content))
    assert server.size == (120, 40)


def test_any_conversation_is_bounded() -> None:
    """Whatever a client sends, the server sends no more than it is asked, and stays in a known state."""
    chance = random.Random(5)
    options = [0, 1, 3, 6, 24, 31, 34, 42, 86, 255]
    for _ in range(300):
        server = OptionNegotiation()
        said = len(server.begin())
        for _ in range(60):
            if chance.random() < 0.7:
                said += len(server.verb(Verb(chance.choice((DO, DONT, WILL, WONT)), chance.choice(options))))
            else:
                content = chance.choice([b"\0xterm", b"\0mtts 9", b"\x01;UTF-8", b"\0\1\0\1", chance.randbytes(5)])
                said += len(server.subnegotiation(Subnegotiation(chance.choice(options), content)))
        assert said <= 9 + 60 * 14 + 9
        assert isinstance(server.settled, bool)
        assert server.term
