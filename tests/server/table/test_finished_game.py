"""How a game counts for players who stay, leave, lose the connection or are removed."""

from random import Random

import pytest
from msgspec.structs import replace

from engine.legality import legal_moves
from engine.moves import READY
from engine.view import view_of
from server.people.players import Player
from server.records.results import Finish, read_result
from server.table.entries import Abandoned, Away, Barred, Change, Committed, Dealt, Moved, Returned, Sat
from server.table.finished_game import finished_game
from server.table.fold import apply
from server.table.state import TableState
from tests.support.tables import ANA, BO, table_settings

CY = Player("SHA256:cy", "cy")
FOX = Player("ai:Fox", "Fox", "ai", "hard")


def after(state: TableState, *changes: Change) -> TableState:
    """The table after these changes."""
    for change in changes:
        state, _ = apply(state, change, state.since + 1)
    return state


def dealt(*players: Player) -> TableState:
    """These players have been dealt a game, and are ready."""
    state = after(
        TableState.of(table_settings(len(players))), *(Sat(seat, player) for seat, player in enumerate(players))
    )
    state = after(state, Committed("GAME", "seed"), Dealt(0))
    return after(state, *(Moved(seat, str(READY)) for seat in range(len(players))))


def played(state: TableState, places: int | None = None) -> TableState:
    """The same game when so many seats have gone out, or at its end."""
    chance = Random("finished")
    while state.playing and state.game is not None and (places is None or len(state.game.places) < places):
        seat = state.deciding[0]
        move = chance.choice(legal_moves(view_of(state.game, seat), seat))
        state = after(state, Moved(seat, str(move)))
    return state


def ranks(state: TableState) -> list[int]:
    """The ranks of the seats."""
    return [finish.rank for finish in finishes(state)]


def finishes(state: TableState) -> tuple[Finish, ...]:
    """What the result says of each seat."""
    return read_result(finished_game(state, 9.0).result).finishes


@pytest.mark.parametrize("stays", [True, False])
def test_a_player_who_has_gone_out_may_leave(stays: bool) -> None:  # noqa: FBT001
    """They keep their rank if they leave for good, lose the connection or stay."""
    state = played(dealt(ANA, CY, BO), 1)
    assert state.game is not None
    (first,) = state.game.places
    went = state if stays else after(state, Sat(first, FOX))
    dropped = state if stays else after(state, Away(first, "gone"))
    for state in (went, dropped):
        assert ranks(played(state))[first] == 1


def test_a_player_who_leaves_early_is_last() -> None:
    """Also if the AI player that takes their seat goes out first."""
    state = played(dealt(ANA, CY, BO), 1)
    assert state.game is not None
    (first,) = state.game.places
    for change in (Sat(first, FOX), Away(first, "gone")):
        state = played(after(dealt(ANA, CY, BO), change))
        assert state.game is not None
        assert state.game.places[0] == first
        assert ranks(state)[first] == 3


def test_a_game_from_which_somebody_was_removed_counts_for_nobody() -> None:
    """The next game counts, and so does a game before which somebody was removed."""
    state = after(dealt(ANA, CY, BO), Barred(BO.id), Sat(2, FOX))
    assert not finishes(played(state))
    again = after(played(state), Barred("guest:x"), Committed("GAME2", "seed"), Dealt(0))
    assert finishes(played(again))


def test_leaving_for_good_is_no_way_out_of_a_defeat() -> None:
    """If the game is abandoned, the player who left is last, and the others share the first place."""
    state = dealt(ANA, FOX, replace(FOX, id="ai:Owl"))
    assert not finishes(after(state, Abandoned()))
    assert not finishes(after(state, Away(0, "gone"), Abandoned()))
    assert ranks(after(state, Sat(0, replace(FOX, id="ai:Hex")), Abandoned())) == [3, 1, 1]
    guest = dealt(BO, FOX)
    assert not finishes(after(guest, Sat(0, replace(FOX, id="ai:Hex")), Abandoned()))


def test_a_player_who_was_away_during_a_whole_game_loses_nothing() -> None:
    """It counts for the level of the AI player, unless the player came back."""
    state = after(
        TableState.of(table_settings(2)), Sat(0, ANA), Sat(1, CY), Away(1, "gone"), Committed("GAME", "seed"), Dealt(0)
    )
    state = after(state, Moved(0, str(READY)), Moved(1, str(READY)))
    assert [finish.key for finish in finishes(played(state))] == [ANA.id, "ai:hard"]
    back = after(state, Returned(1))
    assert [finish.key for finish in finishes(played(back))] == [ANA.id, CY.id]
    assert ranks(played(after(back, Away(1, "gone")))) == [1, 2]
