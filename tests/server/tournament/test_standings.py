"""Standings and honours."""

from fractions import Fraction

from server.tournament.standings import PlayedBoard, Row, honours, open_standings, swiss_standings
from tests.support.each import for_each


def result(seats: str, *, ranks: str = "1234", ended: float = 0.0, final: bool = False) -> PlayedBoard:
    """The result of a table: its seats as in "a b c", AI players as "-"."""
    players = tuple("" if name == "-" else name for name in seats.split())
    return PlayedBoard(players, ranks=tuple(map(int, ranks[: len(players)])), ended=ended, final=final)


def places(rows: tuple[Row, ...]) -> str:
    """Rows as text: 1 a, 2= b (firsts)."""
    return ", ".join(
        f"{row.place}{'=' * row.shared} {row.player}" + (f" ({row.decided})" if row.decided else "") for row in rows
    )


def test_points_decide() -> None:
    """Points of tables and credits are summed; what decided needs no word then, and credits bend no tie-break."""
    rows = swiss_standings("abcd", [result("a b c d"), result("a b c")], {"d": 1})
    assert [(row.player, row.points, row.games, len({*row.met})) for row in rows] == [
        ("a", 24, 2, 3),
        ("b", 14, 2, 3),
        ("c", 4, 2, 3),
        ("d", 4, 1, 3),
    ]
    assert places(rows) == "1 a, 2 b, 3 c (opponents), 4 d (opponents)"


@for_each(
    ("entrants", "results", "expected"),
    [
        ("abxy", [result("a b x y"), result("x b a y")], "1= a (firsts), 1= x (firsts), 3 b (firsts), 4 y"),
        (
            *("abcdef", [result("a b c"), result("d e f"), result("b e")]),
            "1 b, 2 a (opponents), 3 d (opponents), 4 e, 5 c (opponents), 6 f (opponents)",
        ),
        ("abxy", [result("x a b y"), result("x y b a")], "1 x, 2 b (lasts), 3= a (lasts), 3= y (lasts)"),
        (
            *("abcd", [PlayedBoard(("a", "c"), ranks=(1, 1), short=True), result("b d", ranks="11")]),
            "1= b (small tables), 1= d (small tables), 3= a (small tables), 3= c (small tables)",
        ),
        (
            *("abcd", [result("a - -"), result("b c d")]),
            "1 b (firsts), 2 a (firsts), 3 c, 4 d",
        ),
        ("ba", [], "1= a, 1= b"),
        ("", [], ""),
    ],
)
def test_ties_are_broken_in_this_order(entrants: str, results: list[PlayedBoard], expected: str) -> None:
    """More first places, better opponents, fewer last places, fewer small tables; who is equal in all shares a place.

    Opponents count by their mean score, and for four points at least. A first place over AI players alone is none.
    """
    assert places(swiss_standings(entrants, results)) == expected


def test_the_final_table_decides_its_places_alone() -> None:
    """Its players have places 1 to 4 in its order, whatever their points, and it gives no points."""
    rows = swiss_standings("abcdef", [result("a b c"), result("d e f"), result("a b c d", ranks="2314", final=True)])
    assert places(rows) == "1 c (final), 2 a (final), 3 b (final), 4 d (final), 5 e, 6 f"
    assert [row.points for row in rows] == [0, 12, 6, 12, 6, 0]


def games(seats: str, many: int, *, start: float = 0.0) -> list[PlayedBoard]:
    """The same table many times, a game every ten minutes."""
    return [result(seats, ended=start + 600.0 * number) for number in range(1, many + 1)]


def test_the_house_score_is_an_exact_fraction() -> None:
    """Six average games are added; a player is listed from five games on."""
    rows = open_standings("abcd", [*games("a b c", 5), *games("a d", 1)])
    assert places(rows) == "1 a, 2 b, 3 c, 0 d"
    assert [row.house for row in rows] == [Fraction(106, 12), Fraction(66, 11), Fraction(36, 11), Fraction(38, 7)]


def test_equal_house_scores_share_a_place() -> None:
    """No second criterion in an open night."""
    assert places(open_standings("ab", games("a - b", 3) + games("b - a", 3))) == "1= a, 1= b"


def test_only_players_who_stayed_are_on_the_podium() -> None:
    """At the end a player who left 40 minutes before is named after the podium, with the reason."""
    results = [*games("a b c d", 6), *games("b c d", 6, start=3600.0)]
    assert places(open_standings("abcd", results)) == "1 a, 2 b, 3 c, 4 d"
    assert places(open_standings("abcd", results, over=True)) == "1 b, 2 c, 3 d, 4 a (left early)"
    assert places(open_standings("abcd", games("a b c d", 6), over=True)) == "1 a, 2 b, 3 c, 4 d"


def test_honours() -> None:
    """Each goes to all who have most of it; what nobody has, or everybody, is not told."""
    assert honours([], []) == ()
    results = [
        result("a b d", ended=100.0),
        result("d a b c", ended=700.0),
        result("d a -", ended=900.0),
        result("e f", ended=950.0),
    ]
    assert "people met" not in {honour.kind for honour in honours(results[:1], ["a"])}
    told = {honour.kind: (honour.players, honour.value) for honour in honours(results, ["a"])}
    assert told == {
        "people met": (("a", "b", "c", "d"), 3),
        "longest night": (("a", "d"), 780),
        "comebacks": (("d",), 1),
        "giant-killer": (("d",), 2),
    }


def test_no_comeback_by_a_void_game_or_by_sitting_out() -> None:
    """Nobody has won it."""
    last = result("a b", ended=1.0)
    for later in (result("b a", ranks="11", ended=2.0), result("b", ended=2.0)):
        assert "comebacks" not in {honour.kind for honour in honours([last, later], ["a"])}
