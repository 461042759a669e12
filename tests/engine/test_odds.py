"""Odds: counted exactly, and the same as in worlds that agree with what the seat sees."""

from fractions import Fraction
from itertools import combinations, islice
from random import Random

import pytest
from msgspec.structs import replace

from engine.ai.rank_classes import EFFECTS
from engine.ai.worlds import Worlds
from engine.cards import RANK_CARDS, rank_from
from engine.game import play
from engine.legality import can_play_flipped, legal_moves, plays
from engine.moves import PICK_UP, Play, play_of
from engine.odds import FORCED, Odds, PlayOdds, follow_odds, odds, out_chance, unseen_ranks
from engine.powers import Effect
from engine.rules import Json
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from tests.soak import long
from tests.support.each import for_each
from tests.support.positions import at
from tests.support.random_games import TABLES, Table, power, random_game, table
from tests.support.worlds import agreeing_worlds

WORLDS = 120
NO_OTHERS: dict[str, Json] = dict.fromkeys("3568JQA", 0)
"""A deck of few ranks, so that every hand can be looked at."""


def play_odds(found: Odds, rank: str) -> PlayOdds:
    """What laying this rank leads to."""
    return next(each for each in found.plays if each.play.picks[0].rank == rank_from(rank))


def small(other: str, mine: str = "hand 7c Kh / up 9c / down 4c", **rest: Json) -> State:
    """A position of the small deck: 4, 7, 9, K, one 2 and one 10."""
    return at("quatch", mine, other, options={"deck.copies": {**NO_OTHERS, "2": 1, "10": 1}}, **rest)


def test_unseen_is_the_deck_without_what_one_sees() -> None:
    """Own hand, reserve, pile, bin, every face-up row: not the stock, other hands, or any face-down card."""
    state = small("hand 7h 7s / up 9d / down 4d", pile="4h", bin="Ks", stock="9h")
    unseen = dict(zip("23456789TJQKA", unseen_ranks(view_of(state, 0)), strict=True))
    assert {rank: n for rank, n in unseen.items() if n} == {"2": 1, "4": 3, "7": 3, "9": 2, "T": 1, "K": 2}


def test_cards_that_were_picked_up_in_the_open_are_known() -> None:
    """A king that a seat took from the pile is not unseen, and the odds count it in that hand."""
    state = small("hand 7h 7s", "hand 4c / up 9c", pile="9d Kd", to_move=1)
    after, _ = play(state, 1, PICK_UP)
    view = view_of(after, 0)
    assert unseen_ranks(view)[rank_from("K") or 0] == 3
    assert play_odds(odds(view), "4").stuck == 0


@pytest.mark.parametrize(("rules", "is_certain"), [("quatch", True), ("life", False)])
def test_a_player_who_took_the_pile_could_not_follow(rules: str, is_certain: bool) -> None:  # noqa: FBT001
    """Nor do the hidden cards of that hand follow a higher rank. But in life it may have been a choice."""
    state = at(rules, "hand 4h 9s Kd", "hand 3h 4c 6d / up Qh Qs", pile="6c 8d", stock="3s 9d As Ks", to_move=1)
    taken, _ = play(state, 1, PICK_UP)
    view = view_of(taken, 0)
    stuck, else_stuck = (play_odds(odds(each), "9").stuck for each in (view, replace(view, declined=(0, 0))))
    assert else_stuck < 1
    assert stuck == (1 if is_certain else FORCED + (1 - FORCED) * else_stuck)
    assert play_odds(odds(view), "4").stuck == 0, "everybody saw the 6 and the 8"


def test_what_is_drawn_may_follow() -> None:
    """Once a player who took the pile draws again, nothing is known of the hidden cards."""
    state = at("quatch", "hand 4h 9s Kd", "hand 3h", pile="8d", stock="3s 9d As Ks", to_move=1)
    state, _ = play(state, 1, PICK_UP)
    for seat, rank in [(0, 2), (1, 6)]:
        state, _ = play(state, seat, play_of(rank, 1))
    assert 0 < play_odds(odds(view_of(state, 0)), "9").stuck < 1


def test_the_reserve_may_follow() -> None:
    """It is as little known as what is drawn."""
    state = at("cathedral", "hand 4h 8c Kd Kc / up 5c", "hand 5h / reserve Qh Ah", pile="9d", to_move=1)
    state, _ = play(state, 1, PICK_UP)
    for seat, rank in [(0, 2), (1, 3), (0, 6), (1, 7)]:
        state, _ = play(state, seat, play_of(rank, 1))
    assert 0 < play_odds(odds(view_of(state, 0)), "K").stuck < FORCED


def test_a_card_that_was_not_allowed_as_the_last_one_was_not_declined() -> None:
    """A player with a 2 alone takes the pile, and then can play the 2."""
    state = at("quatch", "hand 4h 9s Kd", "hand 2h", pile="8d", to_move=1)
    state, _ = play(state, 1, PICK_UP)
    assert play_odds(odds(view_of(state, 0)), "K").stuck < 1


def test_a_card_that_was_no_lead_was_not_declined() -> None:
    """A player who must lead with a 7, which does not go on the card that was turned up, may hold an ace."""
    state = at("quatch", "hand 4h 9s Kd", "hand 4c 6h 7h Ah", pile="Ks", to_move=1)
    state.must_lead = rank_from("7")
    assert legal_moves(state, 1) == [PICK_UP]
    state, _ = play(state, 1, PICK_UP)
    assert not state.declined[1] & state.hands[1] & ~state.public_hands[1]


def test_a_hand_of_two_by_counting_every_hand() -> None:
    """The chance that neither of two unseen cards can go on a 7 or on a king."""
    state = small("hand 4d 4h", pile="4s", stock="9d 9h Ks")
    view = view_of(state, 0)
    hidden = [rank for rank, n in enumerate(unseen_ranks(view)) for _ in range(n)]
    for rank in "7K":
        follow = view.powers.follow[rank_from(rank) or 0]
        hands = list(combinations(hidden, 2))
        stuck = sum(not any(follow & RANK_CARDS[card] for card in hand) for hand in hands)
        assert play_odds(odds(view), rank).stuck == Fraction(stuck, len(hands))
        assert 0 < stuck < len(hands)


@pytest.mark.parametrize(("other", "stuck"), [("up 9d Kd", 1), ("up Kd", 0), ("hand 4d / up 9d", None)])
def test_a_face_up_row_is_no_secret(other: str, stuck: int | None) -> None:
    """Once the hand is gone it is certain whether the row can follow, and only then."""
    chance = play_odds(odds(view_of(small(other.replace(" Kd", "") if stuck else other, pile="4s"), 0)), "K").stuck
    assert chance == stuck if stuck is not None else 0 < chance < 1


def test_what_is_certain() -> None:
    """A burn gives another turn, the last card ends the game, on an empty pile every seat can play."""
    burning = odds(view_of(small("hand 4d", "hand Ts 7c / up 9c", pile="4s"), 0))
    assert play_odds(burning, "T").next_seat == 0
    last = odds(view_of(small("hand 4d", "hand Ks", pile="4s"), 0))
    assert play_odds(last, "K").next_seat is None
    assert odds(view_of(small("hand 4d", pile=""), 0)).draw is None
    assert odds(view_of(small("hand 4d", stock="9d"), 0)).draw == 1


def test_a_rank_that_may_not_be_last() -> None:
    """One card left: a 2 or a 10 follows anything, but not as the last card."""
    state = small("hand 4d", "hand 7c Kh", pile="4s")
    unseen = unseen_ranks(view_of(state, 0))
    kings = unseen[rank_from("K") or 0]
    assert play_odds(odds(view_of(state, 0)), "K").stuck == 1 - Fraction(kings, sum(unseen))


def test_a_spectator_has_odds_too() -> None:
    """They rest on public cards; a spectator has no cards and no plays."""
    found = odds(view_of(small("hand 4d 4h", pile="4s", stock="9d"), None))
    assert found.plays == ()
    assert found.flip is None
    assert found.draw is not None


class Tally:
    """What was told as a chance, over many positions, and how often it came true."""

    def __init__(self) -> None:
        self._expected = self._variance = 0.0
        self._found = 0

    def add(self, chance: Fraction, found: list[bool]) -> None:
        """Add what came of a chance, each time by itself; what was told as certain must be so each time."""
        assert 0 < chance < 1 or {*found} == {chance == 1}
        self._expected += float(chance) * len(found)
        self._variance += float(chance * (1 - chance)) * len(found)
        self._found += sum(found)

    def check(self) -> None:
        """It came as often as told, within four standard deviations."""
        assert abs(self._found - self._expected) <= 4 * self._variance**0.5


class Plays:
    """What follows on plays, as the odds tell it, and as it comes in worlds that agree with what the player sees."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._stuck, self._out = Tally(), Tally()

    def add(self, state: State, laid: Play) -> None:
        """Try a play of the seat to move."""
        seat = state.to_move or 0
        view = view_of(state, seat)
        told = follow_odds(view, laid)
        following = told.next_seat
        agreeing = islice(agreeing_worlds(view, following or 0, self._rng), WORLDS)
        worlds = [play(world, seat, laid)[0] for world in agreeing]
        assert {(world.to_move, bool(world.pile)) for world in worlds} == {(following, told.pile_left)}
        if following in {None, seat} or not is_still_known(state, laid, following or 0):
            return
        self._stuck.add(told.stuck, [is_stuck(world, following or 0) for world in worlds])
        if {world.cards_of(following or 0) for world in worlds} == {1}:
            self._out.add(out_chance(view, laid), [goes_out_next(world) for world in worlds])

    def check(self) -> None:
        """The odds are what came."""
        self._stuck.check()
        self._out.check()


@for_each("at_table", TABLES)
def test_odds_are_what_happens_in_worlds_that_agree(at_table: Table) -> None:
    """Hidden cards dealt anew many times: draws, flips and stuck players come as often as they should."""
    rng = Random(str(at_table))
    states = [state for state in decisions(at_table, "odds") if state.stock_left < 30]
    draws, flips, followed = Tally(), Tally(), Plays(rng)
    for state in rng.sample(states, long(1, 20)):
        seat = state.to_move or 0
        found = odds(view_of(state, seat))
        drawn = Worlds(view_of(state, seat))
        worlds = [drawn.draw(rng) for _ in range(WORLDS)]
        if found.draw is not None:
            follow = state.powers.follow[state.top]
            draws.add(found.draw, [bool(follow >> world.stock[-1] & 1) for world in worlds])
        slots = [slot for slot, card in enumerate(state.downs[seat]) if card is not None]
        if found.flip is not None:
            cards = [world.downs[seat][slots[0]] for world in worlds]
            flips.add(found.flip, [card is not None and can_play_flipped(state, seat, card) for card in cards])
        for each in found.plays:
            followed.add(state, each.play)
    for tally in (draws, flips, followed):
        tally.check()


@for_each("rules", rulesets())
@for_each("effect", EFFECTS)
def test_odds_know_what_each_power_does(effect: Effect, rules: str) -> None:
    """Whatever it changes for the next player, their cards too. Powers and rule sets are those that the engine has."""
    rng = Random(f"{effect} {rules}")
    followed = Plays(rng)
    for number in range(long(1, 40)):
        seats = ruleset(rules).seats_min + number % 2
        states = decisions(table(rules, seats, power(effect, "J", "K")), f"{effect} {number}")
        laid = [(state, play) for state in states for play in plays_of(state, effect)]
        unsure = [each for each in laid if 0 < follow_odds(view_of(each[0], each[0].to_move), each[1]).stuck < 1]
        drawing = [each for each in unsure if each[0].stock]
        for some, most in ((drawing, 2), (unsure, 1), (laid, 1)):
            for each in rng.sample(some, min(most, len(some))):
                followed.add(*each)
    followed.check()


def decisions(at_table: Table, seed: str) -> list[State]:
    """The positions of a random game in which a seat is to play."""
    return [state for state in random_game(at_table, seed).states if state.phase == "play"]


def plays_of(state: State, effect: Effect) -> list[Play]:
    """The plays of cards with this power."""
    moves = plays(state, state.to_move or 0)
    return [move for move in moves if isinstance(move, Play) and state.powers.effect[move.picks[0].rank] == effect]


def is_still_known(state: State, laid: Play, seat: int) -> bool:
    """Whether what this seat declined still tells something of its hand after a play; new hidden cards end that."""
    return play(state, state.to_move or 0, laid)[0].declined[seat] == state.declined[seat]


def goes_out_next(world: State) -> bool:
    """Whether the seat to move can lay its only card and is out then."""
    seat = world.to_move or 0
    if not (world.hands[seat] or world.ups[seat]):
        return not is_stuck(world, seat)
    return any(play(world, seat, laid)[0].is_out(seat) for laid in plays(world, seat))


def is_stuck(state: State, seat: int) -> bool:
    """Whether a seat can lay nothing: the truth, its next face-down card included."""
    if state.hands[seat] or state.ups[seat]:
        return not plays(state, seat)
    card = next(card for card in state.downs[seat] if card is not None)
    return not can_play_flipped(state, seat, card)
