"""Which page a board shows: one after the other, each long enough to be read, and where something happens at once."""

from msgspec.structs import replace

from server.board.feed import LEAST_SECONDS, SECONDS, Director, Happened
from server.board.frame import Board, BoardSize, Capacity, Shown
from tests.server.board.room import room, states, table
from tests.support.each import for_each

EMPTY = Board(time="20:41")


def shown_in(director: Director, board: Board, seconds: int, happened: Happened | None = None) -> list[Shown]:
    """What is shown each second, each page once."""
    shown = [director.turn(board, happened, float(now)) for now in range(seconds)]
    return [each for at, each in enumerate(shown) if at == 0 or each != shown[at - 1]]


@for_each(
    ("size", "tables", "seconds", "kinds"),
    [
        (BoardSize.MEDIUM, 4, 130, "tables tables tables table standings join tables tables tables"),
        (BoardSize.SMALL, 1, 60, "table clock standings join table"),
    ],
)
def test_a_board_turns_through_everything(size: BoardSize, tables: int, seconds: int, kinds: str) -> None:
    """The pages of tables, the table that promises most, the standings, and how to join; then again.

    A small one shows one thing at a time: no page of tables, but the countdown of a competition.
    """
    assert [each.kind for each in shown_in(Director(Capacity(size, tables)), room(40), seconds)] == kinds.split()


def test_a_large_board_only_turns_pages_of_tables() -> None:
    """It shows everything else all the time."""
    shown = shown_in(Director(Capacity(BoardSize.LARGE, 6)), room(40), 40)
    assert shown == [Shown("tables"), Shown("tables", 1), Shown("tables")]


def test_a_call_comes_before_everything() -> None:
    """People look for their names on its pages, until it is over; then the board goes on."""
    director, board, called = Director(Capacity(BoardSize.MEDIUM, 4, 18)), room(40), room(40, is_called=True)
    director.turn(board, None, 1.0)
    shown = [director.turn(called, Happened(1, 2.0), 2.0 + second) for second in range(20)]
    assert [shown[0], shown[7], shown[13], shown[19]] == [Shown("call", page) for page in (0, 1, 2, 0)]
    assert director.turn(board, None, 23.0) == Shown("tables")


def test_an_empty_server_shows_who_is_here_and_how_to_join() -> None:
    """There is no table and no standing."""
    assert [each.kind for each in shown_in(Director(Capacity(BoardSize.MEDIUM, 4)), EMPTY, 20)] == [
        "people",
        "join",
        "people",
    ]
    assert shown_in(Director(Capacity(BoardSize.LARGE, 4)), EMPTY, 90) == [Shown("tables")]


def test_a_board_turns_to_where_something_happens() -> None:
    """At once, if the page before it could be read; the page of the table on a large board, else the table."""
    medium, large = Director(Capacity(BoardSize.MEDIUM, 4)), Director(Capacity(BoardSize.LARGE, 4))
    board = room(40)
    for director in (medium, large):
        director.turn(board, None, 100.0)
    assert medium.turn(board, Happened(9, 101.0), 101.0) == Shown("tables")
    assert medium.turn(board, Happened(9, 101.0), 100.0 + LEAST_SECONDS) == Shown("table", 9)
    assert large.turn(board, Happened(9, 101.0), 100.0 + LEAST_SECONDS) == Shown("tables", 2)
    assert medium.turn(board, Happened(9, 101.0), 100.0 + LEAST_SECONDS + 9) == Shown("standings")


def test_a_board_does_not_turn_to_a_table_that_it_does_not_show() -> None:
    """As one that keeps to a competition, while something happens at another table."""
    director, board = Director(Capacity(BoardSize.SMALL, 1)), room(3)
    first = director.turn(board, None, 100.0)
    assert director.turn(board, Happened(9, 101.0), 100.0 + LEAST_SECONDS) == first


def test_a_table_that_closes_is_left_at_once() -> None:
    """Its page would be empty."""
    director, board = Director(Capacity(BoardSize.MEDIUM, 4)), room(3)
    assert director.turn(board, None, 1.0) == Shown("table", 1)
    assert director.turn(EMPTY, None, 2.0).kind == "people"


def test_the_featured_table_stays_until_another_promises_more() -> None:
    """Tables that promise nearly the same do not take turns."""
    early, late = states()[4], states()[-6]
    board = replace(EMPTY, tables=(table(1, ["Ana", "Bo"], early), table(2, ["Cy", "Di"], early)))
    director = Director(Capacity(BoardSize.SMALL, 1))
    cycle = SECONDS["table"] + SECONDS["join"]
    assert director.turn(board, None, 1.0) == Shown("table", 1)
    director.turn(board, None, 1.0 + SECONDS["table"])
    assert director.turn(board, None, 1.0 + cycle) == Shown("table", 1)
    closer = replace(board, tables=(board.tables[0], table(2, ["Cy", "Di", "Ed", "Flo"], late)))
    director.turn(closer, None, 1.0 + cycle + SECONDS["table"])
    assert director.turn(closer, None, 1.0 + 2 * cycle) == Shown("table", 2)


def test_people_promise_more_than_bots() -> None:
    """Also if they play with AI players, and if all others are bots who are about to win."""
    bots = table(1, ["Ana", "Bo", "Cy", "Di"], states()[-6])
    seats = tuple(replace(sitter, bot=True) for sitter in bots.snapshot.sitters if sitter)
    bots = replace(bots, snapshot=replace(bots.snapshot, sitters=seats))
    people = table(2, ["Ed", "Flo"], states()[-6])
    director = Director(Capacity(BoardSize.SMALL, 1))
    assert director.turn(replace(EMPTY, tables=(bots, people)), None, 1.0) == Shown("table", 2)
