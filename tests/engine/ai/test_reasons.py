"""Every kind of reason is true: in worlds that agree with what the player sees, and by an independent search."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, permutations
from random import Random

import pytest

from engine.ai.explain import explain, glance
from engine.ai.next_seat import seat_after
from engine.ai.reasons import reasons
from engine.ai.search import Search
from engine.ai.verdict import Depth
from engine.ai.weights import model_for
from engine.ai.worlds import World, advance
from engine.cards import RANK_CARDS, RANK_NAMES, RANKS
from engine.legality import can_play_flipped, legal_moves, plays
from engine.moves import Flip, Move, PickUp, Play, parse_move, play_of
from engine.odds import next_after
from engine.rules import Rules
from engine.rulesets import rulesets
from engine.state import State
from engine.view import View, view_of
from engine.wording.phrases import counted_rank
from tests.soak import long
from tests.support.each import for_each
from tests.support.positions import at, large_pile
from tests.support.random_games import EVERY_POWER, Table, some_states, table
from tests.support.worlds import agreeing_worlds

WORLDS = 20
NEAR = 0.45
"""How far the share of so few worlds may be from a chance: more than four standard errors."""
NO_LAST_CARD = "the next player cannot go out, but could after a 4"
FOUR_KEPT = "it keeps your four 5s together, which can burn the pile later"
NUMBERS = ["no", "one", "two", "three", "four"]
NAMES = {name: rank for rank, name in enumerate(RANK_NAMES)}
COUNTS = {counted_rank(rank, copies): (rank, copies) for rank in NAMES.values() for copies in range(1, 5)}
COUNTS |= {f"your {name}": (rank, 1) for name, rank in NAMES.items()}
COUNTS |= {f"your {name}s": (rank, 2) for name, rank in NAMES.items()}


class Choice:
    """Two moves of a seat, of which the first is explained, in some worlds."""

    def __init__(self, view: View, best: Move, other: Move) -> None:
        self.view, self.best, self.other = view, best, other
        self.seat = view.seat or 0

    def after(self, move: Move) -> Iterator[World]:
        """The worlds after a move."""
        following = next_after(self.view, move)
        worlds = agreeing_worlds(self.view, self.seat if following is None else following, Random("worlds"))
        for world in islice(worlds, WORLDS):
            advance(world, move)
            yield world

    def always(self, holds: Callable[[World], bool], move: Move | None = None) -> bool:
        """Whether something holds in every world after a move."""
        return all(map(holds, self.after(move or self.best)))

    def held(self, rank: int, move: Move) -> int:
        """How many cards of a rank the seat has for certain after a move, in its hand or else in its face-up row."""
        zone = self.view.hands[self.seat] or self.view.ups[self.seat]
        kept = (zone | self.view.ups[self.seat]) & RANK_CARDS[rank]
        return min((kept & (world.hands[self.seat] | world.ups[self.seat])).bit_count() for world in self.after(move))

    def follows(self, move: Move) -> float:
        """In how many worlds the next seat can follow."""
        return sum(map(can_follow, self.after(move))) / WORLDS

    def drawn(self, move: Move) -> int:
        """How many cards the seat draws."""
        return self.view.stock_left - len(next(self.after(move)).stock)


def can_follow(world: World) -> bool:
    """Whether the seat to move can lay a card."""
    seat = world.to_move or 0
    if world.hands[seat] or world.ups[seat]:
        return bool(plays(world, seat))
    return can_play_flipped(world, seat, next(card for card in world.downs[seat] if card is not None))


def can_go_out(world: World) -> bool:
    """Whether the seat to move can lay all its cards before another seat moves."""
    seat = world.to_move or 0
    for move in legal_moves(world, seat):
        after = world.copy()
        advance(after, move)
        if after.is_out(seat):
            return True
    return False


def share(worlds: Iterator[World], holds: Callable[[World], bool]) -> float:
    """In what part of some worlds something holds."""
    found = [holds(world) for world in worlds]
    return sum(found) / len(found)


def fours_burn(view: View, rank: int) -> bool:
    """Whether four cards of a rank, laid together on an empty pile, burn."""
    four = " ".join(RANKS[rank] + suit for suit in "cdhs")
    other, another = [each for each in "789" if each != RANKS[rank]][:2]
    state = at(view.rules.name, f"hand {four} {other}c", f"hand {another}s", options=view.rules.options)
    advance(state, play_of(rank, 4))
    return not state.pile


@cache
def goes_on(rules: Rules, rank: int) -> int:
    """On how many cards of a pile a rank can be played, as the engine judges each."""
    found = 0
    for top in RANKS:
        state = at(rules.name, f"hand {RANKS[rank]}c Kd Ad", "hand 5s 6s", pile=f"{top}h", options=rules.options)
        found += any(isinstance(move, Play) and move.picks[0].rank == rank for move in legal_moves(state, 0))
    return found


def is_true(said: str, choice: Choice) -> bool:  # noqa: C901, PLR0912 - a case for each kind of reason
    """Whether one reason holds."""
    view, seat, best, other = choice.view, choice.seat, choice.best, choice.other
    number = [int(digits) for digits in re.findall(r"\d+(?=%| card)", said)]
    if said == "then you are out of cards":
        return choice.always(lambda world: world.cards_of(seat) == 0)
    if said.endswith("which burns the pile"):
        return choice.always(lambda world: not world.pile and len(world.bin) >= len(view.pile) + 1)
    if said.startswith("it burns the pile"):
        return number == [len(view.pile)] and choice.always(lambda world: not world.pile)
    if said == "you go again":
        return choice.always(lambda world: world.to_move == seat)
    if said in {"it reverses the order", "it skips the next player"}:
        return choice.always(lambda world: world.to_move != seat_after(view.order, seat))
    if "cannot follow" in said:
        return choice.follows(best) == 0 < choice.follows(other) + NEAR
    if "can follow" in said:
        return choice.follows(best) < choice.follows(other) + NEAR
    if found := re.fullmatch(r"(?:it saves|you keep) (.+)|it keeps (.+) for later", said):
        rank, copies = COUNTS[found[1] or found[2]]
        return choice.held(rank, best) >= copies and choice.held(rank, best) > choice.held(rank, other)
    if found := re.fullmatch(r"(.+) can go on more cards later", said):
        assert isinstance(best, Play)
        rank, _ = COUNTS[found[1]]
        return goes_on(view.rules, rank) > goes_on(view.rules, best.picks[0].rank)
    if found := re.fullmatch(r"you then have (\d+) cards? left instead of (\d+)", said):
        left, instead = int(found[1]), int(found[2])
        return choice.always(lambda world: world.cards_of(seat) == left) and choice.always(
            lambda world: world.cards_of(seat) == instead, other
        )
    if found := re.fullmatch(r"you change (\w+) cards for new ones, not (\w+)", said):
        return [choice.drawn(best), choice.drawn(other)] == [NUMBERS.index(found[1]), NUMBERS.index(found[2])]
    if said.startswith(("you need not take the pile", "the pile has only")):
        return len(view.pile) == number[0] and isinstance(other if "need" in said else best, PickUp)
    if found := re.fullmatch(r"it keeps your (four .+) together, which can burn the pile later", said):
        rank, copies = COUNTS[found[1]]
        is_kept = choice.held(rank, best) == copies > choice.held(rank, other)
        return is_kept and view.rules.fours_burn and fours_burn(view, rank)
    if said.startswith("you then hold four"):
        got = [COUNTS[phrase] for phrase in re.split(", | and ", said.removeprefix("you then hold "))]
        is_new = all((view.hands[seat] & RANK_CARDS[rank]).bit_count() < copies for rank, copies in got)
        after = next(choice.after(best)).hands[seat]  # all cards of the pile are seen, so any world will do
        holds = all((after & RANK_CARDS[rank]).bit_count() == copies for rank, copies in got)
        return is_new and holds and view.rules.fours_burn
    if "go out" in said or "goes out" in said:
        shares = [share(choice.after(move), can_go_out) for move in (best, other)]
        following = next(choice.after(best)).to_move or 0
        could = (number or [100])[-1] / 100
        is_less = shares[0] == 0 and abs(shares[1] - could) < NEAR if "cannot" in said else shares[0] < shares[1] + NEAR
        return is_less and view.cards_of(following) == 1
    if said.startswith("you go again and can play"):
        return can_go_out(next(choice.after(best)))
    if said.startswith("you get "):
        got = [COUNTS[phrase] for phrase in re.split(", | and ", said.removeprefix("you get "))]
        return all(sum(card >> 2 == rank for card in view.pile) == copies for rank, copies in got)
    if said == "a face-up card is easier to play from the hand":
        return isinstance(best, PickUp) and bool(best.picks)
    return False


def parts(said: str) -> Iterator[str]:
    """The reasons in a sentence, each as it would stand alone."""
    for number, part in enumerate(re.split(r",? and (?=burns|completes|reverses|skips|saves|keeps|you|it|the )", said)):
        bare = number and part.startswith(("burns", "completes", "reverses", "skips", "saves", "keeps"))
        yield f"it {part}" if bare else part


@pytest.mark.parametrize(
    "at_table", [*(table(name, 2 + number % 3) for number, name in enumerate(rulesets())), EVERY_POWER], ids=str
)
def test_every_reason_for_every_two_moves_is_true(at_table: Table) -> None:
    """In positions of random games of each rule set, and of one with every power."""
    rng = Random(f"{at_table}")
    states = [state for state in some_states(at_table, 2) if state.phase == "play"]
    for state in rng.sample(states, min(long(6, 100), len(states))):
        seat = state.to_move or 0
        view = view_of(state, seat)
        pairs = list(permutations(legal_moves(view, seat), 2))
        for best, other in rng.sample(pairs, min(3, len(pairs))):
            if isinstance(best, Flip) or not (said := reasons(view, best, other)):
                continue
            for part in parts(said):
                assert is_true(part, Choice(view, best, other)), (part, str(best), str(other), view)


def test_the_test_of_reasons_finds_false_ones() -> None:
    """Each kind of reason is false somewhere: for two moves that do not differ so."""
    state = at("college", "hand 4c 9d 9h Qc", "hand 3h 5h 7h", "hand 3d 6h 8h", pile="4h", stock="3s 5d 9s")
    choice = Choice(view_of(state, 0), play_of(2, 1), play_of(7, 1))
    for said in (
        "then you are out of cards",
        "it completes four of a rank, which burns the pile",
        "it burns the pile of 1 card",
        "you go again",
        "it reverses the order",
        "the next player cannot follow, but could after a 9 (50%)",
        "it saves your queen",
        "your 4 can go on more cards later",
        "you then have 3 cards left instead of 4",
        "you change two cards for new ones, not one",
        "you need not take the pile of 1 card",
        "the pile has only 1 card",
        "you get a king",
        "you then hold four kings",
        "it keeps your four kings together, which can burn the pile later",
        "the next player goes out less often than after a 9",
        "you go again and can play a queen, your last card",
    ):
        assert not is_true(said, choice), said
    assert is_true("your 9 can go on more cards later", choice)
    state = at("quatch", "hand 4c Ad", "hand 3h 5h 7h", "hand 3d 6h 8h", pile="4h", stock="3s 5d 9s")
    low = Choice(view_of(state, 0), play_of(2, 1), play_of(12, 1))
    assert not is_true("the next player can follow less often than after an ace", low)


@pytest.mark.parametrize(
    ("state", "best", "other", "said"),
    [
        (at("quatch", "hand 4c 9d Kh", "up 7h", pile="3h"), "play 9", "play 4", NO_LAST_CARD),
        (
            at("quatch", "hand 4c 9d Kh", "hand 7h", pile="3h"),
            "play 9",
            "play 4",
            "the next player goes out less often",
        ),
        (at("college", "hand 5c 5d 5h 5s 9c", "hand Kc Ac 4d", pile="3h"), "play 9", "play 5", FOUR_KEPT),
        (at("college", "hand 5c 5d Kh", "hand Kc Ac 4d", pile="5h 5s"), "pickup", "play K", "you then hold four 5s"),
    ],
    ids=["known", "hidden", "kept", "taken"],
)
def test_reasons_with_last_cards_and_fours(state: State, best: str, other: str, said: str) -> None:
    """What they say, and that the independent check calls it true."""
    choice = Choice(view_of(state, 0), parse_move(best), parse_move(other))
    found = reasons(choice.view, choice.best, choice.other)
    assert said in found
    assert all(is_true(part, choice) for part in parts(found))


def test_nothing_is_said_of_the_last_cards_of_a_player_who_may_lay_them_one_after_the_other() -> None:
    """A 10 and a 4 can go on an ace, for the 10 burns the pile; so only a last card is told of."""
    for theirs, is_told in (("up 4c 4d", False), ("up 4c", True)):
        view = view_of(at("college", "hand 3c Ah Kd", theirs), 0)
        assert ("go out" in reasons(view, parse_move("play A"), parse_move("play 3"))) == is_told


def test_four_that_come_back_lay_nobody_out() -> None:
    """D0-37: as the last cards they are taken back, so to play them is no way out."""
    view = view_of(at("quatch-original", "hand 5c 5d 5h 5s", "hand 4c 4d"), 0)
    assert "out of cards" not in reasons(view, parse_move("play 5 5 5 5"), parse_move("play 5 5 5"))


@pytest.mark.parametrize(("rules", "seats"), [("quatch", 4), ("college", 2), ("life", 3)])
def test_a_suggestion_is_what_another_search_finds_too(rules: str, seats: int) -> None:
    """It is about as good as the best move in other worlds, and a number that it names is about right."""
    states = [state for state in some_states(table(rules, seats), 3) if state.phase == "play"]
    for state in Random(rules).sample(states, long(1, 40)):
        view = view_of(state, state.to_move or 0)
        moves = legal_moves(view, state.to_move or 0)
        if not 2 <= len(moves) <= 6 or isinstance(moves[0], Flip):
            continue
        found = explain(view, "hint", Depth(120, 4, 200))
        model = model_for(view.rules, len(view.hands))
        search = Search(view, model.value, model.moves, Random("another"))
        for move in moves:
            search.run(40, first=move)
        chances = {each.move: each.mean for each in search.run(0)}
        assert max(chances.values()) - chances[found.move] < 0.2, (found, chances, view)


OTHER = "hand 3h 4h 7h"
LONG_PILE = "3c 3d 5c 6c 6d 7c 8c 8d 9c Jc"


def hint(state: State) -> str:
    """The hint for the seat to move."""
    return glance(view_of(state, 0), Random(0)).details


@pytest.mark.parametrize("rules", ["life", "college"])
def test_a_face_down_card_is_something_to_do(rules: str) -> None:
    """If the pile may be taken by choice, "you have no other move" would be false."""
    told = hint(at(rules, "down - 4d Kh", OTHER, pile="Kc Kd"))
    assert told in {f"Turn over face-down card {slot}: any of them is as good as another." for slot in (2, 3)}


@pytest.mark.parametrize("rules", ["life", "quatch"])
def test_a_last_face_down_card_is_compared_with_no_other(rules: str) -> None:
    """Whether or not the pile may be taken by choice."""
    assert hint(at(rules, "down - - Kh", OTHER, pile="Kc Kd")) == "Turn over face-down card 3: it is the only one left."


@for_each("rules", ["quatch", "life", "college", "cathedral"])
def test_a_burn_leaves_no_pile_alone(rules: str) -> None:
    """A 10 on ten cards burns them; the reason does not say that the pile is left alone."""
    told = hint(at(rules, "hand Tc 4d / up 9h" if rules != "cathedral" else "hand Tc 4d", OTHER, pile=LONG_PILE))
    assert told.startswith("Play a 10: ")
    assert "alone" not in told


def test_three_of_a_rank_are_no_step_to_four_in_one_play() -> None:
    """In Life only four laid together burn."""
    told = hint(at("life", "hand 6c 6d 6h 9c Kh", OTHER, pile="4c", stock="3s 3d"))
    assert told.startswith("Play three 6s: ")
    assert "four" not in told


@for_each("rules", ["quatch", "life", "college"])
@for_each("up", ["9c Kd", "9c 9d Kd", "9c"])
def test_an_empty_hand_is_not_emptied(rules: str, up: str) -> None:
    """A play from the face-up row does not empty the hand."""
    assert "empties your hand" not in hint(at(rules, f"up {up} / down 3c 3d", OTHER, pile="8c"))


@for_each("rules", ["quatch", "life", "college", "cathedral"])
def test_a_reason_is_more_than_that_it_is_better(rules: str) -> None:
    """A reason says more than that a move is a little better."""
    told = hint(at(rules, "hand 7c 7d 9c", OTHER.replace("7", "8"), pile="4c", stock="3s 3d 9s"))
    assert "better" not in told


CATHEDRAL = at(
    "cathedral",
    "hand 2d 6c Jh / reserve Tc Ks Ah",
    "hand 4c 4d 4h 4s 5c 5s 7d 7h 8s Jc Qd Ad / reserve 9h Qc Ac",
    pile="5d 6d 6h 6s 8d 8h 9s As 2h 2s 3c 3d 3h",
    stock="Js 8c Td 9d 7s Kh 2c Qh 3s",
    bin="9c Qs Ts 5h 7c Jd Kc Kd Th",
)
"""Taking the pile wins 87 of 100 games that Master plays on, a play 67."""


def test_a_large_pile_is_taken_by_choice_only_if_it_helps() -> None:
    """The search alone, which stops after some plies, said the contrary in both positions."""
    assert explain(view_of(CATHEDRAL, 0), "hint").sentence.startswith("Take the pile: ")
    told = explain(view_of(large_pile(), 0), "hint").details
    assert told == "Play a 2: taking the pile would do about as well." or told.startswith("Play a 2: you need not")


def test_a_hint_does_not_say_that_the_game_is_all_but_lost() -> None:
    """The next player goes out with the ace; that would only discourage."""
    told = explain(view_of(at("quatch", "hand 3c 3d 4h 5h", "up Ah", pile="3h"), 0), "hint")
    assert "any more" not in told.details
    assert told.sentence.startswith("Play")
