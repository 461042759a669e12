"""How many sit at which table."""

import pytest

from server.tournament.pairing import Fill, TableSize, rounds_for, table_sizes

FILLS: tuple[Fill, ...] = ("default", "full", "none")


def test_every_number_of_people_is_seated() -> None:
    """Tables of four and three; AI players only where people alone cannot be divided."""
    for people in range(1, 65):
        threes = -people % 4
        sizes = table_sizes(people)
        assert sum(size.people for size in sizes) == people
        if people not in {1, 2, 5}:
            assert sizes == (TableSize(4),) * ((people - 3 * threes) // 4) + (TableSize(3),) * threes
    assert table_sizes(0) == ()
    assert table_sizes(1) == (TableSize(1, 2),)
    assert table_sizes(2) == (TableSize(2, 1),)
    assert table_sizes(5) == (TableSize(3), TableSize(2, 1))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("fill", FILLS)
def test_sizes_keep_their_bounds(seats: int, fill: Fill) -> None:
    """Everybody has a seat; tables differ by one person at most; AI players are where the setting says."""
    for people in range(1, 65):
        sizes = table_sizes(people, seats, fill)
        assert sum(size.people for size in sizes) == people
        assert [size.people for size in sizes] == sorted((size.people for size in sizes), reverse=True)
        assert sizes[0].people - sizes[-1].people <= 1
        if fill == "none":
            assert not any(size.ai for size in sizes)
        elif fill == "full":
            assert {size.seats for size in sizes} == {seats}
        else:
            assert {size.seats for size in sizes} <= {seats, max(seats - 1, 2), min(3, seats)}
            assert sum(size.ai > 0 for size in sizes) <= 1


def test_a_player_left_over_without_ai_players_sits_out() -> None:
    """Without AI players one person has no table, and two play each other."""
    assert table_sizes(1, fill="none") == (TableSize(1),)
    assert table_sizes(2, fill="none") == (TableSize(2),)
    assert table_sizes(5, fill="none") == (TableSize(3), TableSize(2))
    assert table_sizes(3, seats=2, fill="none") == (TableSize(2), TableSize(1))
    with pytest.raises(ValueError, match="seats: 2 to 4, not 5"):
        table_sizes(8, seats=5)


def test_rounds_by_people() -> None:
    """Three rounds at least and six at most."""
    assert [rounds_for(people) for people in (1, 4, 5, 8, 9, 16, 17, 32, 33, 200)] == [3, 3, 4, 4, 5, 5, 6, 6, 6, 6]
