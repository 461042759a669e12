"""Why a move is better than another one, in the words of the game: what it keeps, what it does, what it risks.

Each reason is a fact that holds for one of the two moves and not for the other, as far as the player can see. Chances
are those of `engine.odds`.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from engine.ai.card_values import HIGH_VALUE, card_values
from engine.ai.easy_medium_hard import own_seat
from engine.ai.next_seat import seat_after
from engine.cards import ALL_RANKS, RANK_CARDS, RANK_NAMES, Rank, card_set, ranks_in
from engine.moves import Move, Pass, PickUp, Play
from engine.odds import cards_after, follow_odds, goes_out, next_after, out_chance
from engine.powers import POWERS
from engine.rules import FOUR
from engine.view import View
from engine.wording.phrases import counted_rank, listed, number_word, percent, quantity

MOST_REASONS: Final = 2
LEAST_DIFFERENCE: Final = 0.05
"""By so much the chance that the next player can follow must differ to be a reason."""
RANKS_KEPT: Final = 2
"""How many ranks are named of those that the player keeps."""
SMALL_PILE: Final = 3
"""A pile of so many cards is no great loss."""
OUT_OF_CARDS: Final = "then you are out of cards"
GOES_AGAIN: Final = "you go again"
NEXT_PLAYER: Final = "the next player"
"""How the reasons begin that compare what the next player can do."""


def reasons(view: View, best: Move, other: Move, most: int = MOST_REASONS) -> str:
    """The strongest reasons for a legal move against another one, so many at most; empty if no fact speaks for it."""
    found = list[str]()
    match best, other:
        case Play(), _ if goes_out(view, best):
            return OUT_OF_CARDS
        case Play(), Play():
            found = [*_of_two_plays(view, best, other)]
        case Play(), PickUp():
            found = [*_of_play(view, best), *_last_cards(view, best, other), *_against_taking(view)]
        case Play(), _:
            found = [*_of_play(view, best)]
        case PickUp(), PickUp():
            found = ["a face-up card is easier to play from the hand"] if best.picks and not other.picks else []
        case PickUp(), Play():
            found = [*_of_taking(view, other)]
        case Pass(), Play():
            found = [*_saved(view, other)]
    return _joined(found[:most])


def way_out_reason(view: View, way: Sequence[Play]) -> str:
    """The reason for the first of these plays, which play all cards in this turn."""
    if len(way) == 1:
        return OUT_OF_CARDS
    left = "card" if view.cards_of(own_seat(view)) - len(way[0].picks) == 1 else "cards"
    return f"{GOES_AGAIN} and can play {listed([_played(play) for play in way[1:]], 'and then')}, your last {left}"


def _joined(found: list[str]) -> str:
    first, *rest = found or [""]
    if first.startswith("it "):
        rest = [words.removeprefix("it ") for words in rest]
    return (", and " if NEXT_PLAYER in first else " and ").join([first, *rest])


def _of_two_plays(view: View, best: Play, other: Play) -> Iterator[str]:
    """What speaks for a play against another one, the strongest first."""
    theirs = {*_of_play(view, other)}
    yield from (words for words in _of_play(view, best) if words not in theirs)
    last_cards = [*_last_cards(view, best, other)]
    yield from last_cards or _follow_words(view, best, other)
    yield from _four_kept(view, best, other)
    rank, saved = best.picks[0].rank, other.picks[0].rank
    if rank == saved and len(best.picks) < len(other.picks) and _is_good(view, rank):
        yield f"it keeps {counted_rank(rank, _held(view, rank) - len(best.picks))} for later"
    elif rank != saved and card_values(view.rules)[saved] > card_values(view.rules)[rank]:
        if _is_good(view, saved):
            yield f"it saves {_own(view, other)}"
        elif _goes_on(view, saved) > _goes_on(view, rank):
            yield f"{_own(view, other)} can go on more cards later"
    yield from _more_cards(view, best, other)


def _of_play(view: View, play: Play) -> Iterator[str]:
    """What a play does that can be a reason, the strongest first."""
    seat, rank = own_seat(view), play.picks[0].rank
    after = follow_odds(view, play)
    if not after.pile_left:
        if view.powers.effect[rank] != "burn":
            yield "it completes four of a rank, which burns the pile"
        elif view.pile:
            yield f"it burns the pile of {quantity(len(view.pile), 'card')}"
    if after.next_seat == seat:
        yield GOES_AGAIN
    effect = view.powers.effect[rank]
    words = POWERS[effect].reason if effect else ""
    if words and after.next_seat not in {seat, None, seat_after(view.order, seat)}:
        yield words


def _last_cards(view: View, best: Move, other: Move) -> Iterator[str]:
    """That the next player can play their last card less often, if it is the same player after both moves."""
    seat = next_after(view, best)
    if seat is None or seat == own_seat(view) or seat != next_after(view, other):
        return
    chance, instead = out_chance(view, best), out_chance(view, other)
    if instead - chance < LEAST_DIFFERENCE:
        return
    then = f"after {_played(other)}" if isinstance(other, Play) else "after a pick-up"
    if chance:
        yield f"{NEXT_PLAYER} goes out less often than {then}"
    else:
        yield f"{NEXT_PLAYER} cannot go out, but could {then}{_often(instead)}"


def _four_kept(view: View, best: Play, other: Play) -> Iterator[str]:
    """That four of a rank stay together, which the other play would break up."""
    rank = other.picks[0].rank
    can_burn = view.rules.fours_burn and (view.hands[own_seat(view)] or view.rules.play_up_at_once == FOUR)
    if can_burn and _held(view, rank) == FOUR and len(other.picks) < FOUR and rank != best.picks[0].rank:
        yield f"it keeps {_own_all(rank)} together, which can burn the pile later"


def _follow_words(view: View, best: Play, other: Play) -> Iterator[str]:
    """That the next player can follow less often, if it is the same player after both plays."""
    after, instead = follow_odds(view, best), follow_odds(view, other)
    seat = after.next_seat
    if seat is None or seat == own_seat(view) or seat != instead.next_seat or not after.pile_left:
        return
    if after.stuck - instead.stuck >= LEAST_DIFFERENCE:
        if after.stuck == 1:
            yield f"{NEXT_PLAYER} cannot follow, but could after {_played(other)}{_often(1 - instead.stuck)}"
        else:
            yield f"{NEXT_PLAYER} can follow less often than after {_played(other)}"


def _often(chance: Fraction) -> str:
    """How often something could happen, behind it; nothing if it is certain."""
    return "" if chance == 1 else f" ({percent(chance)})"


def _played(play: Play) -> str:
    return counted_rank(play.picks[0].rank, len(play.picks))


def _more_cards(view: View, best: Play, other: Play) -> Iterator[str]:
    """That the player then has fewer cards, or draws more new ones."""
    if len(best.picks) <= len(other.picks):
        return
    left, instead = cards_after(view, best), cards_after(view, other)
    if left < instead:
        yield f"you then have {quantity(left, 'card')} left instead of {instead}"
    elif cards_after(view, other) == view.cards_of(own_seat(view)) and not _is_good(view, best.picks[0].rank):
        yield f"you change {number_word(len(best.picks))} cards for new ones, not {number_word(len(other.picks))}"


def _against_taking(view: View) -> Iterator[str]:
    if len(view.pile) > SMALL_PILE:
        yield f"you need not take the pile of {quantity(len(view.pile), 'card')}"


def _of_taking(view: View, other: Play) -> Iterator[str]:
    """What speaks for taking the pile by choice instead of a play."""
    yield from _saved(view, other)
    yield from _fours_made(view)
    good = {rank: copies for rank, copies in ranks_in(card_set(view.pile)) if _is_good(view, rank)}
    if good:
        yield f"you get {listed([counted_rank(rank, copies) for rank, copies in good.items()], 'and')}"
    if len(view.pile) <= SMALL_PILE:
        yield f"the pile has only {quantity(len(view.pile), 'card')}"


def _fours_made(view: View) -> Iterator[str]:
    """That the pile gives four of a rank, which burn the pile together."""
    hand = view.hands[own_seat(view)]
    taken = hand | card_set(view.pile)
    fours = [rank for rank, copies in ranks_in(taken) if copies == FOUR and hand & RANK_CARDS[rank] != RANK_CARDS[rank]]
    if fours and view.rules.fours_burn:
        yield f"you then hold {listed([counted_rank(rank, FOUR) for rank in fours], 'and')}"


def _saved(view: View, other: Play) -> Iterator[str]:
    if _is_good(view, other.picks[0].rank):
        yield f"you keep {_own(view, other)}"


def _own(view: View, play: Play) -> str:
    """The cards of a play as the player's: "your ace", or "an ace" if there are more of them."""
    rank, count = play.picks[0].rank, len(play.picks)
    if count < _held(view, rank):
        return counted_rank(rank, count)
    return f"your {RANK_NAMES[rank]}{'s' if count > 1 else ''}"


def _own_all(rank: Rank) -> str:
    """Four cards of a rank as the player's: "your four 5s"."""
    return f"your {counted_rank(rank, FOUR)}"


def _goes_on(view: View, rank: Rank) -> int:
    """On how many ranks a card of this rank may follow."""
    return sum(bool(view.powers.follow[top] & RANK_CARDS[rank]) for top in ALL_RANKS)


def _is_good(view: View, rank: Rank) -> bool:
    """Whether a card of this rank is worth keeping for later."""
    return card_values(view.rules)[rank] > HIGH_VALUE


def _held(view: View, rank: Rank) -> int:
    """The cards of a rank in the zone that is played from."""
    seat = own_seat(view)
    return ((view.hands[seat] or view.ups[seat]) & RANK_CARDS[rank]).bit_count()


def best_left(view: View, move: Move) -> list[str]:
    """The best of what stays in the zone that the player plays from; nothing if that is empty."""
    if not isinstance(move, Play):
        return []
    seat = own_seat(view)
    zone, rank = view.hands[seat] or view.ups[seat], move.picks[0].rank
    held = (zone & RANK_CARDS[rank]).bit_count() - len(move.picks)
    left = {kept: copies for kept, copies in ranks_in(zone) if kept != rank} | ({rank: held} if held else {})
    values = card_values(view.rules)
    best = sorted(left, key=lambda kept: -values[kept])[:RANKS_KEPT]
    return [f"Your best left: {listed([counted_rank(kept, left[kept]) for kept in best], 'and')}."] if best else []
