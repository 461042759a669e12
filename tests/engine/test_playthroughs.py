"""One game of each rule set, ply by ply with what every seat sees, so that a change of rules shows as a readable diff.

After an intended change `make goldens` writes them again.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from engine.cards import card_name, cards_in
from engine.game import deal, play
from engine.legality import legal_moves
from engine.moves import Lay, Move, Pick, Play
from engine.protocol.view_json import view_json
from engine.rules import Json
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from tests.support.each import for_each

GOLDEN = Path(__file__).parent.parent / "golden"
SEATS = 3


def told(name: str) -> Iterator[str]:
    """A whole game in lines: what happens, and after each ply what each seat and a spectator know."""
    state, _ = deal(ruleset(name), SEATS, f"golden {name}")
    yield f"{state.rules.title}, {SEATS} seats, seed 'golden {name}'"
    yield from views(state)
    ply = 0
    while state.phase != "over":
        seat = state.ready.index(False) if state.phase == "arrange" else state.to_move or 0
        move = first_choice(state, seat, ply)
        state, events = play(state, seat, move)
        ply += 1
        yield f"{ply}. seat {seat}: {move}"
        yield from (f"     {words(event.to_json())}" for event in events)
        yield from views(state)


def first_choice(state: State, seat: int, ply: int) -> Move:
    """A player without a mind of its own: ordinary cards before specials, low before high, all copies together."""
    legal = legal_moves(state, seat)
    if not legal:
        lowest = list(cards_in(state.hands[seat]))[: state.rules.arrange_lay]
        return Lay(tuple(Pick(card >> 2, card) for card in lowest))
    plays = [move for move in legal if isinstance(move, Play)]
    if not plays:
        return legal[ply % len(legal)]
    return min(
        plays, key=lambda move: (move.picks[0].rank in state.rules.special, move.picks[0].rank, -len(move.picks))
    )


def views(state: State) -> Iterator[str]:
    """What all may know, in the first line; then what each seat knows besides."""
    public = view_json(view_of(state, None))
    pile = " ".join(map(card_name, state.pile)) or "-"
    yield f"     pile {pile}   stock {public['stock']}   bin {len(state.bin)}"
    yield "     " + " | ".join(words(seat) for seat in _seats(public))
    for viewer in range(SEATS):
        own = view_json(view_of(state, viewer))
        changed = [words(mine) for mine, theirs in zip(_seats(own), _seats(public), strict=True) if mine != theirs]
        yield f"     {viewer} knows {' | '.join(changed) or 'no more'}"


def _seats(view: dict[str, Json]) -> list[Json]:
    seats = view["seats"]
    assert isinstance(seats, list)
    return seats


def words(fields: Json) -> str:
    """A JSON object as short text; empty parts are left out."""
    assert isinstance(fields, dict)
    parts = []
    for key, value in fields.items():
        if isinstance(value, list):
            value = " ".join("--" if item is None else str(item) for item in value)  # noqa: PLW2901
        if value not in ("", None, False, 0) or key in {"seat", "winner"}:
            parts.append(f"{key} {value}")
    return ", ".join(parts)


@for_each("name", rulesets())
def test_a_game_goes_as_it_always_went(name: str) -> None:
    """Same seed, same moves, same events, same views: as the file says."""
    file = GOLDEN / f"{name}.txt"
    text = "\n".join(told(name)) + "\n"
    if os.environ.get("GOLDENS") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text()
