"""The cards of a seat as sentences for its player, one zone a line."""

from collections.abc import Iterator

from engine.position import Position
from engine.wording.phrases import hand_words, listed, number_word, sentence_case


def own_cards_text(position: Position, seat: int | None) -> Iterator[str]:
    """The player's own cards, one zone a line."""
    if seat is None:
        return
    hand = position.hands[seat]
    yield f"Your hand, {hand.bit_count()}: {hand_words(hand)}." if hand else "Your hand is empty."
    if up := position.ups[seat]:
        yield f"Your face-up cards: {hand_words(up)}."
    if reserve := position.reserves[seat]:
        yield f"Your reserve: {hand_words(reserve)}."
    if slots := [str(n + 1) for n, card in enumerate(position.downs[seat]) if card is not None]:
        many = len(slots) > 1
        count = sentence_case(number_word(len(slots)))
        yield f"{count} face-down card{'s' if many else ''}, number{'s' if many else ''} {listed(slots, 'and')}."


def cards_in_play_text(position: Position, seat: int | None) -> list[str]:
    """The cards that the player plays from now: the hand or, if it is empty, the zone after it."""
    own = list(own_cards_text(position, seat))
    return own[:1] if seat is not None and position.hands[seat] else own[:2]
