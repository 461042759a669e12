"""Whether a game is rated, in words; for which players its seats count; which have lost. Pure.

A game is rated if its rules are those of a rule set (`TableState.rated_as`), and a player with a proven key plays with
another one or with AI players (`results.are_rated`). A seat counts for the player who was there when the cards were
dealt. They have lost if they left, stayed away, removed a player, or let an AI player make more than a third of the
seat's moves.
"""

from typing import Final

from msgspec import UNSET

from server.records.daily import UNFINISHED, DailyResult, DailyScore
from server.records.results import GUEST, Finish, Result, RoundResult, Why, ai_key, are_rated, ranks
from server.records.scoring import places_by_cards, ranks_at_cap
from server.table.state import TableState
from server.tournament.round_table import RoundTable

RATED: Final = "rated"
CHANGED_RULES: Final = "not rated: changed rules"
GUESTS: Final = "not rated: guests"
DAILY: Final = "rated as a daily deal"
AGAIN: Final = "not rated: played again"
_NONE: Final = frozenset[int]()
OWN_MOVES: Final = 2
"""A player has lost if they have made fewer than so many moves for each that an AI player has made for them."""


def rating_status(state: TableState) -> str:
    """Whether the running game, or else the next one, is rated, and why not, in the words that everybody is shown."""
    if not state.rated_as:
        return AGAIN if state.daily else CHANGED_RULES
    rated = DAILY if state.daily else RATED
    return rated if are_rated(dealt_keys(state) if state.playing else _seated_keys(state)) else GUESTS


def dealt_keys(state: TableState) -> tuple[str, ...]:
    """For each seat the key that the last game counts for: an account's, an AI level's, or `GUEST`."""
    return tuple(_dealt_key(state, seat) for seat in range(len(state.dealt)))


def losers(state: TableState) -> frozenset[int]:
    """The seats whose players have lost the last game, whatever became of their cards."""
    seats = range(len(state.dealt))
    left = {seat for seat in seats if not state.in_person(seat) and seat not in state.went_out}
    turns = state.turns
    idle = {seat for seat in seats if turns.count((seat, True)) < OWN_MOVES * turns.count((seat, False))}
    # In a tournament others rely on a player who does not come.
    excused = state.removed if state.tournament else state.stand_ins | state.removed
    return frozenset((left | idle) - excused) | state.removers


def abandoned_ranks(state: TableState) -> tuple[int, ...]:
    """The ranks in a game that nobody stayed to end.

    AI players, and players who had gone out before, are first; then players who stayed away; then those who left for
    good or removed another.
    """
    excused = state.went_out | state.stand_ins | state.removed
    steps = list[int]()
    for seat, player in enumerate(state.dealt):
        stays = seat in excused or player.kind == "ai"
        steps.append(2 if seat in state.removers else 0 if stays else 2 if state.has_left(seat) else 1)
    return tuple(1 + sum(other < own for other in steps) for own in steps)


def _round_result(state: TableState, tournament: RoundTable) -> RoundResult:
    """How the game of a tournament counts there: players who were removed are last, too, also if it was before."""
    seats = [seat for seat, player in enumerate(tournament.players) if player is not None]
    removed = {seat for seat in seats if state.dealt[seat].kind == "ai"} | state.removed
    gone = {seat for seat in seats if not state.in_person(seat) and seat not in state.went_out}
    ranks = _ranks_by_cards_left(state, losers(state) | removed)
    return RoundResult(tournament.tournament, tournament.title, ranks, tuple(sorted(gone | removed)))


def _ranks_by_cards_left(state: TableState, lost: frozenset[int]) -> tuple[int, ...]:
    """The ranks of seats that went out, then those of others by the cards left; last are those who have ``lost``.

    The same for all if the game was abandoned.
    """
    if (game := state.game) is None:
        return (1,) * len(state.dealt)
    out = [seat for seat in game.places if seat not in lost]
    left = {seat: game.cards_of(seat) for seat in range(len(state.dealt)) if seat not in out}
    return ranks_at_cap(out, left | dict.fromkeys(lost, sum(left.values()) + 1))


def game_result(state: TableState) -> Result:
    """The result of a game that has just ended, by its cards or by the clock, or that was abandoned.

    An abandoned game is in the state no more. It has to be made at once: players who leave or come later change
    nothing.
    """
    game, seats = state.game, len(state.dealt)
    daily = DailyResult(state.daily, _daily_score(state)) if state.daily else UNSET
    if game is not None and game.outcome is not None:
        is_drawn = game.outcome.winner is None
        by_cards, counted = (ranks(game.places, seats, lost, game.outcome.drawn) for lost in (_NONE, losers(state)))
    elif game is not None:
        is_drawn = False
        by_cards, counted = (_ranks_by_cards_left(state, lost) for lost in (_NONE, losers(state)))
    else:
        is_drawn, counted = False, abandoned_ranks(state)
        by_cards = counted
        # A game of a tournament is abandoned only if its host makes it void.
        if state.tournament or not any(state.dealt[seat].account for seat, rank in enumerate(counted) if rank > 1):
            return Result((), drawn=False, plies=state.ply, daily=daily)
    return Result(
        tuple(
            Finish(
                key,
                player.name,
                counted[seat],
                by_cards=0 if counted[seat] == by_cards[seat] else by_cards[seat],
                successor=state.sitting(seat).player.name if state.has_left(seat) else "",
                why=_why(state, seat),
            )
            for seat, (key, player) in enumerate(zip(dealt_keys(state), state.dealt, strict=True))
        ),
        drawn=is_drawn,
        plies=state.ply,
        abandoned=UNSET if game else True,
        rated_as=UNSET if state.rated_as == state.rules.name else state.rated_as,
        daily=daily,
        tournament=_round_result(state, state.tournament) if state.tournament else UNSET,
    )


def _daily_score(state: TableState) -> DailyScore:
    """How the player of the first seat did with a daily deal."""
    game = state.game
    if game is None:
        return UNFINISHED
    left = [game.cards_of(seat) for seat in range(len(game.hands))]
    turns = sum(seat == 0 for seat, _ in state.turns)
    return DailyScore(places_by_cards(left)[0], -left[0] if left[0] else sum(left), turns)


def _why(state: TableState, seat: int) -> Why:
    if seat in state.removers:
        return "remover"
    if seat in state.removed:
        return "removed"
    if seat in state.stand_ins:
        return "absent"
    if state.dealt[seat].kind == "ai":
        return ""
    if seat not in state.went_out:
        if state.has_left(seat):
            return "left"
        if state.game is None or not state.in_person(seat):
            return "away"
    return "ai-moves" if state.game is not None and seat in losers(state) else ""


def _dealt_key(state: TableState, seat: int) -> str:
    player = state.dealt[seat]
    if seat in state.removed:
        return GUEST
    if seat in state.stand_ins:
        # A player who came back later has seen what the AI player made of the cards: this counts for nobody.
        return ai_key(state.settings.level_of_seats) if (seat, True) not in state.turns else GUEST
    return ai_key(player.level or "") if player.kind == "ai" else player.account or GUEST


def _seated_keys(state: TableState) -> list[str]:
    """The keys that a game would count for if it began now; AI players take the empty seats."""
    keys = list[str]()
    for seat in state.seats:
        if seat is None or seat.played_by_ai:
            keys.append(ai_key((seat and seat.player.level) or state.settings.level_of_seats))
        else:
            keys.append(seat.player.account or GUEST)
    return keys
