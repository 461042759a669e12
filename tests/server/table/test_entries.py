"""The format of a table's log: nothing is lost, what is wrong is named by its key, and no secret is shown."""

import pytest

from engine.errors import InputError
from server.people.players import Player
from server.records.fairness import DealCut, seal_of
from server.table.deal import Deal
from server.table.entries import (
    Abandoned,
    Away,
    Barred,
    Change,
    Checkpoint,
    Committed,
    Cut,
    CutOpened,
    CutsClosed,
    CutSealed,
    Dealt,
    Left,
    Moved,
    Returned,
    Sat,
    SavedSeat,
    TableSettings,
    read_change,
    write_change,
)
from tests.support.tables import ANA, table_settings

CHANGES = [
    TableSettings("life", {"four.scope": "in-a-row"}, 3, "easy", "Life", 30.0, 1.5, "word", "secret", "0.1.0"),
    Sat(1, ANA),
    Sat(0, Player("ai:Fox", "Fox", "ai", "hard"), level_named=True),
    Left(1),
    Away(1, "clock"),
    Returned(1),
    Barred("guest:x"),
    Committed("8F3K2Q7A", "00ff"),
    Cut("ana", "\u00e9 \u6f22", "SHA256:ana"),
    CutSealed(1, seal_of("b")),
    CutsClosed(),
    CutOpened(1, "b"),
    Dealt(None),
    Dealt(
        1,
        Checkpoint(
            table_settings(word="apple"),
            (SavedSeat(ANA, "gone"), SavedSeat(Player("ai:Fox", "Fox", "ai", "hard"), level_named=True)),
            ANA.id,
            frozenset({"guest:x"}),
            Deal(
                "8F3K2Q7A",
                "00ff",
                (DealCut("ana", "\u00e9"), DealCut("bo", "b", seal_of("b"), 1), DealCut("cy", None, seal_of("c"), 0)),
                frozenset({ANA.id}),
                closed=True,
            ),
        ),
    ),
    Moved(0, "play 7 7"),
    Abandoned(),
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_changes_are_read_as_they_were_written(change: Change) -> None:
    """The log's format loses nothing, and no two entries are the same bytes."""
    assert read_change(write_change(change)) == change
    assert write_change(change) != write_change(change)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b'{"v": 2, "id": "", "kind": "abandoned"}', "written by a newer version of this program"),
        (b'{"v": 2, "id": [], "kind": "swapped"}', "written by a newer version of this program"),
        (b'{"v": 0, "id": "", "kind": "abandoned"}', "v: cannot be 0"),
        (b"{}", "v: is missing"),
        (b'{"v": 1, "id": 1}', "kind: is missing"),
        (b'{"v": 1, "id": "", "kind": "swapped"}', "kind: cannot be 'swapped'"),
        (b'{"v": 1, "id": "", "kind": "left"}', "seat: is missing"),
        (b'{"v": 1, "id": "", "kind": "left", "seat": "1"}', "seat: expected a whole number"),
        (b'{"v": 1, "id": "", "kind": "away", "seat": 1, "reason": "bored"}', "reason: cannot be 'bored'"),
        (b'{"v": 1, "kind": "sat", "seat": 1, "player": {"id": "x"}}', "player.name: is missing"),
        (b"[]", "expected an object"),
        (b"x", "JSON is malformed"),
    ],
)
def test_what_this_version_did_not_write_is_refused_by_the_name_of_the_key(data: bytes, told: str) -> None:
    """An unknown version and damaged bytes are errors, not tables."""
    with pytest.raises(ValueError, match=f"^{told}") as caught:
        read_change(data)
    assert not isinstance(caught.value, InputError)


def test_the_secrets_of_a_table_are_in_no_line_that_the_server_logs() -> None:
    """Neither its password nor the seeds of its deals."""
    for secret in (table_settings(word="sesame"), Committed("8F3K2Q7A", "sesame"), Deal("8F3K2Q7A", "sesame")):
        assert "sesame" not in repr(secret)
