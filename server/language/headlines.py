"""What a room of people wants to hear of a table: a few words for each event that is worth turning round for."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine import events as game
from engine.wording.phrases import quantity
from server.language.event_text import place_text
from server.language.seat_names import SeatNames
from server.table import table_events as table
from server.table.snapshot import Snapshot

BIG_PILE: Final = 6
"""From so many cards on, a pile that is picked up or burned is news."""


def headlines(events: Sequence[game.Event], snapshot: Snapshot) -> Iterator[str]:
    """The headlines for these events, without a full stop; most events make none.

    ``snapshot`` is a spectator's, so that no headline can tell a hidden card.
    """
    who = SeatNames(snapshot)
    for event in events:
        match event:
            case game.Burned(seat, count) if count >= BIG_PILE:
                yield f"{who.name(seat)} burns {quantity(count, 'card')}"
            case game.PickedUp(seat, cards) if len(cards) >= BIG_PILE:
                yield f"{who.name(seat)} picks up {quantity(len(cards), 'card')}"
            case table.LastCard(seat):
                yield f"{who.name(seat)} has one card left"
            case game.WentOut(seat, place):
                yield f"{who.name(seat)} is out of cards, {place_text(place)}"
            case game.GameOver(winner):
                yield "the game is drawn" if winner is None else f"{who.name(winner)} wins the game"
            case table.GameBegan():
                yield f"a new game: {who.everybody}"
            case table.SatDown(_, name, None):
                yield f"{name} sits down"
