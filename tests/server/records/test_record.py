"""The text of a game: read back as it was, readable, and refused with its line when it is damaged."""

import hashlib
from random import Random
from typing import get_args

import pytest
from msgspec import structs
from msgspec.structs import replace

from engine.errors import InputError
from engine.game import deal
from engine.rulesets import rulesets
from server.people.players import Kind, Player
from server.records.fairness import DealCut
from server.records.record import (
    CLOCK_RAN_OUT,
    IS_BACK,
    IS_GONE,
    Note,
    RecordedMove,
    RecordedStep,
    rules_of,
    seat_taken,
    went_away,
    write_record,
)
from server.records.record_reader import read_record, verify
from server.records.syntax import BadRecord, quoted, read_quoted, read_time, split_quoted, time_text
from server.table.entries import TableSettings
from server.table.state import TableState
from tests.soak import long
from tests.support.each import for_each
from tests.support.random_games import SEEDS, TABLES, Table, house_rules
from tests.support.recorded import GOLDEN, dealt, played, random_record

HOSTILE = (
    "",
    " ",
    '"',
    "\\",
    '": "',
    '\\": \\"',
    "\\u0041",
    "\n1. seat 1: play 7\r\n",
    "# no note",
    "result: seat 1 wins",
    "\x00\x1b[2J\x7f\x85\u2028\u2029",
    "\u202eevil\u2066\ufeff\u200b",
    "e\u0301\u0327\u0338 Ω 中 \U0001f0a1 \U000e0041",
    " both ends ",
)
"""Texts that could break a line, a quotation or a screen, or pass for another text."""


@for_each("at", TABLES[:: long(2, 1)])
def test_a_game_is_read_back_exactly(at: Table) -> None:
    """Of every rule set, with every option: what is written is what is read."""
    for number in range(SEEDS):
        record = random_record(at, number)
        assert read_record(write_record(record)) == record


@for_each("seed", range(5 * SEEDS))
def test_house_rules_are_read_back_exactly(seed: int) -> None:
    """Rules drawn at random: any value of any key."""
    record = random_record(house_rules(seed), seed)
    text = write_record(record)
    assert read_record(text) == record
    assert verify(text)


@for_each("hostile", HOSTILE)
def test_nothing_that_people_typed_breaks_the_text(hostile: str) -> None:
    """Names, cuts, notes and title come back as they were; in the text each keeps to its line and only shows."""
    record = dealt("quatch", 2)
    players = (Player("", hostile), Player("", "Fox", "ai", "hard"))
    cuts = (DealCut(hostile, hostile), DealCut("Fox", hostile))
    record = played(replace(record, title=hostile, players=players, cuts=cuts, version=hostile))
    record = replace(record, steps=(Note(hostile), *record.steps, Note(hostile)))
    text = write_record(record)
    assert read_record(text) == record
    assert all(char == "\n" or char.isprintable() for char in text)
    assert len(text.splitlines()) == text.count("\n")


def test_any_text_at_all_is_read_back() -> None:
    """Characters from all over Unicode, printable or not, stand in one line that shows and moves nothing."""
    rng = Random("unicode")
    for _ in range(2000 * SEEDS):
        planes = (0x80, 0x800, 0xD800, 0x110000)
        drawn = [rng.randrange(rng.choice(planes)) for _ in range(rng.randint(0, 12))]
        text = "".join(chr(code) for code in drawn if not 0xD800 <= code < 0xE000)
        written = quoted(text)
        assert read_quoted(written) == text
        assert split_quoted(f'{written}: "x"') == (text, ': "x"')
        assert written.isprintable()


def test_times_are_read_back_to_the_last_bit() -> None:
    """Whatever the clock says, from 1970 on."""
    rng = Random(0)
    for seconds in (0.0, 1e-7, 0.1, 1e9, 253402300799.0, *(rng.random() * 4e9 for _ in range(1000 * SEEDS))):
        assert read_time(time_text(seconds)) == seconds
    assert time_text(1795287802.0) == "2026-11-21T19:03:22Z"
    assert time_text(1795287802.25) == "2026-11-21T19:03:22.25Z"


def test_a_record_written_long_ago_is_still_read() -> None:
    """The file of version 1 is read, and written again byte for byte."""
    text = GOLDEN.read_text("utf-8")
    record = read_record(text)
    assert write_record(record) == text
    assert record.id == "7KQ2M9XA"
    assert record.cuts == (DealCut("ana", "the seven of spades ♠"),)
    assert record.dealer == 1
    assert record.began == 1795287802.25
    assert (len(record.moves), len(record.steps)) == (43, 45)
    assert record.steps[9] == Note("ana went away, an AI player plays for them.")
    assert verify(text)[-1] == "They lead to the result: Fox (seat 2) wins."


def test_the_checksum_can_be_had_without_us() -> None:
    """It is SHA-256 of all lines from the third on: tail -n +3 FILE | sha256sum."""
    _, second, rest = GOLDEN.read_bytes().split(b"\n", 2)
    assert second.decode() == f"checksum: {hashlib.sha256(rest).hexdigest()}"


def test_a_copy_with_other_line_ends_is_the_same_record() -> None:
    """Mail and editors change line ends and drop the last one."""
    text = GOLDEN.read_text("utf-8")
    for copy in (text.replace("\n", "\r\n"), text.rstrip("\n"), text + "\n\n"):
        assert read_record(copy) == read_record(text)
        assert verify(copy) == verify(text)


def test_no_identity_is_written() -> None:
    """The identities of players stay on the server."""
    record = played(dealt("life", 2))
    known = replace(record, players=tuple(structs.replace(player, id="account:abc") for player in record.players))
    assert write_record(known) == write_record(record)
    assert "SHA256" not in write_record(known)


def test_every_kind_of_player_can_be_written() -> None:
    """A kind that is added later must be given its words."""
    record = played(dealt("quatch", 2))
    for kind in get_args(Kind):
        known = replace(record, players=(Player("", "x", kind), record.players[1]))
        assert read_record(write_record(known)) == known


@for_each("at", TABLES[:: long(2, 1)])
def test_the_rules_are_those_of_the_table(at: Table) -> None:
    """A record's rules are what a table of the same rules, options and title plays by."""
    record = random_record(at, 0)
    table = TableState.of(TableSettings(record.rules, record.options, at.seats, "hard", record.title)).rules
    assert rules_of(record) == table
    assert deal(rules_of(record), at.seats, "x") == deal(table, at.seats, "x")


def test_without_a_title_of_its_own_a_game_has_that_of_its_rules() -> None:
    """As a table has."""
    record = replace(dealt("quatch", 2), title="", options={"draw.to": 4})
    assert rules_of(record).title == "Quatch"
    assert rules_of(replace(record, title="Draws")).title == "Draws"


def test_a_drawn_game_names_the_players_who_tied() -> None:
    """All players who were still in the game drew."""
    text = write_record(played(dealt("quatch", 3, options={"stalemate.quiet_plies": 1})))
    assert text.endswith("\nplaces: none\nresult: drawn between seats 1 2 3\n")
    assert verify(text)[-1] == "They lead to the result: drawn between ana (seat 1), Fox (seat 2) and bo (seat 3)."


def test_moves_are_written_in_one_way() -> None:
    """However a move was typed, it is written as the rules' reference writes it."""
    record = played(dealt("quatch", 2))
    quiet = replace(record, steps=tuple(record.moves))
    shouted = replace(record, steps=tuple(replace(move, text=move.text.upper()) for move in record.moves))
    assert write_record(shouted) == write_record(quiet)
    assert read_record(write_record(quiet).replace(": play ", ": PLAY ")) == quiet


def test_an_abandoned_game_says_that_it_is() -> None:
    """The seed is shown all the same, so that a host cannot hide a deal by breaking it off."""
    record = played(dealt("life", 2))
    for steps in (tuple(record.moves[:-1]), record.steps[:2], ()):
        abandoned = replace(record, steps=steps)
        text = write_record(abandoned)
        assert text.endswith("\nresult: abandoned\n")
        assert read_record(text) == abandoned
        assert verify(text)[-1] == "After them the game was abandoned: it has no result."


def test_only_a_game_that_can_be_played_has_a_record() -> None:
    """A game that cannot have gone like this is not written."""
    record = played(dealt("quatch", 2))
    with pytest.raises(BadRecord, match="move 1 of seat 2 is not possible"):
        write_record(replace(record, steps=tuple(record.moves[4:])))
    with pytest.raises(InputError, match="no rule set 'poker'"):
        write_record(replace(record, rules="poker"))


def test_every_option_at_once_and_a_long_title_are_recorded() -> None:
    """As house rules allow them: rules limit how many options there are, and nothing limits a title."""
    base, title = rulesets()["quatch"], "".join(HOSTILE) * 1000
    rules = base.overridden(
        base.overridden({f"special.{rank}.effect": "skip" for rank in "3456789JQKA"}, "").keys(), title
    )
    record = played(replace(dealt("quatch", 3, options=rules.options), title=title))
    assert record.options == rules.keys()
    text = write_record(record)
    assert read_record(text) == record
    assert verify(text)


def test_own_plies_are_those_that_the_player_made() -> None:
    """Not those of AI players who played for them while they were away or since they left."""
    record = dealt("quatch", 3)  # ana, Fox and bo
    turn = [RecordedMove(seat, "pickup") for seat in range(3)]
    steps: tuple[RecordedStep, ...] = (
        *turn,
        went_away("bo", CLOCK_RAN_OUT, "easy"),
        *turn,
        Note(f"bo {IS_BACK}"),
        *turn,
        went_away("bo", IS_GONE, "easy"),
        *turn,
        Note(f"bo {IS_BACK}"),
        *turn,
        seat_taken("bo", "Owl", 2),
        *turn,
    )
    played_so = replace(record, steps=steps)
    assert played_so.own_plies(2) == [3, 9, 15]
    assert played_so.own_plies(1) == [2, 5, 8, 11, 14, 17]


@for_each(
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
        ("deal: 3 down", "deal: 2 down", "line 21: must be 'deal: 3 down, 0 up, 6 in hand'"),
        ("start: dealer-left", "start: lowest", "line 22: must be 'start: dealer-left'"),
        ("down 8d 7h", "down 7h 8d", "line 23: must be 'seat 1: down 8d 7h 9h, hand 6d 8c 9s Th Kh Ah'"),
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
    tries = long(80, 40_000)
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
