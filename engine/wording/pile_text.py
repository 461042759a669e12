"""Says what may be played on the pile now, and why."""

from engine.cards import ALL_RANKS, NO_RANK, RANK_CARDS, RANK_NAMES, Card, CardSet, Rank
from engine.position import Position
from engine.rank_powers import powers_of
from engine.rules import Rules
from engine.wording.phrases import a_card, listed


def target_words(position: Position) -> str:
    """What the next card must be: "a queen or higher", "a card lower than a 7", "any card"."""
    top, effect = position.top, None if position.top == NO_RANK else position.powers.effect[position.top]
    if position.must_lead is not None:
        return f"{a_card(position.must_lead)}, to open"
    if top == NO_RANK or effect == "reset":
        return "any card"
    if effect == "lower":
        return f"a card lower than {a_card(top)}"
    equal_is_enough = position.rules.beat == "equal-or-higher"
    if top == ALL_RANKS[-1]:
        return a_card(top) if equal_is_enough else f"nothing is above {a_card(top)}"
    return f"{a_card(top)} or higher" if equal_is_enough else f"a card above {a_card(top)}"


def play_sentence(position: Position) -> str:
    """What may be played now, as a sentence: "Play a jack or higher, or a 2 or 10."."""
    words = playable_words(position)
    if words == "nothing" or words.startswith("only "):
        return f"Nothing is above {a_card(position.top)}; {words} can go."
    return f"Play {words}."


def playable_words(position: Position) -> str:
    """What may be played now, special ranks included: "a jack or higher, or a 2 or 10", "only a 2", "nothing".

    Names exactly the ranks of this deck that may follow, not those that may not be the last card if one is left.
    """
    target = target_words(position)
    if position.must_lead is not None:
        return target
    cards = _plays_now(position)
    goes = {rank for rank in ALL_RANKS if cards & RANK_CARDS[rank]}
    named = {*ALL_RANKS} if target == "any card" else _named(position)
    here = {rank for rank, copies in enumerate(position.rules.deck_copies) if copies}
    also = [RANK_NAMES[rank] for rank in sorted((goes - named) & here)]
    but = [RANK_NAMES[rank] for rank in sorted((named - goes) & here)]
    if not named:
        return f"only {_a(listed(also))}" if also else "nothing"
    return f"{target}{f', or {_a(listed(also))}' if also else ''}{f', but no {listed(but)}' if but else ''}"


def playable_reason(position: Position, rank: Rank) -> str:
    """Why a card of this rank may be played now: "it is higher than a 7", "it goes on anything"."""
    top, power = position.top, position.rules.special.get(rank)
    if position.must_lead is not None:
        return "it must be the first card"
    if power is not None and power.on == "any":
        return "it goes on anything"
    if top == NO_RANK:
        return "the pile is empty"
    if position.powers.effect[top] == "reset":
        return f"anything may follow {a_card(top)}"
    if rank == top:
        return f"it is as high as the {RANK_NAMES[top]} on the pile"
    return f"it is {'lower' if rank < top else 'higher'} than {a_card(top)}"


def not_played_words(rules: Rules, card: Card) -> str:
    """Why a face-down card that was turned over comes to the hand; one that goes on anything was the last card."""
    powers = powers_of(rules)
    goes_on_all = all(cards >> card & 1 for cards in powers.follow)
    return "it cannot be the last card" if powers.never_last >> card & goes_on_all else "it cannot be played"


def _plays_now(position: Position) -> CardSet:
    """The cards that may follow, unless they would be the only card that is left to the player who moves."""
    seat, follows = position.to_move, position.powers.follow[position.top]
    is_last = seat is not None and position.cards_of(seat) == 1 and not position.stock_left
    return follows & ~position.powers.never_last if is_last else follows


def _named(position: Position) -> set[Rank]:
    """The ranks that `target_words` describes."""
    top = position.top
    if position.powers.effect[top] == "lower":
        return {rank for rank in ALL_RANKS if rank < top}
    least = top if position.rules.beat == "equal-or-higher" else top + 1
    return {rank for rank in ALL_RANKS if rank >= least}


def _a(words: str) -> str:
    """The words with their article: "a jack", "an 8"."""
    return f"{'an' if words.startswith(('8', 'ace')) else 'a'} {words}"
