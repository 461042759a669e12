"""The seats of a table."""

from itertools import permutations

from server.tournament.pairing import AI_SEAT, Round, SeatsBefore, left_neighbours, seated

FOUR = ("ana", "bo", "cy", "di")


def test_seats_and_neighbours_change() -> None:
    """Four rounds of the same four: each has each seat once, and nobody the same left-hand neighbour in every round."""
    rounds = list[Round]()
    for _ in range(4):
        rounds.append((seated(FOUR, SeatsBefore(rounds)),))
    tables = [table for tables in rounds for table in tables]
    assert all({table[seat] for table in tables} == set(FOUR) for seat in range(4))
    lefts = [set(left_neighbours(table)) for table in tables]
    assert not set.intersection(*lefts)


def test_the_first_seat_weighs_most() -> None:
    """A player who has had the first seat gets another one, if the rules let the first seat matter."""
    before = SeatsBefore([(("ana", "bo", "cy"),), (("ana", "cy", "bo"),)])
    assert seated(("ana", "bo", "cy"), before)[0] != "ana"
    costs = {order: before.cost(order, first_seat=True) for order in permutations(("ana", "bo", "cy"))}
    assert min(costs, key=costs.__getitem__)[0] != "ana"
    assert before.cost(("ana", "bo", "cy"), first_seat=True) > before.cost(("ana", "bo", "cy"), first_seat=False)


def test_ai_players_are_nobodys_neighbours() -> None:
    """AI players fill seats, and cost nothing there."""
    assert left_neighbours(("ana", AI_SEAT, "bo")) == [("bo", "ana")]
    assert left_neighbours(("ana", "bo")) == []
    before = SeatsBefore([(("ana", AI_SEAT, AI_SEAT),)])
    assert seated(("ana", AI_SEAT, AI_SEAT), before)[0] == AI_SEAT


def test_a_player_who_sat_out_has_had_no_seat() -> None:
    """Sitting out is no first seat."""
    assert SeatsBefore([(("ana",),)]).cost(("ana", "bo"), first_seat=True) == 8
