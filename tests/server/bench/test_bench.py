"""`quatch bench`: what it prints, how it searches and compares; the figures themselves are the machine's."""

import argparse
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, nullcontext
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from typing import Final
from unittest.mock import AsyncMock, Mock

import apsw
import pytest

from server.bench import BENCHES, IN_ALL, attacks, growth, people, playing, servers
from server.bench.attackers import ATTACKS, COME_IN, Attack, command_floods, lines_of
from server.bench.attacks import AttackFigures, all_attacks, bench_attacks, measure
from server.bench.figures import Figure, Measured, Report, compare, read_report, report_of, report_text, verdict
from server.bench.growth import FIGURES, Fill, bench_growth, growing
from server.bench.people import Person, Table
from server.bench.playing import bench_ramp, bench_table
from server.bench.servers import Serving, bare, program, server_process
from server.cli.main import main
from server.command_line import print_lines
from server.config import Config
from server.history.archive import find_game
from server.language.table_settings import read_table_settings
from server.limits import LINE_LENGTH
from server.lobby.lobby import Lobby
from server.people.accounts import Accounts
from server.records.results import read_result
from server.rulebook import Rulebook
from server.storage.sqlite_database import SqliteDatabase
from server.storage.sqlite_file import FILE_NAME
from tests.soak import SOAKING
from tests.support.each import for_each
from tests.support.emulator import opened
from tests.support.features import COMMANDS
from tests.support.log_entries import heads

NOT_GROWING = {"counted", "message", "total", "sqlite_sequence"}
"""Tables of a few rows, however long a server lives; messages are deleted after seconds."""


async def test_the_calls_of_a_server_are_counted() -> None:
    """From the first question on, each question tells those since the last one."""
    with server_process(partial(bare, 100, 100)) as server:
        server.ask(Serving.count_calls)
        await (await Person().come_in(server.port, "one-0")).go()
        assert server.ask(Serving.count_calls) > 500
        assert server.ask(Serving.count_calls) < 200


def test_a_start_stands_beside_the_import_of_asyncssh(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As JSON, since that is what is compared; here of starts that are made up, and in the soak of a real one."""
    monkeypatch.setattr(servers, "STARTS", 1)
    if not SOAKING:

        async def starts(_: dict[str, str]) -> float:
            return 0.9

        monkeypatch.setattr(servers, "_until_ready", starts)
        monkeypatch.setattr(servers, "_to_import", lambda _: 0.3)
    assert main(["bench", "start", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (figure,) = report["figures"]
    assert report["v"] == 1
    assert figure["name"].startswith("start: ")
    assert figure["unit"] == "s"
    assert figure["ratio"] == figure["value"] / figure["baseline"] > 0


async def test_a_server_that_does_not_start_is_told(tmp_path: Path) -> None:
    """It ends before it is ready."""
    with pytest.raises(ConnectionError, match="ended before it was ready"):
        async with program(tmp_path, PYTHONHOME="/nowhere"):
            pass


def test_what_people_at_tables_cost_stands_beside_bare_asyncssh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four people at a table over real ssh, and the same four at the bare server; they move quickly."""
    monkeypatch.setattr(people, "BEAT", 0.2)
    heading, *figures = bench_table(argparse.Namespace(players=4, seconds=0.001, ramp=False))
    assert str(heading).startswith("4 people")
    found = [(each.unit, each.baseline is not None) for each in figures if isinstance(each, Figure)]
    assert found == [(unit, True) for unit in ("ms", "KiB", "ms", "ms", "ms")]


def test_a_ramp_is_climbed_by_people_at_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Over real ssh, at both servers; here one table is all that there may be."""
    monkeypatch.setattr(people, "BEAT", 0.1)
    monkeypatch.setattr(playing, "P99_SECONDS", 1000.0)
    monkeypatch.setattr(playing, "MOST_TABLES", 1)
    _, figure = bench_ramp(1, 0.001)
    assert figure == Figure("table: people that one core carries", 4, 4, "people")


def test_a_ramp_finds_the_most_people_that_are_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly so, up to all tables that there may be; none if even the first ones wait too long."""
    tables: list[Mock] = []

    @asynccontextmanager
    async def made_up(*_: object) -> AsyncIterator[Mock]:
        tables.append(Mock(begin_play=AsyncMock(), first_screens=[1], updates=[1], delays=[]))
        yield tables[-1]

    async def play(playing: Sequence[Mock], _: float) -> None:
        for table in playing:
            table.delays = [1.0 if len(playing) > carried else 0.0]

    quickly = {"server_process": lambda *_, **__: nullcontext(), "table_of": made_up, "play_at": play}
    for name, value in {"MOST_TABLES": 50, **quickly}.items():
        monkeypatch.setattr(playing, name, value)
    for carried, found in ((0, 0), (1, 1), (5, 5), (21, 20), (80, 46)):
        _, figure = bench_ramp(1, 0.001)
        assert figure == Figure("table: people that one core carries", 4 * found, 4 * found, "people"), carried


def test_what_attacks_cost_the_honest_stands_beside_a_quiet_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each attack that was asked for, here one of each kind."""

    def measured(name: str, attack: Attack, seconds: float) -> AttackFigures:
        return measure(name, attack, seconds)._replace(p99=0.0, login=0.0)

    every = all_attacks()
    first = next(name for name in every if name.startswith("5 "))
    flood = next(name for name in every if name.startswith("tables ("))
    tried = {first: every[first], flood: every[flood]._replace(connections=1)}
    quickly = {"QUIET_SECONDS": 0.01, "LOGINS": 1, "ATTACK_SECONDS": 0.1}
    for name, value in {"all_attacks": lambda: tried, "measure": measured, **quickly}.items():
        monkeypatch.setattr(attacks, name, value)
    assert print_lines(bench_attacks(argparse.Namespace(seconds=1.0, only="t"))) == 0
    heading, connected, typed, summary = capsys.readouterr().out.splitlines()
    assert heading.startswith("99 of 100 answers")
    for line, name in ((connected, first), (typed, flood)):
        assert f"   {name}, " in line
        assert "left over" not in line
        assert int(line.rpartition(", ")[2].split()[0]) > 0
    assert summary == "2 of 2 attacks are within the limits."


def test_an_attack_that_misses_the_limits_or_breaks_the_server_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the limit that it misses, or with what went wrong; the others are measured all the same."""
    quick, slow = AttackFigures(1.0, 10.0, 100.0, 0, 7, ""), AttackFigures(1.0, 70.0, 2000.0, 0, 7, "1 fd")
    outcomes = iter((slow, None, quick))

    def measured(*_: object) -> AttackFigures:
        if (outcome := next(outcomes)) is None:
            raise TimeoutError("dead")
        return outcome

    monkeypatch.setattr(attacks, "all_attacks", lambda: dict.fromkeys(("one", "two", "three"), ATTACKS["49 resets"]))
    monkeypatch.setattr(attacks, "measure", measured)
    assert print_lines(bench_attacks(argparse.Namespace(seconds=1.0, only=""))) == 1
    _, one, two, three, summary, first, second = capsys.readouterr().out.splitlines()
    assert one.endswith("one, 7 times  p99 70 > 50 ms, login 2000 > 1000 ms, left over: 1 fd")
    assert two.split() == ["two", "failed:", "TimeoutError:", "dead"]
    assert three.endswith("three, 7 times")
    assert summary == "1 of 3 attacks are within the limits."
    assert [first.partition(":")[0], second.partition(":")[0]] == ["  one", "  two"]


def test_floods_of_commands_are_made_from_the_registry() -> None:
    """No command and no request of a bot is left out."""
    floods = command_floods()
    for command in COMMANDS:
        if command.where:
            assert any(name.startswith(f"{command.name} (") for name in floods)
        if command.ssh in {"answer", "answer or screen"}:
            assert f"ssh {command.name}, 5 addresses" in floods
    assert all(len(line) <= 2 * LINE_LENGTH for command in COMMANDS for line in lines_of(command))


def test_floods_of_commands_at_tables_come_to_a_table() -> None:
    """What opens it is not refused."""
    opened = COME_IN["table"].rpartition("play ")[2]
    assert read_table_settings(opened, Rulebook(), Config()).seats == 4


@pytest.mark.skipif(
    not SOAKING, reason="slow: a server is started; what is told is tried with figures that are made up"
)
@pytest.mark.features("rankings")
def test_how_a_server_takes_it_that_things_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each figure of the kind that was asked for; here of one size, which is the first and the last."""
    monkeypatch.setattr(growth, "STARTS", 1)
    monkeypatch.setattr(growth, "LOGINS", 2)
    _, *figures, verdict = map(str, bench_growth(argparse.Namespace(sizes=[2], only="games")))
    assert [line.split("  ")[-1].split(",")[0].strip() for line in figures] == ["finished games"] * len(FIGURES)
    assert all(" 1.00 x " in line for line in figures)
    assert verdict == "more than 1.5 x: nothing"


def test_a_server_that_does_not_answer_has_no_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bench says so in each line and goes on."""
    monkeypatch.setenv("PYTHONHOME", "/nowhere")  # no program starts
    assert main(["bench", "growth", "--sizes", "2", "--only", "games"]) == 0
    assert capsys.readouterr().out.count(" none ") == 2 * len(FIGURES)


def test_a_verdict_says_what_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to half more is flat."""
    measured = iter([dict.fromkeys(FIGURES, 2.0), dict.fromkeys(FIGURES, 2.0) | {"start": 6.0, "top": 3.0}])

    async def made_up(_: Fill, __: int) -> dict[str, float]:
        return next(measured)

    monkeypatch.setattr(growth, "measure", made_up)
    *_, said = map(str, bench_growth(argparse.Namespace(sizes=[1, 10], only="games")))
    assert said == "more than 1.5 x: finished games, start"


async def test_everything_that_the_database_keeps_can_be_put_into_it(tmp_path: Path) -> None:
    """As many as were asked for, in every table of the schema; a server can read them."""
    log = SqliteDatabase(tmp_path / FILE_NAME)
    await log.open()
    for fill in growing().values():
        await fill(log, 3)
    with closing(apsw.Connection(str(tmp_path / FILE_NAME))) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        rows = {name: db.execute(f"SELECT count(*) FROM {name}").get for name in tables - NOT_GROWING}  # noqa: S608
    assert {name for name, number in rows.items() if number < 3} == set()
    await log.close()
    async with opened(Lobby(Config(), log)) as lobby:
        assert [await log.count_texts(kind) for kind in ("ban", "mute")] == [3] * 2
        assert (await Accounts(log).count_accounts(), await Accounts(log).count_linked_keys()) == (3, 3)
        assert len(await heads(log)) == len(await log.games()) == len(lobby.imposed.bans.all()) == 3
        for _, game in await log.games():
            assert len(read_result((await find_game(log, game.id)).result).finishes) == 2


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
    """A move that others have not seen by the end has taken until then."""
    people = [Sitting() for _ in range(4)]
    table = Table("t0", list(people))
    table.beat()
    for person in people[1:]:
        person.hear()
    table.beat()
    assert (moves_of(table), len(table.delays)) == (2, 3)
    table.beat()
    assert (moves_of(table), len(table.delays)) == (2, 3)
    table.end()
    assert len(table.delays) == 6


ACCEPTED: Final = Path(__file__).parents[3] / "server" / "bench" / "accepted.json"
MEASURED: Final = count(1)
"""The values of a bench that is made up."""


def made_up(_: argparse.Namespace) -> Iterator[str | Figure]:
    """What it yields."""
    yield from ("a heading", Figure("bench: a", float(next(MEASURED)), 10.0, "ms"))


def test_a_report_has_the_published_form() -> None:
    """The run with the median ratio, and the ratios of all; what has no answer, or is not in every run, is left out."""
    runs = [[Figure("a", value, 10.0, "ms"), Figure("b", 1.0, 0.0, "ms")] for value in (30.0, 20.0, 50.0)]
    runs[0].append(Figure("c", 1.0, 10.0, "ms"))
    for run in runs:
        run += [Figure("d", inf, 10.0, "ms"), Figure("e", 1.0, inf, "ms"), Figure("f", run[0].value, None, "ms")]
    a, f = [3.0, 2.0, 5.0], [30.0, 20.0, 50.0]
    assert json.loads(report_text(report_of(runs))) == {
        "v": 1,
        "figures": [
            {"name": "a", "value": 30.0, "baseline": 10.0, "ratio": 3.0, "unit": "ms", "ratios": a},
            {"name": "f", "value": 30.0, "baseline": None, "ratio": None, "unit": "ms", "ratios": f},
        ],
    }


def measured(name: str, ratios: list[float], unit: str = "ms") -> Measured:
    """A figure beside a baseline of 1."""
    return Measured(name, ratios[0], 1.0, ratios[0], unit, ratios)


@for_each(
    ("old", "new", "unit", "word"),
    [
        ([3.8, 4.2], [4.1, 4.4], "ms", ""),
        ([3.8, 4.2], [4.4, 4.6], "ms", ""),
        ([3.8, 4.2], [4.8, 5.1], "ms", "worse"),
        ([3.8, 4.2], [2.9, 3.1], "ms", "better"),
        ([0.5, 0.7], [1.0, 1.2], "moves/s", "better"),
        ([0.3, 0.3], [0.2, 0.2], "people", "worse"),
        ([4.0], [5.0], "ms", ""),
        ([4.0], [7.0], "ms", "worse"),
    ],
)
def test_a_ratio_has_moved_if_no_run_of_one_report_could_be_one_of_the_other(
    old: list[float], new: list[float], unit: str, word: str
) -> None:
    """Less is better, except of what is done in a time; a single run may lie further from others."""
    assert verdict(measured("x", old, unit), measured("x", new, unit)) == word


def test_what_has_moved_is_told_and_what_became_worse_is_the_exit_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line each; names that only one report has are told, too."""
    old, new = (tmp_path / name for name in ("old", "new"))
    same = [measured("same", [1.0]), Measured("value", 1.0, None, None, "ms", [1.0])]
    old.write_text(report_text(Report(figures=[measured("x", [3.8, 4.2]), measured("gone", [1.0]), *same])))
    new.write_text(report_text(Report(figures=[measured("x", [5.5, 6.5]), *same])))
    assert main(["bench", "compare", str(old), str(new)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "worse       4.00 x ->     6.00 x  x",
        "only in the old report: gone",
        "1 of 2 ratios have moved beyond noise.",
    ]
    assert main(["bench", "compare", str(new), str(old)]) == 0
    assert "better      6.00 x ->     4.00 x  x" in capsys.readouterr().out
    assert main(["bench", "compare", str(old), str(new), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    x = {"name": "x", "value": 6.0, "baseline": 4.0, "ratio": 1.5, "unit": "x", "ratios": [1.5]}
    same_x = {"name": "same", "value": 1.0, "baseline": 1.0, "ratio": 1.0, "unit": "x", "ratios": [1.0]}
    assert report == {"v": 1, "figures": [x, same_x]}


def test_the_accepted_ratios_can_be_compared() -> None:
    """Those of several runs of the last accepted program: nothing has moved from them to themselves."""
    accepted = read_report(ACCEPTED)
    assert {figure.name.partition(":")[0] for figure in accepted.figures} <= set(IN_ALL)
    assert all(len(figure.ratios) > 1 for figure in accepted.figures)
    *lines, summary = compare(accepted, accepted)
    assert lines == []
    assert summary.startswith("0 of ")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["compare", "one"], "bench compare: name two files"),
        (["engine", "one"], "bench engine: no files, not one"),
        (["attacks", "--json"], "bench attacks: it has limits and no ratios"),
        (["engine", "--runs", "2"], "bench engine: several runs need --json"),
        (["engine", "--runs", "x"], "'x' is no number"),
        (["growth", "--sizes", "few"], "'few' is no number"),
    ],
)
def test_what_a_bench_cannot_do_is_told(capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str) -> None:
    """In one line, with the status of wrong usage."""
    try:
        status: object = main(["bench", *arguments])
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert problem in capsys.readouterr().err


def test_a_file_that_is_no_report_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what is wrong in it."""
    file = tmp_path / "x"
    file.write_text('{"v":2,"figures":[]}')
    assert main(["bench", "compare", str(file), str(file)]) == 2
    assert f"{file} is no report of quatch bench --json" in capsys.readouterr().err


def test_all_benches_are_one_report_or_their_lines_one_after_the_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `--json` only the figures, of as many runs as were asked for."""
    for name in IN_ALL:
        monkeypatch.setitem(BENCHES, name, f"{__name__}:made_up")
    assert main(["bench", "all"]) == 0
    heading, line, *_ = capsys.readouterr().out.splitlines()
    assert heading == "a heading"
    assert line.split() == ["1", "ms", "10", "0.10", "x", "a"]
    assert main(["bench", "engine", "--json", "--runs", "3"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["figures"]
    assert found["ratios"] == [(len(IN_ALL) + number) / 10 for number in (1, 2, 3)]
