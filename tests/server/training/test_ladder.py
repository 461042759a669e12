"""`quatch arena --ladder FILE --keep`: a page with the sums of every row, which goes on where it was stopped."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from engine.rulesets import ruleset, rulesets
from server.cli.main import main
from server.training.arena import DealResult, Match, play_deals, run_arena
from server.training.ladder import Row, all_rows, page, read_ladder

ROWS = [Row("quatch", ("medium", "easy", "easy", "easy")), Row("life", ("hard", "easy"))]


@pytest.fixture(autouse=True)
def small_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows of quick levels, in two rounds."""
    monkeypatch.setattr("server.training.ladder.all_rows", lambda: ROWS)
    monkeypatch.setattr("server.training.ladder.ROUNDS", ((4, 2, 0), (12, 4, 2)))


def test_a_ladder_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends with the same file as one that never stopped, and with the figures of the arena."""
    whole, stopped = tmp_path / "whole.md", tmp_path / "stopped.md"
    assert main(["arena", "--ladder", str(whole), "--jobs", "1"]) == 0

    def interrupted(match: Match, deals: range, jobs: int) -> Iterator[DealResult]:
        yield from islice(play_deals(match, deals, jobs), 1)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("server.training.ladder.play_deals", interrupted)
        assert main(["arena", "--ladder", str(stopped), "--jobs", "1"]) == 0
    assert [row.games for row in read_ladder(stopped).values()] == [4]
    assert main(["arena", "--ladder", str(stopped), "--keep", "--jobs", "1"]) == 0
    assert stopped.read_bytes() == whole.read_bytes()

    row = read_ladder(whole)[ROWS[0].key]
    (score, *_) = run_arena(Match(ruleset("quatch"), row.line_up, "ladder"), 12, 1).scores
    assert (row.games, round(row.share, 4), round(row.within, 4)) == (12, score.share, score.within)
    assert "| quatch | medium | 3 easy | 12 |" in whole.read_text("utf-8")


def test_a_row_begins_anew_when_its_moves_change(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other rows keep their games."""
    file = tmp_path / "ladder.md"
    assert main(["arena", "--ladder", str(file), "--jobs", "1"]) == 0
    moves = read_ladder(file)[ROWS[0].key].moves
    whole = file.read_text("utf-8")
    file.write_text(whole.replace(moves, "0000"), "utf-8")
    capsys.readouterr()
    assert main(["arena", "--ladder", str(file), "--keep", "--jobs", "1"]) == 0

    assert file.read_text("utf-8") == whole
    assert all("quatch: medium among 3 easy" in line for line in capsys.readouterr().out.splitlines())


def test_a_row_says_how_much_of_the_ceiling_it_reaches() -> None:
    """The player wins 40 %, one who sees all cards 55 %, and chance is 25 %: half of what is possible."""
    others = ("hard",) * 3
    rows = [
        Row("life", ("extreme", *others), deals=10, shares=4.0),
        Row("life", ("cheating@60", *others), deals=10, shares=5.5),
        Row("life", ("extreme", "easy", "easy", "easy"), deals=10, shares=4.0),
    ]
    cells = {line.split(" | ")[1]: line.split(" | ")[7] for line in page(rows[:2]).splitlines() if "| 3 hard" in line}

    assert cells == {"extreme": "50", "cheating@60": ""}
    assert "| life | extreme | 3 easy | 40 | 40.0 | 0.0 | yes |  |" in page(rows)


def test_a_ladder_that_is_there_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither without --keep, nor if the file is something else."""
    file = tmp_path / "notes.md"
    file.write_text("# Notes\n", "utf-8")
    assert main(["arena", "--ladder", str(file)]) == 2
    assert "--keep" in capsys.readouterr().err
    assert main(["arena", "--ladder", str(file), "--keep"]) == 2
    assert "is no ladder" in capsys.readouterr().err
    assert file.read_text("utf-8") == "# Notes\n"


def test_the_ladder_has_every_rule_set_at_every_size() -> None:
    """The most telling row comes first."""
    rows = all_rows()

    assert rows[0].line_up == ("extreme", "hard", "hard", "hard")
    assert {len(row.line_up) for row in rows} == {2, 3, 4}
    assert {row.rules for row in rows} == rulesets().keys()
    assert len({row.key for row in rows}) == len(rows)
