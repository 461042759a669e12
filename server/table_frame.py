"""A table drawn as rows: opponents in turn order, the pile, the log and the talk, one's own cards, what can be typed.

Letters, not glyphs; colour never says anything that the text does not: what may be played now stands in parentheses.
Knows views, never the state.
"""

from collections.abc import Iterator
from typing import Final

from engine.cards import RANKS, SUITS, Card, CardSet, Rank, card_name, cards_in, rank_label, ranks_in
from engine.legality import legal_moves
from engine.moves import Flip, Pass, PickUp, Play
from engine.view import UNSEEN, View
from engine.wording import listed, target_words
from server.cells import BOLD, DIM, LOUD, PLAIN, Fragment, Row, chunks, ends, newest, pad, rule, titled_rule
from server.limits import USUAL_SIZE
from server.scene import Scene, answer_rows
from server.update import Update
from server.words import counted_rank

EMPTY_SLOT: Final = "[  ]"
BLIND: Final = "[##]"
NAME_CELLS: Final = 10


def table_rows(scene: Scene, update: Update, width: int, height: int) -> list[Row]:
    """The table at this size: what is fixed above and below, the log and the talk in what is left between."""
    view = update.view
    above = [_status(update, width), rule(width)]
    narrow = width < USUAL_SIZE[0] - 1
    if view is None:
        above += _waiting(update, width)
        below: list[Row] = []
    else:
        for seat in _others(view):
            above += [_opponent(update, view, seat, narrow=narrow), *_open_cards(view, seat)]
        above += [rule(width), *_pile(view)]
        below = [rule(width), *_own(update, view, width, scene.clock_left)]
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
    watching = f"watching {update.watching}  " if update.watching else ""
    return ends((BOLD, left), (PLAIN, f"{watching}? help"), width)


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


def _others(view: View) -> list[int]:
    """The other seats, in the order in which they come after one's own."""
    order = [*view.order, *(seat for seat in view.seats if seat not in view.order)]
    if view.seat is None or view.seat not in order:
        return [seat for seat in order if seat != view.seat]
    at = order.index(view.seat)
    return order[at + 1 :] + order[:at]


def _from_mover(view: View) -> list[int]:
    if view.to_move not in view.order:
        return list(view.order)
    at = view.order.index(view.to_move)
    return [*view.order[at:], *view.order[:at]]


def _opponent(update: Update, view: View, seat: int, *, narrow: bool) -> Row:
    sitter = update.sitters[seat]
    name = pad(update.name(seat), NAME_CELLS)
    level = f"*{sitter.ai_level}" if sitter and sitter.ai_level else ""
    moving = "> " if seat == view.to_move else "  "
    reserve = f"  aside {view.reserve_counts[seat]}" if view.reserve_counts[seat] else ""
    up = _up_row(view, seat)
    down = _down_row(view, seat)
    state = _seat_state(view, seat)
    away = " (away)" if sitter and sitter.away else ""
    if narrow:
        open_cards = " ".join(card_name(card) for card in cards_in(view.ups[seat])) or "-"
        hidden = sum(card is not None for card in view.downs[seat])
        text = f"{name}{level:<6} {view.hand_counts[seat]:>2}{state}{away}  up {open_cards}  down {hidden}{reserve}"
        return ((BOLD if moving.strip() else PLAIN, f" {moving}{text}"),)
    text = f"{name} {level:<8} hand {view.hand_counts[seat]:>2}{up}{down}{reserve}{state}{away}"
    return ((BOLD if moving.strip() else PLAIN, f" {moving}{text}"),)


def _seat_state(view: View, seat: int) -> str:
    if seat in view.places:
        return f"  out, {view.places.index(seat) + 1}."
    if view.phase == "arrange":
        return "  ready" if view.ready[seat] else "  arranging"
    return ""


def _up_row(view: View, seat: int) -> str:
    """The face-up cards; slots they have left stay visible."""
    rules = view.rules
    slots = max(rules.deal_up, rules.arrange_lay if rules.arrange_mode == "lay-up" else 0, view.up_counts[seat])
    if not slots:
        return ""
    known = [f"[{card_name(card)}]" for card in cards_in(view.ups[seat])]
    hidden = [BLIND] * (view.up_counts[seat] - len(known))
    return "  up " + "".join([*known, *hidden, *[EMPTY_SLOT] * (slots - view.up_counts[seat])])


def _down_row(view: View, seat: int) -> str:
    if not view.downs[seat]:
        return ""
    return "  down " + "".join(map(_slot, view.downs[seat]))


def _slot(card: Card | None) -> str:
    if card is None:
        return EMPTY_SLOT
    return BLIND if card == UNSEEN else f"[{card_name(card)}]"


def _open_cards(view: View, seat: int) -> Iterator[Row]:
    """What somebody else holds, where that may be seen: when a game that is over is looked at again."""
    hand = " ".join(group for _, group in _groups(view.hands[seat]))
    reserve = f"   aside {_names(view.reserves[seat])}" if view.reserves[seat] else ""
    if hand or reserve:
        yield ((PLAIN, f"      {hand}{reserve}"),)


def _pile(view: View) -> Iterator[Row]:
    top = card_name(view.pile[-1]) if view.pile else "  "
    under = " ".join(card_name(card) for card in reversed(view.pile[-9:-1]))
    more = " .." if len(view.pile) > 9 else ""
    facts = (
        ("PILE", f"{len(view.pile):<3} {'under: ' + under + more if under else ''}"),
        ("BEAT", target_words(view) + _anything_words(view)),
        ("IN A ROW", _run_words(view)),
    )
    left = (f"   STOCK {view.stock_left:>3}", f"   BIN   {len(view.bin):>3}", "")
    card = (".----.", f"| {top} |", "'----'")
    for text, art, (label, fact) in zip(left, card, facts, strict=True):
        yield ((PLAIN, f"{pad(text, 18)}"), (BOLD, art), (PLAIN, f"   {label:<9} {fact}"))


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


def _own(update: Update, view: View, width: int, clock_left: int | None) -> Iterator[Row]:
    clock = "" if clock_left is None else f"{clock_left // 60}:{clock_left % 60:02}"
    if view.seat is None:
        watching = "" if update.is_replay else "   You are watching."
        yield ends((PLAIN, watching), (PLAIN, clock), width)
        return
    turn = _turn_words(update, view, clock)
    place = _seat_state(view, view.seat) if view.seat in view.places else ""
    left = f"   YOU{_up_row(view, view.seat)}{_down_row(view, view.seat)}{place}"
    yield ends((BOLD if update.my_turn else PLAIN, left), (LOUD if update.my_turn else PLAIN, turn), width)
    yield from _hand(update, view, width)
    if reserve := view.reserves[view.seat]:
        yield ((PLAIN, f"   aside      {_names(reserve)}   for the end"),)


def _turn_words(update: Update, view: View, clock: str) -> str:
    """Whose move it is, and how long they have, as seen from this seat."""
    if view.phase == "over":
        return "game over"
    if update.away:
        return "* an AI player plays for you: type back *"
    return f"* {' '.join(['YOUR TURN', *clock.split()])} *" if update.my_turn else clock


def _hand(update: Update, view: View, width: int) -> Iterator[Row]:
    """One's hand by rank, wrapped where it is long; what may be played now in parentheses."""
    seat = view.seat or 0
    legal = legal_moves(view, seat) if update.my_turn and view.phase == "play" else []
    playable = {move.picks[0].rank for move in legal if isinstance(move, Play)}
    hand = view.hands[seat]
    zone = hand or view.ups[seat]
    row: list[Fragment] = [(PLAIN, f"   hand {hand.bit_count():>2}    ")]
    used = len(row[0][1])
    for rank, group in _groups(zone):
        text = f"({group}) " if rank in playable else f" {group}  "
        if used + len(text) > width:
            yield tuple(row)
            row, used = [(PLAIN, " " * 14)], 14
        row.append((BOLD if rank in playable else DIM if legal else PLAIN, text))
        used += len(text)
    if not hand:
        row.append((PLAIN, _instead_of_a_hand(view, seat, bool(zone))))
    yield tuple(row)


def _instead_of_a_hand(view: View, seat: int, has_up: bool) -> str:  # noqa: FBT001
    if view.phase == "over":
        return "the game is over"
    if has_up:
        return "  (from the face-up row)"
    slots = " ".join(str(n + 1) for n, card in enumerate(view.downs[seat]) if card is not None)
    return f"turn a face-down card: {slots}" if slots else "no cards left"


def _groups(cards: CardSet) -> Iterator[tuple[Rank, str]]:
    """Cards by rank, suits behind: 7cdh. Ranks that go on anything stand as they sort."""
    for rank, _ in ranks_in(cards):
        suits = "".join(SUITS[card & 3] for card in cards_in(cards) if card >> 2 == rank)
        yield rank, RANKS[rank] + suits


def _names(cards: CardSet) -> str:
    return " ".join(card_name(card) for card in cards_in(cards))


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
    return [how for how, kind in ways.items() if any(isinstance(move, kind) for move in legal)] + ["h hint", "why 7"]


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
