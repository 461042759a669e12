"""Bytes become keys: known sequences, bounded pastes, nothing for nonsense."""

import random
from typing import Final

from server.limits import KEYS_PER_TICK, KEYS_WAITING, PASTE_LENGTH
from server.terminal.keys import KeyInput
from tests.soak import Figure, long
from tests.support.each import for_each

FUZZED: Final = long(700, 1_000_000)


def keys(*chunks: bytes) -> list[tuple[str, str]]:
    """All keys that these bytes make: their names, and the characters or the pasted text."""
    terminal = KeyInput()
    for chunk in chunks:
        terminal.feed(chunk)
    found = []
    while some := terminal.read_keys():
        found += [(" ".join(str(getattr(name, "value", name)) for name in key), data) for key, data in some]
    return found


def names(*chunks: bytes) -> list[str]:
    """All keys by name; a character without a binding as itself."""
    return [data if key == "<any>" else key for key, data in keys(*chunks)]


async def test_letters_and_known_sequences_are_keys() -> None:
    """What a terminal sends for ordinary keys."""
    assert names(b"7 \r\x1b[D\x1bOC\x7f") == ["7", " ", "c-m", "left", "right", "c-h"]


@for_each("nonsense", [b"\x1b[" + b"9" * 30_000, b"\x1b[1;2;3;4z", b"\x1b[201~", b"\x1b[<0;1;1M", b"\x1b[M 77"])
async def test_unknown_sequences_are_no_keys(nonsense: bytes) -> None:
    """They are dropped whole, and what is typed next counts."""
    assert names(nonsense, b"\x1b[D")[-1:] == ["left"]
    assert not names(nonsense)


@for_each("key", [b"\x18(", b"\x1b\x1b9", b"\x1a", b"\x1f", b"\x1b[15~", b"\x1bOP", b"\x00"])
async def test_keys_that_edit_nothing_are_dropped(key: bytes) -> None:
    """Recording, counting, suspending and undoing cannot be reached; text in them is text."""
    assert "".join(names(key)) in {"", "(", "9"}


async def test_escape_before_a_letter_is_alt() -> None:
    """In whatever form the terminal says so."""
    assert names(b"\x1bb\x1bf\x1bd\x1b\x7f\x1b[1;3D") == [
        "escape b",
        "escape f",
        "escape d",
        "escape c-h",
        "escape left",
    ]


async def test_a_stray_escape_never_swallows_a_rank() -> None:
    """Esc and then 7 is a 7."""
    assert names(b"\x1b", b"7") == ["7"]


async def test_a_paste_is_one_key_however_it_is_cut() -> None:
    """The marks of a bracketed paste may be split anywhere."""
    whole = b"a\x1b[200~7 7\r8\x1b[201~b"
    for cut in range(1, len(whole)):
        assert keys(whole[:cut], whole[cut:]) == [("<any>", "a"), ("<bracketed-paste>", "7 7\r8"), ("<any>", "b")]


async def test_a_paste_is_bounded_and_an_interrupt_ends_one_that_never_ends() -> None:
    """Nine megabytes without an end mark keep no more than a paste may hold."""
    terminal = KeyInput()
    terminal.feed(b"\x1b[200~")
    for _ in range(900):
        terminal.feed(b"x" * 10_000)
    terminal.feed(b"\x03k")
    (_, paste), (_, after) = terminal.read_keys()
    assert paste == "x" * PASTE_LENGTH
    assert after == "k"


async def test_keys_typed_ahead_are_bounded_and_come_a_few_at_a_time() -> None:
    """Other sessions do not wait for a long paste."""
    terminal = KeyInput()
    terminal.feed(b"y" * 70_000)
    assert len(terminal.read_keys()) == KEYS_PER_TICK
    assert KEYS_PER_TICK + sum(len(some) for some in iter(terminal.read_keys, [])) == KEYS_WAITING


async def test_empty_pastes_are_bounded_too() -> None:
    """A flood of them fills no queue."""
    terminal = KeyInput()
    terminal.feed(b"\x1b[200~\x1b[201~" * 5_000)
    assert sum(len(some) for some in iter(terminal.read_keys, [])) == KEYS_WAITING


async def test_an_interrupt_throws_away_what_was_typed_ahead() -> None:
    """Ctrl-C is never lost behind a paste, nor what is typed after it."""
    assert names(b"y" * 70_000 + b"\x03k") == ["c-c", "k"]


async def test_invalid_utf8_is_replaced_and_letters_may_be_cut_in_two() -> None:
    """No byte disconnects anybody."""
    assert names(b"\xff7") == ["\ufffd", "7"]
    assert names("ä".encode()[:1], "ä".encode()[1:]) == ["ä"]


async def test_random_bytes_never_raise_and_never_depend_on_the_cut(figure: Figure) -> None:
    """Fuzz: any bytes, cut anywhere."""
    chance = random.Random(3)
    alphabet = [b"\x1b", b"[", b"O", b"200~", b"201~", b"1;5A", b"~", b"\r", b"7", b"\xc3", b"\xa9", b"\x03", b"\x9b"]
    for _ in range(FUZZED):
        data = b"".join(chance.choices(alphabet, k=chance.randrange(1, 12))) + b"\x03z"
        cut = chance.randrange(len(data))
        assert keys(data)[-1:] == keys(data[:cut], data[cut:])[-1:]
    figure(f"{FUZZED:,} inputs typed")
