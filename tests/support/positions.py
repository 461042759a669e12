"""Positions in tests, as short as one says them aloud.

A seat is a line of zones, ``"hand 7c 7d / up Kh / down 9c - Ac / reserve 3c"``, where ``-`` is an empty slot. Moves are
the text a player types. What a zone holds is read back as text too, lowest card first: ``hand(state) == "7c Kh"``.
"""

from typing import Any, Final, Literal, TypeAlias

import pytest

from engine.cards import RANKS
from engine.errors import Refused
from engine.game import deal, play
from engine.legality import legal_moves
from engine.moves import parse_move
from engine.protocol.position_json import position_from_json, position_json
from engine.protocol.view_json import view_json
from engine.rules import Json
from engine.rulesets import ruleset
from engine.state import State
from engine.view import View, view_of

Zone: TypeAlias = Literal["hand", "up", "down", "reserve"]
OTHER: Final = "hand 3s 4s 5s"
"""A seat that the test is not about."""


def at(rules: str, *seats: str, **rest: Json) -> State:
    """A position with these seats. ``pile``, ``stock`` and ``bin`` are texts of cards (engine/protocol/README.md).

    The first card of ``stock`` is drawn first, and the last one of ``pile`` is its top.
    """
    lists: dict[str, Json] = {key: str(rest.pop(key)).split() for key in ("pile", "stock", "bin") if key in rest}
    return position_from_json({"rules": rules, "seats": [_seat(text) for text in seats], **lists, **rest})


def _seat(text: str) -> dict[str, Json]:
    zones = (zone.split() for zone in text.split("/"))
    return {name: [None if card == "-" else card for card in cards] for name, *cards in zones}


def usual_view(
    rules: str = "quatch", seat: str = "hand 7c 7d 7h Kh Ts 2s / up 4c / down 9c 9d 9h", phase: str = "play"
) -> View:
    """What the seat to move sees."""
    return view_of(at(rules, seat, "hand 3c 4h / down 8c", pile="4d 5d" if phase == "play" else "", phase=phase), 0)


def large_pile() -> State:
    """A position in Life: taking the pile wins 15 of 100 games that Master plays on, and a 2 wins 37."""
    return at(
        "life",
        "hand 2h 8c 9h / up 5c 7d Ah / down 3h Qs 5h",
        "hand Th Jc Jd / up 5s Ks Ad / down 2s 8h 6h",
        pile="3d 3c 3s 8d 9c 9d 2c Kc 7s 6d 6s 6c Jh Qd Kd 2d 4c Ac As 7c",
        stock="8s Td Js 7h Kh",
        bin="4h 4d 4s 9s Qc Qh 5d Tc Ts",
    )


def dealt(rules: str, seats: int = 2, seed: str = "a seed", dealer: int | None = None, **options: Json) -> State:
    """A game just dealt; options with ``_`` for the dot: ``deal_hand=2``."""
    dotted = {key.replace("_", ".", 1): value for key, value in options.items()}
    return deal(ruleset(rules).with_options(dotted), seats, seed, dealer)[0]


def luck(rules: str, seats: int, seed: str) -> Json:
    """What a deal from this seed draws for ties, to be given to `at`."""
    return position_json(dealt(rules, seats, seed))["luck"]


def after(state: State, *moves: str, seat: int | None = None) -> State:
    """The state after these moves, each by the seat to move or all by the seat named."""
    for move in moves:
        state, _ = play(state, _mover(state, seat), parse_move(move))
    return state


def kinds(state: State, move: str) -> list[str]:
    """The kinds of the events of a move by the seat to move, in order."""
    return [event.kind for event in play(state, _mover(state, None), parse_move(move))[1]]


def all_ready(state: State) -> State:
    """The state once every seat has said ready."""
    for seat in range(len(state.hands)):
        state = after(state, "ready", seat=seat)
    return state


def refused(state: State, move: str, seat: int | None = None) -> tuple[str, str | None]:
    """The code and the clause with which this move is refused."""
    with pytest.raises(Refused) as caught:
        after(state, move, seat=seat)
    return caught.value.code, caught.value.clause


def legal(state: State, seat: int | None = None) -> list[str]:
    """What the seat to move (or the seat named) may do, as text; nothing when the game is over."""
    if state.phase == "over":
        return []
    return [str(move) for move in legal_moves(state, _mover(state, seat))]


def _mover(state: State, seat: int | None) -> int:
    found = state.to_move if seat is None else seat
    return 0 if found is None else found


def winner(state: State) -> int | None:
    """The seat that has won; None before."""
    return None if state.outcome is None else state.outcome.winner


def hand(state: State, seat: int = 0) -> str:
    """The hand of a seat."""
    return _zone(position_json(state), "hand", seat)


def up(state: State, seat: int = 0) -> str:
    """The face-up cards of a seat."""
    return _zone(position_json(state), "up", seat)


def down(state: State, seat: int = 0) -> str:
    """The face-down slots of a seat, in their order."""
    return _zone(position_json(state), "down", seat)


def reserve(state: State, seat: int = 0) -> str:
    """The reserve of a seat."""
    return _zone(position_json(state), "reserve", seat)


def zone_seen(state: State, zone: Zone, *, of: int, by: int | None) -> str:
    """A zone of one seat as another seat, or a spectator (None), sees it: ``??`` is a hidden card."""
    return _zone(view_json(view_of(state, by)), zone, of)


def pile(state: State) -> str:
    """The pile, top last."""
    return _cards(state, "pile")


def binned(state: State) -> str:
    """The bin, in the order in which cards went there."""
    return _cards(state, "bin")


def stock(state: State) -> str:
    """The stock, next card first."""
    return _cards(state, "stock")


def pack(state: State) -> list[str]:
    """Every card of the game, wherever it is."""
    zones = (hand, up, down, reserve)
    held = [zone(state, seat) for zone in zones for seat in range(len(state.hands))]
    return " ".join([pile(state), binned(state), stock(state), *held]).replace("-", "").split()


def _cards(state: State, key: str) -> str:
    whole: Any = position_json(state)
    return " ".join(whole[key])


def _zone(position: Any, zone: Zone, seat: int) -> str:  # noqa: ANN401 - JSON
    cards = [card or "-" for card in position["seats"][seat][zone]]
    return " ".join(cards if zone == "down" else sorted(cards, key=_by_rank))


def _by_rank(card: str) -> tuple[int, str]:
    return RANKS.find(card[0]), card[1]
