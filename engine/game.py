"""What a move does: a state and a move give a new state and events.

This module names no rule set and no rank; it asks `rules` and `powers`. It does not decide whether a move is legal:
`play` asks `legality` once, before anything else.
"""

from engine.cards import RANK_CARDS, Card, Rank, card_set, cards_in
from engine.effects import MAY_AGAIN, NO_EFFECTS, PlayEffects
from engine.errors import InputError
from engine.events import (
    Burned,
    Event,
    Flipped,
    GameOver,
    Laid,
    Passed,
    PickedUp,
    PickUpCause,
    Played,
    Readied,
    Reversed,
    Skipped,
    Swapped,
    TookReserve,
    WentOut,
    Zone,
)
from engine.legality import can_play_flipped, check, has_few_cards
from engine.moves import LOWEST_SUITS, Flip, Lay, Move, Pick, PickUp, Play, Ready, Swap, cards_for, play_of
from engine.opening import deal_cards, draw, settle_start
from engine.pile import add_to_pile, clear_pile
from engine.rules import FOUR, Rules
from engine.state import Outcome, State


def deal(rules: Rules, seats: int, seed: str, dealer: int | None = None) -> tuple[State, list[Event]]:
    """Deal a game. If there is nothing to arrange play begins at once, and the events say how.

    The same rules, seats, seed and dealer give the same game, for ever.

    Args:
        rules: the rule set.
        seats: how many players there are.
        seed: any text; all chance comes from it.
        dealer: the dealer's seat; None lets the seed draw one.

    Raises:
        InputError: bad_request if the number of seats or the dealer is out of range, bad_option if the deck is too
            small for so many seats.
    """
    state, events = deal_cards(rules, seats, seed, dealer), list[Event]()
    if rules.arrange_mode == "none":
        _begin_play(state, events)
    return state, events


def play(state: State, seat: int, move: Move) -> tuple[State, list[Event]]:
    """The state after this seat's move, and the events. The given state is not changed.

    Raises:
        InputError: bad_request if there is no such seat.
        Refused: the rules do not allow the move; the message says why, and what would be legal.
    """
    check_seat(seat, len(state.hands))
    check(state, seat, move)
    after, events = state.copy(), list[Event]()
    if state.phase == "arrange":
        _arrange(after, seat, move, events)
    else:
        advance(after, move, events)
    return after, events


def check_seat(seat: int, seats: int) -> None:
    """Raise InputError (bad_request) if there is no such seat."""
    if not 0 <= seat < seats:
        raise InputError("bad_request", f"seat: must be 0 to {seats - 1}, not {seat}")


def advance(state: State, move: Move, events: list[Event] | None = None) -> None:
    """Make a legal move of the seat to move and say who is next, in place and without a check.

    Search, which needs it fast, calls it without ``events``.
    """
    seat = state.to_move
    assert seat is not None  # noqa: S101 - a legal move means that a seat is to move
    state.may_pass = False
    state.quiet += 1
    effects = NO_EFFECTS
    # Of a Struct, `isinstance` takes four times as long to say no.
    if type(move) is Play:
        effects = _play(state, seat, move, events)
    elif type(move) is PickUp:
        _choose_pick_up(state, seat, move.picks, events)
    elif type(move) is Flip:
        effects = _flip(state, seat, move.slot, events)
    elif events is not None:
        events.append(Passed(seat))
    state.must_lead = None
    out = not state.hands[seat] and state.is_out(seat)
    skips = effects.skips
    if out or effects.turned:
        skips += _go_round(state, seat, out=out, turned=effects.turned, events=events)
    if state.quiet >= state.rules.stalemate_quiet_plies:
        _finish(state, Outcome(None, tuple(sorted(state.order))), events)
    elif effects.again and not out:
        state.may_pass = effects.again == MAY_AGAIN
    elif state.phase == "play":
        order = state.order
        following = 0 if out else order.index(seat) + 1
        state.to_move = order[(following + skips) % len(order)]
        if skips and events is not None:
            events += map(Skipped, (order * (skips + 1))[following : following + skips])


def _play(state: State, seat: int, move: Play, events: list[Event] | None) -> PlayEffects:
    zone: Zone = "hand"
    zones = state.hands
    if not zones[seat]:
        zone, zones = "up", state.ups
        state.quiet = 0
    held = zones[seat]
    if move.rank_cards:
        cards, taken = LOWEST_SUITS[held & move.rank_cards][len(move.picks)]
    else:
        cards = cards_for(move.picks, held) or ()
        taken = card_set(cards)
    left = zones[seat] = held ^ taken
    state.public_hands[seat] &= left
    if events is not None:
        events.append(Played(seat, zone, cards))
    return _lay_on_pile(state, seat, cards, zone, events)


def _lay_on_pile(
    state: State, seat: int, cards: tuple[Card, ...], zone: Zone, events: list[Event] | None
) -> PlayEffects:
    """Lay cards and carry out their effects, in the order of G-16."""
    rank = add_to_pile(state, cards)
    effects = NO_EFFECTS
    if state.run >= FOUR or state.powers.effect[rank] is not None:
        effects = _effects_of_play(state, rank, len(cards))
        if state.rules.out_last_special == "eaten" and _must_take_back(state, seat, rank, effects):
            _take_pile(state, seat, "last-card", events)
            return NO_EFFECTS
        if effects.burned:
            _burn(state, seat, rank, events)
    if zone == "hand" and state.stock:
        draw(state, seat, events)
    if not state.hands[seat] and state.reserves[seat] and not state.stock:
        _take_reserve(state, seat, events)
    return effects


def _effects_of_play(state: State, rank: Rank, count: int) -> PlayEffects:
    """The effects of cards just laid that count as this rank: those of its power, and of four of a rank."""
    scope = state.rules.four_scope
    four = count >= FOUR if scope == "one-play" else scope == "in-a-row" and state.run >= FOUR
    return (state.powers.fours if four else state.powers.laid)[rank][count]


def _must_take_back(state: State, seat: int, rank: Rank, effects: PlayEffects) -> bool:
    """Whether a play was the seat's last and burns or resets, which ``out.last_special = eaten`` forbids (D0-37)."""
    special = effects.burned or state.powers.effect[rank] == "reset"
    return special and not state.stock and state.is_out(seat)


def _burn(state: State, seat: int, rank: Rank, events: list[Event] | None) -> None:
    if events is not None:
        events.append(Burned(seat, len(state.pile), "burn" if state.powers.effect[rank] == "burn" else "four"))
    state.bin += state.pile
    state.quiet = 0
    clear_pile(state)


def _flip(state: State, seat: int, slot: int, events: list[Event] | None) -> PlayEffects:
    row = state.downs[seat]
    card = row[slot]
    assert card is not None  # noqa: S101 - a legal flip turns a card
    good = can_play_flipped(state, seat, card)
    state.downs[seat] = (*row[:slot], None, *row[slot + 1 :])
    state.quiet = 0
    if events is not None:
        events.append(Flipped(seat, slot, card, good))
    if good:
        return _lay_on_pile(state, seat, (card,), "down", events)
    state.pile.append(card)
    _take_pile(state, seat, "flip", events)
    return NO_EFFECTS


def _choose_pick_up(state: State, seat: int, picks: tuple[Pick, ...], events: list[Event] | None) -> None:
    # If a pick-up may be a choice, the event does not say that it was forced: that would show what the hand lacks.
    cause: PickUpCause = "choice" if state.rules.pickup_by_choice and not picks else "stuck"
    if picks:
        lifted = cards_for(picks, state.ups[seat]) or ()
        state.ups[seat] ^= card_set(lifted)
        state.pile += lifted
        state.quiet = 0
    playable = state.powers.follow[state.top]
    if state.powers.never_last and has_few_cards(state, seat):
        playable &= ~state.powers.never_last
    if state.must_lead is not None:  # a player who had to lead with this rank was not free to play another one
        playable &= RANK_CARDS[state.must_lead]
    state.declined[seat] |= playable
    _take_pile(state, seat, cause, events, len(picks))


def _take_pile(state: State, seat: int, cause: PickUpCause, events: list[Event] | None, lifted: int = 0) -> None:
    taken = card_set(state.pile)
    state.hands[seat] |= taken
    state.public_hands[seat] |= taken
    if events is not None:
        events.append(PickedUp(seat, tuple(state.pile), lifted, cause))
    clear_pile(state)


def _take_reserve(state: State, seat: int, events: list[Event] | None) -> None:
    taken = state.reserves[seat]
    state.hands[seat] |= taken
    state.reserves[seat] = 0
    state.declined[seat] = 0
    state.quiet = 0
    if events is not None:
        events.append(TookReserve(seat, taken.bit_count(), tuple(cards_in(taken))))


def _go_round(state: State, seat: int, *, out: bool, turned: bool, events: list[Event] | None) -> int:
    """Reverse the order if ``turned``, and remove the seat if it is out.

    Returns how many seats to skip: one if the order would reverse but only two seats are left.
    """
    at = state.order.index(seat)
    following = state.order[at + 1 :] + state.order[:at]
    two_left = len(following) + (not out) <= 2
    if turned and not two_left:
        following = following[::-1]
    state.order = following if out else (seat, *following)
    if turned and not two_left and events is not None:
        events.append(Reversed(state.order))
    if out:
        _go_out(state, seat, events)
    return 1 if turned and two_left else 0


def _go_out(state: State, seat: int, events: list[Event] | None) -> None:
    """Give a seat that has gone out its place; this may end the game."""
    state.quiet = 0
    first_wins = state.rules.out_ends == "first"
    state.places = (seat,) if first_wins else (*state.places, seat)
    if events is not None:
        events.append(WentOut(seat, len(state.places)))
    if not first_wins and len(state.order) == 1:
        state.places = (*state.places, *state.order)
        state.order = ()
    if first_wins or not state.order:
        _finish(state, Outcome(state.places[0]), events)


def _finish(state: State, outcome: Outcome, events: list[Event] | None) -> None:
    state.phase = "over"
    state.to_move = None
    state.outcome = outcome
    if events is not None:
        events.append(GameOver(outcome.winner, outcome.drawn or state.places))


def _begin_play(state: State, events: list[Event]) -> None:
    """Begin play. An automatic lead goes through the same steps as a play, but does not count as a ply."""
    lead = settle_start(state, events)
    if state.rules.start_lead == "must":
        state.must_lead = lead
    elif state.rules.start_lead == "auto" and lead is not None:
        advance(state, play_of(lead, 1), events)
        state.quiet = 0


def _arrange(state: State, seat: int, move: Move, events: list[Event]) -> None:
    """Carry out a swap, a lay or a ready; when all seats are ready play begins."""
    hand, up = state.hands[seat], state.ups[seat]
    match move:
        case Swap():
            (given,), (taken,) = cards_for((move.hand,), hand) or (), cards_for((move.up,), up) or ()
            both = card_set((given, taken))
            state.hands[seat] = hand ^ both
            state.ups[seat] = up ^ both
            state.public_hands[seat] = (state.public_hands[seat] | 1 << taken) & state.hands[seat]
            events.append(Swapped(seat, (given, taken)))
        case Lay(picks):
            zone = state.ups if state.rules.arrange_mode == "lay-up" else state.reserves
            held = hand | zone[seat]
            laid = cards_for(picks, held) or ()
            zone[seat] = card_set(laid)
            state.hands[seat] = held ^ zone[seat]
            events.append(Laid(seat, len(laid), laid))
        case Ready():
            state.ready[seat] = True
            events.append(Readied(seat))
            if all(state.ready):
                _begin_play(state, events)
