"""From the shuffled deck to the first turn: dealing, who starts, what the starter leads with, and drawing."""

from engine.cards import DECLARING_ORDER, RANK_CARDS, SUITS, Card, Rank, card_set, cards_in, ranks_in
from engine.errors import InputError
from engine.events import Drew, Event, Shown, Started, TurnedUp
from engine.pile import add_to_pile
from engine.rank_powers import powers_of
from engine.rules import Rules
from engine.shuffle import Draws
from engine.state import State


def check_deck_size(rules: Rules, seats: int) -> None:
    """Raise InputError (bad_option) if the deck has too few cards for this many seats."""
    if (rules.deal_down + rules.deal_up + rules.deal_hand) * seats > sum(rules.deck_copies):
        raise InputError("bad_option", f"deal.hand: the deck has too few cards for {seats} seats")


def deal_cards(rules: Rules, seats: int, seed: str, dealer: int | None) -> State:
    """The position right after the deal, before cards are arranged. Raises InputError as `game.deal` does."""
    if not rules.seats_min <= seats <= rules.seats_max:
        raise InputError(
            "bad_request", f"seats: {rules.name} is for {rules.seats_min} to {rules.seats_max}, not {seats}"
        )
    if dealer is not None and not 0 <= dealer < seats:
        raise InputError("bad_request", f"dealer: seats are 0 to {seats - 1}, not {dealer}")
    check_deck_size(rules, seats)
    draws = Draws(seed)
    stock = _shuffled_deck(rules, draws)
    luck = _luck(rules, seats, draws, dealer)

    def dealt(count: int) -> list[list[Card]]:
        rounds = [[stock.pop() for _ in range(seats)] for _ in range(count)]
        return [[cards[seat] for cards in rounds] for seat in range(seats)]

    downs = dealt(rules.deal_down)
    ups = dealt(rules.deal_up)
    hands = dealt(rules.deal_hand)
    return State(
        rules=rules,
        powers=powers_of(rules),
        hands=[card_set(cards) for cards in hands],
        ups=[card_set(cards) for cards in ups],
        downs=[tuple(cards) for cards in downs],
        reserves=[0] * seats,
        stock=stock,
        phase="arrange",
        ready=[False] * seats,
        order=tuple(range(seats)),
        luck=luck,
        public_hands=[0] * seats,
        declined=[0] * seats,
    )


def settle_start(state: State, events: list[Event]) -> Rank | None:
    """End arranging, in place: turn up a card if the rules say so, and decide the turn order.

    Returns the rank that the starter must lead with or that is led automatically; None if the lead is free.
    """
    rules = state.rules
    state.phase = "play"
    if rules.arrange_mode == "lay-up":
        events += [Shown(seat, tuple(cards_in(up))) for seat, up in enumerate(state.ups)]
    if rules.start_turn_up:
        _turn_up(state, events)
    state.order = _turn_order(state)
    state.to_move = state.order[0]
    lead = _lead(state, state.order[0])
    events.append(Started(state.order[0], state.order, lead))
    return lead


def draw(state: State, seat: int, events: list[Event] | None) -> None:
    """Draw after a play from the hand, from a stock that has cards."""
    rules, hand = state.rules, state.hands[seat]
    wanted = 1 if rules.draw_rule == "one" else rules.draw_to - hand.bit_count()
    if wanted <= 0:
        return
    cards = state.stock[-wanted:]
    del state.stock[-wanted:]
    state.hands[seat] = hand | card_set(cards)
    state.declined[seat] = 0
    state.quiet = 0
    if events is not None:
        events.append(Drew(seat, len(cards), tuple(reversed(cards))))


def _shuffled_deck(rules: Rules, draws: Draws) -> list[Card]:
    """The shuffled deck; the last card is dealt first. If a rank has fewer than four cards, their suits are drawn."""
    deck: list[Card] = []
    for rank, copies in enumerate(rules.deck_copies):
        suits = list(range(len(SUITS)))
        if copies < len(suits):
            draws.shuffle(suits)
        deck += [rank * 4 + suit for suit in suits[:copies]]
    draws.shuffle(deck)
    return deck


def _luck(rules: Rules, seats: int, draws: Draws, dealer: int | None) -> tuple[int, ...]:
    """The seats in the order in which they win ties. If the deal decides who starts, the starter is first."""
    if not _is_by_card(rules):
        starter = draws.below(seats) if dealer is None else (dealer + 1) % seats
        return tuple((starter + n) % seats for n in range(seats))
    order = list(range(seats))
    draws.shuffle(order)
    return tuple(order)


def _turn_up(state: State, events: list[Event]) -> None:
    while state.stock:
        card = state.stock.pop()
        burned = state.powers.effect[card >> 2] == "burn"
        events.append(TurnedUp(card, burned))
        if not burned:
            add_to_pile(state, (card,))
            return
        state.bin.append(card)


def _turn_order(state: State) -> tuple[int, ...]:
    """All seats in turn order, the starter first; luck decides between equal claims."""
    seats = len(state.hands)
    by_luck = list(state.luck) or list(range(seats))
    starter = min(by_luck, key=lambda seat: _claim(state, seat)) if _is_by_card(state.rules) else by_luck[0]
    if state.rules.start_second == "clockwise":
        return tuple((starter + n) % seats for n in range(seats))
    second = min((seat for seat in by_luck if seat != starter), key=lambda seat: _claim(state, seat))
    step = 1 if (second - starter) % seats <= seats // 2 else -1
    return (starter, *(seat for n in range(seats) if (seat := (second + step * n) % seats) != starter))


def _is_by_card(rules: Rules) -> bool:
    """Whether cards decide who starts; otherwise the deal does."""
    return rules.start_who in {"lowest", "declare"}


def _claim(state: State, seat: int) -> list[int]:
    """The key by which seats are compared for an early turn; the least goes first."""
    hand = state.hands[seat]
    if state.rules.start_who == "declare":
        return [next((n for n, rank in enumerate(DECLARING_ORDER) if hand & RANK_CARDS[rank]), len(DECLARING_ORDER))]
    plain = [rank for rank, copies in ranks_in(hand & state.powers.plain) for _ in range(copies)]
    return [*plain, len(DECLARING_ORDER)]


def _lead(state: State, starter: int) -> Rank | None:
    """The rank that the starter leads with: the declared or the lowest ordinary one; None if the lead is free."""
    hand = state.hands[starter]
    rules = state.rules
    if rules.start_lead == "free":
        return None
    if rules.start_lead == "must" and rules.start_who == "declare":
        return next((rank for rank in DECLARING_ORDER if hand & RANK_CARDS[rank]), None)
    return next((rank for rank, _ in ranks_in(hand & state.powers.plain)), None)
