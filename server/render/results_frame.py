"""The results of a game: finishing order, what each player has done, highlights, how to see the game again.

Draws from views, never from the state.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from engine.view import View
from engine.wording.phrases import listed, quantity, sentence_case
from server.cells import BOLD, PLAIN, Row, pad, text_width, wrap
from server.language.position_text import next_game_sentence
from server.records.game_stats import GameStats, SeatCounts
from server.records.results import ranks
from server.records.scoring import places_by_cards
from server.render.canvas import Canvas, Scale
from server.render.card_art import box
from server.render.scene import AfterGame
from server.table.snapshot import Snapshot

_COLUMNS: Final[tuple[tuple[str, int, Callable[[SeatCounts], str]], ...]] = (
    ("laid", 4, lambda count: str(count.laid)),
    ("burned", 13, lambda count: _of(count.burns, count.burned)),
    ("picked up", 13, lambda count: _of(count.pick_ups, count.eaten)),
    ("blind", 11, lambda count: f"{count.turned - count.failed} of {count.turned} went" if count.turned else "-"),
)
_NAME_CELLS: Final = 17
_COMPACT_NAME_CELLS: Final = 16


def results(snapshot: Snapshot, view: View, canvas: Canvas, after_game: Sequence[AfterGame]) -> list[Row]:
    """The winner, the table of places, the highlights, and the commands for this game."""
    if snapshot.stats is None or view.outcome is None:
        return []
    space: list[Row] = [()] if canvas.scale > Scale.COMPACT else []
    again = [*_again(snapshot, canvas, after_game), *_lines(next_game_sentence(snapshot), canvas)]
    return [*result_rows(snapshot, view, canvas), *space, *again, *space]


def result_rows(snapshot: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The winner, the table of places and the highlights."""
    stats = snapshot.stats
    if stats is None or view.outcome is None:
        return []
    head: list[Row] = [((BOLD, f"   {_headline(snapshot, view, stats)}"),)]
    if canvas.scale >= Scale.ROOMY:
        text = f"   {_headline(snapshot, view, stats)}   "
        head = [(), *(((PLAIN, "   "), *row) for row in box(canvas.theme, [((BOLD, text),)], text_width(text), BOLD))]
    space: list[Row] = [()] if canvas.scale > Scale.COMPACT else []
    return [
        *head,
        *space,
        *_table(view, stats, canvas, by_cards=bool(snapshot.occasion and snapshot.occasion.by_cards)),
        *_lines([f"{sentence_case(stats.counts_as)}."] if stats.counts_as else [], canvas),
        *space,
        *_lines(_highlights(stats), canvas),
    ]


def _headline(snapshot: Snapshot, view: View, stats: GameStats) -> str:
    winner = view.outcome.winner if view.outcome else None
    after = f"after {quantity(snapshot.ply, 'move')}"
    if winner is None:
        return f"A draw {after}"
    if snapshot.rules.out_ends != "first" and len(stats.names) > 2:  # the others have played on
        after = f"a game of {quantity(snapshot.ply, 'move')}"
    return f"You win {after}!" if winner == view.seat else f"{stats.names[winner]} wins {after}"


def _table(view: View, stats: GameStats, canvas: Canvas, *, by_cards: bool) -> Iterator[Row]:
    drawn = view.outcome.drawn if view.outcome else ()
    placed = ranks(view.places, len(stats.names), frozenset(), drawn)
    if by_cards:
        placed = places_by_cards([view.cards_of(seat) for seat in view.seats])
    cells = _NAME_CELLS if canvas.scale > Scale.COMPACT else _COMPACT_NAME_CELLS
    # A compact screen leaves out the cards laid and turned.
    columns = [column for column in _COLUMNS if canvas.scale > Scale.COMPACT or column[1] == 13]
    titles = "".join(f"{title:>{width}}  " for title, width, _ in columns)
    yield ((canvas.theme.faint, f"        {pad('', cells)}{titles}{'left':>4}"),)
    for seat in sorted(view.seats, key=placed.__getitem__):
        figures = "".join(f"{tell(stats.counts[seat]):>{width}}  " for _, width, tell in columns)
        name = stats.names[seat] + (" (you)" if seat == view.seat else "")
        left = view.cards_of(seat)
        style = BOLD if placed[seat] == 1 or seat == view.seat else PLAIN
        place = "=" if seat in drawn else f"{placed[seat]}."
        yield ((style, f"   {place:>3}  {pad(name, cells - 1)} {figures}{left or '-':>4}"),)


def _lines(lines: Iterable[str], canvas: Canvas) -> Iterator[Row]:
    for line in lines:
        yield from (((PLAIN, f"   {part}"),) for part in wrap(line, canvas.width - 4))


def _of(times: int, cards: int) -> str:
    often = {1: "once", 2: "twice"}.get(times, f"{times} times")
    return f"{cards} ({often})" if times else "-"


def _highlights(stats: GameStats) -> Iterator[str]:

    def players(figures: list[int], wanted: int) -> str:
        return listed([name for name, figure in zip(stats.names, figures, strict=True) if figure == wanted], "and")

    burned, meals, pick_ups = (
        [getattr(each, key) for each in stats.counts] for key in ("burned", "biggest", "pick_ups")
    )
    if most := max(burned):
        yield f"{players(burned, most)} burned the most: {quantity(most, 'card')}."
    if most := max(meals):
        yield f"Biggest pick-up: {players(meals, most)}, {quantity(most, 'card')} at once."
    if 0 in pick_ups:
        yield f"Never picked up: {players(pick_ups, 0)}."


def _again(snapshot: Snapshot, canvas: Canvas, after_game: Sequence[AfterGame]) -> Iterator[Row]:
    rating = f" ({snapshot.rating})" if snapshot.rating else ""
    if snapshot.seat is not None:
        ways = {snapshot.next.command: f"{snapshot.next.what}{rating}"}
    else:
        ways = {} if snapshot.is_barred else {"sit": f"takes a seat for the next game{rating}"}
    lines = {
        **ways,
        **{
            f"{each.key} or {each.word}": each.shows
            for each in after_game
            if each.is_for_all or snapshot.seat is not None
        },
        f"verify {snapshot.game}": "deals the cards again from their seed",
    }
    width = max(map(len, lines)) + 2
    for typed, meaning in lines.items():
        yield ((BOLD, f"   {typed:<{width}}"), (canvas.theme.faint, meaning))
