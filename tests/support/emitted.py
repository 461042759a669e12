"""What may leave the server at all: one strict grammar that every recorded session of the tests has to keep to.

Letters, digits and symbols; line ends, backspace and bell; and of the escape sequences only those that are listed here.
"""

import re
import unicodedata
from typing import Final

from wcwidth import wcwidth

from server.clean_text import _INVISIBLE
from server.session.display import CALLS

_MODES: Final = "7|25|1000|1006|1049|2004"
"""What the screen switches: wrapping, the cursor, the mouse (off alone), its own screen, marked pastes."""
_LOOKS: Final = "(?:0|1|2|4|7|3[1-6]|30;47;107)"
_SEQUENCES: Final = "|".join(
    [
        rf"\x1b\[(?:{_LOOKS}(?:;{_LOOKS})*)?m",  # SGR
        r"\x1b\[[0-9]{1,3}(?:;[0-9]{1,3})?H",  # CUP
        r"\x1b\[2J|\x1b\[K",  # ED, EL
        r"\x1b\[(?:[0-9]{1,3};[0-9]{1,3})?r",  # DECSTBM: what moves together
        rf"\x1b\[\?(?:{_MODES})[hl]",  # DECSET, DECRST
        r"\x1b\[6n",  # CPR, asked for
        *(re.escape(call) for call in CALLS.values() if call.startswith("\x1b")),
    ]
)
_TERMINAL: Final = re.compile(rf"(?:{_SEQUENCES}|[\r\n\a\b]|[^\x00-\x1f\x7f-\x9f])*")
_PLAIN: Final = re.compile(r"(?:\n|[^\x00-\x1f\x7f-\x9f])*")
_TYPED_BACK: Final = re.compile(r"(?:[\r\n\a\b]|[^\x00-\x1f\x7f-\x9f])*")
_CUT_OFF: Final = re.compile(r"\x1b[^\x1b]{0,60}\Z")
MARKS: Final = 2
"""Combining marks that one cell may have."""


def check_emitted(data: bytes, term: str | None) -> None:
    """Fail where this may not be sent to a terminal of this kind, None for no terminal, "dumb" for one of lines.

    The last character or sequence may be cut off: so may a connection be.
    """
    text = data.decode("utf-8", "ignore" if _cut_in_a_letter(data) else "strict")
    grammar = _PLAIN if term is None else _TYPED_BACK if term in {"", "dumb"} else _TERMINAL
    if grammar is _TERMINAL:
        text = _CUT_OFF.sub("", text) if not grammar.fullmatch(text) else text
    kept = grammar.match(text)
    assert kept is not None
    assert kept.end() == len(text), f"not to be sent: {text[kept.end() : kept.end() + 40]!r}"
    hidden = {char for char in set(text) if _is_hidden(char)}
    assert not hidden, f"not to be seen: {hidden!r}"
    marks = longest_run_of_marks(text)
    assert marks <= MARKS, f"{marks} marks on one character"


def longest_run_of_marks(text: str) -> int:
    """How many combining marks stand together at most."""
    longest = run = 0
    for char in text if not text.isascii() else "":
        run = run + 1 if char > "\x7f" and wcwidth(char) == 0 else 0
        longest = max(longest, run)
    return longest


def _is_hidden(char: str) -> bool:
    category = unicodedata.category(char)
    return char in _INVISIBLE or category in {"Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _cut_in_a_letter(data: bytes) -> bool:
    """Whether the last letter is not whole; anything else that is no UTF-8 is wrong."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end == len(data) and error.reason == "unexpected end of data"
    return False
