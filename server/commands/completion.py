"""What could be typed now: the lines that arrow keys walk through, and how a line that has begun may go on. Pure."""

from collections.abc import Iterable

from engine.ai.arranging import better_arrangements
from engine.errors import InputError
from engine.legality import legal_moves
from engine.moves import PickUp
from engine.wording.typed_moves import typed_form
from server.commands.catalog import find, usable
from server.commands.registry import Context
from server.table.snapshot import Snapshot


def moves_to_type(snapshot: Snapshot) -> list[str]:
    """Every move that can be made now as one would type it: ranks from low to high, one copy first; then the others."""
    view = snapshot.view
    if view is None or view.seat is None or not snapshot.my_turn or snapshot.away or view.phase == "over":
        return []
    legal = legal_moves(view, view.seat)
    if view.phase == "arrange":
        return [*map(typed_form, better_arrangements(view, view.seat)), *map(typed_form, legal)]
    return list(dict.fromkeys(typed_form(move) for move in legal if not (isinstance(move, PickUp) and move.picks)))


def proposal(snapshot: Snapshot | None) -> tuple[str, str]:
    """What an empty line may stand for between games, None being the lobby, and what that does.

    Never a move: those are chosen.
    """
    if snapshot is None:
        return "play", "begins a game against AI players"
    if snapshot.seat is None or snapshot.playing or snapshot.is_lesson:
        return "", ""
    return "start", "deals" if snapshot.view is None else "deals another game"


def walk(offers: list[str], line: str, step: int) -> str:
    """The line after one press of left or right: the next rank or other move, as few copies of it as can be."""
    firsts: dict[str, str] = {}
    for offer in offers:
        firsts.setdefault(_kind(offer), offer)
    if not firsts:
        return line
    ranks, here = list(firsts), _kind(line)
    at = ranks.index(here) + step if here in firsts else (0 if step > 0 else -1)
    return firsts[ranks[at % len(ranks)]]


def add_copy(offers: list[str], line: str) -> str:
    """The line after a press of Space: one more copy of the rank, or one again after the last."""
    copies = [offer for offer in offers if _kind(offer) == _kind(line)]
    return copies[(copies.index(line) + 1) % len(copies)] if line in copies else line


def _kind(offer: str) -> str:
    """What an offer is a copy more of: the rank, where it is one rank; else it is one of its own."""
    first, *more = offer.split(" ")
    return first if set(more) <= {first} else offer


def completions(line: str, context: Context) -> list[str]:
    """The words, sorted, with which the last word of the line may go on here; each is the whole word."""
    first, *rest = line.split(" ")
    if not rest:
        return _going_on(first, (each.name for each in usable(context)))
    *before, begun = rest
    try:
        return _going_on(begun, find(first.lower(), context).arguments(context, before))
    except InputError:
        return []


def _going_on(begun: str, words: Iterable[str]) -> list[str]:
    return sorted({word for word in words if word.startswith(begun.lower())})
