"""What could be typed now: the moves that arrow keys walk through, and how a line that has begun may go on. Pure."""

import re
from collections.abc import Iterable

from engine.ai.arranging import shown_arrangements
from engine.errors import InputError
from engine.way_out import first_play
from engine.wording.typed_moves import typed_form
from server.commands.finding import ARGUMENTS, find
from server.commands.registry import Context, usable
from server.table.snapshot import Snapshot


def moves_to_type(snapshot: Snapshot) -> list[str]:
    """Every move that can be made now as typed: ranks from low to high, one copy first; with hints good swaps alone."""
    view = snapshot.view
    if view is None or view.seat is None or not snapshot.my_turn or snapshot.away or view.phase == "over":
        return []
    named = shown_arrangements(view, view.seat, hints=snapshot.hints) if view.phase == "arrange" else []
    return list(dict.fromkeys(map(typed_form, [*named, *snapshot.legal])))


def example_to_type(snapshot: Snapshot) -> str:
    """The play that arrow keys show first; empty if there is none, or the player is to find it themselves."""
    is_shown = snapshot.hints and snapshot.place.suggests
    first = first_play(snapshot.view) if is_shown and snapshot.view is not None else None
    return typed_form(first) if first else ""


def walk(offers: list[str], line: str, step: int) -> str:
    """The line after one press of left or right: the next rank or other move, with the fewest copies; or empty."""
    firsts: dict[str, str] = {}
    for offer in offers:
        firsts.setdefault(_kind(offer), offer)
    if not firsts:
        return ""
    ranks, here = list(firsts), _kind(line)
    at = ranks.index(here) + step if here in firsts else (0 if step > 0 else -1)
    return firsts[ranks[at % len(ranks)]]


def add_copy(offers: list[str], line: str) -> str:
    """The line after a press of Space: one more copy of the rank, or one again after the last; empty for no offer."""
    copies = [offer for offer in offers if _kind(offer) == _kind(line)]
    return copies[(copies.index(line) + 1) % len(copies)] if line in copies else ""


def _kind(offer: str) -> str:
    """The rank of an offer of one rank; any other offer is a kind of its own."""
    first, *more = offer.split(" ")
    return first if set(more) <= {first} else offer


def completions(line: str, context: Context) -> list[str]:
    """The words, sorted, with which the last word of the line may go on here; each is the whole word."""
    *before, begun = line.split(" ")
    words: Iterable[str] = ()
    if not before:
        # Of all moves only `ready` is a word to complete; the others are as short as cards.
        moves = moves_to_type(context.snapshot) if context.snapshot else []
        words = [*(each.name for each in usable(context)), *{"ready"}.intersection(moves)]
    else:
        try:
            command = find(before[0].lower(), context)
        except InputError:
            return []
        names = re.findall(r"[A-Z=]+", command.usage)
        at = len(names) - 1 if command.usage.endswith("...") and len(before) > len(names) else len(before) - 1
        if at < len(names) and (complete := {**ARGUMENTS, **command.completes}.get(names[at])):
            words = complete(context, before[-1])
    return sorted({word for word in words if word.lower().startswith(begun.lower())})
