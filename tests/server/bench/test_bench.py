"""What `quatch bench` prints; the figures themselves are the machine's."""

import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import get_args

import apsw
import pytest

from server.bench.attackers import ATTACKS
from server.bench.attacks import AttackFigures, all_attacks
from server.bench.command_floods import COME_IN, command_floods, lines_of
from server.bench.growth import FIGURES
from server.bench.growth_data import Fill, add_a_full_server, growing
from server.bench.people import Person
from server.bench.servers import bare, server_process
from server.cli.main import main
from server.config import Config
from server.history.archive import find_game
from server.language.table_settings import read_table_settings
from server.limits import LINE_LENGTH
from server.lobby.lobby import Lobby
from server.records.results import read_result
from server.rulebook import Rulebook
from server.session.bot_requests import Request
from server.storage.sqlite_file import FILE_NAME
from server.storage.sqlite_log import SqliteLog
from tests.support.features import COMMANDS
from tests.support.log_entries import heads
from tests.support.programs import as_a_host

NOT_GROWING = {"counted", "message", "text_count", "sqlite_sequence"}
"""Tables of a few rows, however long a server lives; messages are deleted after seconds."""


async def test_the_calls_of_a_server_are_counted() -> None:
    """From the first question on, each question tells those since the last one."""
    with server_process(partial(bare, 100, 100)) as server:
        server.calls()
        await (await Person.come_in(server.port, "one-0")).go()
        assert server.calls() > 500
        assert server.calls() < 200


def test_the_logs_figures_stand_beside_their_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    """Throughput with its ratio, latency, and how late the event loop gets."""
    assert main(["bench", "log", "--seconds", "0.001"]) == 0
    baseline, grouped, *times = capsys.readouterr().out.splitlines()
    assert baseline.startswith("baseline: ")
    assert baseline.endswith("events a second")
    assert grouped.endswith("x baseline")
    assert len(times) == 3
    assert all("ms p50" in line and line.endswith("ms p99") for line in times)


def test_the_cost_of_a_frame_stands_beside_prompt_toolkit_s(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each size, with its ratio; here of a game's first moves alone."""
    monkeypatch.setattr("server.bench.frames.LONGEST_GAME", 10)
    assert main(["bench", "frames", "--seconds", "0.001"]) == 0
    heading, *sizes = capsys.readouterr().out.splitlines()
    assert "baseline: prompt_toolkit" in heading
    assert [line.split()[0] for line in sizes] == ["60x20", "80x24", "100x30", "200x60"]
    assert all(line.endswith("x baseline") for line in sizes)


def test_the_cost_of_boards_stands_beside_that_of_players(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each size, with its ratio, here of the first moves alone; then how soon four people are answered."""
    monkeypatch.setattr("server.bench.frames.LONGEST_GAME", 10)
    for name, value in (("BEAT", 0.2), ("KEY_SECONDS", 0.01), ("PARTS", 1), ("SIZES", ((80, 24),))):
        monkeypatch.setattr(f"server.board.room_bench.{name}", value)
    assert main(["bench", "boards", "--seconds", "0.001", "--players", "4"]) == 0
    *sizes, heading, keys, _, moves, _, told = capsys.readouterr().out.splitlines()[:8]
    assert [line.split()[0] for line in sizes] == ["80x24", "200x60"]
    assert all(line.endswith("x players") for line in sizes)
    assert heading.startswith("4 people play and type")
    assert keys.startswith("from a key to its echo")
    assert moves.startswith("from a move to the others")
    assert "the boards received" in told


def test_what_people_at_tables_cost_stands_beside_bare_asyncssh(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four people at a table over real ssh, and the same four at the bare server; they move quickly."""
    monkeypatch.setattr("server.bench.table.BEAT", 0.2)
    assert main(["bench", "table", "--players", "4", "--seconds", "0.001"]) == 0
    told = capsys.readouterr().out.splitlines()
    heading, *figures = (line for line in told if " is overloaded: " not in line)
    assert heading.startswith("4 people")
    assert sum(" x bare (at most " in line for line in figures) == 3
    assert sum(" ms" in line for line in figures) == 4


def test_how_soon_keys_are_echoed_while_masters_think() -> None:
    """One person at one table of masters, over real ssh, beside the same before there was a table.

    In a process of its own, since it is at its end that Python tells what the server's workers have left behind.
    """
    arguments = ["bench", "masters", "--tables", "1", "--players", "1", "--seconds", "0.1"]
    imports = "from server.bench import key_echo; from server.cli.main import main"
    patience = "key_echo.KEY_SECONDS = 0.02; key_echo.PATIENCE_SECONDS = 60.0"
    code = f"{imports}; {patience}; raise SystemExit(main({arguments}))"
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", code], capture_output=True, text=True, check=False, env=as_a_host()
    )
    assert (done.returncode, done.stderr) == (0, "")
    heading, *figures = done.stdout.splitlines()
    assert heading.startswith("1 tables of masters, 1 people type")
    assert sum(line.count(" ms") for line in figures) == 6
    assert main(["bench", "masters", "--tables", "1", "--players", "2"]) == 2


def test_what_attacks_cost_the_honest_stands_beside_a_quiet_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each attack that was asked for, here one of each kind; two baselines before them."""
    monkeypatch.setattr("server.bench.attacks.ATTACK_SECONDS", 0.1)
    monkeypatch.setattr("server.bench.attacks.QUIET_SECONDS", 0.01)
    monkeypatch.setattr("server.bench.attacks.LOGINS", 1)
    for limit in ("P99_MS", "WORST_P99_MS", "LOGIN_MS"):
        monkeypatch.setattr(f"server.bench.attacks.{limit}", float("inf"))
    every = all_attacks()
    flood = next(name for name in every if name.startswith("tables ("))
    tried = {"59 telnet options": every["59 telnet options"], flood: every[flood]._replace(connections=1)}
    monkeypatch.setattr("server.bench.attacks.all_attacks", lambda: tried)
    assert main(["bench", "attacks", "--seconds", "0.001", "--only", "t"]) == 0
    heading, limits, *baselines, telnet, typed, summary = capsys.readouterr().out.splitlines()
    assert "quiet p99" in heading
    assert heading.endswith("acts")
    assert limits.startswith("at most")
    assert [line.split()[0] for line in baselines] == ["baseline:", "baseline:"]
    for line, name in ((telnet, "59 telnet options"), (typed, flood)):
        assert line.startswith(name)
        *_, left_over, acts = line.split()
        assert left_over == "nothing"
        assert int(acts) > 0
    assert summary == "2 of 2 attacks are within the limits."


def test_an_attack_that_misses_the_limits_or_breaks_the_server_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the limit that it misses, or with what went wrong; the others are measured all the same."""
    quick, slow = (
        AttackFigures([0.001], [0.01], 0.1, 0, 7, "nothing"),
        AttackFigures([0.001], [0.07], 2.0, 0, 7, "1 fd"),
    )
    outcomes = iter((quick, quick, slow, None, quick))

    def measured(*_: object) -> AttackFigures:
        if (outcome := next(outcomes)) is None:
            raise TimeoutError("dead")
        return outcome

    monkeypatch.setattr("server.bench.attacks.measure", measured)
    monkeypatch.setattr(
        "server.bench.attacks.all_attacks", lambda: dict.fromkeys(("one", "two", "three"), ATTACKS["49 resets"])
    )
    assert main(["bench", "attacks"]) == 1
    *_, one, two, three, summary, first, second = capsys.readouterr().out.splitlines()
    assert one.startswith("one")
    assert one.endswith("p99 > 50 ms, login > 1 s, left over")
    assert two.split() == ["two", "failed:", "TimeoutError:", "dead"]
    assert three.startswith("three")
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
    assert sum(name.startswith("bot ") for name in floods) == 2 * len(get_args(Request))
    assert all(len(line) <= 2 * LINE_LENGTH for command in COMMANDS for line in lines_of(command))


def test_floods_of_commands_at_tables_come_to_a_table() -> None:
    """What opens it is not refused."""
    opened = COME_IN["table"].rpartition("play ")[2]
    assert read_table_settings(opened, Rulebook(), Config()).seats == 4


def test_how_a_server_takes_it_that_things_grow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each figure of the kind that was asked for; here of one size, which is the first and the last."""
    monkeypatch.setattr("server.bench.growth.LOGINS", 2)
    monkeypatch.setattr("server.bench.growth.STARTS", 1)
    assert main(["bench", "growth", "--sizes", "2", "--only", "games"]) == 0
    heading, *figures = capsys.readouterr().out.splitlines()
    assert heading.split() == ["2", "last", "/", "first"]
    assert [line.partition(":")[0] for line in figures] == ["finished games"] * len(FIGURES)
    assert all(line.endswith("1.00 x  flat") and "none" not in line for line in figures)
    with pytest.raises(SystemExit):
        main(["bench", "growth", "--sizes", "0"])


def test_a_server_that_does_not_answer_has_no_figures(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bench says so in each line and goes on."""
    monkeypatch.setattr("server.bench.growth.ROOT", Path("/nowhere"))
    monkeypatch.setattr("server.bench.growth.sys.executable", "false")
    assert main(["bench", "growth", "--sizes", "2", "--only", "games"]) == 0
    assert capsys.readouterr().out.count("none") == len(FIGURES)


def test_a_verdict_says_what_grows_and_what_is_too_slow(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to half more is flat; a full server has two seconds to start."""
    measured = iter([dict.fromkeys(FIGURES, 2.0), dict.fromkeys(FIGURES, 2.0) | {"start": 6.0, "top": 3.0}])
    full = iter([2.0, 2.01])

    async def measure(fill: Fill, _: int) -> dict[str, float]:
        return {"start": next(full)} if fill is add_a_full_server else next(measured)

    monkeypatch.setattr("server.bench.growth.measure", measure)
    assert main(["bench", "growth", "--sizes", "1,10", "--only", "games"]) == 0
    verdicts = {line[:30].strip(): line.split(maxsplit=2)[2] for line in capsys.readouterr().out.splitlines()[1:]}
    assert verdicts["finished games: start"].endswith("3.00 x  grows")
    assert verdicts["finished games: top"].endswith("1.50 x  flat")
    assert verdicts["finished games: play"].endswith("1.00 x  flat")
    for verdict in ("ready in time", "too slow"):
        assert main(["bench", "growth", "--only", "a full server"]) == 0
        assert capsys.readouterr().out.endswith(f" s  {verdict}\n")


async def test_everything_that_the_database_keeps_can_be_put_into_it(tmp_path: Path) -> None:
    """As many as were asked for, in every table of the schema; a server can read them."""
    log = SqliteLog(tmp_path / FILE_NAME)
    await log.open()
    for fill in growing().values():
        await fill(log, 3)
    with closing(apsw.Connection(str(tmp_path / FILE_NAME))) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        rows = {name: db.execute(f"SELECT count(*) FROM {name}").get for name in tables - NOT_GROWING}  # noqa: S608
    assert {name for name, number in rows.items() if number < 3} == set()
    await log.close()
    lobby = Lobby(Config(), log)
    await lobby.open()
    assert [await log.count_texts(kind) for kind in ("name", "settings", "account", "ban", "mute", "link")] == [3] * 6
    assert len(await heads(log)) == len(await log.games()) == len(lobby.bans.all()) == 3
    for _, game in await log.games():
        assert len(read_result((await find_game(log, game.id, lambda _: None)).result).finishes) == 2
    await lobby.close()


def test_the_pairing_of_a_tournament_stands_beside_one_by_points(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line for each number of players, with the times and the shares of both."""
    monkeypatch.setattr("server.tournament.bench.SIZES", (8,))
    assert main(["bench", "tournament"]) == 0
    heading, line = capsys.readouterr().out.splitlines()
    assert heading.startswith("a swiss of six rounds")
    assert line.startswith("8 players")
    assert (line.count(" ms"), line.count(" %")) == (2, 2)
