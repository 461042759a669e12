"""`quatch arena` and `quatch fit`, by their command lines, and the page of the ladder."""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import pytest

from engine.ai.weights import read_weights
from engine.errors import InputError
from engine.rulesets import ruleset, rulesets
from server.cli.main import main
from server.training import arena
from server.training.arena import (
    DealResult,
    Match,
    all_matches,
    play_deal,
    play_deals,
    read_rows,
    run_arena,
    run_ladder,
)
from server.training.fit import SIMULATIONS, STRONG_ENOUGH
from tests.soak import long

Play: TypeAlias = Callable[[Match, range, int], Iterator[DealResult]]
"""Plays these deals of a match on so many cores, in order."""


def test_a_report_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The published form: shares, their 95 % intervals, draws, plies and seconds a move."""
    assert main(["arena", "quatch", "easy", "hard/miser", "--games", "6", "--seed", "x", "--jobs", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["rules"], report["games"], report["seed"]) == ("quatch", 6, "x")
    assert [each["player"] for each in report["players"]] == ["easy", "hard/miser"]
    assert sum(each["share"] for each in report["players"]) == pytest.approx(1)
    assert all(each["within"] >= 0 and each["seconds_a_move"] > 0 for each in report["players"])
    assert (report["plies"] > 10, 0 <= report["drawn"] <= 1) == (True, True)


def test_a_report_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each player, and how the games ended."""
    assert main(["arena", "life", "easy", "medium", "hard", "extreme", "--games", "4", "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert len(lines) == 6
    assert "drawn by the quiet clock" in lines[-1]


def test_the_same_seed_gives_the_same_games_on_any_number_of_cores() -> None:
    """Only the time that was taken differs."""
    match = Match(ruleset("quatch"), ("easy", "master@3"), "a seed")
    one, two = run_arena(match, 8, jobs=1), run_arena(match, 8, jobs=2)

    assert (one.drawn, one.plies) == (two.drawn, two.plies)
    assert [each.share for each in one.scores] == [each.share for each in two.scores]


def test_equals_share_alike() -> None:
    """The same player in every seat wins each deal as often as itself, so pairing leaves no luck at all."""
    for number in range(3):
        assert play_deal(Match(ruleset("college"), ("hard", "hard"), "pairs"), number).shares == (0.5, 0.5)


def interrupted_after(deals: int) -> Play:
    """Plays so many deals until Ctrl-C is pressed."""

    def play(match: Match, wanted: range, jobs: int) -> Iterator[DealResult]:
        yield from islice(play_deals(match, wanted, jobs), deals)
        raise KeyboardInterrupt

    return play


def test_an_interrupted_arena_tells_what_it_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deals before the interruption make a report; where there are none, one line says so."""
    match = Match(ruleset("quatch"), ("easy", "hard"), "1")
    monkeypatch.setattr(arena, "play_deals", interrupted_after(3))
    assert "6 games" in "".join(run_arena(match, 20, 1).lines())
    monkeypatch.setattr(arena, "play_deals", interrupted_after(0))
    with pytest.raises(InputError, match="interrupted"):
        run_arena(match, 20, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "easy", "hard"], "no rule set"),
        (["quatch", "easy", "grandmaster"], "no level"),
        (["quatch", "easy"], "2 to 4 players"),
        (["quatch", "easy", "hard", "--games", "0"], "--games"),
    ],
)
def test_what_cannot_be_played_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 2 and one line."""
    assert main(["arena", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_fit_writes_weights_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same ones for the same seed."""
    arguments = ["fit", "college", "--games", "4", "--seed", "s"]
    assert main([*arguments, "--to", str(tmp_path)]) == 0
    text = (tmp_path / "college.json").read_text("utf-8")

    assert json.loads(text)["command"] == "quatch fit college --games 4 --seed s"
    for table_size, weights in read_weights(text).items():
        share = json.loads(text)["figures"][table_size]["share against hard"]
        assert weights.simulations == (SIMULATIONS if share < STRONG_ENOUGH[table_size] else 0)
    assert "written" in capsys.readouterr().out
    assert main([*arguments, "--to", str(tmp_path)]) == 0
    assert (tmp_path / "college.json").read_text("utf-8") == text


@pytest.mark.parametrize(
    ("weaker", "stronger", "games"),
    [
        ("easy", "medium", 40),
        ("medium", "hard", long(60, 200)),
        ("hard", "extreme", 40),
        ("extreme", "master@40", long(4, 6)),
    ],
)
def test_each_level_beats_the_one_below(weaker: str, stronger: str, games: int) -> None:
    """On the same deals, which a fixed seed draws. The ladder has many more."""
    report = run_arena(Match(ruleset("quatch"), (weaker, stronger), "ladder"), games, jobs=1)

    assert report.scores[1].share > 0.5


MATCHES = [
    Match(ruleset("quatch"), ("medium", "easy", "easy", "easy"), "ladder"),
    Match(ruleset("life"), ("hard", "easy"), "ladder"),
]


def climb(file: Path, play: Play = play_deals, *, keep: bool = False) -> list[str]:
    """Play a ladder of two rows of quick levels; returns those that were played."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"all_matches": lambda: MATCHES, "GAMES": 12, "play_deals": play}.items():
            patch.setattr(arena, name, value)
        return [*run_ladder(file, 1, keep=keep)]


def interrupted_at(rules: str) -> Play:
    """Plays until Ctrl-C is pressed in a row of these rules."""

    def play(match: Match, wanted: range, jobs: int) -> Iterator[DealResult]:
        if match.rules.name == rules:
            raise KeyboardInterrupt
        yield from play_deals(match, wanted, jobs)

    return play


def test_a_ladder_that_was_stopped_goes_on(tmp_path: Path) -> None:
    """It ends with the same file as one that never stopped, and with the figures of the arena."""
    whole, stopped = tmp_path / "whole.md", tmp_path / "stopped.md"
    climb(whole)
    with pytest.raises(KeyboardInterrupt):
        climb(stopped, interrupted_at("life"))
    assert len(read_rows(stopped)) == 1
    assert [row.split()[1] for row in climb(stopped, keep=True)] == ["life"]
    assert stopped.read_bytes() == whole.read_bytes()

    row = read_rows(whole)["quatch", "medium", "3 easy"]
    (score, *_) = run_arena(MATCHES[0], 12, 1).scores
    assert row[3:6] == ("12", f"{100 * score.share:.1f}", f"{100 * score.within:.1f}")


def test_a_row_begins_anew_when_its_moves_change(tmp_path: Path) -> None:
    """The other rows are not played again."""
    file = tmp_path / "ladder.md"
    climb(file)
    moves = read_rows(file)["quatch", "medium", "3 easy"][-1]
    whole = file.read_text("utf-8")
    file.write_text(whole.replace(moves, "`0000`"), "utf-8")

    assert [row.split()[1] for row in climb(file, keep=True)] == ["quatch"]
    assert file.read_text("utf-8") == whole


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
    matches = all_matches()

    assert matches[0].line_up == ("extreme", "hard", "hard", "hard")
    assert {len(match.line_up) for match in matches} == {2, 3, 4}
    assert {match.rules.name for match in matches} == rulesets().keys()
    assert len({(match.rules.name, match.line_up) for match in matches}) == len(matches)
