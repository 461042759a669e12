"""The results of a game: who has won, and what each player had left at the end.

Draws from views, never from the state.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.view import View
from engine.wording.phrases import quantity, sentence_case
from server.cells import BLANK, BOLD, PLAIN, Row, pad, styled, text_width, wrap
from server.language.event_text import SeatNames, as_played, own_end
from server.language.position_text import next_game_sentence
from server.records.results import ranks
from server.render.canvas import Canvas, Scale
from server.render.card_art import box
from server.table.snapshot import GameStats, Snapshot

NAME_CELLS: Final = 30


def results(snapshot: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The winner, the players in their order, and who can start the next game."""
    space = [BLANK] if canvas.scale > Scale.COMPACT else []
    return [*result_rows(snapshot, view, canvas), *space, *_lines(next_game_sentence(snapshot), canvas), *space]


def result_rows(snapshot: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The winner, and the players in their order."""
    snapshot = as_played(snapshot)
    stats = snapshot.stats
    if stats is None or view.outcome is None:
        return []
    headline = _headline(snapshot, view, stats)
    if canvas.scale > Scale.COMPACT:
        style, lines = f"{BOLD} {canvas.theme.colours[0]}".strip(), wrap(headline, canvas.width - 12)
        framed = box(
            canvas.theme, [styled(style, f"   {line}   ") for line in lines], max(map(text_width, lines)) + 6, BOLD
        )
        head = [BLANK, *(styled(PLAIN, "   ") + row for row in framed), BLANK]
    else:
        head = [styled(BOLD, f"   {line}") for line in wrap(headline, canvas.width - 4)]
    counts_as = [f"{sentence_case(stats.counts_as)}."] if stats.counts_as else []
    return [*head, *_table(snapshot, view, stats, canvas), *_lines(counts_as, canvas)]


def _headline(snapshot: Snapshot, view: View, stats: GameStats) -> str:
    winner, who = view.outcome.winner if view.outcome else None, SeatNames(snapshot)
    if said := who.won():
        return f"{said} {own_end(snapshot)}".rstrip()
    if winner is None:
        return "A draw: nothing moved for too long."
    if winner == snapshot.seat:
        return f"{who.does(winner, 'win')}!"
    return f"{stats.names[winner]} wins. {own_end(snapshot)}".rstrip()


def _table(snapshot: Snapshot, view: View, stats: GameStats, canvas: Canvas) -> Iterator[Row]:
    """The players, best first; with their places, if the rules know more than a winner."""
    drawn = view.outcome.drawn if view.outcome else ()
    left = [view.cards_of(seat) for seat in view.seats]
    placed = ranks(view.places, len(stats.names), frozenset(), drawn)
    has_places = snapshot.rules.out_ends != "first"
    said = "    by the cards" if stats.counts_as or stats.won_because else ""
    yield styled(canvas.theme.faint, f"   {pad(said, 4 + NAME_CELLS)}{'left':>10}{'picked up':>12}")
    for seat in sorted(view.seats, key=lambda seat: (placed[seat], left[seat])):
        place = "=" if seat in drawn else f"{placed[seat]}." if has_places else ">" if seat == snapshot.seat else ""
        cards = quantity(left[seat], "card") if left[seat] else "out"
        figures = f"{cards:>10}{stats.picked_up[seat] or '-':>12}"
        name = stats.names[seat] + (" (you)" if seat == snapshot.seat else "")
        style = BOLD if placed[seat] == 1 or seat == snapshot.seat else PLAIN
        yield styled(style, f"   {place:>3} {pad(name, NAME_CELLS)}{figures}")


def _lines(lines: Iterable[str], canvas: Canvas) -> Iterator[Row]:
    for line in lines:
        yield from (styled(PLAIN, f"   {part}") for part in wrap(line, canvas.width - 4))
