"""AI players in all kinds of positions: their moves are legal, ignore hidden cards, and are reproducible."""

from random import Random

import pytest
from msgspec import structs

from engine.ai import LEVELS, STYLES, AIPlayer, player, player_named
from engine.ai.weights import model_for
from engine.ai.worlds import Worlds
from engine.game import deal, play
from engine.legality import legal_moves, refusal
from engine.moves import Flip, PickUp
from engine.rulesets import rulesets
from engine.state import State
from engine.view import view_of
from tests.soak import long
from tests.support.each import for_each
from tests.support.laws import with_every_table
from tests.support.positions import OTHER, at
from tests.support.random_games import SEEDS, TABLES, Table, house_rules, most_plies, redealt, some_states

FEW_SIMULATIONS = 6
"""Enough to see that a search is legal and honest."""
PLAYERS: dict[str, AIPlayer] = {level: player(level, simulations=FEW_SIMULATIONS) for level in LEVELS}

at_every_table = with_every_table("table", 6 * SEEDS)
at_every_level = pytest.mark.parametrize("level", PLAYERS)


def choosing(state: State) -> list[int]:
    """The seats that have something to decide."""
    if state.phase == "arrange":
        return [seat for seat, ready in enumerate(state.ready) if not ready]
    return [] if state.to_move is None else [state.to_move]


@at_every_table
@at_every_level
def test_moves_are_legal_and_do_not_depend_on_hidden_cards(table: Table, level: str) -> None:
    """A level makes a legal move, and the same one after all cards that it cannot see are dealt again."""
    rng = Random(str(table))
    for number, state in enumerate(some_states(table, long(29, 5))[:: long(6, 1)]):
        for seat in choosing(state):
            move = PLAYERS[level](view_of(state, seat), Random(number))
            assert refusal(state, seat, move) is None, str(move)
            assert state.phase == "arrange" or move in legal_moves(state, seat)
            assert PLAYERS[level](view_of(redealt(state, seat, rng), seat), Random(number)) == move


@for_each("table", [*TABLES[:: long(2, 1)], *map(house_rules, range(3 * SEEDS))])
def test_players_finish_their_games(table: Table) -> None:
    """Mixed levels and styles end arranging, and end their game."""
    rng = Random(str(table))
    levels = [rng.choice([*LEVELS]) for _ in range(table.seats)]
    players = [player(level, rng.choice([*STYLES]), simulations=FEW_SIMULATIONS) for level in levels]
    state, _ = deal(table.read(), table.seats, "levels")
    for _ in range(100 + most_plies(state.rules)):
        seat = choosing(state)[0]
        state, _ = play(state, seat, players[seat](view_of(state, seat), rng))
        if state.phase == "over":
            break
    assert state.phase == "over"


DECK = [f"{rank}{suit}" for rank in "3456789JQKA" for suit in "cdhs"]
ODD_POSITIONS = {
    "44 cards in a hand": at("quatch", f"hand {' '.join(DECK[:-1])} 2c", "up Th", pile="As"),
    "one card left": at("quatch", "down 4c", "down 5c", pile="Kh"),
    "one card left, which may not be the last": at("quatch", "hand 2c", OTHER),
    "everything eaten": at("life", f"hand {' '.join(DECK)}", "down 2c 2d 2h"),
    "hardly a card in the deck": at("college", "hand 3c", "hand 4c", "hand 5c"),
    "only lifting is left": at("life", "up 4c 4d 6c", "hand 3s", pile="Kh"),
    "a bonus turn to decline": at("life", "hand 4c 4d", "hand 3s", pile="3h", may_pass=True),
    "no card of the deck unseen": at("cathedral", f"hand {' '.join(DECK)}", "hand 2c 2d", pile="Th"),
    "quiet to the last ply": at("quatch", "hand 8c Kc", OTHER, pile="6h", quiet=199),
}


@at_every_level
@for_each("odd", ODD_POSITIONS)
def test_odd_positions_have_a_move(odd: str, level: str) -> None:
    """A level finds a legal move in positions that only house rules or a given position can lead to."""
    state = ODD_POSITIONS[odd]
    for style in STYLES:
        move = player(level, style, simulations=FEW_SIMULATIONS)(view_of(state, 0), Random(1))
        assert refusal(state, 0, move) is None


@at_every_level
@for_each("rules", ["college", "life"])
def test_a_seat_with_only_face_down_cards_turns_one(level: str, rules: str) -> None:
    """Even if the pile may be taken instead: that only delays the flip, and costs one game in seven."""
    view = view_of(at(rules, "down 3c 4c 5c", "hand 3s 4s / down 6c", pile="Jd"), 0)
    assert any(isinstance(move, PickUp) for move in legal_moves(view, 0))
    moves = [PLAYERS[level](view, Random(seed)) for seed in range(40)]

    # All but for a rare slip.
    assert sum(isinstance(move, Flip) for move in moves) >= 38


@at_every_level
def test_impossible_views_have_a_move(level: str) -> None:
    """For example if others hold more cards than the deck has, or if a card lies in two places."""
    possible = view_of(at("quatch", "hand 8c 9c Kc", OTHER, pile="6h", stock="8d 9d"), 0)
    view = structs.replace(possible, stock_left=99, bin=possible.pile * 3)

    assert PLAYERS[level](view, Random(1)) in legal_moves(view, 0)


@at_every_level
def test_the_same_view_and_seed_make_the_same_move(level: str) -> None:
    """Only the view and the generator decide, however often a level was asked before."""
    state = at("quatch", "hand 8c 8d 9c Kc / up Qc Ac / down 3c", f"{OTHER} / down 3d", pile="6h 7h", stock="8h 9d")
    view = view_of(state, 0)
    moves = [player(level)(view, Random(seed)) for seed in (1, 2, 1, 2)]

    assert moves[:2] == moves[2:]


@for_each("rules", rulesets())
@for_each("seats", [2, 4])
def test_worlds_look_as_the_view_does(rules: str, seats: int) -> None:
    """The view of every world is the view that it was made from."""
    table = next(each for each in TABLES if (each.rules, each.seats) == (rules, seats))
    for state in some_states(table, 7):
        for seat in choosing(state) if state.phase == "play" else []:
            view = view_of(state, seat)
            world = Worlds(view).draw(Random(1))
            world.public_hands, world.declined = list(view.public_hands), list(view.declined)
            assert view_of(world, seat) == view


def test_cards_picked_up_in_the_open_are_not_forgotten() -> None:
    """In every world the next seat still holds what everybody saw it take."""
    state = at("quatch", "hand 5c 5d 8c", "hand 3s 4s", pile="Kh Ah", stock="9c 9d Jc Jd", to_move=1)
    taken, _ = play(state, 1, legal_moves(state, 1)[0])
    worlds = Worlds(view_of(taken, 0))
    aces = [worlds.draw(Random(seed)).hands[1] & taken.public_hands[1] for seed in range(20)]

    assert set(aces) == {taken.public_hands[1]} != {0}


def test_worlds_that_know_what_was_declined_deal_it_to_nobody_who_declined_it() -> None:
    """Seat 1 could not lay anything on a king, so its hidden cards are none that go there; other worlds do not care."""
    state = at("quatch", "hand 5c 5d 8c", "hand 3s 4s 6h 7h", pile="Kh", stock="", to_move=1)
    taken, _ = play(state, 1, legal_moves(state, 1)[0])
    view = view_of(taken, 0)

    def declined_cards(*, know_declined: bool) -> int:
        worlds = Worlds(view, know_declined=know_declined)
        return sum(
            (worlds.draw(Random(seed)).hands[1] & ~view.public_hands[1] & view.declined[1]) != 0 for seed in range(50)
        )

    assert declined_cards(know_declined=True) == 0 < declined_cards(know_declined=False)


@for_each("text", ["", "harder", "hard/nobody", "master@", "master@0", "master@x", "master@9999999"])
def test_unknown_players_are_refused(text: str) -> None:
    """An unknown level or style or a wrong number of simulations is an error that says what is possible."""
    with pytest.raises(ValueError, match=r": (type|write) |, with "):
        player_named(text)


def test_models_are_shared_by_equal_rules() -> None:
    """The same rules share their tables."""
    rules = rulesets()["quatch"]

    assert model_for(rules, 2) is model_for(rules, 2)
