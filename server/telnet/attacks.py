"""The attacks of `quatch bench attacks` that come over telnet."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from server.bench.attackers import LINES, Attack, pour
from server.telnet.protocol import DO, IAC, SB, SE, WILL

_SAY, _SAID = bytes((IAC, SB)), bytes((IAC, SE))
_XTERM: Final = _SAY + b"\x18\0XTERM" + _SAID
_SCREEN: Final = bytes((IAC, WILL, 24)) + _XTERM * 2 + bytes((IAC, WILL, 31, IAC, DO, 1, IAC, DO, 3))
_SIZES: Final = b"".join(_SAY + bytes((31, 0, 80 + n % 100, 0, 24)) + _SAID for n in range(2_000))
_pour: Final = partial(pour, carrier="telnet")

ATTACKS: Final[Mapping[str, Attack]] = {
    "59 telnet options": Attack(_pour(b"", bytes((IAC, DO, 99)) * 10_000), 8),
    "59 telnet sizes": Attack(_pour(_SCREEN, _SIZES), 4),
    "59 telnet lines": Attack(_pour(b"", LINES), 8),
    "60 telnet reads nothing": Attack(_pour(b"", b"rules life\n" * 1_000, reads=False), 8),
}
