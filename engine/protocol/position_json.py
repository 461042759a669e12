"""Positions as JSON, written, and read with every field checked (see `README.md` beside this file)."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.cards import RANK_NAMES, Card, CardSet, Rank, card_from, card_name, card_set, cards_in, rank_from, ranks_in
from engine.errors import BadPosition
from engine.pile import add_to_pile
from engine.position import Phase
from engine.protocol.view_json import card_names, public_json
from engine.rank_powers import powers_of
from engine.rules import Json, Rules
from engine.rulesets import DEFAULT, ruleset
from engine.state import Outcome, Slots, State
from engine.wording.phrases import quantity

_CARD_LISTS: Final = ("stock", "pile", "bin")
_SEAT_KEYS: Final = frozenset({"hand", "up", "down", "reserve", "ready"})
_KEYS: Final = frozenset(
    {*_CARD_LISTS, "rules", "options", "phase", "seats", "order", "to_move", "must_lead", "may_pass"}
    | {"quiet", "places", "outcome", "luck"}
)


def position_json(state: State) -> dict[str, Json]:
    """The whole position as JSON, hidden cards included: for the referee and for records, never for a player."""
    return {
        **public_json(state),
        "stock": card_names(reversed(state.stock)),
        "seats": [
            {
                "hand": card_names(cards_in(state.hands[seat])),
                "up": card_names(cards_in(state.ups[seat])),
                "down": [None if card is None else card_name(card) for card in state.downs[seat]],
                "reserve": card_names(cards_in(state.reserves[seat])),
                "ready": state.ready[seat],
            }
            for seat in range(len(state.hands))
        ],
        "luck": ",".join(map(str, state.luck)),
    }


def position_from_json(source: Mapping[str, Json]) -> State:
    """Read a position; `README.md` says what a key that is left out means.

    Raises:
        InputError: bad_position, unknown_rules or bad_option; the message names the key.
    """
    if unknown := sorted(set(source) - _KEYS):
        raise BadPosition(f"{unknown[0][:40]!r}: no such key of a position")
    seats = [_table(seat, f"seats[{n}]") for n, seat in enumerate(_list(source, "seats"))]
    phase = _phase(source.get("phase", "play"))
    places = _seats(source, "places", (), len(seats))
    order = _seats(source, "order", tuple(n for n in range(len(seats)) if n not in places), len(seats))
    fields: dict[str, Any] = {
        "hands": [card_set(_cards(seat, "hand")) for seat in seats],
        "ups": [card_set(_cards(seat, "up")) for seat in seats],
        "downs": [_slots(seat) for seat in seats],
        "reserves": [card_set(_cards(seat, "reserve")) for seat in seats],
        "stock": _cards(source, "stock")[::-1],
        "bin": _cards(source, "bin"),
        "phase": phase,
        "ready": [_flag(seat, "ready") for seat in seats],
        "order": order,
        "to_move": _to_move(source, phase, order),
        "must_lead": _lead(source.get("must_lead")),
        "may_pass": _flag(source, "may_pass"),
        "quiet": _number(source, "quiet"),
        "places": places,
        "outcome": _outcome(source.get("outcome"), len(seats)),
        "luck": _luck(source, len(seats)),
        "public_hands": [0] * len(seats),
        "declined": [0] * len(seats),
    }
    pile = _cards(source, "pile")
    cards = _all_cards(source, seats)
    rules = _rules(source)
    if not rules.seats_min <= len(seats) <= rules.seats_max:
        raise BadPosition(f"seats: {rules.name} is for {rules.seats_min} to {rules.seats_max}, not {len(seats)}")
    state = State(rules=rules, powers=powers_of(rules), **fields)
    for card in pile:
        add_to_pile(state, (card,))
    _check_deck(cards, rules)
    _check_turns(state)
    return state


def _rules(source: Mapping[str, Json]) -> Rules:
    name, options = source.get("rules", DEFAULT), source.get("options", {})
    if not isinstance(name, str):
        raise BadPosition("rules: must be the name of a rule set")
    if not isinstance(options, dict):
        raise BadPosition("options: must be an object of dotted keys")
    return ruleset(name).with_options(options)


def _table(value: Json, where: str) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise BadPosition(f"{where}: must be an object")
    if unknown := sorted(set(value) - _SEAT_KEYS):
        raise BadPosition(f"{where}: no such key of a seat: {unknown[0][:40]!r}")
    return value


def _list(source: Mapping[str, Json], key: str) -> list[Json]:
    value = source.get(key, [])
    if not isinstance(value, list):
        raise BadPosition(f"{key}: must be a list")
    return value


def _phase(value: Json) -> Phase:
    match value:
        case "arrange" | "play" | "over":
            return value
    raise BadPosition("phase: must be arrange, play or over")


def _lead(value: Json) -> Rank | None:
    rank = rank_from(value) if isinstance(value, str) else None
    if rank is None and value is not None:
        raise BadPosition("must_lead: must be a rank or null")
    return rank


def _cards(source: Mapping[str, Json], key: str) -> list[Card]:
    return [_card(item, key) for item in _list(source, key)]


def _card(item: Json, key: str) -> Card:
    card = card_from(item) if isinstance(item, str) else None
    if card is None:
        raise BadPosition(f"{key}: {str(item)[:20]!r} is no card")
    return card


def _slots(seat: Mapping[str, Json]) -> Slots:
    return tuple(None if item is None else _card(item, "down") for item in _list(seat, "down"))


def _seats(source: Mapping[str, Json], key: str, default: tuple[int, ...], count: int) -> tuple[int, ...]:
    if key not in source:
        return default
    found = [
        _checked(item, lambda item: 0 <= item < count, f"{key}: seats are 0 to {count - 1}")
        for item in _list(source, key)
    ]
    if len(set(found)) < len(found):
        raise BadPosition(f"{key}: names a seat twice")
    return tuple(found)


def _checked(value: Json, good: Callable[[int], bool], problem: str) -> int:
    if type(value) is not int or not good(value):
        raise BadPosition(problem)
    return value


def _number(source: Mapping[str, Json], key: str) -> int:
    return _checked(source.get(key, 0), lambda value: value >= 0, f"{key}: must be a whole number from 0")


def _flag(source: Mapping[str, Json], key: str) -> bool:
    value = source.get(key, False)
    if not isinstance(value, bool):
        raise BadPosition(f"{key}: must be true or false")
    return value


def _to_move(source: Mapping[str, Json], phase: str, order: tuple[int, ...]) -> int | None:
    default = 0 if 0 in order or not order else order[0]
    value = source.get("to_move", default if phase == "play" else None)
    if phase != "play":
        if value is not None:
            raise BadPosition(f"to_move: must be null while the phase is {phase}")
        return None
    return _checked(value, lambda seat: seat in order, "to_move: must be a seat of the order")


def _outcome(value: Json, count: int) -> Outcome | None:
    match value:
        case None:
            return None
        case {"kind": "won", "winner": int(winner), **rest} if not rest and type(winner) is int and 0 <= winner < count:
            return Outcome(winner)
        case {"kind": "drawn", "seats": list() as seats, **rest} if not rest:
            return Outcome(None, _seats({"outcome": seats}, "outcome", (), count))
    raise BadPosition('outcome: must be null, {"kind":"won","winner":2} or {"kind":"drawn","seats":[0,1]}')


def _luck(source: Mapping[str, Json], count: int) -> tuple[int, ...]:
    text = source.get("luck", "")
    if not isinstance(text, str):
        raise BadPosition("luck: must be text that a deal gave")
    order = tuple(text.split(",")) if text else ()
    if order and sorted(order) != sorted(map(str, range(count))):
        raise BadPosition("luck: must be the text of a deal for this many seats")
    return tuple(map(int, order))


def _all_cards(source: Mapping[str, Json], seats: list[dict[str, Json]]) -> CardSet:
    """Every card of a position. Raises BadPosition if a card is there twice."""
    cards = [card for key in _CARD_LISTS for card in _cards(source, key)]
    for seat in seats:
        cards += [card for key in ("hand", "up", "reserve") for card in _cards(seat, key)]
        cards += [card for card in _slots(seat) if card is not None]
    found: CardSet = 0
    for card in cards:
        if found >> card & 1:
            raise BadPosition(f"the card {card_name(card)} is there twice")
        found |= 1 << card
    return found


def _check_deck(cards: CardSet, rules: Rules) -> None:
    for rank, copies in ranks_in(cards):
        if copies > rules.deck_copies[rank]:
            raise BadPosition(
                f"{quantity(copies, 'card')} of rank {RANK_NAMES[rank]}: the deck has {rules.deck_copies[rank]}"
            )


def _check_turns(state: State) -> None:
    if set(state.order) & set(state.places):
        raise BadPosition("order: names a seat that has gone out")
    if state.phase != "over":
        if not state.order:
            raise BadPosition("order: must name at least one seat while the game goes on")
        for seat in state.order:
            if not state.cards_of(seat):
                raise BadPosition(f"order: seat {seat} has no cards")
    if state.must_lead is not None and state.to_move is not None:
        held = state.hands[state.to_move] | state.ups[state.to_move]
        if not any(rank == state.must_lead for rank, _ in ranks_in(held)):
            raise BadPosition("must_lead: the seat to move has no such card")
