"""`quatch bench table`: overload and the search for the largest number of people, without servers."""

from server.bench.figures import Figure
from server.bench.people import Person, Table
from server.bench.playing import FIRST_TABLES, NEAR, Evening, Ramp, overloaded, ramp_lines


class Sitting(Person):
    """A person at a table who hears what a test says."""

    def __init__(self) -> None:
        super().__init__()
        self.typed: list[str] = []

    def press(self, keys: str) -> None:
        """Remember it."""
        self.typed.append(keys)

    def hear(self) -> None:
        """An update has come."""
        self.data_received(b"12345", None)


def moves_of(table: Table) -> int:
    """How many moves were typed."""
    return sum(len(person.typed) for person in table.people if isinstance(person, Sitting))


def test_nobody_moves_before_all_have_seen_the_last_move() -> None:
    """A move that others see only after the next one was due is late, and so is the one that was not made."""
    people = [Sitting() for _ in range(4)]
    table = Table("t0", list(people))
    table.beat()
    for person in people[1:]:
        person.hear()
    table.beat()
    assert (moves_of(table), table.due, table.in_time) == (2, 2, 1)
    table.beat()
    assert (moves_of(table), table.due, table.in_time) == (2, 3, 1)
    for person in people:
        person.hear()
    table.beat()
    assert (moves_of(table), table.due, table.in_time) == (3, 4, 1)
    before = len(table.delays)
    table.end()
    assert len(table.delays) == before + 3


def test_a_server_that_cannot_keep_up_is_told_in_one_line() -> None:
    """And nothing is told of one that can."""
    assert overloaded("Quatch", Evening(in_time=1234, due=3000)) == [
        "Quatch is overloaded: 1,234 of 3,000 moves in time"
    ]
    assert overloaded("Quatch", Evening(in_time=3000, due=3000)) == []


def search(capacity: int, most: int) -> Ramp:
    """Search with a server that carries so many tables."""
    ramp, tried = Ramp(), list[int]()
    while (tables := ramp.next(most)) is not None:
        tried.append(tables)
        if tables <= capacity:
            ramp.carried = tables
        else:
            ramp.too_many = tables
    assert len(tried) <= 12
    return ramp


def test_the_number_is_doubled_and_then_halved() -> None:
    """Until it is known up to a small part, or all that there may be are carried."""
    for capacity in (1, 5, FIRST_TABLES, 50, 61, 63, 64, 65, 300, 499):
        ramp = search(capacity, 500)
        assert ramp.carried <= capacity
        assert ramp.too_many is not None
        assert ramp.too_many - ramp.carried <= max(2, 2 * ramp.carried / NEAR + 1)
    assert search(1000, 500) == Ramp(carried=500)
    assert search(0, 500).carried == 0


def test_both_numbers_stand_beside_each_other() -> None:
    """With their ratio; a search that found no limit says so."""
    found, floor = Ramp(carried=100, too_many=110, clients_busy=0.5), Ramp(carried=400, clients_busy=0.9)
    mine, theirs, figure = ramp_lines(found, floor)
    assert str(mine).startswith("Quatch carries 400 people")
    assert "at least 1,600" in str(theirs)
    assert "90% of their own core" in str(theirs)
    assert isinstance(figure, Figure)
    assert (figure.value, figure.baseline, figure.ratio, figure.unit) == (400, 1600, 0.25, "people")
    assert len(list(ramp_lines(Ramp(), Ramp()))) == 2
