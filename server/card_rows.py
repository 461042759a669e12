"""The seats of a table as rows: the others in turn order, and one's own cards with what may be played now.

What can be played stands in parentheses, or where cards are drawn big, a row higher: never colour alone.
"""

from collections.abc import Iterator
from typing import Final

from engine.cards import Card, CardSet, Rank, cards_in, ranks_in
from engine.legality import legal_moves
from engine.moves import Play
from engine.view import UNSEEN, View
from server.cells import BOLD, LOUD, PLAIN, Fragment, Row, ends, joined, pad, row_width
from server.faces import Faces, big_width
from server.update import Update

EMPTY_SLOT: Final = "[  ]"
BLIND: Final = "[##]"
NAME_CELLS: Final = 10
_HAND_INDENT: Final = 14
_BIG_INDENT: Final = 3


def others(view: View) -> list[int]:
    """The other seats, in the order in which they come after one's own."""
    order = [*view.order, *(seat for seat in view.seats if seat not in view.order)]
    if view.seat is None or view.seat not in order:
        return [seat for seat in order if seat != view.seat]
    at = order.index(view.seat)
    return order[at + 1 :] + order[:at]


def opponent(update: Update, view: View, seat: int, faces: Faces, *, narrow: bool) -> Iterator[Row]:
    """Somebody else's seat; in a game that is over, with whatever cards of theirs may be seen."""
    sitter = update.sitters[seat]
    moving = seat == view.to_move
    # No more than the name is bold: what changes with every move is what every move has to send.
    who: Fragment = (BOLD if moving else PLAIN, f" {'>' if moving else ' '} {pad(update.name(seat), NAME_CELLS)}")
    level = f"*{sitter.ai_level}" if sitter and sitter.ai_level else "bot" if sitter and sitter.bot else ""
    count = view.hand_counts[seat]
    reserve = f"  aside {view.reserve_counts[seat]}" if view.reserve_counts[seat] else ""
    away = " (away)" if sitter and sitter.away else ""
    if narrow:
        hidden = sum(card is not None for card in view.downs[seat])
        known = faces.cards(cards_in(view.ups[seat])) or ((PLAIN, "-"),)
        state: Fragment = (PLAIN, f" {level:<7} {count:>2}{seat_state(view, seat)}{away}  up ")
        yield (who, state, *known, (PLAIN, f"  down {hidden}{reserve}"))
    else:
        cards = (*_up(view, seat, faces), *_down(view, seat, faces))
        yield (
            who,
            (PLAIN, f" {level:<8} hand {count:>2}"),
            *cards,
            (PLAIN, f"{reserve}{seat_state(view, seat)}{away}"),
        )
    hand = joined(" ", (faces.group(rank, view.hands[seat]) for rank, _ in ranks_in(view.hands[seat])))
    aside = ((PLAIN, "   aside "), *faces.cards(cards_in(view.reserves[seat]))) if view.reserves[seat] else ()
    if hand or aside:
        yield ((PLAIN, "      "), *hand, *aside)


def own(update: Update, view: View, faces: Faces, width: int, clock_left: int | None, *, big: bool) -> Iterator[Row]:
    """One's own seat: the rows that lie open, whose turn it is, the hand."""
    clock = "" if clock_left is None else f"{clock_left // 60}:{clock_left % 60:02}"
    if view.seat is None:
        watching = "" if update.is_replay else "   You are watching."
        yield ends(((PLAIN, watching),), (PLAIN, clock), width)
        return
    place = seat_state(view, view.seat) if view.seat in view.places else ""
    mine = BOLD if update.my_turn else PLAIN
    lying = (*_up(view, view.seat, faces, mine), *_down(view, view.seat, faces, mine))
    turn: Fragment = (LOUD if update.my_turn else PLAIN, _turn_words(update, view, clock))
    yield ends(((mine, "   YOU"), *lying, (mine, place)), turn, width)
    yield from _hand(update, view, view.seat, faces, width, big=big)
    if reserve := view.reserves[view.seat]:
        yield ((PLAIN, "   aside      "), *faces.cards(cards_in(reserve)), (PLAIN, "   for the end"))


def seat_state(view: View, seat: int) -> str:
    """Whether a seat is out, or ready."""
    if seat in view.places:
        return f"  out, {view.places.index(seat) + 1}."
    if view.phase == "arrange":
        return "  ready" if view.ready[seat] else "  arranging"
    return ""


def _turn_words(update: Update, view: View, clock: str) -> str:
    """Whose move it is, and how long they have, as seen from this seat."""
    if view.phase == "over":
        return "game over"
    if update.away:
        return "* an AI player plays for you: type back *"
    return f"* {' '.join(['YOUR TURN', *clock.split()])} *" if update.my_turn else clock


def _up(view: View, seat: int, faces: Faces, style: str = PLAIN) -> Row:
    """The face-up cards; slots they have left stay visible."""
    rules = view.rules
    slots = max(rules.deal_up, rules.arrange_lay if rules.arrange_mode == "lay-up" else 0, view.up_counts[seat])
    if not slots:
        return ()
    known = [part for card in cards_in(view.ups[seat]) for part in _slot(card, faces, style)]
    hidden = BLIND * (view.up_counts[seat] - view.ups[seat].bit_count())
    return ((style, "  up "), *known, (style, hidden + EMPTY_SLOT * (slots - view.up_counts[seat])))


def _down(view: View, seat: int, faces: Faces, style: str = PLAIN) -> Row:
    if not view.downs[seat]:
        return ()
    return ((style, "  down "), *(part for card in view.downs[seat] for part in _slot(card, faces, style)))


def _slot(card: Card | None, faces: Faces, style: str) -> Row:
    if card is None or card == UNSEEN:
        return ((style, EMPTY_SLOT if card is None else BLIND),)
    return ((style, "["), faces.card(card, style), (style, "]"))


def _hand(update: Update, view: View, seat: int, faces: Faces, width: int, *, big: bool) -> Iterator[Row]:
    """One's hand by rank, or the face-up row where there is none; what may be played now can be told from the rest."""
    legal = legal_moves(view, seat) if update.my_turn and view.phase == "play" else []
    playable = {move.picks[0].rank for move in legal if isinstance(move, Play)}
    hand = view.hands[seat]
    zone = hand or view.ups[seat]
    ranks = [rank for rank, _ in ranks_in(zone)]
    if big and ranks and big_width(len(ranks)) + _BIG_INDENT <= width:
        drawn = faces.big([(rank, zone, rank in playable) for rank in ranks])
        yield from (((PLAIN, " " * _BIG_INDENT), *row) for row in drawn)
        if not hand:
            yield ((PLAIN, _instead_of_a_hand(view, seat, has_up=True)),)
        return
    row: Row = ((PLAIN, f"   hand {hand.bit_count():>2}    "),)
    for rank in ranks:
        style = BOLD if rank in playable else faces.faint if legal else PLAIN
        group = _marked(faces, rank, zone, style, playable=rank in playable)
        if row_width(row) + row_width(group) > width:
            yield row
            row = ((PLAIN, " " * _HAND_INDENT),)
        row = (*row, *group)
    yield row if hand else (*row, (PLAIN, _instead_of_a_hand(view, seat, has_up=bool(zone))))


def _marked(faces: Faces, rank: Rank, zone: CardSet, style: str, *, playable: bool) -> Row:
    before, after = ("(", ") ") if playable else (" ", "  ")
    return ((style, before), *faces.group(rank, zone, style), (style, after))


def _instead_of_a_hand(view: View, seat: int, *, has_up: bool) -> str:
    if view.phase == "over":
        return "the game is over"
    if has_up:
        return "  (from the face-up row)"
    slots = " ".join(str(n + 1) for n, card in enumerate(view.downs[seat]) if card is not None)
    return f"turn a face-down card: {slots}" if slots else "no cards left"
