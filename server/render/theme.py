"""How cards look to one player: suits as letters, signs or words, with colours or not, and the lines around them."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final, NamedTuple

from msgspec import Struct

from engine.cards import RANK_NAMES, SUIT_SIGNS, SUITS, Card, CardSet, Rank, rank_label
from server.cells import ASCII_STROKES, DIM, PLAIN, STROKES, Row, joined, styled
from server.people.settings import Settings

_SUIT_COLOURS: Final = {
    "four": ("green", "blue", "red", PLAIN),
    "two": (PLAIN, "red", "red", PLAIN),
}


class Strokes(NamedTuple):
    """The characters of lines."""

    across: str
    down: str
    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    back: str
    from_left: str
    from_right: str
    crossing: str
    hanging: str
    """A line across meets a line down: from the left, from the right, from both sides; and the top of a line down."""


SUIT_BITS: Final = (1, 2, 4, 8)
"""The suits of one rank in a set of cards."""


class Theme(Struct, frozen=True, eq=False):
    """How to show cards. Colour only repeats what the text says. There is one object for each look (`theme_of`)."""

    suits: str
    """The sign of each suit; empty if cards are shown as words."""
    colours: tuple[str, ...]
    faint: str
    """The style of less important text: hints, lines, cards that cannot be played."""
    strokes: Strokes

    @lru_cache(1024)  # noqa: B019 - there are few themes, and they stay
    def card(self, card: Card, style: str = PLAIN) -> Row:
        """One card: 7h."""
        if not self.suits:
            return styled(style, RANK_NAMES[card >> 2])
        return styled(_both(style, self.colours[card & 3]), rank_label(card >> 2) + self.suits[card & 3])

    def cards(self, cards: Iterable[Card]) -> Row:
        """Cards side by side: 7h Kd."""
        return joined(" ", map(self.card, cards))

    def group(self, rank: Rank, cards: CardSet, style: str = PLAIN) -> Row:
        """The cards of one rank, with the suits behind it: 7cdh."""
        if not self.suits:
            copies = (cards >> 4 * rank & 0b1111).bit_count()
            return styled(style, RANK_NAMES[rank] if copies == 1 else f"{copies}x {RANK_NAMES[rank]}")
        return styled(style, rank_label(rank)) + self.signs(rank, cards, style)

    def signs(self, rank: Rank, cards: CardSet, style: str = PLAIN) -> Row:
        """Only the suits of the cards of one rank: cdh."""
        signs = zip(SUIT_BITS, self.colours, self.suits, strict=True)
        return joined(
            "", [styled(_both(style, colour), sign) for bit, colour, sign in signs if cards >> 4 * rank & bit]
        )


@cache
def _theme(suits: str, colour: str, strokes: str) -> Theme:
    colours = _SUIT_COLOURS.get(colour, (PLAIN,) * len(SUITS))
    return Theme(suits, colours, PLAIN if colour == "contrast" else DIM, Strokes(*strokes))


@lru_cache(64)
def theme_of(settings: Settings, *, has_signs: bool = False) -> Theme:
    """The theme that a player has set; ``has_signs`` tells whether the terminal has proved to show suit signs."""
    cards = settings.cards
    if cards == "auto":
        cards = "suits" if has_signs else "letters"
    suits = {"suits": SUIT_SIGNS, "letters": SUITS, "words": ""}[cards]
    return _theme(suits, settings.colour, STROKES if cards == "suits" else ASCII_STROKES)


@cache
def _both(style: str, other: str) -> str:
    return f"{style} {other}".strip()
