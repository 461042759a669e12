"""The one gate for what people type."""

import random
import unicodedata

from wcwidth import wcswidth

from server.clean_text import clean, clean_name
from server.limits import NAME_LENGTH, TALK_LENGTH
from tests.soak import long
from tests.support.each import for_each


@for_each(
    ("typed", "shown"),
    [
        ("hello", "hello"),
        ("  two   spaces\tand\nlines ", "two spaces and lines"),
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]52;c;QUFB\x07x", "x"),
        ("\x1bPdcs\x1b\\x", "x"),
        ("bell\x07back\x08", "bellback"),
        ("c1\x9b31m", "c131m"),
        ("bidi\u202eevil\u2066", "bidievil"),
        ("zero\u200bwidth\u200d\ufeff", "zerowidth"),
        ("fill\u2800\u3164er", "filler"),
        ("a" + "\u0301" * 50, "\u00e1\u0301\u0301"),
        ("<b>{x}%s&amp;", "<b>{x}%s&amp;"),
        ("日本", "日本"),
        ("\u0301first", "first"),
        ("tags\U000e0041\U000e0100", "tags"),
        ("\x1b", ""),
        ("line\u2028break", "linebreak"),
    ],
)
def test_what_passes(typed: str, shown: str) -> None:
    """Letters, digits and symbols of all languages pass; what could move, hide, flip or flood does not."""
    assert clean(typed) == shown


def test_random_text_comes_out_harmless() -> None:
    """Whatever goes in: one line, no controls, exact width, and cleaning twice changes nothing."""
    chance = random.Random(5)
    for _ in range(long(700, 3_000)):
        text = "".join(chr(chance.choice([chance.randrange(0x500), chance.randrange(0x110000)])) for _ in range(30))
        shown = clean(text)
        assert shown == clean(shown)
        assert 0 <= wcswidth(shown) <= TALK_LENGTH
        assert not any(unicodedata.category(char)[0] == "C" for char in shown)


def test_text_is_cut_at_its_width() -> None:
    """Wide characters count as the two cells they take."""
    assert wcswidth(clean("漢" * 300)) == TALK_LENGTH
    assert clean("a" * 100_000, 5) == "aaaaa"


@for_each(
    ("typed", "name"),
    [
        ("ana", "ana"),
        ("../../etc/passwd", "etcpasswd"),
        ("a b c", "abc"),
        ("\uff41\uff4e\uff41", "ana"),
        ("\x1b[31m", ""),
        ("___", ""),
        ("x" * 1023, "x" * NAME_LENGTH),
        (f"._{'x' * (NAME_LENGTH - 2)}..x", "x" * (NAME_LENGTH - 2)),
        ("漢" * 20, "漢" * (NAME_LENGTH // 2)),
        ("a\u202eb", "ab"),
    ],
)
def test_names(typed: str, name: str) -> None:
    """A name is a few letters and digits, however much was sent."""
    assert clean_name(typed) == name


@for_each(
    ("typed", "shown"),
    [
        ("\U0001f1e9\U0001f1ea", "DE"),
        ("\U0001f44d\U0001f3fd", "\U0001f44d"),
        ("1\ufe0f\u20e3", "1"),
        ("\u0e01\u0e34\u0e19", "\u0e01\u0e34\u0e19"),
    ],
)
def test_what_terminals_draw_as_one_picture_or_several_comes_apart(typed: str, shown: str) -> None:
    """Flags, skin tones and keycaps, because their width differs between terminals. Vowels above letters stay."""
    assert clean(typed) == shown


def test_plain_text_passes_as_any_other_does() -> None:
    """Printable ASCII takes a shorter way, with the same result: an invisible character sends it the longer one."""
    chance = random.Random(3)
    for _ in range(long(500, 2_000)):
        cells = chance.choice((1, 5, TALK_LENGTH))
        typed = "".join(chance.choices(" ~aZ0/\\[]{}", k=chance.randrange(0, cells + 20)))
        assert clean(typed, cells) == clean("\u200b" + typed, cells)
