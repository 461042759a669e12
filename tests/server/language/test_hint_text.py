"""Hints, odds and advice in sentences, each of them true."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random

import pytest

from engine.ai.explain import Suggestion, glance
from engine.ai.worlds import Worlds, advance
from engine.cards import cards_in, rank_from
from engine.errors import InputError
from engine.game import deal, play
from engine.legality import can_play_flipped, legal_moves, plays
from engine.moves import READY, Flip, Lay, Move, Pick, PickUp, Play, Swap, parse_move, play_of
from engine.odds import follow_odds
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import counted_rank, move_words, percent
from server.language.hint_text import ESTIMATE, hint_details, odds_lines
from server.language.parsing import parse_typed_move
from server.language.position_text import awaited_text, choices_text
from server.render.scene import Scene
from server.table.place import TABLE
from server.table.snapshot import Sitter, Snapshot
from tests.support.asking import Asking, answer
from tests.support.each import for_each
from tests.support.positions import OTHER, at
from tests.support.random_games import TABLES, random_game, some_states, table
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
        sentences, move = hint_details(snapshot_of(state, seat), view, suggestion), suggestion.move
        assert sentences[0] == suggestion.details
        if len(legal_moves(view, seat)) < 2 and not isinstance(move, Flip):
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
    told = hint_details(snapshot_of(state, 0), view, Suggestion(play_of(8, 1), "it burns the pile"))
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


LONG_NAMES = tuple(Sitter(f"an_odd_long_name{n}"[:16]) for n in range(4))


def shown_to(state: State, seat: int | None = 0) -> Snapshot:
    """What this seat sees, of players with long names."""
    return snapshot_of(state, seat, sitters=LONG_NAMES)


def test_a_whole_answer() -> None:
    """Hidden cards by rank, the draw, each rank one could play, and that it is an estimate."""
    state = at(
        "quatch",
        "hand 7c Th / up 9c / down 4c",
        "hand 3h 4s",
        options={"deck.copies": {"2": 1, "10": 1, **dict.fromkeys("568JQA", 0)}},
        pile="3c 3d",
        stock="9h",
    )
    assert odds_lines(shown_to(state)) == [
        "17 cards are hidden from you: a 2, two 3s, four 4s, three 7s, three 9s and four kings.",
        "The next card drawn could be played on this pile: 100%.",
        "After a 7 an_odd_long_name can follow: 89%.",
        "After a 10 you move again.",
        ESTIMATE,
    ]


@for_each(
    ("chance", "shown"),
    [
        (Fraction(0), "0%"),
        (Fraction(1, 400), "under 1%"),
        (Fraction(1, 3), "33%"),
        (Fraction(399, 400), "over 99%"),
        (Fraction(1), "100%"),
    ],
)
def test_only_the_certain_is_shown_as_certain(chance: Fraction, shown: str) -> None:
    """0% and 100% are promises."""
    assert percent(chance) == shown


def test_only_what_matters_now_is_told() -> None:
    """No draw while the first card is laid down by the rules; face-down cards once they are next."""
    opening = at("life", "hand 3c 9d / up 5c", "hand 4h 6h", stock="9h", must_lead="3")
    assert not [line for line in odds_lines(shown_to(opening)) if "next card drawn" in line]
    blind = at("quatch", "down 4c 9d", "hand 4h 6h", pile="8c")
    assert [
        line
        for line in odds_lines(shown_to(blind))
        if line.startswith("A face-down card of yours could be played on it: ")
    ]


def test_without_a_game_there_are_none() -> None:
    """Said in a line."""
    state = at("quatch", "hand 7c", "hand 3h")
    snapshot = shown_to(state)
    with pytest.raises(InputError):
        odds_lines(Snapshot(1, snapshot.rules, 0, snapshot.sitters, None, 0))


def test_each_fact_is_a_line_and_nothing_fails_in_whole_games() -> None:
    """Every rule set and mix of options, every state, players and spectators."""
    for each in TABLES:
        for state in random_game(each, "odds").states:
            if state.phase == "over" or (len(state.stock) % 5 and state.phase == "play"):
                continue
            for seat in (None, 0):
                assert all(line and "\n" not in line for line in odds_lines(shown_to(state, seat)))


TO_ARRANGE = [name for name, rules in rulesets().items() if rules.arrange_mode != "none"]


@for_each(
    ("state", "card", "why"),
    [
        (at("quatch", "hand 4c 9d", OTHER), "4", "the pile is empty"),
        (at("quatch", "hand 4c 9d", OTHER, pile="2h"), "4", "anything may follow a 2"),
        (at("quatch", "hand 2c 9d", OTHER, pile="8h"), "2", "it goes on anything"),
        (at("quatch", "hand 4c 9d", OTHER, pile="8h"), "9", "it is higher than an 8"),
        (at("quatch", "hand 4c 8d", OTHER, pile="8h"), "8", "it is as high as the 8 on the pile"),
        (at("life", "hand 9c 4c", OTHER, pile="7h"), "4", "it is lower than a 7"),
        (at("life", "hand 3c 9d / up 5c", "hand 4h 6h", stock="9h", must_lead="3"), "3", "it must be the first card"),
    ],
)
def test_why_a_card_can_go(state: State, card: str, why: str) -> None:
    """Not only that it can."""
    scene = Scene("ana", snapshot=snapshot_of(state))
    assert answer(Asking(TABLE, scene), f"why {card}") == [
        f"You can play {counted_rank(rank_from(card) or 0, 1)} now: {why}."
    ]


@for_each("asked", ["why p", "why can't I pick up", "why should I take the pile"])
def test_why_the_pile_may_be_taken_or_not(asked: str) -> None:
    """As why a card may go."""
    for own, told in (("hand 9c", "You may not pick up while you can play."), ("hand 3c", "If you cannot play, take")):
        scene = Scene("ana", snapshot=snapshot_of(at("quatch", own, OTHER, pile="8h")))
        assert answer(Asking(TABLE, scene), asked)[0].startswith(told)


@for_each("typed", ["turn", "hint", "why 2"])
def test_that_a_last_card_brings_the_pile_back_is_said_before_it_does(typed: str) -> None:
    """Only where it does, and only of the last card."""
    for rules, own, is_said in (
        ("quatch-original", "hand 2c", True),
        ("quatch-original", "hand 2c 9d", False),
        ("life", "hand 2c", False),
    ):
        scene = Scene("ana", snapshot=snapshot_of(at(rules, own, OTHER, pile="8h")))
        said = " ".join(answer(Asking(TABLE, scene), typed))
        assert ("the whole pile comes to your hand" in said) == is_said


@for_each("name", TO_ARRANGE)
def test_the_example_while_arranging_is_what_hint_says(name: str) -> None:
    """A player who reads both is not told two things."""
    for seed in range(20):
        state, _ = deal(ruleset(name), 3, f"deal {seed}")
        view = view_of(state, 0)
        move = glance(view, Random(0)).move
        (said,) = choices_text(snapshot_of(state))
        example = re.search("like ([^:;]+)", said)
        meant = parse_typed_move(example[1], view) if example else READY
        assert move_words(meant or READY) == move_words(by_rank(move))


def by_rank(move: Move) -> Move:
    """The move without suits, its cards from low to high."""
    match move:
        case Swap(hand, up):
            return Swap(Pick(hand.rank), Pick(up.rank))
        case Lay(picks):
            return Lay(tuple(map(Pick, sorted(pick.rank for pick in picks))))
    return move


def test_enter_alone_says_what_is_awaited() -> None:
    """Of the player, of the others, or of nobody since the game is over."""
    arranging = at("quatch", "hand 4c 9d / up Kc", OTHER, phase="arrange")
    assert awaited_text(snapshot_of(arranging))[0].startswith("You can swap")
    ready, _ = play(arranging, 0, READY)
    assert awaited_text(snapshot_of(ready)) == ["Waiting for bo to arrange."]
    assert awaited_text(snapshot_of(at("quatch", "hand 4c 9d", OTHER, pile="8h"))) == ["You can play a 9."]
    assert awaited_text(snapshot_of(at("quatch", "hand 4c", OTHER, to_move=1)))[0].startswith("bo's turn.")
    over, _ = play(at("quatch", "hand 9d", OTHER, pile="8h"), 0, parse_move("play 9"))
    assert awaited_text(snapshot_of(over)) == ["The game is over: type start. You won the game."]
