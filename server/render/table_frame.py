"""A table's screen: the other seats, the pile, the log and the talk, the player's own seat, what can be typed; results.

Draws from views, never from the state.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from engine.ai.arranging import shown_arrangements
from engine.cards import MOST_COPIES, Card, rank_label, ranks_in
from engine.moves import READY, Flip, Lay, Move, Pass, PickUp, Play, Swap
from engine.rules import Rules
from engine.view import View
from engine.wording.phrases import counted_rank, listed, quantity, sentence_case
from engine.wording.pile_text import playable_words
from engine.wording.rules_sheet import arrange_note, brief, special_notes
from engine.wording.typed_moves import example_play, typed_form
from server.cells import (
    BLANK,
    BOLD,
    DIM,
    PLAIN,
    Row,
    cut,
    hconcat,
    joined,
    justify,
    newest,
    pad,
    styled,
    text_width,
    whole_lines,
    wrap,
)
from server.language import position_text
from server.language.event_text import SeatNames, as_played, own_end
from server.records.results import ranks
from server.render import card_art
from server.render.canvas import MOMENTS_KEPT, PARTS_KEPT, Canvas, Scale
from server.render.scene import PLAY, Scene, answer_rows
from server.render.seat_rows import opponents, own
from server.render.theme import Theme
from server.rulebook import changed_rules
from server.table.place import MOVES
from server.table.snapshot import GameStats, Snapshot

INVITE: Final = "invite NAME"
CUT: Final = "cut TEXT"
SIDE_COLUMN: Final = 3
"""The part of a wide screen beside the game: a third and a little more."""
LEAST_LOG: Final = 30
LEAST_TITLE: Final = 9
NAME_CELLS: Final = 30
UNDER: Final = 3
"""How many cards are shown under the top one."""
_MORE: Final = ("four", "three more", "two more", "one more")
_LABELLED: Final = 16
"""Cells before the text beside the pile, without its card."""
_GAP: Final = styled(PLAIN, "   ")


def table_rows(scene: Scene, snapshot: Snapshot, canvas: Canvas) -> list[Row]:
    """The table: fixed rows above and below, and between them the game with log and talk in the rows that are left."""
    view = snapshot.view
    above = [_status(scene, snapshot, canvas), canvas.rule()]
    below: list[Row] = []
    if view is not None and snapshot.stats is None:
        is_told = scene.resume_code and snapshot.seat is not None and snapshot.place.kind == "table"
        way_back = f"to come back: type resume {scene.resume_code}" if is_told else ""
        below = [canvas.rule(way_back), *_own(scene, snapshot, view, canvas)]
    below += [*_said(scene, snapshot, canvas), styled(canvas.theme.faint, hints_row(scene, snapshot, canvas.width))]
    height = canvas.height - len(above) - len(below)
    if canvas.scale == Scale.WIDE:
        cells = canvas.width // SIDE_COLUMN + 3
        between = canvas.two_columns(
            lambda left: _game(scene, snapshot, left, height, beside_it=True),
            lambda right: _rules_and_talk(scene, snapshot, right, height),
            canvas.width - cells,
        )
    else:
        between = _game(scene, snapshot, canvas, height)
    return [*above, *between, *below]


def _own(scene: Scene, snapshot: Snapshot, view: View, canvas: Canvas) -> Sequence[Row]:
    """The player's own seat, or the one a replay looks from; in a replay also how far it has come."""
    progress = scene.progress
    if snapshot.place.kind != "record" or progress is None:
        return own(snapshot, canvas, scene.clock_left)
    cells = canvas.width // 3
    done = cells * progress.at // max(1, progress.of)
    bar = f"   move {progress.at} of {progress.of}  [{'=' * done}{'-' * (cells - done)}]"
    seat = own(snapshot, canvas, None) if view.seat is not None else ()
    return [*seat, justify(styled(PLAIN, bar), styled(PLAIN, progress.viewpoint), canvas.width)]


def _game(scene: Scene, snapshot: Snapshot, canvas: Canvas, height: int, *, beside_it: bool = False) -> list[Row]:
    """The other seats, the pile and the log; before and after a game, what replaces them."""
    view = snapshot.view
    if view is None:
        rows = _waiting(snapshot, canvas)
        rows = (rows if len(rows) <= height else [row for row in rows if row != BLANK])[:height]
    elif snapshot.stats is not None:
        rows = _results(snapshot, view, canvas)
    else:
        between = [canvas.rule()] if canvas.scale else []
        public = snapshot.public
        rows = [*opponents(public, view, canvas), *between, *middle(public, canvas)]
    rest = height - len(rows)
    if snapshot.stats is not None and not scene.log:
        said = _talk(scene, canvas, rest) if scene.talk and not beside_it else []
        return [*rows, *said, *([BLANK] * (rest - len(said)))]
    return [*rows, *(_log(scene, canvas, rest) if beside_it else _log_and_talk(scene, snapshot, canvas, rest))]


def _status(scene: Scene, snapshot: Snapshot, canvas: Canvas) -> Row:
    """The table, its rules and how far its game is. If it is too long, the title is cut first."""
    called = scene.notice.call if scene.notice else ""
    call = f"{called}  " if called and not called.startswith(f"table {snapshot.table} ") else ""
    of = f" of {scene.progress.of}" if snapshot.place.has_last and scene.progress else ""
    view, title, order = snapshot.view, snapshot.rules.title, ""
    is_rated = "rated  " if snapshot.playing and snapshot.rating.startswith("rated") and not scene.resume_code else ""
    rated = "not rated  " if snapshot.rating.startswith("not") else is_rated
    no_hints = "" if snapshot.hints else "no hints  "
    watching = f"{snapshot.watching} watching  " if snapshot.watching else ""
    right = f"{call}{rated}{no_hints}{watching}".rstrip()
    parts: list[str] = []
    if view is not None:
        is_counted = snapshot.place.count and (view.phase != "arrange" or snapshot.place.kind != "table")
        parts.append(f"{snapshot.place.count} {snapshot.ply}{of}" if is_counted else "")
        parts.append({"arrange": "arranging", "over": "game over", "play": ""}[view.phase])
    rest = "   ".join(["", *filter(None, (*parts, scene.news))])
    named = f" {heading(snapshot)}  "
    if view is not None and view.phase == "play":
        seats, names = _in_turn(snapshot.public)
        if snapshot.place.kind != "record" and view.seat in seats:
            at = seats.index(view.seat)
            names = (*names[:at], "you", *names[at + 1 :])
        order = f"   order: {' > '.join(names)}"
    # Where others wait the rules are the same all evening, so their name is what gives way there.
    others_wait = snapshot.occasion is not None and snapshot.occasion.others_wait
    least_title = 0 if others_wait else LEAST_TITLE
    free = canvas.width - 1 - text_width(f"{named}{title}{rest}{order}{right}")
    if free < max(0, least_title - len(title)):
        cells = text_width(order)
        room = free + text_width(title) + cells
        if canvas.scale and free < 0 and order:
            order, cells = order.replace("order: ", "", 1), cells - len("order: ")
        if cells > room - least_title and not (canvas.scale and not others_wait):
            order = ""
        room = max(least_title, room - cells) if order else room
        title = cut(title, room).rstrip(" (") if room > 2 and room >= min(least_title, len(title)) else ""
    return justify(styled(BOLD, f"{named}{title}{rest}{order}"), styled(PLAIN, right), canvas.width)


@lru_cache(MOMENTS_KEPT)
def _in_turn(public: Snapshot) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The seats that are still in and the names of their players, from the one who moves."""
    view = public.view
    if view is None:
        return (), ()
    at = view.order.index(view.to_move) if view.to_move in view.order else 0
    seats = (*view.order[at:], *view.order[:at])
    return seats, tuple(map(public.name, seats))


def heading(snapshot: Snapshot) -> str:
    """What the status row begins with: the table, or what is in its place."""
    if snapshot.place.heading:
        return snapshot.place.heading.format(game=snapshot.game)
    return snapshot.occasion.title if snapshot.occasion else f"Table {snapshot.table}"


def _waiting(snapshot: Snapshot, canvas: Canvas) -> list[Row]:
    """Who sits here, and what to know before the deal, the most important first. Empty rows may go."""
    rows: list[Row] = []
    for seat, sitter in enumerate(snapshot.sitters):
        who = "free" if sitter is None else sitter.name + (f"  *{sitter.ai_level}" if sitter.ai_level else "")
        mine = "  (you)" if seat == snapshot.seat else ""
        host = "  host" if seat == snapshot.host else ""
        rows.append(styled(PLAIN if sitter else DIM, f"   seat {seat + 1}   {who}{mine}{host}"))
    terms = [
        changed_rules(snapshot.rules),
        *position_text.rating_sentence(snapshot),
        *position_text.ai_level_sentence(snapshot),
    ]
    said = [
        *wrap(" ".join(filter(None, terms)), canvas.width - 2),
        *position_text.word_sentence(snapshot),
        position_text.clock_rule_text(snapshot.clock),
    ]
    rows += [BLANK, *(styled(PLAIN, f" {line}") for line in said)]
    before, word, after = position_text.start_text(snapshot).partition("start")
    return [*rows, styled(PLAIN, f" {before}") + styled(BOLD, word) + styled(PLAIN, after)]


def _said(scene: Scene, snapshot: Snapshot, canvas: Canvas) -> Sequence[Row]:
    """The answer to the last command or, without one, the choices in this turn."""
    view = snapshot.view
    is_asked = snapshot.my_turn and view is not None and view.phase == "play"
    waits = scene.notice is not None and not scene.notice.invites
    if scene.notice and waits and not (scene.answer or snapshot.place.guides or is_asked or snapshot.playing):
        return [styled(BOLD, f" {line}") for line in wrap(scene.notice.text, canvas.width - 1)]
    if scene.answer or snapshot.place.guides or not (is_asked or (snapshot.away and snapshot.playing)):
        is_bare = not scene.answer and snapshot.place.guides and not canvas.scale  # its log needs the row
        return () if is_bare else answer_rows(scene.answer, canvas.width)
    return [
        styled(PLAIN, f" {line}")
        for said in position_text.choices_text(snapshot)
        for line in wrap(said, canvas.width - 1)
    ]


def _log_and_talk(scene: Scene, snapshot: Snapshot, canvas: Canvas, height: int) -> list[Row]:
    """The log and the talk side by side; the log alone if there is no talk and no space for the special cards."""
    is_roomy = canvas.scale == Scale.ROOMY and snapshot.stats is None
    if canvas.scale == Scale.COMPACT or not (scene.talk or is_roomy):
        return _log(scene, canvas, height, talk=bool(scene.talk))
    specials = special_notes(snapshot.rules)
    return canvas.two_columns(
        lambda left: _log(scene, left, height),
        lambda right: _talk(scene, right, height) if scene.talk else _notes("special cards", specials, right, height),
        max(LEAST_LOG, canvas.width * 3 // 5),
    )


def _log(scene: Scene, canvas: Canvas, height: int, *, talk: bool = False) -> list[Row]:
    """The last lines of the log; on a compact screen also the last line of talk, as long as it is new."""
    is_new = not scene.heard_after or scene.heard_after in scene.log[-height:]
    heard = newest(scene.talk, 1, canvas.width - 2) if talk and is_new and height > 3 else []
    rows = canvas.block("log", newest(scene.log, height - 1 - len(heard), canvas.width - 2))
    for line in heard:
        rows.append(styled(BOLD, f" {line}"))
    return rows[: max(0, height)]


def _talk(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    return canvas.block("talk", newest(scene.talk, height - 1, canvas.width - 1), indent="")


def _notes(title: str, lines: list[str], canvas: Canvas, height: int) -> list[Row]:
    """As many whole sentences as fit under their title, which says where all are if some do not fit."""
    rows = whole_lines(lines, height - 1, canvas.width - 1)
    is_all = len(rows) == sum(len(wrap(line, canvas.width - 1)) for line in lines)
    return canvas.block(title if is_all else f"{title}, more: rules", rows, indent="")


def _rules_and_talk(scene: Scene, snapshot: Snapshot, canvas: Canvas, height: int) -> list[Row]:
    most = height // 2 + 1 if scene.talk else height - 2
    rows = [*_notes(f"{snapshot.rules.title} in brief", brief(snapshot.rules), canvas, most), BLANK]
    return [*rows, *_talk(scene, canvas, height - len(rows))]


def hints_row(scene: Scene, snapshot: Snapshot, width: int) -> str:
    """The row of hints. Others are dropped before help."""
    plays, talks = scene.progress is not None and scene.progress.plays, not scene.alone
    hints = ["Space stops"] if plays else _hints(scene, snapshot)
    line, by = cut(scene.offer.line, width // 2), scene.offer.by
    goes = f" {'joins' if line.startswith('sit') else 'watches'} {by}" if by else f": {line}"
    if scene.offer is not PLAY:
        does = " says it" if line.startswith("'") else goes
        hints = [f"Enter{does}", *(each for each in hints if not each.startswith("Enter"))]
    hints[1:1] = [scene.invitation] if scene.invitation and not scene.offer.by else []
    hints = hints if talks else [each for each in hints if each not in {INVITE, CUT}]
    leave = "   leave" if snapshot.stats is not None and not snapshot.place.hints else ""
    while len(row := "   ".join([*hints, "help"])) + len(leave) >= width:
        hints.pop()
    for part in ("leave", "/ talks") if talks else ("leave",):
        if part not in row and len(row) + len(part) + 4 <= width:
            row += f"   {part}"
    return f" {row}"


def _hints(scene: Scene, snapshot: Snapshot) -> list[str]:
    view = snapshot.view
    if snapshot.place.hints:
        moves = [] if view is None or view.seat is None else [*_moves(view, snapshot.legal)]
        others = [hint for hint in moves if not hint.startswith("type")]
        return [hint for each in snapshot.place.hints for hint in (others if each == MOVES else [each])]
    if view is None or view.phase == "over":
        return _between_games(scene, snapshot)
    if view.seat is None:
        return ["where", "pile"]
    if snapshot.away:
        return ["Enter takes your seat back"]
    if view.phase == "arrange" and view.ready[view.seat]:
        return ["waiting for the others"]
    if view.phase == "arrange":
        ready = "ready begins" if READY in snapshot.legal else ""
        return list(filter(None, [_how_to_arrange(view, view.seat, hints=snapshot.hints), ready]))
    if not snapshot.my_turn:
        return ["w where", "z pile"]
    hint = ["h hint"] if snapshot.hints else []
    playable = {move.picks[0].rank for move in snapshot.legal if isinstance(move, Play)}
    held = [rank for rank, _ in ranks_in(view.hands[view.seat] or view.ups[view.seat]) if rank not in playable]
    return [*hint, *(f"why {rank_label(rank)}" for rank in held[:1])]


def _moves(view: View, legal: Sequence[Move]) -> Iterator[str]:
    """How to type the moves that are possible now, with one of them as the example."""
    if plays := [move for move in legal if isinstance(move, Play)]:
        example = example_play(view, plays, copies=MOST_COPIES)
        yield f"type {'a rank' if len(example.picks) == 1 else 'ranks'}: {typed_form(example).upper()}"
    kinds = set(map(type, legal))
    if Flip in kinds:
        yield f"turn over: {listed([typed_form(move) for move in legal if isinstance(move, Flip)])}"
    if PickUp in kinds:
        yield "p picks up"
    if Pass in kinds:
        yield "d passes"


def _between_games(scene: Scene, snapshot: Snapshot) -> list[str]:
    if snapshot.opening:
        return ["cut open TEXT"] if snapshot.must_open else []
    is_spectator = snapshot.seat is None
    told = [each for each in scene.after_game if each.is_for_all or not is_spectator] if snapshot.stats else []
    ways = [f"{each.key} {each.word}" for each in told]
    if is_spectator:
        return [*(["Enter sits down"] if snapshot.may_sit else []), *ways]
    rated = " (rated)" if snapshot.rating.startswith("rated") and not scene.resume_code else ""
    start = f"Enter {'agrees to ' if snapshot.agreed else ''}another game{rated}" if snapshot.view else "Enter deals"
    start = "start deals" if snapshot.left_to_host else start
    start = "another game begins when all agree" if snapshot.seat in snapshot.agreed else start
    if snapshot.next.command != "start":
        return [*snapshot.next.hints, *ways]
    return [start, *ways, *([INVITE] if None in snapshot.sitters else []), *([] if snapshot.view else [CUT])]


def _how_to_arrange(view: View, seat: int, *, hints: bool) -> str:
    """What to type while arranging; empty if nothing would help. Where no hints are given, it names no cards."""
    match shown_arrangements(view, seat, hints=hints)[:1]:
        case [Swap(hand, up) as swap]:
            named = f"{typed_form(swap)} swaps your {rank_label(hand.rank)} for face-up {rank_label(up.rank)}"
            return named if hints else "to swap type s, a hand card, a face-up card"
        case [Lay(picks) as lay]:
            return f"type {quantity(len(picks), 'card')} to lay{f', like {typed_form(lay).upper()}' if hints else ''}"
    return ""


def _results(snapshot: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The winner, the players in their order, and who can start the next game."""
    space = [BLANK] if canvas.scale > Scale.COMPACT else []
    return [
        *result_rows(snapshot, view, canvas),
        *space,
        *_lines(position_text.next_game_sentence(snapshot), canvas),
        *space,
    ]


def result_rows(snapshot: Snapshot, view: View, canvas: Canvas) -> list[Row]:
    """The winner, and the players in their order."""
    snapshot = as_played(snapshot)
    stats = snapshot.stats
    if stats is None or view.outcome is None:
        return []
    headline = _headline(snapshot, view, stats)
    if canvas.scale > Scale.COMPACT:
        style, lines = f"{BOLD} {canvas.theme.colours[0]}".strip(), wrap(headline, canvas.width - 12)
        framed = card_art.box(
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
    losers = view.places[-1:] if len(view.places) == len(view.seats) else ()
    said = "    by the cards" if stats.counts_as or stats.won_because else ""
    yield styled(canvas.theme.faint, f"   {pad(said, 4 + NAME_CELLS)}{'left':>10}{'picked up':>12}")
    for seat in sorted(view.seats, key=lambda seat: (placed[seat], left[seat])):
        place = "=" if seat in drawn else f"{placed[seat]}." if has_places else ">" if seat == snapshot.seat else ""
        cards = quantity(left[seat], "card") if left[seat] else "out"
        figures = f"{cards:>10}{stats.picked_up[seat] or '-':>12}"
        name = stats.names[seat] + (" (you)" if seat == snapshot.seat else "") + (" loses" if seat in losers else "")
        style = BOLD if placed[seat] == 1 or seat == snapshot.seat else PLAIN
        yield styled(style, f"   {place:>3} {pad(name, NAME_CELLS)}{figures}")


def _lines(lines: Iterable[str], canvas: Canvas) -> Iterator[Row]:
    for line in lines:
        yield from (styled(PLAIN, f"   {part}") for part in wrap(line, canvas.width - 4))


@lru_cache(MOMENTS_KEPT)
def middle(public: Snapshot, canvas: Canvas) -> tuple[Row, ...]:
    """The middle of a table with a game, with the same number of rows at any time of it."""
    view = public.view
    if view is None:
        return ()
    if view.phase == "arrange":
        return _arranging(view.rules, canvas)
    return _pile(view.pile, playable_words(view), run_text(view), view.stock_left, len(view.bin), canvas)


@lru_cache(PARTS_KEPT)
def _pile(
    pile: tuple[Card, ...], may_play: str, run: str, stock_left: int, burned: int, canvas: Canvas
) -> tuple[Row, ...]:
    """The pile's top card, and beside it the cards under it and what can be played on it."""
    theme, top = canvas.theme, pile[-1] if pile else None
    cells = canvas.width - card_art.SLOT_CELLS - _LABELLED
    if len(may_play) > cells:  # only long house rules in narrow windows are cut
        may_play = f"{may_play[: cells - 2]}.."
    facts = [
        _under(pile, theme, UNDER),
        styled(PLAIN, "PLAY      ") + styled(BOLD, may_play),
        styled(PLAIN, run),
    ]
    cards: Sequence[Row]
    if canvas.scale >= Scale.ROOMY:
        facts += [styled(PLAIN, f"STOCK     {stock_left}"), styled(PLAIN, f"BIN       {burned}")]
        cards = card_art.side_by_side([card_art.stock(theme, stock_left), card_art.top_card(theme, top)], "  ")
        return tuple([_GAP + row for row in hconcat(cards, facts, 2 * card_art.PILE_CELLS + 2, _GAP)])
    cards = card_art.slot(theme, top, BOLD)
    first, second, third = [_GAP + row for row in hconcat(cards, facts, card_art.SLOT_CELLS, _GAP)]
    stock, bin_ = styled(PLAIN, f"STOCK {stock_left:>3}"), styled(PLAIN, f"BIN   {burned:>3}")
    return (justify(first, stock, canvas.width), second, justify(third, bin_, canvas.width))


def _under(pile: tuple[Card, ...], theme: Theme, most: int) -> Row:
    under = pile[-most - 1 : -1][::-1]
    more = " .." if len(pile) > most + 1 else ""
    before = f"PILE      {len(pile):<3} {'under: ' if under else ''}"
    return joined("", (styled(PLAIN, before), theme.cards(under), styled(PLAIN, more)))


def run_text(view: View) -> str:
    """How many more cards burn the pile, if cards in a row burn it and there are two at least; else empty."""
    if view.rules.four_scope != "in-a-row" or view.run < 2:
        return ""
    burn = "burns" if view.run % 4 == 3 else "burn"
    return f"IN A ROW  {counted_rank(view.top, view.run)}; {_MORE[view.run % 4]} {burn} it"


@lru_cache(PARTS_KEPT)
def _arranging(rules: Rules, canvas: Canvas) -> tuple[Row, ...]:
    rows = card_art.PILE_ROWS if canvas.scale >= Scale.ROOMY else card_art.SLOT_ROWS
    label = "   ARRANGE   "
    said = [arrange_note(rules), "Strong cards do well there, late in the game."]
    lines = [part for line in said for part in wrap(line, canvas.width - len(label) - 1)][:rows]
    shown = [
        styled(BOLD, "" if at else label) + styled(PLAIN, f"{' ' * len(label) if at else ''}{line}")
        for at, line in enumerate(lines)
    ]
    above = [BLANK] if rows > len(shown) else []
    return (*above, *shown, *[BLANK] * (rows - len(shown) - len(above)))
