"""How cards look to one person: letters or suit signs, suits in colours or not; and big, where there is room."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.cards import RANKS, SUITS, Card, CardSet, Rank, cards_in
from server.cells import BOLD, DIM, PLAIN, Fragment, Row
from server.settings import Settings

SIGNS: Final = "\u2663\u2666\u2665\u2660"
"""Clubs, diamonds, hearts and spades, without the selectors that would make pictures of them."""
_SUIT_COLOURS: Final = {
    "four": ("green", "blue", "red", PLAIN),
    "two": (PLAIN, "red", "red", PLAIN),
}
BIG_ROWS: Final = 5
"""Rows that big cards take: four, and one more so that some can stand out."""
_BIG_CELLS: Final = 6


@dataclass(frozen=True, slots=True)
class Faces:
    """One way to show cards. Colour never says anything that the text does not."""

    suits: str
    """The sign of each suit."""
    colours: tuple[str, ...]
    """The style of each suit."""
    faint: str
    """The style of what cannot be played."""

    def card(self, card: Card, style: str = PLAIN) -> Fragment:
        """A card: 7h."""
        return (_both(style, self.colours[card & 3]), RANKS[card >> 2] + self.suits[card & 3])

    def cards(self, cards: Iterable[Card], style: str = PLAIN) -> Row:
        """Cards side by side: 7h Kd."""
        shown: list[Fragment] = []
        for card in cards:
            shown += [(PLAIN, " "), self.card(card, style)] if shown else [self.card(card, style)]
        return tuple(shown)

    def group(self, rank: Rank, cards: CardSet, style: str = PLAIN) -> Row:
        """The cards of one rank, suits behind: 7cdh."""
        suits = [card & 3 for card in cards_in(cards) if card >> 2 == rank]
        coloured = [(_both(style, self.colours[suit]), self.suits[suit]) for suit in suits]
        return ((style, RANKS[rank]), *coloured)

    def big(self, groups: Sequence[tuple[Rank, CardSet, bool]]) -> list[Row]:
        """The cards of some ranks as drawn cards, `BIG_ROWS` high; those marked stand one row higher."""
        rows: list[list[Fragment]] = [[] for _ in range(BIG_ROWS)]
        for rank, cards, stands_out in groups:
            suits = [card & 3 for card in cards_in(cards) if card >> 2 == rank]
            style = BOLD if stands_out else PLAIN
            drawn: list[Row] = [
                ((style, ".----."),),
                ((style, f"| {RANKS[rank]}  |"),),
                (
                    (style, "|"),
                    *((_both(style, self.colours[suit]), self.suits[suit]) for suit in suits),
                    (style, " " * (len(SUITS) - len(suits)) + "|"),
                ),
                ((style, "'----'"),),
            ]
            blank: Row = ((PLAIN, " " * _BIG_CELLS),)
            for row, fragments in zip(rows, [*drawn, blank] if stands_out else [blank, *drawn], strict=True):
                row += [*fragments, (PLAIN, " ")]
        return [tuple(row) for row in rows]


def big_width(groups: int) -> int:
    """The cells that so many big cards take."""
    return groups * (_BIG_CELLS + 1)


@cache
def _faces(cards: str, colour: str) -> Faces:
    suits = SIGNS if cards == "suits" else SUITS
    return Faces(suits, _SUIT_COLOURS.get(colour, (PLAIN,) * len(SUITS)), PLAIN if colour == "contrast" else DIM)


def faces_of(settings: Settings) -> Faces:
    """How this person wants to see cards."""
    return _faces(settings.cards, settings.colour)


def _both(style: str, other: str) -> str:
    return f"{style} {other}".strip()
