"""Laws of hidden cards: views, legal moves and events tell of them what the viewer may know, whatever the rules."""

from random import Random

from engine.cards import Card, CardSet, card_set, cards_in
from engine.events import Flipped, Laid, PickedUp, Played, Swapped
from engine.game import play
from engine.legality import legal_moves, refusal
from engine.moves import Lay, Move, Pick, PickUp, Play, Swap
from engine.protocol.view_json import view_json
from engine.state import State
from engine.view import view_of
from tests.support.laws import at_every_table, games, some_steps
from tests.support.random_games import Step, Table, redealt


@at_every_table
def test_hidden_cards_do_not_show(at: Table) -> None:
    """Deal anew all that a viewer cannot see: the view, its JSON and the viewer's own legal moves stay the same."""
    for game in games(at):
        rng = Random(game.seed)
        for state in [game.dealt, *(step.after for step in some_steps(game, 7))]:
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
        for step in some_steps(game, 5):
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
