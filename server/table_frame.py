"""A table drawn as rows: opponents in turn order, the pile, the log and the talk, one's own cards, what can be typed.

Knows views, never the state.
"""

from collections.abc import Iterator
from typing import Final

from engine.cards import RANKS, Rank, rank_label, ranks_in
from engine.legality import legal_moves
from engine.moves import Flip, Pass, PickUp, Play
from engine.view import View
from engine.wording import counted_rank, listed, target_words
from server.card_rows import opponent, others, own
from server.cells import BOLD, DIM, PLAIN, Row, chunks, ends, newest, pad, rule, titled_rule
from server.faces import Faces, faces_of
from server.limits import USUAL_SIZE
from server.scene import Scene, answer_rows
from server.update import Update

ROOMY: Final = (100, 30)
"""Columns and rows from which on cards are drawn big."""


def table_rows(scene: Scene, update: Update, width: int, height: int) -> list[Row]:
    """The table at this size: what is fixed above and below, the log and the talk in what is left between."""
    view = update.view
    above = [_status(update, width), rule(width)]
    faces = faces_of(scene.settings)
    narrow = width < USUAL_SIZE[0] - 1
    big = width >= ROOMY[0] - 1 and height >= ROOMY[1] - 1
    if view is None:
        above += _waiting(update, width)
        below: list[Row] = []
    else:
        for seat in others(view):
            above += opponent(update, view, seat, faces, narrow=narrow)
        above += [rule(width), *_pile(view, faces, big=big)]
        below = [rule(width), *own(update, view, faces, width, scene.clock_left, big=big)]
    below += [*answer_rows(scene, width), _hints(update, width)]
    return [*above, *_log_and_talk(scene, width, height - len(above) - len(below)), *below]


def _status(update: Update, width: int) -> Row:
    view = update.view
    left = f" {_place(update)}  {update.rules.title}"
    if view is not None:
        left += f"   {'step' if update.is_lesson else 'move'} {update.ply}"
        if view.phase == "play":
            names = ["you" if seat == view.seat else update.name(seat) for seat in _from_mover(view)]
            left += f"   order: {' > '.join(names)}"
        left += {"arrange": "   arranging", "over": "   game over", "play": ""}[view.phase]
    rest = "" if update.hints else "no hints  "
    watching = f"watching {update.watching}  " if update.watching else ""
    return ends(((BOLD, left),), (PLAIN, f"{rest}{watching}? help"), width)


def _place(update: Update) -> str:
    if update.is_lesson:
        return "Lesson"
    return f"Game {update.game}" if update.is_replay else f"Table {update.table}"


def _waiting(update: Update, width: int) -> Iterator[Row]:
    for seat, sitter in enumerate(update.sitters):
        who = "free" if sitter is None else sitter.name + (f"  *{sitter.ai_level}" if sitter.ai_level else "")
        mine = "  (you)" if seat == update.seat else ""
        host = "  host" if seat == update.host else ""
        yield ((PLAIN if sitter else DIM, f"   seat {seat + 1}   {who}{mine}{host}"),)
    yield ()
    yield ((PLAIN, " Type "), (BOLD, "start"), (PLAIN, " to deal: AI players take the empty seats."))
    if update.deal is not None:
        yield ()
        yield ((DIM, f" Game {update.deal.game}. Its cards are fixed by this number, and by what you cut with:"),)
        yield from (((DIM, f" {part}"),) for part in chunks(update.deal.commitment, width - 2))


def _from_mover(view: View) -> list[int]:
    if view.to_move not in view.order:
        return list(view.order)
    at = view.order.index(view.to_move)
    return [*view.order[at:], *view.order[:at]]


def _pile(view: View, faces: Faces, *, big: bool) -> Iterator[Row]:
    """The pile's top card, and beside it what lies under it and what goes on it."""
    under = view.pile[-9:-1][::-1]
    more = " .." if len(view.pile) > 9 else ""
    facts: list[Row] = [
        ((PLAIN, f"   PILE      {len(view.pile):<3} {'under: ' if under else ''}"), *faces.cards(under), (PLAIN, more)),
        ((PLAIN, f"   BEAT      {target_words(view)}{_anything_words(view)}"),),
        ((PLAIN, f"   IN A ROW  {_run_words(view)}"),),
    ]
    art = _big_top(view, faces) if big else _top(view, faces)
    left = [f"   STOCK {view.stock_left:>3}", f"   BIN   {len(view.bin):>3}", ""]
    if big:
        left, facts = ["", *left, ""], [(), *facts, ()]
    for text, card, fact in zip(left, art, facts, strict=True):
        yield ((PLAIN, pad(text, 18)), *card, *fact)


def _top(view: View, faces: Faces) -> list[Row]:
    card = faces.card(view.pile[-1], BOLD) if view.pile else (PLAIN, "  ")
    return [((BOLD, ".----."),), ((BOLD, "| "), card, (BOLD, " |")), ((BOLD, "'----'"),)]


def _big_top(view: View, faces: Faces) -> list[Row]:
    if not view.pile:
        return [((BOLD, row),) for row in (".------.", *["|      |"] * 3, "'------'")]
    style, name = faces.card(view.pile[-1], BOLD)
    return [
        ((BOLD, ".------."),),
        ((BOLD, "| "), (style, name[0]), (BOLD, "    |")),
        ((BOLD, "|  "), (style, name), (BOLD, "  |")),
        ((BOLD, "|    "), (style, name[0]), (BOLD, " |")),
        ((BOLD, "'------'"),),
    ]


def _run_words(view: View) -> str:
    """How far the pile is from burning, where cards laid one after the other burn it."""
    if not view.pile or view.rules.four_scope != "in-a-row":
        return "-"
    return f"{counted_rank(view.top, view.run)}; four burn"


def _anything_words(view: View) -> str:
    """The ranks that go on anything, where that is more than the target says."""
    if not view.pile or view.powers.effect[view.top] == "reset":
        return ""
    free = [rank for rank, power in sorted(view.rules.special.items()) if power.on == "any" and _goes(view, rank)]
    return f"; {listed([rank_label(rank) for rank in free])} on anything" if free else ""


def _goes(view: View, rank: Rank) -> bool:
    return bool(view.powers.follow[view.top] >> 4 * rank & 1)


def _hints(update: Update, width: int) -> Row:
    """What can be typed now, the most useful first, as much as fits."""
    hint = ""
    for part in [*_ways(update), "help", "leave", "/ talks"]:
        if len(hint) + len(part) + 3 <= width:
            hint += f"   {part}" if hint else f" {part}"
    return ((DIM, hint),)


def _ways(update: Update) -> list[str]:
    view = update.view
    if update.is_replay:
        return ["Enter next move", "b back", "e next event", "12 move 12", "seat 2 its view"]
    if update.is_lesson:
        return ["Enter or h what to type", "skip", "b back"]
    if view is None or view.phase == "over":
        return ["start deals another game" if view else "start deals"] if update.seat is not None else ["sit"]
    if view.seat is None:
        return ["where", "pile"]
    if view.phase == "arrange" and view.ready[view.seat]:
        return ["waiting for the others"]
    if view.phase == "arrange":
        return [_how_to_arrange(view, view.seat), *(["ready begins"] if legal_moves(view, view.seat) else [])]
    if update.away:
        return ["back takes your seat back"]
    if not update.my_turn:
        return ["w where", "z pile"]
    legal = legal_moves(view, view.seat)
    ways = {
        "type ranks: 7 7": Play,
        "type a slot: 1 2 3": Flip,
        "p picks up": PickUp,
        "d passes": Pass,
    }
    return [how for how, kind in ways.items() if any(isinstance(move, kind) for move in legal)] + (
        ["h hint", "why 7"] if update.hints else ["why 7"]
    )


def _how_to_arrange(view: View, seat: int) -> str:
    """What one can type, with one's own cards as the example."""
    hand = [RANKS[rank] for rank, _ in ranks_in(view.hands[seat])]
    up = [RANKS[rank] for rank, _ in ranks_in(view.ups[seat])]
    if view.rules.arrange_mode == "swap":
        return f"s {hand[-1]} {up[0]} swaps hand {hand[-1]} and face-up {up[0]}" if hand and up else "nothing to swap"
    return f"type {view.rules.arrange_lay} cards to lay, like {' '.join((hand * 3)[: view.rules.arrange_lay])}"


def _log_and_talk(scene: Scene, width: int, height: int) -> Iterator[Row]:
    """The log and the talk side by side; the log alone where nobody talks."""
    if not scene.talk:
        yield titled_rule("log", width)
        yield from (((PLAIN, f" {line}"),) for line in newest(scene.log, height - 1, width - 2))
        return
    left = max(30, width * 3 // 5)
    yield (*titled_rule("log", left), *titled_rule("talk", width - left))
    log = newest(scene.log, height - 1, left - 2)
    talk = newest(scene.talk, height - 1, width - left - 3)
    for mine, theirs in zip(log, talk, strict=True):
        yield ((PLAIN, f" {pad(mine, left - 1)}| {theirs}"),)
