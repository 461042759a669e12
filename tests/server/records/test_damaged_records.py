"""Records that are damaged, or no records at all, are refused in a line that names the place."""

from random import Random

import pytest

from server.records.record_reader import read_record
from server.records.syntax import BadRecord
from server.records.verify import verify
from tests.soak import long
from tests.support.recorded import GOLDEN


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Quatch record 1",
            "Quatch record 2",
            "line 1: a newer version of this program has written records of version 2",
        ),
        ("Quatch record 1", "Quatch record 0", "line 1: must be 'Quatch record 1', not 'Quatch record 0'"),
        ("checksum: ", "checksum: x", "line 2: must be checksum: and 64 hexadecimal digits"),
        ("game: 7KQ2M9XA", "game: ../etc", "line 4: must be game: and an id of letters and digits"),
        ("rules: college", "rules: poker", "line 5: no rule set 'poker': there are quatch"),
        ("rules: college", "", "line 6: must be rules: and the name of a rule set, not 'title: "),
        ('title: "', "title: ", 'line 6: must be a text in quotes, like title: "Quatch"'),
        ('"mirror"', "mirror", "line 7: must be another key of the rules, like option draw.to: 3"),
        ('option special.3.on: "any"', 'option special.3.effect: "burn"', "line 8: must be another key of the rules"),
        ('"mirror"', '"melt"', "line 5: special.3.effect: must be reset, burn"),
        ("special.3.on", "special.3.no", "line 5: special.3.no: no such key"),
        ('"10": 2', '"10": 5', "line 5: deck.copies: a rank has 0 to 4 copies, not 5"),
        ("player 1", "player 2", "line 10: must be player 1, like player 1:"),
        (", person", ", parson", "line 10: must be player 1, like player 1:"),
        ('player 2: "Fox", AI player, hard\n', "", "line 5: seats: college is for 2 to 4, not 1"),
        ("began: 2026-11", "began: 2026-13", "line 12: must be a time, like began: 2026-11-21T19:03:22Z"),
        ("ended: 2026", "ended: 1926", "line 13: must be a time, like ended: 2026-11-21T19:03:22Z"),
        ('version: "0.1.0"', "version: 0.1.0", "line 14: must be a text in quotes"),
        ("seed: 1", "seed: ", "line 15: must be seed: and 64 hexadecimal digits"),
        ('": "the', '", "the', 'line 16: must be two texts, like cut by "ana": "seven"'),
        ("♠", "\\ud800", "line 16: must be two texts"),
        ("dealer: seat 2", "dealer: seat 3", "line 5: dealer: seats are 0 to 1, not 2"),
        ("dealer: seat 2", "dealer: ana", "line 17: must be dealer: none, or like dealer: seat 1"),
        ("commitment: f0", "commitment: 0f", "line 19: must be 'commitment: f0"),
        ("deck: 1 4", "deck: 4 4", "line 20: must be 'deck: 1 4"),
        ("deal: 3 down", "deal: 2 down", "line 21: must be 'deal: 3 down, 0 up, 6 in hand'"),
        ("start: dealer-left", "start: lowest", "line 22: must be 'start: dealer-left'"),
        ("down 8d 7h", "down 7h 8d", "line 23: must be 'seat 1: down 8d 7h 9h, hand 6d 8c 9s Th Kh Ah'"),
        ("stock: 3c", "stock: 4c", "line 25: must be 'stock: 3c"),
        ("luck: 1 2", "luck: 2 1", "line 26: must be 'luck: 1 2'"),
        ("3. seat 2: lay", "2. seat 2: lay", "line 30: must be move 3 of seat 1 to 2, like 3. seat 1: play 7 7"),
        ("3. seat 2: lay", "3. seat 3: lay", "line 30: must be move 3 of seat 1 to 2"),
        ("pickup", "pick", "line 36: must be move 9"),
        ('\\"sorry\\"', '"sorry"', "line 43: must be # and a note"),
        ("places: 2", "places", "line 74: must be move 44"),
        ("result: seat 2 wins", "", "line 76: must be result: and what the moves led to, not the end"),
        ("seat 2 wins\n", "seat 2 wins\nmore\n", "line 76: must be the end of the text, not 'more'"),
    ],
)
def test_damage_is_named_with_its_line(old: str, new: str, message: str) -> None:
    """Each kind of line says where it is and what would be right."""
    text = GOLDEN.read_text("utf-8")
    assert old in text
    with pytest.raises(BadRecord) as raised:
        read_record(text.replace(old, new, 1))
    assert str(raised.value).startswith(message)
    assert raised.value.code == "bad_record"
    assert "\n" not in str(raised.value)


def test_damage_is_never_more_than_a_bad_record() -> None:
    """Cut, doubled, swapped, garbled and hostile: always a record or one line that says what is wrong."""
    text, rng = GOLDEN.read_text("utf-8"), Random("damage")
    messages = []
    tries = long(250, 40_000)
    for _ in range(tries):
        damaged = _damaged(text, rng)
        for look in (read_record, verify):
            try:
                look(damaged)
            except BadRecord as error:
                messages.append(str(error))
    assert len(messages) > 1.5 * tries
    assert [message for message in messages if not message.isprintable()] == []


def test_a_text_that_is_nothing_like_a_record_is_refused() -> None:
    """Nothing, noise, and what parsers choke on."""
    many = 100_000
    deep = GOLDEN.read_text("utf-8").replace('"mirror"', "[" * 90 + "]" * 90)
    for text in ("", "\n", "x" * many, "Quatch record 1", "[" * many, f"Quatch record 1\nchecksum: {'9' * many}", deep):
        with pytest.raises(BadRecord, match=r"^line [1-5]: "):
            read_record(text)


def _damaged(text: str, rng: Random) -> str:
    """The text with a few things done to it."""
    for _ in range(rng.randint(1, 3)):
        lines, at = text.split("\n"), rng.randrange(text.count("\n") + 1)
        match rng.randrange(6):
            case 0:
                del lines[at]
            case 1:
                lines.insert(rng.randrange(len(lines)), lines[at])
            case 2:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                key, colon, _ = lines[at].partition(": ")
                junk = ("", "[" * 150, "9" * 5000, "1e999", "NaN", '"\\ud800"', "\ud800", "\x1b[2J", "{}", "none", "-1")
                lines[at] = key + colon + rng.choice(junk)
            case 4:
                cut = rng.randrange(len(lines[at]) + 1)
                lines[at] = lines[at][:cut] + chr(rng.randrange(1, 0x3000)) + lines[at][cut + rng.randint(0, 1) :]
            case 5:
                lines = lines[: at + 1]
        text = "\n".join(lines)
    return text
