"""Laws: what must hold in every position of every game, whatever the rules.

Tried on random games of the built-in rule sets, of mixes of options, and of house rules drawn at random.
"""

import json
import re
from collections import Counter
from itertools import pairwise
from random import Random

from engine.cards import Card, CardSet, card_set, cards_in
from engine.errors import Refused
from engine.events import Flipped, Laid, PickedUp, Played, Swapped
from engine.game import advance, deal, play
from engine.legality import legal_moves, open_zone, refusal
from engine.moves import Lay, Move, Pick, PickUp, Play, Swap, parse_move, play_of
from engine.protocol.position_json import position_from_json, position_json
from engine.protocol.view_json import view_json
from engine.state import State
from engine.view import view_of
from tests.soak import long
from tests.support.laws import at_every_table, games, some_steps
from tests.support.random_games import MOVE_CODES, Step, Table, most_plies, plausible_moves, redealt


def all_cards(state: State) -> list[Card]:
    """Every card, wherever it is."""
    zones = [*state.hands, *state.ups, *state.reserves]
    face_down = [card for row in state.downs for card in row if card is not None]
    return sorted(
        [*(card for zone in zones for card in cards_in(zone)), *face_down, *state.stock, *state.pile, *state.bin]
    )


def on_the_table(state: State) -> int:
    """How many cards lie face up, face down and in reserve."""
    rows = sum(zone.bit_count() for zone in [*state.ups, *state.reserves])
    return rows + sum(len(row) - row.count(None) for row in state.downs)


@at_every_table
def test_cards_are_conserved(at: Table) -> None:
    """No card is ever lost or doubled, and the deck is the one that the rules name."""
    for game in games(at):
        deck = all_cards(game.dealt)
        copies = Counter(card >> 2 for card in deck)
        assert [copies[rank] for rank in range(13)] == list(game.dealt.rules.deck_copies)
        assert len(set(deck)) == len(deck)
        for state in game.states:
            assert all_cards(state) == deck


@at_every_table
def test_some_seat_can_always_move(at: Table) -> None:
    """While a game goes on exactly one seat may move, and each of its moves is listed once; afterwards none may."""
    for game in games(at):
        for state in game.states:
            moves = [legal_moves(state, seat) for seat in range(at.seats)]
            assert all(len(set(each)) == len(each) for each in moves)
            if state.phase == "play":
                assert state.to_move in state.order
                assert [bool(each) for each in moves] == [seat == state.to_move for seat in range(at.seats)]
            else:
                assert state.to_move is None
                assert state.phase == "arrange" or not any(moves)


@at_every_table
def test_seats_leave_as_they_run_out_of_cards(at: Table) -> None:
    """A seat is in the order as long as it holds cards, and the places are the seats that went out, first first."""
    for game in games(at):
        for state in game.states:
            if state.phase == "play":
                assert {seat for seat in range(at.seats) if not state.is_out(seat)} == set(state.order)
            assert not set(state.order) & set(state.places)
            assert state.phase == "over" or {*state.order, *state.places} == set(range(at.seats))
        for step in game.steps:
            assert step.after.places[: len(step.state.places)] == step.state.places


@at_every_table
def test_every_game_ends(at: Table) -> None:
    """A game ends within the bound of G-03: won by the first seat out, or drawn among those still in."""
    for game in games(at):
        end = game.steps[-1].after
        assert end.phase == "over"
        assert len(game.steps) <= most_plies(end.rules)
        assert end.outcome is not None
        if end.outcome.winner is None:
            assert end.quiet == end.rules.stalemate_quiet_plies
            assert end.outcome.drawn == tuple(sorted(end.order))
        elif end.rules.out_ends == "first":
            assert end.places == (end.outcome.winner,)
        else:
            assert end.places[0] == end.outcome.winner
            assert sorted(end.places) == list(range(at.seats))


@at_every_table
def test_quiet_plies_are_counted(at: Table) -> None:
    """A ply is quiet if no card left the stock, the game or a row on the table, and no seat went out (G-03)."""
    for game in games(at):
        for before, _, _, after, _ in game.steps:
            if before.phase == "play":
                progress = (
                    len(after.stock) < len(before.stock)
                    or len(after.bin) > len(before.bin)
                    or on_the_table(after) < on_the_table(before)
                    or len(after.places) > len(before.places)
                )
                assert after.quiet == (0 if progress else before.quiet + 1)


@at_every_table
def test_play_accepts_exactly_the_legal_moves(at: Table) -> None:
    """Of all that one might try the legal moves are accepted; the others are refused and leave the state as it was."""
    for game in games(at):
        for state, *_ in some_steps(game, long(37, 29))[:: long(10, 1)]:
            untouched = state.copy()
            for seat in range(at.seats):
                legal = set(legal_moves(state, seat))
                for move in plausible_moves(state, seat):
                    if state.phase == "play" or not isinstance(move, Swap | Lay):
                        assert accepted(state, seat, move) == (move in legal), f"seat {seat}: {move}"
            assert state == untouched


@at_every_table
def test_suits_never_matter(at: Table) -> None:
    """A card of the open zone may be laid, or lifted, by its name wherever one of its rank may."""
    for game in games(at):
        for state, *_ in some_steps(game, 11):
            seat = state.to_move
            if seat is not None:
                legal = legal_moves(state, seat)
                for card in cards_in(open_zone(state, seat)[0]):
                    pick = Pick(card >> 2, card)
                    assert accepted(state, seat, Play((pick,))) == (play_of(pick.rank, 1) in legal)
                    assert accepted(state, seat, PickUp((pick,))) == (PickUp((Pick(pick.rank),)) in legal)


def accepted(state: State, seat: int, move: Move) -> bool:
    """Whether a move is accepted; a refusal must be a proper one."""
    try:
        play(state, seat, move)
    except Refused as caught:
        refused = caught
    else:
        return True
    assert refused.code in MOVE_CODES
    assert refused.clause == state.rules.clauses.get(refused.code)
    assert re.fullmatch(r"[A-Z0-9][^\n()]{6,250}\.", refused.message), refused.message
    assert not refused.clause or refused.clause not in refused.message
    return False


@at_every_table
def test_advance_does_what_play_does(at: Table) -> None:
    """A move made in place, without events, gives the state that `play` gives, and `play` leaves its own alone."""
    for game in games(at):
        for state, _, move, after, _ in game.steps:
            if state.phase == "play":
                advanced = state.copy()
                advance(advanced, move)
                assert advanced == after
        assert all(step.after == following.state for step, following in pairwise(game.steps))


@at_every_table
def test_moves_replay(at: Table) -> None:
    """The seed and the text of the moves give the whole game again."""
    for game in games(at):
        state, _ = deal(at.read(), at.seats, game.seed)
        assert state == game.dealt
        for step in game.steps:
            state, events = play(state, step.seat, parse_move(str(step.move)))
            assert events == step.events
        assert state == game.steps[-1].after


@at_every_table
def test_positions_survive_json(at: Table) -> None:
    """A position written as JSON and read again is an equal state."""
    for game in games(at):
        for state in [step.after for step in some_steps(game, long(59, 5))]:
            assert position_from_json(json.loads(json.dumps(position_json(state)))) == state


@at_every_table
def test_hidden_cards_do_not_show(at: Table) -> None:
    """Deal anew all that a viewer cannot see: the view, its JSON and the viewer's own legal moves stay the same."""
    for game in games(at):
        rng = Random(game.seed)
        for state in [game.dealt, *(step.after for step in some_steps(game, long(59, 7)))]:
            for viewer in (None, *range(at.seats)):
                other = redealt(state, viewer, rng)
                view = view_of(state, viewer)
                assert view_of(other, viewer) == view
                assert view_json(view_of(other, viewer)) == view_json(view)
                if viewer is not None:
                    assert legal_moves(view, viewer) == legal_moves(state, viewer)


@at_every_table
def test_what_the_table_remembers_is_what_events_showed(at: Table) -> None:
    """The cards remembered in a hand are those that came there in the open, as long as they are there."""
    for game in games(at):
        known = [0] * at.seats
        for step in game.steps:
            for event in step.events:
                if isinstance(event, PickedUp):
                    known[event.seat] |= card_set(event.cards)
                elif isinstance(event, Swapped):
                    known[event.seat] |= 1 << event.cards[1]
            known = [cards & hand for cards, hand in zip(known, step.after.hands, strict=True)]
            assert step.after.public_hands == known


@at_every_table
def test_hidden_cards_are_none_of_those_that_were_declined(at: Table) -> None:
    """If the pile may not be taken by choice. If it may, what is remembered does not depend on the hidden cards."""
    for game in games(at):
        for step in game.steps:
            for seat, declined in enumerate(step.after.declined):
                hidden = step.after.hands[seat] & ~step.after.public_hands[seat]
                assert step.after.rules.pickup_by_choice or not hidden & declined
            if isinstance(step.move, PickUp) and step.state.must_lead is None:
                powers = step.state.powers
                assert not powers.follow[step.state.top] & ~powers.never_last & ~step.after.declined[step.seat]


@at_every_table
def test_events_tell_only_what_they_show(at: Table) -> None:
    """Deal anew what a viewer sees neither before nor during a move: what they learn from it stays the same."""
    for game in games(at):
        rng = Random(game.seed)
        for step in some_steps(game, long(59, 5)):
            if step.state.phase == step.after.phase:
                for viewer in (None, *range(at.seats)):
                    other = redealt(step.state, viewer, rng, keep=shown(step, viewer))
                    move = same_move(step, other, viewer)
                    if refusal(other, step.seat, move) is None:
                        after, events = play(other, step.seat, move)
                        assert [event.seen_by(viewer) for event in events] == [
                            event.seen_by(viewer) for event in step.events
                        ]
                        assert view_of(after, viewer) == view_of(step.after, viewer)


def shown(step: Step, viewer: int | None) -> CardSet:
    """Every card that a viewer sees in the course of a step: laid, turned, or in view afterwards."""
    cards = {card for event in step.events if isinstance(event, Played) for card in event.cards}
    cards |= {event.card for event in step.events if isinstance(event, Flipped)}
    view = view_of(step.after, viewer)
    zones = [zone for seats in (view.hands, view.ups, view.reserves) for zone in seats]
    return card_set({*cards, *view.pile, *view.bin, *(card for zone in zones for card in cards_in(zone))})


def same_move(step: Step, other: State, viewer: int | None) -> Move:
    """The move of a step, with every card named, as this viewer would see it made in another state."""
    for event in step.events:
        if isinstance(event, Played | Swapped):
            picks = named(event.cards)
            return Play(picks) if isinstance(event, Played) else Swap(*picks)
        if isinstance(event, Laid) and event.seat != viewer:
            laid = other.ups if other.rules.arrange_mode == "lay-up" else other.reserves
            return Lay(named(tuple(cards_in(other.hands[event.seat] | laid[event.seat]))[: event.count]))
    return step.move


def named(cards: tuple[Card, ...]) -> tuple[Pick, ...]:
    """These very cards as one would type them."""
    return tuple(Pick(card >> 2, card) for card in cards)
