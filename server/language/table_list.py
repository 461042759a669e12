"""Lists of tables: which come first, which are folded into one line, and each as a sentence. Pure."""

from collections.abc import Collection, Iterable

from engine.wording.phrases import quantity
from server.language.position_text import clock_rule_text, sitter_text
from server.table.snapshot import Listing


def in_order(tables: Iterable[Listing], own: Collection[int]) -> list[Listing]:
    """The tables that matter most first: the player's own; then with players, with a seat to take, without a word.

    ``own`` are the numbers of the tables at which the player has a seat.
    """
    return sorted(
        tables, key=lambda each: (each.number not in own, each.asleep, not each.open_seats, each.private, each.number)
    )


def unfolded(tables: Iterable[Listing], own: Collection[int]) -> list[Listing]:
    """Those of these tables that are awake, and the player's own; the others are only counted (`folded_text`)."""
    return [each for each in tables if not each.asleep or each.number in own]


def sleeping_seat_text(number: int) -> str:
    """The line for a seat that is kept at a table that sleeps."""
    return f"Your seat at table {number} is kept: sit {number}"


def folded_text(count: int) -> str:
    """The line for so many tables that sleep; for none it is empty."""
    return f"{count} more, whose players are away: tables all" if count else ""


def listing_text(table: Listing) -> str:
    """One table of a list."""
    free = table.between if table.occasion else free_seats_text(table)
    state = f"playing, move {table.ply}" if table.playing else free
    notes = [state, *(["private"] if table.private else []), *(["asleep"] if table.asleep else [])]
    notes += [*([] if table.hints else ["no hints"]), table.rating, *([table.occasion] if table.occasion else [])]
    sitters = ", ".join(sitter_text(sitter, is_me=False) for sitter in table.sitters)
    seats, clock = f"Seats: {sitters}.", clock_rule_text(table.clock)
    return f"Table {table.number}: {table.rules_title}; {', '.join(notes)}. {seats} {clock}"


def free_seats_text(table: Listing) -> str:
    """How many seats can be taken."""
    return f"{quantity(table.open_seats, 'seat')} free" if table.open_seats else "full"
