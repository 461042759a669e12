"""For whom a game counts, and how, by who stayed, left, dropped or was removed."""

from dataclasses import replace
from random import Random

import pytest

from engine.legality import legal_moves
from engine.moves import READY
from engine.view import view_of
from server.people.players import Player
from server.records.results import Finish, read_result
from server.table.entries import Abandoned, Away, Barred, Change, Committed, Dealt, Moved, Returned, Sat
from server.table.finished import finished_game
from server.table.fold import apply
from server.table.state import Facts
from tests.support.tables import ANA, BO, opened

CY = Player("SHA256:cy", "cy")
FOX = Player("ai:Fox", "Fox", "ai", "hard")


def after(facts: Facts, *changes: Change) -> Facts:
    """The table after these."""
    for change in changes:
        facts, _ = apply(facts, change, facts.since + 1)
    return facts


def dealt(*players: Player) -> Facts:
    """These have been dealt a game, and have nothing to arrange."""
    facts = after(Facts.of(opened(len(players))), *(Sat(seat, player) for seat, player in enumerate(players)))
    facts = after(facts, Committed("GAME", "seed"), Dealt(0))
    return after(facts, *(Moved(seat, str(READY)) for seat in range(len(players))))


def played(facts: Facts, places: int | None = None) -> Facts:
    """The same game a while later: so many have gone out, or it is over."""
    chance = Random("finished")
    while facts.playing and facts.game is not None and (places is None or len(facts.game.places) < places):
        seat = facts.deciding[0]
        move = chance.choice(legal_moves(view_of(facts.game, seat), seat))
        facts = after(facts, Moved(seat, str(move)))
    return facts


def ranks(facts: Facts) -> list[int]:
    """How the seats came out."""
    return [finish.rank for finish in finishes(facts)]


def finishes(facts: Facts) -> tuple[Finish, ...]:
    """What is kept of it."""
    return read_result(finished_game(facts, 9.0).result).finishes


@pytest.mark.parametrize("stays", [True, False])
def test_who_has_gone_out_may_go(stays: bool) -> None:  # noqa: FBT001
    """Their place is theirs, whether they leave for good, drop or stay."""
    facts = played(dealt(ANA, CY, BO), 1)
    assert facts.game is not None
    (first,) = facts.game.places
    went = facts if stays else after(facts, Sat(first, FOX))
    dropped = facts if stays else after(facts, Away(first, "gone"))
    for facts in (went, dropped):
        assert ranks(played(facts))[first] == 1


def test_what_an_ai_player_makes_of_a_seat_counts_for_nobody() -> None:
    """Whoever leaves before they go out is last, also where the seat goes out first."""
    facts = played(dealt(ANA, CY, BO), 1)
    assert facts.game is not None
    (first,) = facts.game.places
    for change in (Sat(first, FOX), Away(first, "gone")):
        facts = played(after(dealt(ANA, CY, BO), change))
        assert facts.game is not None
        assert facts.game.places[0] == first
        assert ranks(facts)[first] == 3


def test_a_game_from_which_somebody_was_removed_counts_for_nobody() -> None:
    """The next one does; and removing somebody between games costs none."""
    facts = after(dealt(ANA, CY, BO), Barred(BO.id), Sat(2, FOX))
    assert not finishes(played(facts))
    again = after(played(facts), Barred("guest:x"), Committed("GAME2", "seed"), Dealt(0))
    assert finishes(played(again))


def test_leaving_for_good_is_no_way_out_of_a_defeat() -> None:
    """Where nobody stays to see the end, whoever left is last, and the others share the first place."""
    facts = dealt(ANA, FOX, replace(FOX, id="ai:Owl"))
    assert not finishes(after(facts, Abandoned()))
    assert not finishes(after(facts, Away(0, "gone"), Abandoned()))
    assert ranks(after(facts, Sat(0, replace(FOX, id="ai:Hex")), Abandoned())) == [3, 1, 1]
    guest = dealt(BO, FOX)
    assert not finishes(after(guest, Sat(0, replace(FOX, id="ai:Hex")), Abandoned()))


def test_who_was_away_from_before_the_deal_has_lost_nothing() -> None:
    """An AI player has played all of it, and it counts for its level; unless its person came back."""
    facts = after(Facts.of(opened(2)), Sat(0, ANA), Sat(1, CY), Away(1, "gone"), Committed("GAME", "seed"), Dealt(0))
    facts = after(facts, Moved(0, str(READY)), Moved(1, str(READY)))
    assert [finish.key for finish in finishes(played(facts))] == [ANA.id, "ai:hard"]
    back = after(facts, Returned(1))
    assert [finish.key for finish in finishes(played(back))] == [ANA.id, CY.id]
    assert ranks(played(after(back, Away(1, "gone")))) == [1, 2]
