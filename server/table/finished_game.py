"""How a game ends: whether it is rated, for which players its seats count, which have lost, what is kept of it. Pure.

A game is rated if its rules are those of a rule set (`TableState.rated_as`), and a player with a proven key plays with
another one or with AI players (`results.are_rated`). A seat counts for the player who was there when the cards were
dealt. They have lost if they left, stayed away, removed a player, or let an AI player make more than a third of the
seat's moves.
"""

from collections.abc import Iterable
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from engine.events import Event, PickedUp
from engine.wording.phrases import listed, sentence_case
from server import VERSION
from server.people.players import ACCOUNT
from server.records import results
from server.records.record import Note, Record, write_record
from server.records.results import (
    GUEST,
    Finish,
    OccasionResult,
    Result,
    Why,
    ai_key,
    are_rated,
    counts_as,
    ranks,
    ranks_at_cap,
    rated_without,
    shared_places,
)
from server.storage.database import FinishedGame
from server.table.occasion import Occasion
from server.table.snapshot import GameStats
from server.table.state import TableState
from server.typed_json import write_versioned

RATED: Final = "rated"
CHANGED_RULES: Final = "not rated: changed rules"
ONLY_GUESTS: Final = "not rated: only guests play"
ONE_KEY: Final = "not rated: only one player has a key"
MUCH_IS_KEPT: Final = "not rated: much is kept from here already"
HURRIED: Final = "hurried"
"""The level that an AI player is rated as that had less time than its own has: nobody gains by making it hurry."""
LEAST_MOVES: Final = 8
"""A game of guests alone with fewer moves is not kept."""
NOT_KEPT: Final = (
    "games of guests alone that end after a few moves, or in which no person moves, are not kept, "
    "and of many unrated ones from one address only some"
)
"""Why a finished game may be missing."""
_NONE: Final = frozenset[int]()
OWN_MOVES: Final = 2
"""A player has lost if they have made fewer than so many moves for each that an AI player has made for them."""


def rating_status(state: TableState) -> str:
    """Whether the running game, or else the next one, is rated, and why not, in the words that everybody is shown."""
    said = state.occasion.rating if state.occasion else ""
    if not state.rated_as:
        return said or CHANGED_RULES
    own = [ai_key(player.level or "") if player.kind == "ai" else player.account or GUEST for player in state.dealt]
    keys = dealt_keys(state) if state.playing else _seated_keys(state)
    seats = range(len(state.dealt)) if state.playing and are_rated(own) else ()
    missing = rated_without([Finish(keys[seat], state.dealt[seat].name, 1, why=_why(state, seat)) for seat in seats])
    if are_rated(keys):
        if state.playing and state.source is None:
            return said or MUCH_IS_KEPT
        hurried = [state.dealt[seat].name for seat in sorted(state.hurried)] if state.playing else []
        rated = missing or (f"{RATED} for players with a key" if GUEST in (own if state.playing else keys) else RATED)
        return said or (f"{rated}, {listed(hurried, 'and')} as {HURRIED} for lack of time" if hurried else rated)
    return missing or (ONE_KEY if any(key.startswith(ACCOUNT) for key in keys) else ONLY_GUESTS)


def dealt_keys(state: TableState) -> tuple[str, ...]:
    """For each seat the key that the last game counts for: an account's, an AI level's, or `GUEST`."""
    return tuple(_dealt_key(state, seat) for seat in range(len(state.dealt)))


def losers(state: TableState) -> frozenset[int]:
    """The seats whose players have lost the last game, whatever became of their cards."""
    seats = range(len(state.dealt))
    left = {seat for seat in seats if not state.in_person(seat) and seat not in state.went_out}
    turns = state.turns
    idle = {seat for seat in seats if turns.count((seat, True)) < OWN_MOVES * turns.count((seat, False))}
    # Others who wait rely on a player who does not come.
    excused = state.removed if state.others_wait else state.stand_ins | state.removed
    return (frozenset((left | idle) - excused) | state.removers) - {state.won}


def winner_without(state: TableState, leaver: int) -> int | None:
    """The seat whose player has won the running game once this seat's player leaves it, since all others have left.

    None if that is open: AI players, and players who went out, were away at the deal or were removed, may be first.
    """
    seats, excused = range(len(state.dealt)), state.went_out | state.stand_ins | state.removed
    gone = {leaver, *filter(state.has_left, seats)} - excused | state.removers
    stay = [seat for seat in seats if seat not in gone]
    is_open = len(stay) != 1 or stay[0] in excused or state.dealt[stay[0]].kind == "ai"
    return None if is_open else stay[0]


def abandoned_ranks(state: TableState, out: tuple[int, ...]) -> tuple[int, ...]:
    """The ranks in a game that nobody stayed to end, and from which these seats had gone ``out``.

    First are those who are out, in their order; then AI players; then players who stayed away; then those who left for
    good or removed another.
    """
    steps = list[int]()
    for seat, player in enumerate(state.dealt):
        is_ai, left = player.kind == "ai", state.has_left(seat) and seat != state.won
        excused = is_ai or seat in state.stand_ins | state.removed
        if seat in out and (is_ai or seat in state.went_out):
            step = out.index(seat) - len(out)
        else:
            step = 2 if seat in state.removers else 0 if excused else 2 if left else 1
        steps.append(step)
    return shared_places(steps)


def _occasion_result(state: TableState, occasion: Occasion) -> OccasionResult:
    """What a game comes to for its occasion: players who were removed are last, too, also if it was before."""
    seats = range(len(state.dealt))
    removed = {seat for seat in occasion.given if state.dealt[seat].kind == "ai"} | state.removed
    gone = {seat for seat in occasion.given if not state.in_person(seat) and seat not in state.went_out}
    movers = [seat for seat, _ in state.turns]
    return OccasionResult(
        kind=occasion.kind,
        data=occasion.data,
        title=occasion.title,
        ranks=_ranks_by_cards_left(state, losers(state) | removed),
        absent=tuple(sorted(gone | removed)),
        turns=tuple(movers.count(seat) for seat in seats),
        alone=occasion.alone,
        practice=occasion.practice,
        secret=occasion.secret,
        counts_in=occasion.counts_in,
    )


def _ranks_by_cards_left(state: TableState, lost: frozenset[int]) -> tuple[int, ...]:
    """The ranks of seats that went out, then those of others by the cards left; last are those who have ``lost``.

    The same for all if the game was abandoned.
    """
    if (game := state.game) is None:
        return (1,) * len(state.dealt)
    out = [seat for seat in game.places if seat not in lost]
    left = {seat: game.cards_of(seat) for seat in range(len(state.dealt)) if seat not in out}
    return ranks_at_cap(out, left | dict.fromkeys(lost, sum(left.values()) + 1))


def game_result(state: TableState, out: tuple[int, ...] = ()) -> Result:
    """The result of a game that has just ended, by its cards or by the clock, or that was abandoned.

    An abandoned game is in the state no more; ``out`` are the seats that had gone out of it. It has to be made at once:
    players who leave or come later change nothing.
    """
    game, seats = state.game, len(state.dealt)
    occasion = _occasion_result(state, state.occasion) if state.occasion else UNSET
    if game is not None and game.outcome is not None:
        by_cards, counted = (ranks(game.places, seats, lost, game.outcome.drawn) for lost in (_NONE, losers(state)))
    elif game is not None:
        by_cards, counted = (_ranks_by_cards_left(state, lost) for lost in (_NONE, losers(state)))
    else:
        by_cards = counted = abandoned_ranks(state, out)
        matters = (state.dealt[seat].account for seat, rank in enumerate(counted) if rank > 1 or seat in out)
        # A game for which others wait is abandoned only if it is made void.
        if state.others_wait or (state.won is None and not any(matters)):
            return Result((), drawn=False, plies=state.ply, occasion=occasion)
    return Result(
        tuple(
            Finish(
                key,
                player.name,
                counted[seat],
                by_cards=0 if counted[seat] == by_cards[seat] else by_cards[seat],
                successor=state.sitting(seat).player.name
                if state.has_left(seat) and seat not in {*state.went_out, state.won}
                else "",
                why=_why(state, seat),
                left=game.cards_of(seat) if game else 0,
            )
            for seat, (key, player) in enumerate(zip(dealt_keys(state), state.dealt, strict=True))
        ),
        drawn=game is not None and game.outcome is not None and game.outcome.winner is None,
        plies=state.ply,
        abandoned=True if game is None and state.won is None else UNSET,
        rated_as=UNSET if state.rated_as == state.rules.name else state.rated_as,
        occasion=occasion,
        source=state.source or UNSET,
    )


def _why(state: TableState, seat: int) -> Why:
    player = state.dealt[seat]
    if seat in state.removers:
        return "remover"
    if seat in state.removed | state.stand_ins:
        missing: Why = "removed" if seat in state.removed else "absent"
        return missing if player.account or state.others_wait else ""  # no guest is rated
    if player.kind == "ai" or seat == state.won:
        return ""
    if seat not in state.went_out:
        if state.has_left(seat):
            return "left"
        if state.game is None or not state.in_person(seat):
            return "away"
    return "ai-moves" if state.game is not None and seat in losers(state) else ""


def _dealt_key(state: TableState, seat: int) -> str:
    player = state.dealt[seat]
    if seat in state.removed or (player.kind != "ai" and not player.account):
        return GUEST
    if seat in state.hurried and player.kind == "ai":
        return ai_key(HURRIED)
    if seat in state.stand_ins:
        # A player who came back later has seen what the AI player made of the cards: this counts for nobody.
        return ai_key(state.settings.level_of_seats) if (seat, True) not in state.turns else GUEST
    return ai_key(player.level or "") if player.kind == "ai" else player.account or GUEST


def _seated_keys(state: TableState) -> list[str]:
    """The keys that the next game counts for if nobody is away at its deal; AI players take the empty seats."""
    keys = list[str]()
    for seat in state.seats:
        if seat is None or seat.player.kind == "ai":
            keys.append(ai_key((seat and seat.player.level) or state.settings.level_of_seats))
        else:
            keys.append(seat.player.account or GUEST)
    return keys


def counts_for_a_person(state: TableState) -> bool:
    """Whether the next game is rated for a person with a key: it is kept, whatever else is kept from there."""
    has_person = any(seat is not None and seat.player.kind == "person" and seat.player.account for seat in state.seats)
    return has_person and bool(state.rated_as) and are_rated(_seated_keys(state))


def is_kept(state: TableState) -> bool:
    """Whether the game is kept when it has ended: no games of guests that end at once or in which no person moves.

    Nor are those from an address of which enough are kept, but those of an occasion always are, and what counts for
    the rating of a person.
    """
    if state.occasion:
        return True
    if any(player.account for player in state.dealt) or state.source is None:
        return state.source is not None
    is_played = any(in_person and state.dealt[seat].kind == "person" for seat, in_person in state.turns)
    return is_played and len(state.turns) >= LEAST_MOVES


def finished_game(state: TableState, ended: float) -> FinishedGame:
    """The last game at this table, over or abandoned. Raises ValueError if there was none.

    If its result counts otherwise than the cards say, the last note of the record says how.
    """
    record, result = _record(state, ended), state.result
    if result is None:
        raise ValueError("no game has ended")
    if counts := counts_as(result):
        record = replace(record, steps=(*record.steps, Note(f"{sentence_case(counts)}.")))
    accounts = {finish.key for finish in result.finishes if finish.key.startswith(ACCOUNT)}
    text = write_versioned(result)
    return FinishedGame(record.id, record.rules, ended, text, write_record(record), (*accounts,))


def game_stats(state: TableState, events: Iterable[Event]) -> GameStats | None:
    """The figures of the last game, of which these are all events; None unless it is over."""
    if state.game is None or state.result is None:
        return None
    finishes = state.result.finishes
    names, seat_ranks = zip(*((finish.played_by, finish.rank) for finish in finishes), strict=True)
    picked_up = [0] * len(finishes)
    for event in events:
        if isinstance(event, PickedUp):
            picked_up[event.seat] += len(event.cards)
    ai_levels = tuple("" if finish.successor else results.ai_level(finish.key) for finish in finishes)
    people = frozenset(seat for seat, player in enumerate(state.dealt) if player.kind != "ai")
    stood_in = people.intersection(state.game.places) - state.went_out
    counts = counts_as(state.result, is_headed=bool(why := results.won_because(state.result)))
    return GameStats(names, tuple(picked_up), ai_levels, seat_ranks, counts, why, stood_in)


def _record(state: TableState, ended: float) -> Record:
    """The record of a game that ended at this time. Raises ValueError if none was dealt."""
    if state.deal is None:
        raise ValueError("no game was dealt")
    return Record(
        id=state.deal.game,
        rules=state.rules.name,
        title=state.rules.title,
        options=dict(state.rules.options),
        players=state.dealt,
        seed=state.deal.seed,
        cuts=state.deal.cuts,
        dealer=state.named_dealer,
        began=state.began,
        ended=ended,
        version=VERSION,
        steps=state.steps,
    )
