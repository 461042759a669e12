"""How a game counts for players who stay, leave, lose the connection or are removed."""

from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from engine.legality import legal_moves
from engine.moves import READY
from engine.rulesets import ruleset
from engine.view import view_of
from server.people.players import Player
from server.pieces import at_once
from server.records.record import IS_AWAY, decisions_of, went_away
from server.records.record_reader import read_record
from server.records.results import GUEST, Finish, read_result
from server.table.entries import (
    Abandoned,
    Away,
    Barred,
    Called,
    Committed,
    Dealt,
    Moved,
    Returned,
    Sat,
    TableSettings,
)
from server.table.finished_game import (
    CHANGED_RULES,
    ONE_KEY,
    ONLY_GUESTS,
    RATED,
    counts_for_a_person,
    finished_game,
    rating_status,
)
from server.table.seats import call_away, leave
from server.table.state import TableState
from tests.support.each import for_each
from tests.support.tables import ANA, BO, after, table_settings

CY = Player("account:cy", "cy")
DEE = Player("account:dee", "dee")
FOX = Player("ai:Fox", "Fox", "ai", "hard")


def dealt(*players: Player, away: int | None = None) -> TableState:
    """These players have been dealt a game, one of them perhaps while they were away, and all are ready."""
    state = after(
        TableState.of(table_settings(len(players))), *(Sat(seat, player) for seat, player in enumerate(players))
    )
    gone = [] if away is None else [Away(away, "gone")]
    return ready(after(state, *gone, Committed("GAME", "0" * 64), Dealt(0)))


def ready(state: TableState) -> TableState:
    """All players have arranged their cards."""
    return after(state, *(Moved(seat, str(READY)) for seat in state.deciding))


def played(state: TableState, places: int | None = None) -> TableState:
    """The same game when so many seats have gone out, or at its end."""
    while state.playing and state.game is not None and (places is None or len(state.game.places) < places):
        state = moved(state, 1)
    return state


def moved(state: TableState, plies: int) -> TableState:
    """The same game so many moves later."""
    for _ in range(plies):
        assert state.game is not None
        seat = state.deciding[0]
        move = Random(f"finished {state.ply}").choice(legal_moves(view_of(state.game, seat), seat))
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


def test_removing_a_player_gains_nothing() -> None:
    """The player who removes another is last, the removed one is not rated, and the game counts for the others."""
    state = after(dealt(ANA, CY, DEE), Barred(CY.id, ANA.id), Sat(1, FOX))
    ended = finishes(played(state))
    assert [finish.key for finish in ended] == [ANA.id, GUEST, DEE.id]
    assert ended[0].rank == 3
    assert ended[2].rank < 3
    assert finishes(after(state, Abandoned()))[0].rank == 3


def test_an_op_who_does_not_play_removes_a_player_for_nothing() -> None:
    """No player is last because of it."""
    state = played(after(dealt(ANA, CY, DEE), Barred(CY.id, "account:op"), Sat(1, FOX)))
    assert state.game is not None
    ended = finishes(state)
    assert [finish.key for finish in ended] == [ANA.id, GUEST, DEE.id]
    assert ended[state.game.places[0]].rank == 1


def test_only_a_player_who_is_still_in_the_game_can_be_removed_from_it() -> None:
    """A player who has gone out keeps the rank. Leaving between games concerns no game."""
    state = played(dealt(ANA, CY, DEE), 1)
    assert state.game is not None
    (first,) = state.game.places
    players, other = (ANA, CY, DEE), (first + 1) % 3
    late = finishes(played(after(state, Barred(players[first].id, players[other].id), Sat(first, FOX))))
    assert (late[first].key, late[first].rank) == (players[first].id, 1)
    out_by_ai = played(after(dealt(ANA, CY, DEE), Away(first, "gone")), 1)
    assert not after(out_by_ai, Barred(players[first].id, players[other].id)).removers
    again = after(played(state), Barred(CY.id, ANA.id), Sat(1, FOX), Committed("GAME2", "seed"), Dealt(0))
    assert not again.removed | again.removers


def test_leaving_for_good_is_no_way_out_of_a_defeat() -> None:
    """If the game is abandoned, the player who left is last, and the others share the first place."""
    state = dealt(ANA, FOX, replace(FOX, id="ai:Owl"))
    assert ranks(after(state, Sat(0, replace(FOX, id="ai:Hex")), Abandoned())) == [3, 1, 1]
    guest = dealt(BO, FOX)
    assert not finishes(after(guest, Sat(0, replace(FOX, id="ai:Hex")), Abandoned()))


def test_hanging_up_is_no_way_out_of_a_defeat_by_ai_players() -> None:
    """When the table closes the AI players have won, whether or not one plays for the player who never came back."""
    state = dealt(ANA, FOX, replace(FOX, id="ai:Owl"))
    assert ranks(after(state, Abandoned())) == [3, 1, 1]
    assert ranks(after(state, Away(0, "gone"), Abandoned())) == [3, 1, 1]
    assert ranks(after(dealt(ANA, FOX, CY), Abandoned())) == [2, 1, 2]


def test_a_player_who_is_out_keeps_their_place_in_a_game_that_all_abandon() -> None:
    """Before the AI players and those who are away, who are not out."""
    state = played(dealt(FOX, ANA, CY), 1)
    assert state.game is not None
    (first,) = state.game.places
    assert ranks(after(state, Sat(first, replace(FOX, id="ai:Owl")), Abandoned()))[first] == 1
    assert sorted(ranks(after(state, Abandoned()))) == [1, 2, 3]


def test_a_game_that_all_abandon_has_no_winner() -> None:
    """Unless one of them had left for good before."""
    both = dealt(ANA, CY)
    assert not finishes(after(both, Abandoned()))
    assert ranks(after(both, Sat(0, FOX), Abandoned())) == [2, 1]


def left(state: TableState, *players: Player) -> TableState:
    """The same game after these players have left it for good, one after the other."""
    for player in players:
        change = leave(state, player.id, lambda _: False)
        assert change is not None
        state = after(state, change)
    return state


@for_each("other", [CY, BO])
def test_whoever_all_others_have_left_has_won_whatever_they_do_then(other: Player) -> None:
    """Also if they leave, too, against a guest as well, and whoever goes out. An older log does not say so."""
    won = left(dealt(ANA, other), other)
    assert call_away(won, ANA.id) is None
    for state in (left(won, ANA), after(won, Away(0, "gone")), won):
        for ended in (played(state), after(state, Abandoned())):
            result = read_result(finished_game(ended, 9.0).result)
            assert [(finish.rank, finish.why) for finish in result.finishes] == [(1, ""), (2, "left")]
            assert result.winner == 0
    older = after(dealt(ANA, CY), Sat(1, FOX), Sat(0, replace(FOX, id="ai:Owl")))
    assert ranks(played(older)) == [1, 1]
    assert left(after(won, Abandoned(), Committed("GAME2", "seed"), Sat(1, CY), Dealt(0)), CY).won == 0


@for_each(
    "state",
    [
        left(dealt(ANA, CY, FOX), CY),
        left(dealt(ANA, CY, DEE), CY),
        left(dealt(ANA, CY, away=0), CY),
        left(dealt(ANA, CY, away=1), CY),
        left(after(dealt(ANA, CY), Barred(CY.id, ANA.id)), CY),
    ],
)
def test_nobody_has_won_before_the_end_while_another_may_be_first(state: TableState) -> None:
    """An AI player or a player who stays; nor has a player who was away at the deal, or who has removed the other."""
    assert state.won is None


def test_a_player_who_was_away_during_a_whole_game_loses_nothing() -> None:
    """It counts for the level of the AI player."""
    state = dealt(ANA, CY, away=1)
    assert [finish.key for finish in finishes(played(state))] == [ANA.id, "ai:hard"]
    looked_in = after(state, Returned(1), Away(1, "gone"))
    assert [finish.key for finish in finishes(played(looked_in))] == [ANA.id, "ai:hard"]


def test_a_guest_for_whom_an_ai_player_plays_makes_no_game_rated() -> None:
    """It was not rated before, and the other player has agreed to that."""
    state = dealt(ANA, BO, away=1)
    assert [finish.key for finish in finishes(played(state))] == [ANA.id, GUEST]
    assert rating_status(state) == ONE_KEY


def test_a_player_who_was_away_at_the_deal_cannot_come_back_to_win() -> None:
    """Once they have moved, the seat counts for nobody: neither for them nor for the AI player."""
    state = after(dealt(ANA, CY, away=1), Returned(1))
    assert [finish.key for finish in finishes(played(state))] == [ANA.id, GUEST]


def test_a_player_who_was_called_to_another_game_loses_nothing() -> None:
    """Not in a game that others play on, nor in one that waits for them in vain."""
    begun = moved(dealt(ANA, CY), 6)
    called = after(begun, Called(1))
    for ended in (played(after(called, Away(1, "gone"))), after(called, Away(1, "gone"), Abandoned())):
        finish = finishes(ended)[1]
        assert (finish.key, finish.why) == (GUEST, "absent")
    assert call_away(begun, CY.id) == Called(1)
    assert call_away(played(begun), CY.id) is None
    assert call_away(begun, "account:nobody") is None


def test_handing_over_and_coming_back_for_the_last_moves_wins_nothing() -> None:
    """A player is last if an AI player has made more than a third of their moves; a short absence costs nothing."""
    begun = dealt(ANA, CY, DEE)
    ended = played(begun)
    assert ended.game is not None
    first, length = ended.game.places[0], ended.ply - begun.ply
    assert ranks(ended)[first] == 1
    handed_over = moved(after(begun, Away(first, "clock")), length - 2)
    at_the_end = finishes(played(after(handed_over, Returned(first))))[first]
    assert (at_the_end.rank, at_the_end.why) == (3, "ai-moves")
    stepped_out = moved(after(moved(begun, 6), Away(first, "gone")), 6)
    assert ranks(played(after(stepped_out, Returned(first))))[first] == 1


def test_moves_of_an_ai_player_for_a_person_are_counted() -> None:
    """Those of arranging do not count, since there can be as many as one likes."""
    state = dealt(ANA, CY)
    assert state.turns == ()
    state = moved(state, 4)
    assert [in_person for _, in_person in state.turns] == [True] * 4
    state = after(moved(after(state, Away(0, "clock")), 4), Returned(0))
    assert {(seat, in_person) for seat, in_person in state.turns[4:]} == {(0, False), (1, True)}
    state = moved(state, 4)
    assert [in_person for _, in_person in state.turns[8:]] == [True] * 4


def settings(**changes: object) -> TableSettings:
    """What a table is opened for."""
    return replace(table_settings(2), **changes)


@for_each(
    ("opened", "rated_as"),
    [
        (settings(), "quatch"),
        (settings(level="easy"), "quatch"),
        (settings(clock=30.0, pace=0.0, hints=False, word="apple"), "quatch"),
        (settings(options={"deal.hand": 1}, title="Quatch, changed"), ""),
        (settings(options={"deal.hand": ruleset("quatch").deal_hand}), "quatch"),
        (settings(options={"deal.hand": 4}, title="Big Quatch", house="big"), "big"),
        (settings(options={"deal.hand": 4}, title="Big Quatch"), ""),
    ],
)
def test_a_game_is_rated_under_the_rules_it_was_played_by(opened: TableSettings, rated_as: str) -> None:
    """Changed rules are another game; house rules have a name of their own; all other settings change no rules."""
    state = after(TableState.of(opened), Sat(0, ANA), Sat(1, CY), Committed("GAME", "seed"))
    ended = read_result(finished_game(played(ready(after(state, Dealt(0)))), 9.0).result)
    assert len(ended.finishes) == 2
    assert ("quatch" if ended.rated_as is UNSET else ended.rated_as) == rated_as
    assert rating_status(state) == (RATED if rated_as else CHANGED_RULES)


def test_players_see_before_the_deal_whether_their_game_is_rated() -> None:
    """Empty seats get AI players; against guests alone no player with a key is rated, and no guest is."""
    empty = TableState.of(table_settings(2))
    for players, words in [
        ((ANA,), RATED),
        ((ANA, CY), RATED),
        ((ANA, FOX), RATED),
        ((ANA, BO), ONE_KEY),
        ((BO,), ONLY_GUESTS),
        ((BO, FOX), ONLY_GUESTS),
    ]:
        state = after(empty, *(Sat(seat, player) for seat, player in enumerate(players)))
        assert rating_status(state) == words
    assert rating_status(dealt(ANA, BO)) == ONE_KEY
    away = after(empty, Sat(0, ANA), Sat(1, CY), Away(0, "gone"), Committed("GAME", "seed"))
    assert rating_status(away) == RATED
    assert rating_status(after(away, Dealt(0))) == "rated for the others: ana was not there for the whole game"
    removed = after(dealt(ANA, CY), Barred(CY.id), Sat(1, FOX))
    assert rating_status(removed) == "not rated: cy was removed"
    both_away = after(away, Away(1, "gone"))
    assert rating_status(both_away) == RATED
    neither = "not rated: ana was not there for the whole game and cy was not there for the whole game"
    assert rating_status(after(both_away, Dealt(0))) == neither


@for_each(("third", "rating"), [(BO, "rated for players with a key"), (FOX, "rated")])
def test_a_table_with_a_guest_says_for_whom_its_game_is_rated(third: Player, rating: str) -> None:
    """Before the deal and in the game."""
    players = (ANA, CY, third)
    seated = after(TableState.of(table_settings(3)), *(Sat(seat, player) for seat, player in enumerate(players)))
    assert rating_status(seated) == rating
    assert rating_status(after(seated, Committed("GAME", "seed"), Dealt(0))) == rating


def test_the_record_says_who_was_away_at_the_deal() -> None:
    """Their turns, which a review judges, begin when they are back."""
    state = moved(dealt(ANA, BO, away=1), 4)
    record = read_record(finished_game(played(after(state, Returned(1))), 9.0).record)
    assert record.steps[0] == went_away("bo", IS_AWAY, "hard")
    turns = [[turn.ply for turn in at_once(decisions_of(record, seat))] for seat in (0, 1)]
    assert turns[0][0] < state.ply < turns[1][0]


@for_each(
    ("state", "counts"),
    [
        (dealt(CY, FOX), True),
        (dealt(CY, replace(DEE, kind="bot")), True),
        (dealt(replace(CY, kind="bot"), FOX), False),
        (dealt(BO, FOX), False),
        (dealt(CY, BO), False),
    ],
)
def test_what_counts_for_the_rating_of_a_person_is_kept_in_any_case(state: TableState, *, counts: bool) -> None:
    """Also if an address has many games; not what programs or guests play, of which there may be any number."""
    assert counts_for_a_person(state) == counts
