"""Events and positions in sentences: what line mode reads out and the screen's log shows."""

from collections.abc import Iterator
from typing import Final

from engine.cards import RANK_NAMES, Card, CardSet, card_set, ranks_in
from engine.events import (
    Burned,
    Drew,
    Event,
    Flipped,
    GameOver,
    Laid,
    Passed,
    PickedUp,
    Played,
    Readied,
    Shown,
    Skipped,
    Started,
    Swapped,
    TookReserve,
    Turned,
    TurnedUp,
    WentOut,
)
from engine.legality import legal_moves
from engine.view import UNSEEN, View
from engine.wording import counted_rank, legal_sentence, listed, target_words
from server.update import Update

PLACES: Final = ("first", "second", "third", "fourth")
PLACE_NAMES: Final = {"hand": "", "up": " from the face-up row", "down": " from the face-down row"}


def sentence(event: Event, update: Update) -> str:  # noqa: C901, PLR0912 - one case for each kind of event
    """What happened, in one line, as this member would be told. Empty where it goes without saying."""
    who = _Who(update)
    match event:
        case Played(seat, zone, cards):
            return f"{who.does(seat, 'play')} {card_words(cards)}{PLACE_NAMES[zone]}."
        case Flipped(seat, _, card, good):
            return f"{who.does(seat, 'turn')} over {card_words((card,))}: {'good' if good else 'it cannot go'}."
        case PickedUp(seat, cards, lifted, cause):
            return _picked_up(who, seat, len(cards), lifted, cause)
        case Burned(_, count, cause):
            why = "four in a row" if cause == "four" else "burned"
            return f"The pile is gone: {why}, {count} {_plural(count, 'card')} to the bin."
        case Drew(seat, count, cards) if cards:
            return f"{who.does(seat, 'draw')} {card_words(cards)}."
        case TookReserve(seat, count):
            return f"{who.does(seat, 'take')} the reserve of {count} into the hand."
        case Passed(seat):
            return f"{who.does(seat, 'pass', 'passes')}."
        case Skipped(seat):
            return f"{who.subject(seat)} {'are' if who.is_me(seat) else 'is'} passed over."
        case Turned(order):
            return f"The order turns round: {listed([who.name(seat) for seat in order], 'then')}."
        case WentOut(seat, place):
            return f"{who.subject(seat)} {'are' if who.is_me(seat) else 'is'} out of cards, {_place(place)} place!"
        case GameOver(winner, seats):
            return _over(who, winner, seats)
        case Swapped(seat, (given, taken)):
            return f"{who.does(seat, 'swap')} {card_words((given,))} for the face-up {rank_word(taken)}."
        case Laid(seat, _, cards) if cards:
            again = "; lay again to change it, or say ready" if who.is_me(seat) else ""
            return f"{who.does(seat, 'lay')} aside {card_words(cards)}{again}."
        case Readied(seat):
            return f"{who.subject(seat)} {'are' if who.is_me(seat) else 'is'} ready."
        case Shown(seat, cards) if cards:
            return f"{who.does(seat, 'show')} {card_words(cards)} face up."
        case TurnedUp(card, burned):
            return f"The stock's first card is {card_words((card,))}{': burned, another is turned' if burned else ''}."
        case Started(seat, _, rank):
            with_rank = "" if rank is None else f", with the lowest card: {RANK_NAMES[rank]}"
            return f"{who.does(seat, 'start')}{with_rank}."
    return ""


def card_words(cards: tuple[Card, ...]) -> str:
    """Cards by rank in words: "a queen", "two sevens and an ace"."""
    ranks: dict[int, int] = {}
    for card in cards:
        ranks[card >> 2] = ranks.get(card >> 2, 0) + 1
    return listed([counted_rank(rank, copies) for rank, copies in ranks.items()], "and")


def rank_word(card: Card) -> str:
    """The rank of a card in words."""
    return RANK_NAMES[card >> 2]


def hand_words(cards: CardSet) -> str:
    """A hand in words: "3 fours, a queen". Empty for none."""
    return listed([counted_rank(rank, copies) for rank, copies in ranks_in(cards)], "and")


def turn_words(update: Update) -> str:
    """What is to be decided now, and by whom."""
    view = update.view
    if view is None:
        return "No game yet: say start to begin, AI players take the empty seats."
    if view.phase == "over":
        return "The game is over: say start for another."
    if not update.my_turn:
        return _waiting_words(update, view)
    return _arrange_words(view) if view.phase == "arrange" else legal_sentence(legal_moves(view, view.seat or 0))


def summons(update: Update) -> Iterator[str]:
    """What line mode says when it is one's turn: the pile, one's cards, what one can do."""
    view = update.view
    if view is not None and view.phase == "play":
        yield f"Your turn. {pile_words(view)}"
        yield next(own_words(view))
    elif view is not None:
        yield from own_words(view)
    yield turn_words(update)


def pile_words(view: View) -> str:
    """The pile and what must be laid on it."""
    if not view.pile:
        return f"The pile is empty: {target_words(view)}."
    count = len(view.pile)
    shown = rank_word(view.pile[-1])
    seen = "" if view.pile[-1] >> 2 == view.top else f", counting as {RANK_NAMES[view.top]}"
    row = f", {view.run} in a row" if view.run > 1 else ""
    return f"Pile of {count}, top {shown}{seen}{row}. Lay {target_words(view)}."


def own_words(view: View) -> Iterator[str]:
    """One's own cards, one fact a line."""
    if view.seat is None:
        return
    hand = view.hands[view.seat]
    yield f"Your hand, {hand.bit_count()}: {hand_words(hand)}." if hand else "Your hand is empty."
    if up := view.ups[view.seat]:
        yield f"Your face-up cards: {hand_words(up)}."
    if reserve := view.reserves[view.seat]:
        yield f"Your reserve: {hand_words(reserve)}."
    if slots := [str(n + 1) for n, card in enumerate(view.downs[view.seat]) if card is not None]:
        yield f"Your face-down cards: {listed(slots, 'and')}."


def table_words(update: Update) -> Iterator[str]:
    """Who holds what, as far as one may know, one seat a line; in a game that is over all cards may be open."""
    view = update.view
    if view is None:
        return
    yield f"Stock {view.stock_left}. Bin {len(view.bin)}. {pile_words(view)}"
    for seat in view.seats:
        if seat == view.seat:
            continue
        hand = _held(view.hand_counts[seat], view.hands[seat])
        up = hand_words(view.ups[seat]) or "none"
        slots = [card for card in view.downs[seat] if card is not None]
        down = _held(len(slots), card_set(card for card in slots if card != UNSEEN))
        aside = view.reserve_counts[seat]
        reserve = f", reserve {_held(aside, view.reserves[seat])}" if aside else ""
        yield f"{update.name(seat)}: hand {hand}, face up {up}, face down {down}{reserve}."
    yield from own_words(view)


def pile_list(view: View) -> str:
    """What lies in the pile, newest first."""
    if not view.pile:
        return "The pile is empty."
    return f"The pile, newest first: {', '.join(rank_word(card) for card in reversed(view.pile))}."


def _held(count: int, known: CardSet) -> str:
    """So many cards, and which, where that is known."""
    return f"{count} ({hand_words(known)})" if known else str(count)


def _waiting_words(update: Update, view: View) -> str:
    if view.phase == "arrange":
        waiting = [update.name(seat) for seat in view.seats if not view.ready[seat]]
        return f"Arranging: waiting for {listed(waiting, 'and')}."
    return f"It is {update.name(view.to_move or 0)}'s turn."


def _arrange_words(view: View) -> str:
    if view.rules.arrange_mode == "swap":
        return "Arrange your cards: s K 4 swaps hand king with face-up 4, as often as you like; then say ready."
    lay = view.rules.arrange_lay
    where = "face up" if view.rules.arrange_mode == "lay-up" else "aside for the end"
    return f"Choose {lay} {_plural(lay, 'card')} to lay {where}: type them, like 4 5 K; then say ready."


def _picked_up(who: "_Who", seat: int, count: int, lifted: int, cause: str) -> str:
    if count == 1 and cause == "flip":
        return f"{who.does(seat, 'take')} it into the hand."
    why = {
        "choice": "",
        "stuck": ", having nothing to play",
        "flip": " with it",
        "last-card": ": the last play may not reset or burn",
    }[cause]
    own = f" and {lifted} face-up {_plural(lifted, 'card')}" if lifted else ""
    in_all = " in all" if lifted else ""
    return f"{who.does(seat, 'pick')} up the pile{own}, {count} {_plural(count, 'card')}{in_all}{why}."


def _over(who: "_Who", winner: int | None, seats: tuple[int, ...]) -> str:
    again = " Say start for another." if who.sits else ""
    if winner is None:
        between = listed([who.name(seat) for seat in seats], "and")
        return f"The game is drawn between {between}: nothing moved for too long.{again}"
    loser = f" {who.subject(seats[-1])} {'lose' if who.is_me(seats[-1]) else 'loses'}." if len(seats) > 1 else ""
    return f"{who.subject(winner)} {'win' if who.is_me(winner) else 'wins'} the game!{loser}{again}"


def _place(place: int) -> str:
    return PLACES[place - 1] if place <= len(PLACES) else f"{place}th"


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"


class _Who:
    """Seats as this member would call them: "You" for one's own."""

    def __init__(self, update: Update) -> None:
        self._update = update

    @property
    def sits(self) -> bool:
        return self._update.seat is not None

    def is_me(self, seat: int) -> bool:
        return seat == self._update.seat

    def name(self, seat: int) -> str:
        return "you" if self.is_me(seat) else self._update.name(seat)

    def subject(self, seat: int) -> str:
        return "You" if self.is_me(seat) else self._update.name(seat)

    def does(self, seat: int, verb: str, third: str | None = None) -> str:
        return f"You {verb}" if self.is_me(seat) else f"{self._update.name(seat)} {third or verb + 's'}"
