"""Odds for a player, as exact fractions, from a view alone.

A player who took the pile because they could not follow held no card that could, so until they draw, their hidden cards
are none of these. Apart from that, every unseen card counts as equally likely to be in any hidden place. Players choose
what they keep, so the result is exact for shuffled cards and an estimate for a real game.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Final, TypeAlias

from msgspec import Struct

from engine.cards import ALL_CARDS, ALL_RANKS, MOST_COPIES, RANK_CARDS, CardSet, Rank, card_set, cards_in
from engine.game import advance
from engine.legality import can_play_flipped, plays
from engine.moves import Move, Play
from engine.state import State
from engine.view import View, seen_cards, unseen_cards
from engine.wording.rules_sheet import last_card_note

NEVER: Final = Fraction(0)
FORCED: Final = Fraction(9, 10)
"""How often a player who took the pile could not follow, if the rules let players take it by choice.

In games of life and college with two and four seats it was 84 of 100 for Extreme (1,330 pick-ups from a hand) and 86
for Master (159). The lower levels never take it by choice.
"""


class PlayOdds(Struct, frozen=True):
    """What happens after a play."""

    play: Play
    next_seat: int | None
    """The seat that moves next, perhaps the same one; None if the game is over."""
    stuck: Fraction
    """The chance that the next seat, if it is another one, cannot lay anything."""
    pile_left: bool
    """Whether a pile is left to follow on."""


class Odds(Struct, frozen=True):
    """What a viewer can calculate."""

    unseen: tuple[int, ...]
    """By rank, how many cards of the deck the viewer sees nowhere."""
    draw: Fraction | None
    """The chance that the next card of the stock may be laid on the pile now; None if the stock is gone."""
    flip: Fraction | None
    """The chance that a face-down card of the viewer may be laid on the pile now; None if there is none."""
    plays: tuple[PlayOdds, ...]
    """One for each rank that the viewer may lay now."""


def odds(view: View) -> Odds:
    """The odds for the viewer of a view. For a spectator they rest on what everybody may know."""
    seat, unseen = view.seat, unseen_ranks(view)
    has_blind = seat is not None and any(card is not None for card in view.downs[seat])
    deciding = seat is not None and view.phase == "play" and view.to_move == seat
    return Odds(
        unseen,
        draw=_share(unseen, view.powers.follow[view.top]) if view.stock_left else None,
        flip=_flip_chance(view, seat, unseen) if has_blind and seat is not None else None,
        plays=tuple(_play_odds(view, play, unseen) for play in _fewest(view, seat or 0)) if deciding else (),
    )


def follow_odds(view: View, play: Play) -> PlayOdds:
    """What happens after this legal play of the viewer, whose turn it is."""
    return _play_odds(view, play, unseen_ranks(view))


def out_chance(view: View, move: Move) -> Fraction:
    """The chance that the next seat can lay its only card after this legal move, 0 to 1.

    It is 0 if the viewer moves again, and if that seat has more cards: it might lay them one after the other. The move
    is a play, a pick-up or a pass.
    """
    after, unseen = _after(view, move), unseen_ranks(view)
    seat = after.to_move
    if seat is None or seat == view.seat or after.cards_of(seat) != 1:
        return NEVER
    if after.hands[seat]:
        return _hand_chance(view, after, seat, _hand_out_chance)
    if after.ups[seat]:
        return Fraction(any(_lays_all(after, seat, play) for play in plays(after, seat)))
    return _flip_chance(after, seat, unseen) or NEVER


def goes_out(view: View, play: Play) -> bool:
    """Whether this legal play of the viewer lays their last cards; four that burn may come back as the last ones."""
    return _lays_all(known_position(view), view.seat or 0, play)


def last_play_note(view: View, moves: Sequence[Move]) -> str:
    """The rule by which the whole pile comes back after one of these legal moves; empty if it does after none."""
    left = view.cards_of(view.seat or 0) + view.stock_left
    lasts = [move for move in moves if isinstance(move, Play) and len(move.picks) == left]
    return "" if all(goes_out(view, play) for play in lasts) else last_card_note(view.rules)


def next_after(view: View, move: Move) -> int | None:
    """The seat that moves after this legal move of the viewer; None if the game is over."""
    return _after(view, move).to_move


def cards_after(view: View, play: Play) -> int:
    """How many cards the viewer has in all zones after this legal play, the new ones from the stock included."""
    return _after(view, play).cards_of(view.seat or 0)


def unseen_ranks(view: View) -> tuple[int, ...]:
    """By rank, how many cards of the deck the viewer sees nowhere."""
    unseen = unseen_cards(view)
    return tuple((unseen & cards).bit_count() for cards in RANK_CARDS)


def forced_chance(view: View) -> Fraction:
    """The chance that a player who took the pile could not follow."""
    return FORCED if view.rules.pickup_by_choice else Fraction(1)


def _share(unseen: tuple[int, ...], wanted: CardSet) -> Fraction | None:
    """The chance that an unseen card is one of these; None if every card is seen."""
    found = sum(n for rank, n in enumerate(unseen) if wanted & RANK_CARDS[rank])
    return Fraction(found, sum(unseen)) if sum(unseen) else None


def _flip_chance(position: View | State, seat: int, unseen: tuple[int, ...]) -> Fraction | None:
    return _share(unseen, sum(RANK_CARDS[rank] for rank in ALL_RANKS if can_play_flipped(position, seat, rank * 4)))


def _fewest(view: View, seat: int) -> list[Play]:
    """For each rank that may go now, the play with the fewest cards."""
    first: dict[Rank, Play] = {}
    for move in plays(view, seat):
        if isinstance(move, Play):
            first.setdefault(move.picks[0].rank, move)
    return list(first.values())


def _play_odds(view: View, play: Play, unseen: tuple[int, ...]) -> PlayOdds:
    after = _after(view, play)
    following = after.to_move
    if following is None or following == view.seat:
        return PlayOdds(play, following, NEVER, bool(after.pile))
    return PlayOdds(play, following, _stuck_chance(view, after, following, unseen), bool(after.pile))


def known_position(view: View) -> State:
    """The position as far as the viewer knows it; the hidden cards of hands, reserves and stock are invented.

    After a play, the next seat to move, the top of the pile and how many cards lie where do not depend on which cards
    those are.
    """
    made_up = list(cards_in(ALL_CARDS & ~seen_cards(view)))

    def filled(known: CardSet, count: int) -> CardSet:
        missing = min(count - known.bit_count(), len(made_up))
        return known | card_set(made_up.pop() for _ in range(missing))

    return State(
        rules=view.rules,
        powers=view.powers,
        hands=[filled(view.hands[seat] | view.public_hands[seat], view.hand_counts[seat]) for seat in view.seats],
        ups=list(view.ups),
        downs=list(view.downs),
        reserves=[filled(view.reserves[seat], view.reserve_counts[seat]) for seat in view.seats],
        stock=made_up[: view.stock_left],
        pile=list(view.pile),
        bin=list(view.bin),
        order=view.order,
        to_move=view.to_move,
        must_lead=view.must_lead,
        may_pass=view.may_pass,
        quiet=view.quiet,
        places=view.places,
        public_hands=list(view.public_hands),
        declined=list(view.declined),
        top=view.top,
        run=view.run,
    )


def _after(view: View, move: Move) -> State:
    """The known position after a legal move."""
    state = known_position(view)
    advance(state, move)
    return state


def _stuck_chance(view: View, after: State, seat: int, unseen: tuple[int, ...]) -> Fraction:
    """The chance that this seat cannot lay anything."""
    if after.hands[seat]:
        return _hand_chance(view, after, seat, _stuck_hand_chance)
    return Fraction(not plays(after, seat)) if after.ups[seat] else 1 - (_flip_chance(after, seat, unseen) or NEVER)


_ChanceOfHand: TypeAlias = Callable[[State, int, CardSet, int, tuple[int, ...]], Fraction]
"""A chance for a seat, by the known cards of its hand, how many are hidden, and the ranks they are drawn from."""


def _hand_chance(view: View, after: State, seat: int, chance: _ChanceOfHand) -> Fraction:
    """A chance for the hand that this seat has after a move of the viewer."""
    unseen = unseen_ranks(view)
    known = after.hands[seat] & seen_cards(view)
    hidden = (after.hands[seat] & ~known).bit_count()
    possible = _possible(unseen, after.declined[seat], hidden)
    likely = chance(after, seat, known, hidden, possible)
    if possible == unseen:
        return likely
    forced = forced_chance(view)
    return forced * likely + (1 - forced) * chance(after, seat, known, hidden, unseen)


def _possible(unseen: tuple[int, ...], declined: CardSet, hidden: int) -> tuple[int, ...]:
    """The unseen cards, by rank, that may be the hidden ones of a hand whose player declined these."""
    possible = tuple(0 if declined & RANK_CARDS[rank] else n for rank, n in enumerate(unseen))
    return possible if sum(possible) >= hidden else unseen


def _stuck_hand_chance(after: State, seat: int, known: CardSet, hidden: int, unseen: tuple[int, ...]) -> Fraction:
    """The chance that this seat cannot lay anything from its hand."""
    count, total, follow = known.bit_count() + hidden, sum(unseen), after.powers.follow[after.top]
    others = sum(n for rank, n in enumerate(unseen) if not follow & RANK_CARDS[rank])
    ways = 0 if known & follow else comb(others, hidden)
    # Even a hand of ranks that may follow can be stuck: the rules may forbid some ranks as the last cards.
    for rank, n in enumerate(unseen):
        if follow & RANK_CARDS[rank] and known & ~RANK_CARDS[rank] == 0 and count <= MOST_COPIES:
            after.hands[seat] = card_set(list(cards_in(RANK_CARDS[rank]))[:count])
            ways += 0 if plays(after, seat) else comb(n, hidden)
    return Fraction(ways, comb(total, hidden)) if total >= hidden else NEVER


def _hand_out_chance(after: State, seat: int, known: CardSet, hidden: int, unseen: tuple[int, ...]) -> Fraction:
    """The chance that this seat can lay the one card of its hand and is out."""
    count, total, ways = known.bit_count() + hidden, sum(unseen), 0
    for rank, n in enumerate(unseen):
        if not known & ~RANK_CARDS[rank] and n >= hidden:
            after.hands[seat] = card_set(list(cards_in(RANK_CARDS[rank]))[:count])
            ways += comb(n, hidden) * any(_lays_all(after, seat, play) for play in plays(after, seat))
    return Fraction(ways, comb(total, hidden)) if total >= hidden else NEVER


def _lays_all(position: State, seat: int, play: Move) -> bool:
    """Whether the seat to move is out after this legal play."""
    after = position.copy()
    advance(after, play)
    return after.is_out(seat)
