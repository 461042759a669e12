"""Every sentence of a hint is true: what is kept, and what the next player can do, in positions of random games."""

import re
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from engine.ai.explain import Suggestion, glance
from engine.ai.worlds import Worlds, advance
from engine.cards import cards_in
from engine.legality import can_play_flipped, legal_moves, plays
from engine.moves import Flip, PickUp, Play, play_of
from engine.odds import follow_odds
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import counted_rank
from server.language.hint_text import hint_sentences
from tests.support.positions import at
from tests.support.random_games import some_states, table
from tests.support.snapshots import snapshot_of
from tests.support.worlds import agreeing_worlds

WORLDS = 120
NEAR = 0.2
"""How far the share of so few worlds may be from a chance: more than four standard errors."""


def positions(rules: str, seats: int) -> Iterator[tuple[State, View]]:
    """Positions with the views of the seats to move."""
    for state in some_states(table(rules, seats), 5):
        if state.phase == "play" and state.to_move is not None:
            yield state, view_of(state, state.to_move)


def can_answer(world: State) -> bool:
    """Whether the seat to move can lay a card, one turned over if it has only those."""
    seat = world.to_move or 0
    if world.hands[seat] or world.ups[seat]:
        return bool(plays(world, seat))
    card = next(card for card in world.downs[seat] if card is not None)
    return can_play_flipped(world, seat, card)


@pytest.mark.parametrize(("rules", "seats"), [("quatch", 4), ("college", 3), ("life", 2)])
def test_hints_say_what_is_so(rules: str, seats: int) -> None:
    """Beside the reason: what stays, how many cards a pick-up gives, and how often the next seat can follow."""
    said = set[str]()
    for state, view in positions(rules, seats):
        seat = view.seat or 0
        suggestion = glance(view, Random(0))
        sentences, move = hint_sentences(snapshot_of(state, seat), view, suggestion), suggestion.move
        assert sentences[0] == suggestion.sentence
        if len(legal_moves(view, seat)) < 2:
            assert len(sentences) == 1
            continue
        worlds = Worlds(view)
        rng = Random("worlds")
        for sentence in sentences[1:]:
            said.add(sentence.split(" ")[0] + sentence.split(" ")[1])
            if sentence.startswith("Your best left"):
                after = worlds.draw(rng)
                held = view.hands[seat] or view.ups[seat]
                advance(after, move)
                kept = held & (after.hands[seat] | after.ups[seat])
                for phrase in re.findall(r"(?:an?|two|three|four) \w+", sentence):
                    ranks = [card >> 2 for card in cards_in(kept)]
                    assert phrase in {counted_rank(rank, ranks.count(rank)) for rank in ranks}
            elif found := re.fullmatch(r"You then hold (\d+) cards\.", sentence):
                assert isinstance(move, PickUp)
                after = worlds.draw(rng)
                advance(after, move)
                assert after.hands[seat].bit_count() == int(found[1])
            elif sentence == "You move again.":
                assert "you go again" not in suggestion.reason
                after = worlds.draw(rng)
                advance(after, move)
                assert after.to_move == seat
            elif sentence.endswith(" cannot follow."):
                assert isinstance(move, Play)
                assert share(view, move) == 0
            else:
                percent = re.search(r"(\d+)%\.$", sentence)
                assert percent
                assert isinstance(move, Play | Flip)
                chance = 0 if "under" in sentence else int(percent[1]) / 100
                assert abs(share(view, move) - chance) < NEAR, (sentence, view)
    assert "Yourbest" in said
    assert any(name.startswith(("Ada", "Ben", "Cleo", "Bo", "seat", "Seat")) or "can" in name for name in said)


def test_on_an_empty_pile_everybody_can_follow() -> None:
    """A hint does not say so: in the original game the next player leads after a burn."""
    state = at("quatch-original", "hand Tc Jd 4d", "hand 3h 4h 7h", pile="3c 5h 6h 7d 8d 9h", stock="3s 5d 9s")
    view = view_of(state, 0)
    told = hint_sentences(snapshot_of(state, 0), view, Suggestion(play_of(8, 1), "it burns the pile"))
    assert told == ["Play a 10: it burns the pile.", "Your best left: a jack and a 4."]


def share(view: View, move: Play | Flip) -> float:
    """In how many of some worlds the next seat can follow after a move, or the flipped card can be played."""
    rng, found = Random("share"), 0
    after = follow_odds(view, move).next_seat if isinstance(move, Play) else view.seat
    for world in islice(agreeing_worlds(view, after or 0, rng), WORLDS):
        seat = world.to_move or 0
        if isinstance(move, Flip):
            card = world.downs[seat][move.slot]
            found += card is not None and can_play_flipped(world, seat, card)
        else:
            advance(world, move)
            found += can_answer(world)
    return found / WORLDS
