"""What a player calls each seat in sentences: "You" for their own, others by name."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.wording.phrases import listed
from server.records.scoring import places_by_cards
from server.table.snapshot import Snapshot

PLACES: Final = ("first", "second", "third", "fourth")


class SeatNames:
    """What this player calls each seat: "You" for their own, unless an AI player plays it at that moment."""

    def __init__(self, snapshot: Snapshot, played_for: Iterable[int] = ()) -> None:
        self._snapshot = snapshot
        self._played_for = played_for
        self.me = snapshot.seat
        self.my_name = "" if self.me is None else snapshot.name(self.me)
        self.count = len(snapshot.sitters)
        self.rules = snapshot.rules

    @property
    def everybody(self) -> str:
        """All players: this one, the other persons, the AI players."""
        sitters = self._snapshot.sitters
        ai = [sitter.name for sitter in sitters if sitter and sitter.is_ai]
        people = [self.name(seat) for seat in mine_first(self._snapshot) if self._snapshot.name(seat) not in ai]
        machines = f"{'AI player' if len(ai) == 1 else 'AI players'} {listed(ai, 'and')}" if ai else ""
        return " with ".join(filter(None, [listed(people, "and"), machines]))

    def came_in(self, seats: Sequence[int]) -> str:
        """The player's place in a game that another has won."""
        if self.me in seats:
            return f"You are {ordinal(seats.index(self.me) + 1)}"
        view = self._snapshot.view
        occasion = self._snapshot.occasion
        if occasion is not None and occasion.by_cards and view is not None and self.me is not None:
            places = places_by_cards([view.cards_of(seat) for seat in range(self.count)])
            return f"You are {ordinal(places[self.me])} by the cards left"
        others = [self.name(seat) for seat in range(self.count) if seat not in {*seats, self.me}]
        return f"You share second place with {listed(others, 'and')}"

    def is_me(self, seat: int) -> bool:
        """Whether it is the player's own seat."""
        return seat == self.me

    def name(self, seat: int) -> str:
        """As in "to you"."""
        return "you" if self.is_me(seat) else self._snapshot.name(seat)

    def subject(self, seat: int) -> str:
        """As in "You are"."""
        return "You" if self.is_me(seat) else self._snapshot.name(seat)

    def does(self, seat: int, verb: str, third: str | None = None) -> str:
        """Subject and verb: "You play", "Fox plays", "Your AI player plays"."""
        if self.is_me(seat) and seat not in self._played_for:
            return f"You {verb}"
        return f"{'Your AI player' if self.is_me(seat) else self._snapshot.name(seat)} {third or verb + 's'}"


def mine_first(snapshot: Snapshot) -> list[int]:
    """The seats of a table, the player's own first."""
    seats = range(len(snapshot.sitters))
    return sorted(seats, key=lambda seat: (seat != snapshot.seat, seat))


def ordinal(place: int) -> str:
    """As in "first"."""
    return PLACES[place - 1] if place <= len(PLACES) else f"{place}th"
