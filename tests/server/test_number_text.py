"""Numbers as people type them, and times as they read them."""

from server.number_text import countdown_text, read_decimal, read_number
from server.people.sanctions import duration_text
from tests.support.each import for_each


@for_each(
    ("text", "number"),
    [
        *(("0", 0), ("7", 7), ("10", 10), ("12345678", 12_345_678)),
        *(
            (text, None)
            for text in ("", "00", "0010", "+1", "-1", " 1", "1 ", "1_0", "1.0", "\u0661", "\u00b2", "123456789")
        ),
    ],
)
def test_numbers_are_read_strictly(text: str, number: int | None) -> None:
    """One way to write each: what looks wrong is not guessed at."""
    assert read_number(text) == number


@for_each(
    ("text", "number"),
    [
        *(("0", 0.0), ("2", 2.0), ("0.5", 0.5), (".25", 0.25), ("1.", 1.0)),
        *((text, None) for text in ("", ".", "1.2.3", "-1", "+1", "1e3", "nan", "inf", "1_0", "\u0661", "2 3", "1,5")),
    ],
)
def test_numbers_with_a_fraction(text: str, number: float | None) -> None:
    """Nothing but digits and one point."""
    assert read_decimal(text) == number


@for_each(("seconds", "text"), [(-1, "0:00"), (0.1, "0:01"), (60, "1:00"), (64.2, "1:05")])
def test_a_countdown_ends_with_its_last_second(seconds: float, text: str) -> None:
    """Begun seconds count, and none is below zero."""
    assert countdown_text(seconds) == text


@for_each(
    ("seconds", "text"),
    [
        (0, "1 second"),
        (59.2, "1 minute"),
        (61, "61 seconds"),
        (599.9, "10 minutes"),
        (7199.9, "2 hours"),
        (7185, "2 hours"),
        (3590, "1 hour"),
        (7 * 86_400, "7 days"),
    ],
)
def test_a_duration_has_one_unit(seconds: float, text: str) -> None:
    """What is told a moment after a ban of ten minutes says ten minutes still."""
    assert duration_text(seconds) == text
