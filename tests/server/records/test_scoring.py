"""The points of a table."""

from itertools import product

import pytest

from server.records.scoring import AVERAGE, ranks_at_cap, table_scores


def patterns(seats: int) -> set[tuple[int, ...]]:
    """All ways to order so many seats, ties allowed: equal ranks are a tie, and the next rank leaves a gap."""
    orders = product(range(seats), repeat=seats)
    return {tuple(1 + sum(other < mine for other in order) for mine in order) for order in orders}


@pytest.mark.parametrize(("seats", "many"), [(2, 3), (3, 13), (4, 75)])
def test_every_tie_pattern_shares_the_same_sum(seats: int, many: int) -> None:
    """A table gives six points a seat, whoever ties; a better rank gives more, an equal one the same."""
    assert len(patterns(seats)) == many
    for ranks in patterns(seats):
        scores = table_scores(ranks)
        assert sum(scores) == AVERAGE * seats
        for one, other in product(range(seats), repeat=2):
            assert (ranks[one] < ranks[other]) == (scores[one] > scores[other])


def test_points_by_place() -> None:
    """The points of four, three and two seats, of ties, and of a player alone."""
    assert table_scores((4, 1, 3, 2)) == (0, 12, 4, 8)
    assert table_scores((2, 3, 1)) == (6, 0, 12)
    assert table_scores((1, 2)) == (10, 2)
    assert table_scores((1, 2, 2, 4)) == (12, 6, 6, 0)
    assert table_scores((1, 1, 1, 4)) == (8, 8, 8, 0)
    assert table_scores((1,)) == (AVERAGE,)


def test_a_game_ended_by_the_clock_ranks_by_cards() -> None:
    """Those who are out keep their order; of the others fewer cards are better, and equal ones tie."""
    assert ranks_at_cap(out=[2], cards_left={0: 9, 1: 4, 3: 4}) == (4, 2, 1, 2)
    assert ranks_at_cap(out=[], cards_left={0: 3, 1: 3}) == (1, 1)
    assert ranks_at_cap(out=[1, 0], cards_left={2: 1}) == (2, 1, 3)
