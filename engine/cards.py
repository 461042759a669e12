"""Cards, ranks and sets of cards.

A card is a small integer, ``rank * 4 + suit``. A set of cards is one integer with a bit for each card. The four suits
of a rank are neighbours, so one mask selects a rank, and a zone can be searched rank by rank. Nothing here depends on
rules.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, TypeAlias

Rank: TypeAlias = int
"""0 for the two up to 12 for the ace."""

Card: TypeAlias = int
"""``rank * 4 + suit``: 0 for the two of clubs up to 51 for the ace of spades."""

CardSet: TypeAlias = int
"""A set of cards: bit ``c`` is set when card ``c`` is in it."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
MOST_COPIES: Final = len(SUITS)
"""The most cards of one rank in a deck."""
SUIT_SIGNS: Final = "\u2663\u2666\u2665\u2660"
"""The suits as symbols, without the variation selectors that would turn them into emoji."""
ALL_RANKS: Final = tuple(range(13))
"""Every rank from the 2 to the ace, the order in which one beats another."""
DECLARING_ORDER: Final = (*ALL_RANKS[1:], ALL_RANKS[0])
"""The order in which ranks are called out to find the starter: the 3 is the lowest card (D4-03, D4-16)."""
RANK_NAMES: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")
NO_RANK: Final[Rank] = 13
"""The rank on top of an empty pile."""
RANK_CARDS: Final[tuple[CardSet, ...]] = tuple(0b1111 << 4 * rank for rank in ALL_RANKS)
"""All four cards of each rank."""
ALL_CARDS: Final[CardSet] = (1 << 52) - 1


def rank_from(text: str) -> Rank | None:
    """The rank that a text names (``7``, ``t``, ``10``, ``K``), or None if it names none.

    >>> rank_from("10"), rank_from("k"), rank_from("1")
    (8, 11, None)
    """
    found = RANKS.find("T" if text == "10" else text.upper())
    return found if found >= 0 and text and (len(text) == 1 or text == "10") else None


def card_from(text: str) -> Card | None:
    """The card that a text names (``Th``, ``10h``, ``qS``), or None if it names none.

    >>> card_from("2c"), card_from("As"), card_from("Zz")
    (0, 51, None)
    """
    rank = rank_from(text[:-1])
    suit = SUITS.find(text[-1:].lower()) if text else -1
    return rank * 4 + suit if rank is not None and suit >= 0 else None


def card_name(card: Card) -> str:
    """The two characters that name a card: ``Th``."""
    return RANKS[card >> 2] + SUITS[card & 3]


@cache
def rank_label(rank: Rank) -> str:
    """The rank as rule files and screens write it: ``10``, ``K``."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of these cards."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def cards_in(cards: CardSet) -> Iterator[Card]:
    """Yield the cards of a set, the lowest rank first and each rank in the order c d h s."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


@lru_cache(1024)
def ranks_in(cards: CardSet) -> tuple[tuple[Rank, int], ...]:
    """Each rank in a set with its number of cards, the lowest rank first."""
    ranks = list[tuple[Rank, int]]()
    while cards:
        rank = ((cards & -cards).bit_length() - 1) >> 2
        copies = cards & RANK_CARDS[rank]
        ranks.append((rank, copies.bit_count()))
        cards ^= copies
    return tuple(ranks)
