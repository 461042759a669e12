"""The telnet protocol (RFC 854, 855): typed text and commands in the bytes of a connection, and options.

No I/O and no clock, and bounded: `Parser` never keeps more than one short subnegotiation, and the result does not
depend on how the bytes are split into pieces. `OptionNegotiation` takes what the client says of its terminal type, its
window size and which side echoes, and returns the answer. Options are kept as in RFC 1143, without its queues, because
the server never turns off an option that was agreed on. Unknown options are refused and a refusal is never answered, so
that no loop can begin.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from msgspec import Struct

SUBNEGOTIATION: Final = 256
"""Bytes in one subnegotiation; the longest honest one is a list of character sets."""
IAC: Final = 255
DONT: Final = 254
DO: Final = 253
WONT: Final = 252
WILL: Final = 251
SB: Final = 250
SE: Final = 240
ARE_YOU_THERE: Final = 246

_KEYS: Final = {236: b"\x04", 238: b"\x03", 243: b"\x03", 244: b"\x03", 247: b"\x7f", 248: b"\x15", IAC: b"\xff"}
"""Commands that stand for a key: end of file, abort, break, interrupt, erase character, erase line; and a byte 255."""
_TOKEN: Final = re.compile(rb"[^\xff]+|\xff[\xfb-\xfe].|\xff[^\xfb-\xfe]", re.DOTALL)
"""Text, a verb with its option, another command."""
_LINE_END: Final = re.compile(rb"\r[\n\0]?|\n")
_CR, _LF, _NUL = 13, 10, 0
_TO_ENCODE: Final = re.compile(rb"\r\n|[\r\n\xff]")
_ESCAPED: Final = {b"\r\n": b"\r\n", b"\r": b"\r\0", b"\n": b"\r\n", b"\xff": b"\xff\xff"}

BINARY: Final = 0
ECHO: Final = 1
SUPPRESS_GO_AHEAD: Final = 3
TERMINAL_TYPE: Final = 24
WINDOW_SIZE: Final = 31
CHARSET: Final = 42

_IS, _SEND = 0, 1
_REQUEST, _ACCEPTED, _REJECTED = 1, 2, 3
TYPE_ROUNDS: Final = 3
"""How often to ask for the terminal type: a MUD client answers its name, then the type, then its capabilities."""
_CAPABILITIES: Final = "mtts "
_DIGITS: Final = 6
_VT100, _SCREEN_READER = 2, 64
_TERMINALS: Final = (
    "alacritty", "ansi", "cygwin", "eterm", "foot", "gnome", "iterm", "kitty", "konsole", "linux", "mintty", "putty",
    "rxvt", "screen", "st-", "teraterm", "tmux", "vt1", "vt2", "vt3", "vt4", "wezterm", "xterm",
)  # fmt: skip
"""Prefixes of the types of real terminals. Any other client with a type, such as a MUD client, edits lines itself."""


class Verb(Struct, frozen=True):
    """DO, DONT, WILL or WONT with its option."""

    verb: int
    option: int


class Subnegotiation(Struct, frozen=True):
    """What the client says about an option that both sides have agreed on."""

    option: int
    content: bytes


class TelnetCommand(Struct, frozen=True):
    """Another telnet command, such as "are you there"."""

    code: int


Item: TypeAlias = bytes | Verb | Subnegotiation | TelnetCommand


class SubnegotiationTooLong(ValueError):
    """A subnegotiation that does not end; no honest client sends one."""


class Parser:
    """One connection's input. `feed` takes bytes as they come and yields what they mean."""

    def __init__(self) -> None:
        self._rest = b""
        """The start of a command whose end has not come yet."""
        self._after_return = False
        self._content: bytearray | None = None
        """What has come of a subnegotiation; None outside."""

    def feed(self, data: bytes) -> Iterator[Item]:
        """Yield each complete item; a line end (CR LF, CR NUL or LF) becomes one CR. Raises SubnegotiationTooLong."""
        data, end, text = self._rest + data, 0, b""
        while token := _TOKEN.match(data, end):
            end = token.end()
            item = self._said(token[0]) if self._content is not None else self._meant(token[0])
            if isinstance(item, bytes):
                text += item
                continue
            if text:
                yield text
                text = b""
            yield item
        self._rest = data[end:]
        if text:
            yield text

    def _meant(self, token: bytes) -> Item:
        """What text or a command means; empty for the start of a subnegotiation."""
        after_return, self._after_return = self._after_return, False
        if token[0] != IAC:
            self._after_return = token[-1] == _CR
            rest_of_line_end = after_return and token[0] in {_LF, _NUL}
            return _LINE_END.sub(b"\r", token[rest_of_line_end:])
        _, command, *option = token
        if option:
            return Verb(command, *option)
        if command == SB:
            self._content = bytearray()
            return b""
        return _KEYS.get(command) or TelnetCommand(command)

    def _said(self, token: bytes) -> Item:
        """What text or a command means inside a subnegotiation: nothing before its end."""
        assert self._content is not None  # noqa: S101 - only called inside
        if token[0] != IAC:
            self._content += token
            if len(self._content) > SUBNEGOTIATION + 1:
                raise SubnegotiationTooLong(f"a subnegotiation of more than {SUBNEGOTIATION} bytes")
            return b""
        if token[1] == IAC:
            if len(self._content) <= SUBNEGOTIATION:
                self._content.append(IAC)
            return b""
        content, self._content = bytes(self._content), None
        if token[1] == SE:
            return Subnegotiation(content[0], content[1:]) if content else b""
        # Another command breaks the subnegotiation off: it is void, and the command counts.
        return self._meant(token)


def encode_output(data: bytes) -> bytes:
    r"""Encode output for telnet: a line ends in CR LF, a lone CR becomes CR NUL, a byte 255 is doubled.

    >>> encode_output(b"one\ntwo\r\n\rthree\xff")
    b'one\r\ntwo\r\n\r\x00three\xff\xff'
    """
    return _TO_ENCODE.sub(lambda found: _ESCAPED[found[0]], data)


class _Side:
    """The options of one side: those that are on, and those asked for and not answered yet (RFC 1143)."""

    def __init__(self, yes: int, no: int, acceptable: set[int]) -> None:
        self._yes = yes
        self._no = no
        self._acceptable = acceptable
        self.on: set[int] = set()
        self.asked: set[int] = set()

    def ask(self, option: int) -> bytes:
        """Ask for an option, unless it is on, asked for already, or given up."""
        if option in self.on or option in self.asked or option not in self._acceptable:
            return b""
        self.asked.add(option)
        return bytes((IAC, self._yes, option))

    def wanted(self, option: int) -> bytes:
        """The client wants the option on, or agrees to it."""
        if option in self.on:
            return b""
        if option in self.asked:
            self.asked.remove(option)
            self.on.add(option)
            return b""
        if option in self._acceptable:
            self.on.add(option)
            return bytes((IAC, self._yes, option))
        return bytes((IAC, self._no, option))

    def unwanted(self, option: int) -> bytes:
        """The client wants the option off, or does not agree to it."""
        self.asked.discard(option)
        if option not in self.on:
            return b""
        self.on.remove(option)
        return bytes((IAC, self._no, option))

    def give_up(self, option: int) -> None:
        """From now on refuse an option that is not on."""
        self.asked.discard(option)
        self._acceptable.discard(option)


class OptionNegotiation:
    """One connection's options. `begin`, `verb` and `subnegotiation` return the bytes to answer with."""

    def __init__(self) -> None:
        self._ours = _Side(WILL, WONT, {BINARY, ECHO, SUPPRESS_GO_AHEAD, CHARSET})
        self._theirs = _Side(DO, DONT, {BINARY, SUPPRESS_GO_AHEAD, TERMINAL_TYPE, WINDOW_SIZE, CHARSET})
        self._types: list[str] = []
        self._type_due = False
        self._types_known = False
        self._charset_asked = False
        self._capabilities: int | None = None
        self.size: tuple[int, int] | None = None

    def begin(self) -> bytes:
        """The first questions. Echo is not among them: a MUD client would take it for a password prompt.

        Nor is the character set, whose number is that of a letter, `*`: a client that knows no telnet would show it.
        """
        return self._theirs.ask(TERMINAL_TYPE) + self._theirs.ask(WINDOW_SIZE)

    def verb(self, said: Verb) -> bytes:
        """The client wants an option or does not."""
        side = self._ours if said.verb in {DO, DONT} else self._theirs
        if said.verb in {DO, WILL}:
            was_on = said.option in side.on
            answer = side.wanted(said.option)
            if not was_on and said.option in side.on:
                # Ask for the value of an option to which the client has agreed.
                if (said.verb, said.option) == (WILL, TERMINAL_TYPE):
                    answer += self._ask_type()
                elif (said.verb, said.option) == (DO, CHARSET):
                    # RFC 2066. The answer changes nothing: the server speaks only UTF-8.
                    answer += _say(CHARSET, bytes((_REQUEST,)) + b";UTF-8")
        else:
            answer = side.unwanted(said.option)
            if (said.verb, said.option) == (WONT, TERMINAL_TYPE):
                self._type_due, self._types_known = False, True
        # The client speaks telnet if it answers one of the first questions: then it is asked for its character set.
        if not self._charset_asked and said.option in {TERMINAL_TYPE, WINDOW_SIZE}:
            self._charset_asked = True
            answer += self._ours.ask(CHARSET)
        return answer + self._offer_echo()

    def subnegotiation(self, said: Subnegotiation) -> bytes:
        """The client says more about an option. What was not agreed on or is malformed is ignored."""
        content = said.content
        if said.option == WINDOW_SIZE and WINDOW_SIZE in self._theirs.on and len(content) == 4:
            # RFC 1073: columns and rows, two bytes each.
            self.size = int.from_bytes(content[:2]), int.from_bytes(content[2:])
        elif said.option == TERMINAL_TYPE and self._type_due and content[:1] == bytes((_IS,)):
            return self._note_type(content[1:].decode("ascii", "replace").lower()) + self._offer_echo()
        elif said.option == CHARSET and CHARSET in self._theirs.on and content[:1] == bytes((_REQUEST,)):
            # RFC 2066: the client has sent a separator of its choice, then its character sets.
            names = content[2:].split(content[1:2]) if len(content) > 1 else []
            utf8 = next((name for name in names if name.upper() in {b"UTF-8", b"UTF8"}), None)
            return _say(CHARSET, bytes((_REJECTED,)) if utf8 is None else bytes((_ACCEPTED,)) + utf8)
        return b""

    @property
    def settled(self) -> bool:
        """Whether all questions have been answered."""
        sized = self.size is not None or WINDOW_SIZE not in self._theirs.on
        return not (self._theirs.asked or self._ours.asked or self._type_due) and sized

    def conclude(self) -> None:
        """The session begins: a client that has not agreed to our echo keeps echoing itself."""
        self._ours.give_up(ECHO)

    @property
    def echoes(self) -> bool:
        """Whether the server echoes. The client then sends each key as it is typed, and counts as a tty."""
        return ECHO in self._ours.on

    @property
    def term(self) -> str:
        """The terminal's type as in TERM; "dumb" if the client wants plain lines, as a screen reader does."""
        return self._types[-1] if self._wants_screen else "dumb"

    @property
    def _wants_screen(self) -> bool:
        can = self._capabilities is None or (self._capabilities & _VT100 and not self._capabilities & _SCREEN_READER)
        return bool(can and self._types and self._types[-1].startswith(_TERMINALS))

    def _ask_type(self) -> bytes:
        self._type_due = True
        return _say(TERMINAL_TYPE, bytes((_SEND,)))

    def _note_type(self, name: str) -> bytes:
        """RFC 1091: a client answers another type each time, the last one twice. MTTS: a third answer is a number."""
        self._type_due = False
        repeated = self._types[-1:] == [name]
        if name.startswith(_CAPABILITIES):
            digits = name.removeprefix(_CAPABILITIES)
            self._capabilities = int(digits) if digits.isdecimal() and len(digits) <= _DIGITS else 0
        else:
            self._types.append(name)
        if repeated or self._capabilities is not None or len(self._types) == TYPE_ROUNDS:
            self._types_known = True
            return b""
        return self._ask_type()

    def _offer_echo(self) -> bytes:
        """Offer to echo to a real terminal; it then sends key by key (RFC 857, 858)."""
        if not (self._types_known and self._wants_screen):
            return b""
        self._types_known = False
        return self._ours.ask(ECHO) + self._ours.ask(SUPPRESS_GO_AHEAD) + self._theirs.ask(SUPPRESS_GO_AHEAD)


def _say(option: int, content: bytes) -> bytes:
    return bytes((IAC, SB, option)) + content + bytes((IAC, SE))
