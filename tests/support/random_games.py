"""Seeded random games: the same rules, seats and seed always play the same game, whatever the engine decides about it.

Besides plays by rank, the players arrange at random and now and then name the suits of what they lay. A failing law
is replayed from what its test is named after: rule set, options, seats and seed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

from engine.ai.rank_classes import EFFECTS
from engine.cards import RANKS, CardSet, card_set, cards_in
from engine.errors import InputError
from engine.events import Event
from engine.game import deal, play
from engine.legality import legal_moves, must_lay, open_zone
from engine.moves import PASS, PICK_UP, READY, Flip, Lay, Move, Pick, PickUp, Play, Swap, play_of
from engine.powers import Effect
from engine.rules import Again, Json, On, Rules
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.state import State
from tests.soak import long

SEEDS: Final = long(2, 40)
"""How many games the laws are tried with at each table."""
MOVE_CODES: Final = (
    *("bad_move", "game_over", "wrong_phase", "not_your_turn", "not_held", "zone_closed", "mixed_ranks", "too_low"),
    *("must_be_lower", "must_play_all", "one_at_a_time", "must_play", "pile_empty", "last_special", "must_lead"),
    *("cannot_pass", "must_lay", "cannot_lift"),
)
"""Every code that a move may be refused with, in the order in which the first that applies wins."""
FAST: Final[Mapping[str, Json]] = {"stalemate.quiet_plies": 60}


def power(effect: Effect, *ranks: str) -> dict[str, Json]:
    """Options that give these ranks a power and let them go on anything."""
    return {f"special.{rank}.{key}": value for rank in ranks for key, value in (("effect", effect), ("on", "any"))}


MIRROR: Final = power("mirror", "3")
SEVENS: Final[Mapping[str, Json]] = {
    "special.7.effect": "lower",
    "special.7.on": "rank-or-lower",
    "special.7.blocks": [10],
}
SKIPS: Final = power("skip", "8")
NO_DEAL: Final[Mapping[str, Json]] = {"arrange.mode": "none", "deal.down": 3, "deal.up": 3, "deal.hand": 3}


DRAWN_OTHERWISE: Final = {
    "usual.plies",
    "seats.min",
    "seats.max",
    "arrange.lay",
    "play.up_at_once",
    "stalemate.quiet_plies",
}
"""The numbers of rules that are no keys, or may not be 0 or anything in random games."""
MOST_DRAWN: Final = {"deal.down": 3, "deal.up": 3, "deal.hand": 6, "pickup.lift_up": 4}
"""The largest values of keys in random games, where it is not 5."""


class Table(NamedTuple):
    """What a random game depends on, apart from its seed."""

    rules: str
    options: str
    """As JSON."""
    seats: int

    def __str__(self) -> str:
        options = ",".join(f"{key}={value}" for key, value in json.loads(self.options).items() if key not in FAST)
        return f"{self.rules}-{self.seats}[{options}]"

    def read(self) -> Rules:
        """The rules with the options on."""
        return _rules(self)


def table(rules: str, seats: int, *options: Mapping[str, Json]) -> Table:
    """A table of these rules; games end early in a stalemate unless the options say otherwise."""
    return Table(rules, json.dumps({key: value for each in (FAST, *options) for key, value in each.items()}), seats)


PLAIN_TABLES: Final = tuple(
    table(name, seats) for name, rules in rulesets().items() for seats in range(rules.seats_min, rules.seats_max + 1)
)
"""Every rule set with every number of seats."""
EVERY_POWER: Final = table(
    DEFAULT, 3, *(power(effect, rank) for effect, rank in zip(EFFECTS, "3456789JQKA", strict=False))
)
TABLES: Final = (
    *PLAIN_TABLES,
    EVERY_POWER,
    table("quatch", 2, {"out.last_special": "eaten", "play.up_at_once": 4}),
    table("quatch", 4, SKIPS, {"play.whole_sets": True, "out.ends": "last-loser"}),
    table("quatch", 3, MIRROR, {"four.scope": "one-play", "special.2.again": "may"}),
    table("quatch-original", 2, {"four.scope": "off", "pickup.lift_up": 2}),
    table("quatch-original", 4, {"out.ends": "last-loser", "deck.copies": {}, "out.last_special": "unplayable"}),
    table("quatch-original", 3, MIRROR, SEVENS, {"four.again": "may"}),
    table("cathedral", 4, SKIPS, {"start.who": "declare", "start.lead": "must", "beat": "equal-or-higher"}),
    table("cathedral", 3, {"out.last_special": "eaten", "deal.down": 3, "play.whole_sets": True}),
    table("college", 2, MIRROR, SEVENS),
    table("college", 4, MIRROR, SEVENS, {"start.turn_up": True, "out.ends": "last-loser", "pickup.lift_up": 4}),
    table("college", 3, SEVENS, {"beat": "higher", "special.10.on": "rank", "out.last_special": "eaten"}),
    table("life", 2, {"four.scope": "in-a-row", "out.ends": "first"}),
    table("life", 4, SKIPS, MIRROR, {"start.second": "next-lowest", "start.turn_up": True}),
    table("life", 3, NO_DEAL, {"play.whole_sets": True, "pickup.by_choice": False, "play.up_at_once": 2}),
)
"""The plain tables, every power at one table, and mixes that use every value of every key."""


def house_rules(seed: int) -> Table:
    """A table whose rules are drawn: any value of any key, as long as they can go together."""
    rng = Random(f"house rules {seed}")
    while True:
        at = table(rng.choice(list(rulesets())), rng.randint(2, 4), _drawn_options(rng))
        with suppress(InputError):
            deal(at.read(), at.seats, "")
            return at


class Step(NamedTuple):
    """One move of a game: the state before it, its seat, and what came of it."""

    state: State
    seat: int
    move: Move
    after: State
    events: Sequence[Event]


@dataclass(frozen=True)
class Game:
    """A whole game: the deal, and every move up to its end."""

    table: Table
    seed: str
    dealt: State
    steps: tuple[Step, ...]

    @property
    def states(self) -> Iterator[State]:
        """Every state, the deal first."""
        yield self.dealt
        yield from (step.after for step in self.steps)


@cache
def random_game(at: Table, seed: str) -> Game:
    """The game that this seed plays at this table, to its end or to the bound of `most_plies`."""
    rng = Random(f"{at}:{seed}")
    dealt, _ = deal(at.read(), at.seats, seed)
    state, steps = dealt, list[Step]()
    while state.phase != "over" and len(steps) < most_plies(dealt.rules):
        seat, move = random_move(state, rng)
        after, events = play(state, seat, move)
        steps.append(Step(state, seat, move, after, events))
        state = after
    return Game(at, seed, dealt, tuple(steps))


def some_states(at: Table, every: int) -> list[State]:
    """States of games at a table: all of the arranging, and one of so many of the rest."""
    games = range(SEEDS if at in TABLES else 1)
    states = [state for seed in games for state in random_game(at, str(seed)).states]
    return [state for number, state in enumerate(states) if state.phase == "arrange" or number % every == 0]


def random_move(state: State, rng: Random) -> tuple[int, Move]:
    """A seat that has something to decide, and a legal move of it."""
    return _arranging(state, rng) if state.phase == "arrange" else _playing(state, rng)


def most_plies(rules: Rules) -> int:
    """The bound of G-03: no card leaves the stock, a table row or the game twice, and no seat goes out twice."""
    return (3 * 52 + rules.seats_max) * rules.stalemate_quiet_plies


def redealt(state: State, viewer: int | None, rng: Random, keep: CardSet = 0) -> State:
    """The same state to the eyes of this viewer (None: a spectator): all that they cannot see is dealt anew.

    The cards to ``keep`` stay where they are: those that the next move is going to show.
    """
    hidden = card_set(state.stock) | card_set(card for row in state.downs for card in row if card is not None)
    laying = state.phase == "arrange" and state.rules.arrange_mode == "lay-up"
    for seat in range(len(state.hands)):
        if seat != viewer:
            hidden |= (
                (state.hands[seat] & ~state.public_hands[seat])
                | state.reserves[seat]
                | (state.ups[seat] if laying else 0)
            )
    cards = list(cards_in(hidden & ~keep))
    to = dict(zip(cards, rng.sample(cards, len(cards)), strict=True))

    def changed(zone: CardSet) -> CardSet:
        return card_set(to.get(card, card) for card in cards_in(zone))

    other = state.copy()
    other.hands = [changed(zone) for zone in state.hands]
    other.ups = [changed(zone) for zone in state.ups]
    other.reserves = [changed(zone) for zone in state.reserves]
    other.downs = [tuple(card if card is None else to.get(card, card) for card in row) for row in state.downs]
    other.stock = [to.get(card, card) for card in state.stock]
    other.luck = tuple(rng.sample(state.luck, len(state.luck)))
    return other


def plausible_moves(state: State, seat: int) -> list[Move]:
    """What one might try: every rank and count, every slot, and what is said at other times or in other games."""
    ranks = [Pick(rank) for rank in range(len(RANKS))]
    mixed = [Play((one, other)) for one, other in pairwise(ranks)]
    return [
        *(play_of(pick.rank, n) for pick in ranks for n in range(1, 6)),
        *mixed,
        *(Flip(slot) for slot in range(-1, len(state.downs[seat]) + 1)),
        PICK_UP,
        *(PickUp((pick,) * n) for pick in ranks for n in range(1, 5)),
        PickUp((ranks[0], ranks[1])),
        PASS,
        READY,
        Swap(ranks[2], ranks[3]),
        Lay(tuple(ranks[:3])),
        Lay((ranks[0],)),
    ]


def _drawn_options(rng: Random) -> dict[str, Json]:
    kinds = {name.replace("_", ".", 1): kind for name, kind in get_type_hints(Rules).items()}
    options: dict[str, Json] = {
        key: rng.choice(get_args(kind)) for key, kind in kinds.items() if get_origin(kind) is Literal
    }
    options |= {key: rng.random() < 0.5 for key, kind in kinds.items() if kind is bool}
    for key in (key for key, kind in kinds.items() if kind is int and key not in DRAWN_OTHERWISE):
        options[key] = rng.randint(0, MOST_DRAWN.get(key, 5))
    options |= {"arrange.lay": rng.randint(1, 4), "play.up_at_once": rng.randint(1, 4)}
    options["deck.copies"] = {rank: rng.randint(0, 4) for rank in rng.sample("23456789JQKA", rng.randint(0, 5))}
    for rank in rng.sample("23456789TJQKA", rng.randint(0, 6)):
        options[f"special.{rank}.effect"] = rng.choice(EFFECTS)
        options[f"special.{rank}.on"] = rng.choice(get_args(On))
        options[f"special.{rank}.again"] = rng.choice(get_args(Again))
        options[f"special.{rank}.blocks"] = rng.sample("23456789TJQKA", rng.randint(0, 2))
    return options


@cache
def _rules(at: Table) -> Rules:
    return ruleset(at.rules).with_options(json.loads(at.options))


def _arranging(state: State, rng: Random) -> tuple[int, Move]:
    seat = rng.choice([seat for seat, ready in enumerate(state.ready) if not ready])
    rules, hand, up = state.rules, list(cards_in(state.hands[seat])), list(cards_in(state.ups[seat]))
    if rules.arrange_mode == "swap" and hand and up and rng.random() < 0.5:
        return seat, Swap(_pick(rng.choice(hand), rng), _pick(rng.choice(up), rng))
    if must_lay(state, seat) or (rules.arrange_mode in {"lay-up", "lay-reserve"} and rng.random() < 0.3):
        held = [*hand, *(up if rules.arrange_mode == "lay-up" else cards_in(state.reserves[seat]))]
        return seat, Lay(tuple(_pick(card, rng) for card in rng.sample(held, rules.arrange_lay)))
    return seat, READY


def _playing(state: State, rng: Random) -> tuple[int, Move]:
    """A random legal move of the seat to move, mostly one that lays cards, so that games get somewhere."""
    seat = state.to_move
    assert seat is not None
    moves = legal_moves(state, seat)
    laying = [move for move in moves if isinstance(move, Play | Flip)]
    cheap = laying[: 1 + len(laying) // 3] if rng.random() < 0.5 else laying
    move = rng.choice(cheap if cheap and rng.random() < 0.9 else moves)
    return seat, _named(state, seat, move, rng) if isinstance(move, Play) and rng.random() < 0.2 else move


def _named(state: State, seat: int, move: Play, rng: Random) -> Play:
    """The same play with the suits of some of its cards said."""
    rank = move.picks[0].rank
    held = [card for card in cards_in(open_zone(state, seat)[0]) if card >> 2 == rank]
    return Play(tuple(_pick(card, rng) for card in rng.sample(held, len(move.picks))))


def _pick(card: int, rng: Random) -> Pick:
    return Pick(card >> 2, card if rng.random() < 0.7 else None)
