"""Cards, ranks and sets of cards.

A card is a small integer, ``rank * 4 + suit``, and a set of cards is one integer with a bit for each card. The four
suits of a rank stand side by side, so the copies of a rank are one mask and a zone can be searched rank by rank.
Knows nothing of rules.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

Rank: TypeAlias = int
"""0 for the two up to 12 for the ace."""

Card: TypeAlias = int
"""``rank * 4 + suit``: 0 for the two of clubs up to 51 for the ace of spades."""

CardSet: TypeAlias = int
"""A set of cards: bit ``c`` is set when card ``c`` is in it."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
SUIT_SIGNS: Final = "\u2663\u2666\u2665\u2660"
"""The same as signs, without the selectors that would make pictures of them."""
ACES_LAST: Final = tuple(range(13))
"""Every rank, in the order in which one beats another."""
DECLARING_ORDER: Final = (*ACES_LAST[1:], ACES_LAST[0])
"""The order in which ranks are called out for the start: the family's lowest card is the three (D4-03, D4-16)."""
RANK_NAMES: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
NO_RANK: Final[Rank] = 13
"""The rank on top of an empty pile."""
RANK_CARDS: Final[tuple[CardSet, ...]] = tuple(0b1111 << 4 * rank for rank in ACES_LAST)
"""All four cards of each rank."""
ALL_CARDS: Final[CardSet] = (1 << 52) - 1


def rank_from(text: str) -> Rank | None:
    """The rank that a player's text names (``7``, ``t``, ``10``, ``K``), or None.

    >>> rank_from("10"), rank_from("k"), rank_from("1")
    (8, 11, None)
    """
    found = RANKS.find("T" if text == "10" else text.upper())
    return found if found >= 0 and text and (len(text) == 1 or text == "10") else None


def card_from(text: str) -> Card | None:
    """The card that a text names (``Th``, ``10h``, ``qS``), or None.

    >>> card_from("2c"), card_from("As"), card_from("Zz")
    (0, 51, None)
    """
    rank = rank_from(text[:-1])
    suit = SUITS.find(text[-1:].lower()) if text else -1
    return rank * 4 + suit if rank is not None and suit >= 0 else None


def card_name(card: Card) -> str:
    """The two characters that name a card: ``Th``."""
    return RANKS[card >> 2] + SUITS[card & 3]


def rank_label(rank: Rank) -> str:
    """The rank as rule files write it: ``10``, ``K``."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of these cards."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def cards_in(cards: CardSet) -> Iterator[Card]:
    """The cards of a set, lowest rank first and within a rank in the order of suits c d h s."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def ranks_in(cards: CardSet) -> Iterator[tuple[Rank, int]]:
    """Each rank in a set with its number of copies, lowest rank first."""
    while cards:
        rank = ((cards & -cards).bit_length() - 1) >> 2
        copies = cards & RANK_CARDS[rank]
        yield rank, copies.bit_count()
        cards ^= copies
