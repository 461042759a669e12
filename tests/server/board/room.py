"""Rooms for the big board: so many people at tables of four, in the middle of their games."""

from functools import cache

from engine.state import State
from engine.view import view_of
from server.board.frame import Board, BoardTable, Shown, draw_board
from server.cells import STYLES
from server.lobby.competitions import Competition, Leaders
from server.people.settings import Settings
from server.render.theme import theme_of
from server.table.snapshot import Sitter, Snapshot
from tests.support.odd_names import names
from tests.support.random_games import TABLES, random_game

SIZES = ((40, 12), (60, 17), (80, 24), (120, 40), (200, 60))
KINDS = (
    Shown("tables"),
    Shown("tables", 1),
    Shown("table", 1),
    Shown("standings"),
    Shown("people"),
    Shown("join"),
    Shown("clock"),
    Shown("call"),
)
JOIN = "ssh -p 2222 192.168.1.20"


@cache
def states() -> list[State]:
    """Positions of games of four, from the deal to the end."""
    game = random_game(next(at for at in TABLES if at.seats == 4), "0")
    return [*game.states]


def table(number: int, sitters: list[str], state: State) -> BoardTable:
    """A table as a spectator sees it; AI players have the seats that are left."""
    seats = [*map(Sitter, sitters), Sitter("Fox", "hard"), Sitter("Owl", "easy"), Sitter("Hex", "easy")][:4]
    snapshot = Snapshot(number, state.rules, None, tuple(seats), view_of(state, None), 7 * number)
    log = tuple(f"{sitters[0]} plays two sevens, and that is move {n}." for n in range(9))
    return BoardTable(snapshot, 24 if number % 2 else None, log)


def room(people: int, *, is_called: bool = False, is_paused: bool = False) -> Board:
    """So many people, at tables of four, with standings and news; ``is_called``: to their tables, just now."""
    called = names(people)
    moments = states()[:: len(states()) // 12]
    tables = [table(n + 1, called[4 * n : 4 * n + 4], moments[n % len(moments)]) for n in range(-(-people // 4))]
    rows = [(f"{n}.", name, f"{24 - n}") for n, name in enumerate(called, 1)]
    standings = Leaders("after round 2 of 4", tuple(rows[:10]), f"and {people - 10} more" if people > 10 else "")
    calls = tuple((name, n // 4 + 1) for n, name in enumerate(called)) if is_called else ()
    return Board(
        time="20:41",
        join=JOIN,
        tables=tables,
        private=1,
        people=tuple((name, f"table {n // 4 + 1}") for n, name in enumerate(called)),
        news=tuple(f"table {n}  {name} burns 12 cards" for n, name in enumerate(called)),
        competition=Competition(
            "Friday", "round 2 of 4", "round 3: called in", 83, calls, standings, is_paused=is_paused
        ),
    )


def drawn(board: Board, shown: Shown, size: tuple[int, int]) -> list[str]:
    """The rows of a board as text, with the spaces that are seen, as those of large digits, as other characters."""
    rows = draw_board(board, shown, *size, theme_of(Settings()))
    return ["".join(map(_marked, row.text, row.styles)) for row in rows]


def _marked(char: str, style: str) -> str:
    return "#" if char == " " and STYLES[ord(style)] == "reverse" else char
