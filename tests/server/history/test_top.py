"""What `top` answers, as text and as JSON."""

import json

from wcwidth import wcswidth

from server.history.ratings import SETTLED, Standing
from server.history.top import best_players, standings_note, top_lines
from server.records.results import ai_key
from server.typed_json import json_line

ANA, BO, HARD = "SHA256:ana", "SHA256:bo", ai_key("hard")
FIRST = Standing(ANA, "life", name="ana", games=SETTLED, wins=SETTLED, places=(SETTLED,), best_streak=SETTLED, mu=30.0)
LEVEL = Standing(HARD, "life", name="hard AI player", games=SETTLED, places=(0, SETTLED))
HOUSE = Standing(BO, "house-" * 9, name="\u6f22" * 8, games=1, wins=1, places=(1,))


def test_lines_fit_and_name_each_player() -> None:
    """Numbers in columns also where names are wide; words for everything; within 78 cells."""
    title, *rows = top_lines("Life", [FIRST, LEVEL], ANA)
    assert title == "Life"
    assert rows[0].startswith("  1. ana (you) ")
    assert rows[1].startswith("  2. hard AI player  ")
    assert "you" not in rows[1]
    assert rows[0].endswith("10 games,    10 won, best streak 10")
    mixed = top_lines("All", [FIRST, HOUSE], BO)
    assert mixed[2].startswith("  2. " + "\u6f22" * 8 + " (you) ")
    assert len({wcswidth(line.partition(" won, ")[0]) for line in [*rows, *mixed[1:3]]}) == 1
    assert "  10 games, " in mixed[1]
    assert "  1 game, " in mixed[2]
    assert [line.rpartition(" at ")[2][:12] for line in mixed[1:-1]] == ["life", "house-house-"]
    assert "fewer than 10 games" in mixed[-1]
    assert all(wcswidth(line) <= 78 for line in [title, *rows, *mixed])
    assert top_lines("Life", []) == ["Life: no rated games yet."]


def test_a_player_who_is_not_listed_is_told_why() -> None:
    """Guests, and players who have not finished a game; that a level of AI players is one row."""
    assert standings_note([FIRST, LEVEL], ANA) == ["All AI players of one level share a row."]
    assert standings_note([FIRST, LEVEL], None)[1].startswith("Guests are not listed")
    assert standings_note([FIRST, LEVEL], BO)[1].startswith("You are not listed")
    assert standings_note([], BO) == []


def test_json_tells_programs_all_but_the_keys() -> None:
    """Whose key is whose is not published."""
    first, second = json.loads(json_line({"top": best_players([FIRST, LEVEL], ANA)}))["top"]
    assert (first["place"], first["name"], first["you"], first["level"]) == (1, "ana", True, None)
    assert (second["place"], second["name"], second["you"], second["level"]) == (2, "hard AI player", False, "hard")
    assert (first["games"], first["places"], first["provisional"]) == (10, [10], False)
    assert list(first) == [
        *("place", "name", "you", "provisional", "games", "wins", "level", "rules", "rating", "draws", "places"),
        *("streak", "best_streak"),
    ]
