"""Odds: what the cards that a seat does not see make likely. Exact fractions, from a view alone.

Every unseen card is taken to lie in any hidden place with equal chance. Where it really lies people have had a say in,
so what comes out is an estimate of the game and exact only for the cards.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from engine.cards import ACES_LAST, ALL_CARDS, RANK_CARDS, CardSet, Rank, card_set, cards_in
from engine.game import advance
from engine.legality import can_play_flipped, plays
from engine.moves import Move, Play
from engine.rules import DECK_COPIES
from engine.state import State
from engine.view import View

NEVER: Final = Fraction(0)


@dataclass(frozen=True, slots=True)
class PlayOdds:
    """What laying a rank, the fewest of its cards that may go, leads to."""

    play: Play
    next_seat: int | None
    """Who moves then: it may be the same seat. None where the game is over."""
    stuck: Fraction
    """The chance that another seat which moves then can lay nothing."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What a viewer can work out."""

    unseen: tuple[int, ...]
    """By rank, how many cards the viewer sees nowhere."""
    draw: Fraction | None
    """The chance that the next card drawn can go on the pile as it lies; None where the stock is gone."""
    flip: Fraction | None
    """The chance that a face-down card of the viewer's can go on the pile as it lies; None where there is none."""
    plays: tuple[PlayOdds, ...]
    """For each rank that the viewer may lay now."""


def odds(view: View) -> Odds:
    """The odds of a view; a spectator's are of what all may know."""
    seat, unseen = view.seat, unseen_ranks(view)
    has_blind = seat is not None and any(card is not None for card in view.downs[seat])
    deciding = seat is not None and view.phase == "play" and view.to_move == seat
    return Odds(
        unseen,
        draw=_share(unseen, view.powers.follow[view.top]) if view.stock_left else None,
        flip=_good_flip(view, seat, unseen) if has_blind and seat is not None else None,
        plays=tuple(_prospect(view, play, unseen) for play in _fewest(view, seat or 0)) if deciding else (),
    )


def unseen_ranks(view: View) -> tuple[int, ...]:
    """By rank, how many cards of the deck the viewer sees nowhere."""
    seen = _seen(view)
    return tuple(
        max(0, copies - (seen & RANK_CARDS[rank]).bit_count()) for rank, copies in enumerate(view.rules.deck_copies)
    )


def _seen(view: View) -> CardSet:
    seen = card_set(view.pile) | card_set(view.bin)
    for zones in (view.hands, view.public_hands, view.ups, view.reserves):
        for cards in zones:
            seen |= cards
    return seen


def _share(unseen: tuple[int, ...], wanted: CardSet) -> Fraction | None:
    """The chance that an unseen card is one of these."""
    found = sum(n for rank, n in enumerate(unseen) if wanted & RANK_CARDS[rank])
    return Fraction(found, sum(unseen)) if sum(unseen) else None


def _good_flip(position: View | State, seat: int, unseen: tuple[int, ...]) -> Fraction | None:
    return _share(unseen, sum(RANK_CARDS[rank] for rank in ACES_LAST if can_play_flipped(position, seat, rank * 4)))


def _fewest(view: View, seat: int) -> list[Play]:
    """One play of each rank that may go now, with the fewest cards."""
    first: dict[Rank, Play] = {}
    for move in plays(view, seat):
        if isinstance(move, Play):
            first.setdefault(move.picks[0].rank, move)
    return list(first.values())


def _prospect(view: View, play: Play, unseen: tuple[int, ...]) -> PlayOdds:
    after = _after(view, play)
    following = after.to_move
    if following is None or following == view.seat:
        return PlayOdds(play, following, NEVER)
    return PlayOdds(play, following, _stuck(view, after, following, unseen))


def _after(view: View, move: Move) -> State:
    """The position after a play as far as the viewer knows it: what others hide is left out, or made up.

    Who moves next and on what does not depend on it, only the number of their cards does.
    """
    made_up = list(cards_in(ALL_CARDS & ~_seen(view)))
    state = State(
        rules=view.rules,
        powers=view.powers,
        hands=[view.hands[seat] | view.public_hands[seat] for seat in view.seats],
        ups=list(view.ups),
        downs=list(view.downs),
        reserves=[view.reserves[seat] or card_set(made_up[: view.reserve_counts[seat]]) for seat in view.seats],
        stock=made_up[: view.stock_left],
        pile=list(view.pile),
        bin=list(view.bin),
        order=view.order,
        to_move=view.to_move,
        quiet=view.quiet,
        places=view.places,
        public_hands=list(view.public_hands),
        top=view.top,
        run=view.run,
    )
    advance(state, move)
    return state


def _stuck(view: View, after: State, seat: int, unseen: tuple[int, ...]) -> Fraction:
    """The chance that this seat can lay nothing: its hand is drawn from the unseen cards, but for those it showed."""
    count, total = view.hand_counts[seat], sum(unseen)
    if not count and after.ups[seat]:
        return Fraction(not plays(after, seat))
    if not count:
        return 1 - (_good_flip(after, seat, unseen) or NEVER)
    known, follow = view.public_hands[seat], after.powers.follow[after.top]
    hidden = count - known.bit_count()
    others = sum(n for rank, n in enumerate(unseen) if not follow & RANK_CARDS[rank])
    ways = 0 if known & follow else comb(others, hidden)
    # A hand that could follow may still not: the rules can forbid some ranks as the last cards.
    for rank, n in enumerate(unseen):
        if follow & RANK_CARDS[rank] and known & ~RANK_CARDS[rank] == 0 and count <= DECK_COPIES:
            after.hands[seat] = card_set(list(cards_in(RANK_CARDS[rank]))[:count])
            ways += 0 if plays(after, seat) else comb(n, hidden)
    return Fraction(ways, comb(total, hidden)) if total >= hidden else NEVER
