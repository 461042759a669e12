"""The command line: what a start imports, the manual page, and a game without a network."""

import json
import os
import pkgutil
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from server.ai import pool
from server.bench import all_benches
from server.cli.arguments import build_parser
from server.cli.main import main
from tests.support.programs import as_a_host, played

ROOT: Final = Path(__file__).parents[3]
NEEDED_BY_FEW: Final = (
    "asyncpg",
    "server.bench.",
    "server.bot_protocol.bots",
    "server.cli.local_play",
    "server.training.",
)
"""What no server imports that keeps its data in a file and is not announced on the local network."""
NEEDED_BY_A_SERVER: Final = ("apsw", "asyncio", "asyncssh", "msgspec", "prompt_toolkit", "server.app", "structlog")
"""What the help of the program does not import."""
AFTER_READY: Final = ("prompt_toolkit", "prometheus_client", "wcwidth")
"""What takes long to load, and what a server needs only when players are there, or its metrics are asked for."""
OF_THE_NETWORK: Final = ("asyncssh", "cryptography", "prompt_toolkit", "server.app", "server.net", "server.transport")
"""What a worker for AI players does not import."""
STARTS: Final = """
import contextlib, io, json, sys
import server.__main__
from server.cli.main import main

def stage(name):
    found[name] = sorted(sys.modules)

found = {}
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main(["--help"])
stage("help")
import server.ai.pool
stage("worker")
import server.cli.serve, server.app.run_process, server.features
server.features.load()
stage("serve")
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def imported() -> dict[str, list[str]]:
    """The modules that a program has imported by the time it has done each of these."""
    told = subprocess.run([sys.executable, "-c", STARTS], capture_output=True, cwd=ROOT, check=True).stdout
    found: dict[str, list[str]] = json.loads(told)
    return found


@pytest.mark.parametrize(
    ("stage", "unneeded"),
    [
        ("help", NEEDED_BY_A_SERVER + NEEDED_BY_FEW),
        ("worker", OF_THE_NETWORK + NEEDED_BY_FEW),
        ("serve", NEEDED_BY_FEW + AFTER_READY),
    ],
)
def test_a_start_imports_only_what_it_needs(
    imported: dict[str, list[str]], stage: str, unneeded: tuple[str, ...]
) -> None:
    """The help of the program, a worker for AI players, and the server."""
    assert pool.__name__ in imported["worker"]
    assert not [name for name in imported[stage] if name.startswith(unneeded)]


def test_every_sub_command_and_bench_names_the_function_that_runs_it() -> None:
    """Otherwise it would fail only when somebody runs it."""
    for name, (_, command) in build_parser().sub_commands.items():
        assert callable(pkgutil.resolve_name(command.get_default("run"))), name
    for run in all_benches().values():
        assert callable(pkgutil.resolve_name(run)), run


PAGE: Final = Path(__file__).parents[3] / "deploy" / "quatch.1"


def test_the_page_is_current() -> None:
    """`make man` writes it anew."""
    manual = runpy.run_path(str(PAGE.with_name("manual_page.py")))["manual"]()
    assert PAGE.read_text("utf-8") == manual
    for name in build_parser().sub_commands:
        assert f".SS quatch {name}" in manual


def test_help_lists_what_players_need_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Also for a command line that has no word: it asks for nothing wrong."""
    assert main([]) == 0
    told = capsys.readouterr().out
    places = [told.index(f"\n  {name} ") for name in ("play", "rules", "verify", "serve", "settings", "arena")]
    assert places == sorted(places)
    assert main(["help"]) == 0
    assert capsys.readouterr().out == told


def test_a_misspelt_word_is_answered_with_the_one_that_it_is_nearly(capsys: pytest.CaptureFixture[str]) -> None:
    """In one line; if it is like none, help alone is named."""
    for typed, said in (
        ("plya", "quatch: no command 'plya': did you mean play? try quatch --help"),
        ("help plya", "quatch: no command 'plya': did you mean play? try quatch --help"),
        ("play --level hrad", "quatch play: no level 'hrad': did you mean hard? try quatch play --help"),
        ("serve --pord 1", "quatch serve: no option '--pord': did you mean --port? try quatch serve --help"),
        ("--verison", "quatch: no option '--verison': did you mean --version? try quatch --help"),
        ("play life seat=2", "quatch play: no option 'seat': did you mean --seats? try quatch play --help"),
        ("version", "quatch: no command 'version': did you mean --version? try quatch --help"),
        ("tournamnt", "quatch: no command 'tournamnt'; try quatch --help"),
        ("serve --x", "quatch serve: no option '--x'; try quatch serve --help"),
    ):
        with pytest.raises(SystemExit) as caught:
            main(typed.split())
        assert caught.value.code == 2
        assert capsys.readouterr().err == f"{said}\n"


@pytest.mark.needs("mandoc")
def test_the_page_is_well_formed() -> None:
    """No macro is misused. The date is left out, so that the page changes only with the parser."""
    told = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", PAGE], capture_output=True, text=True, check=False)
    assert [line for line in told.stdout.splitlines() if "missing date" not in line] == []


@pytest.fixture(scope="module")
def told_in_a_pipe() -> str:
    """What a game tells that is typed into a pipe."""
    typed = ("where", "tables", "resume", "ready", "4", "hint", "leave", "leave", "help", "quit")
    return played("--seed", "a", "--seats", "2", "--level", "extreme", typed="\n".join(typed))


def test_the_same_seed_gives_the_same_cards(told_in_a_pipe: str) -> None:
    """`quatch play --seed`: the player and the AI players get the same cards every time, on every machine."""
    assert "Your hand, 3: a 3, a jack and a king.\nYour face-up cards: a 5, a 6 and a 9.\n" in told_in_a_pipe


def test_lines_of_a_pipe_are_answered_one_after_the_other(told_in_a_pipe: str) -> None:
    """Each in its turn, although all come at once; and help offers nothing that needs a server."""
    told = told_in_a_pipe
    assert "look again" not in told
    assert told.splitlines()[1] == "You sit down.", "a game begins: it is not said how to begin one"
    answers = (
        "You are ready.",
        "Your turn.",
        "No 4 in your hand.",
        "Play a 3: ",
        "type leave to go",
        "Commands: play,",
    )
    places = [told.index(answer) for answer in answers]
    assert places == sorted(places)
    commands = told[places[-1] :].partition("\n")[0].removesuffix(".").removeprefix("Commands: ").split(", ")
    assert not {"new", "sit", "who", "top", "me", "tell", "tournament"} & {*commands}
    assert {"rules", "set", "quit"} <= {*commands}


def test_a_named_level_sits_down_in_the_first_game_and_nothing_is_said_to_be_kept(told_in_a_pipe: str) -> None:
    """Only if no level is named the first game is an easy one. There is no server that could keep a seat."""
    assert "Fox (AI player, extreme)" in told_in_a_pipe
    assert not [word for word in ("resume", "kept", "keep your seat") if word in told_in_a_pipe]
    assert "This game is in your terminal alone, and is lost when you quit." in told_in_a_pipe


def test_ctrl_c_at_a_start_is_told_in_one_line(tmp_path: Path) -> None:
    """Here while the settings are read, which come from a pipe."""
    os.mkfifo(tmp_path / "settings")
    with (
        subprocess.Popen(
            [sys.executable, "-m", "server", "serve", "--without", "keeper", "--config", tmp_path / "settings"],
            stderr=subprocess.PIPE,
            text=True,
            env=as_a_host(),
        ) as server,
        (tmp_path / "settings").open("w"),
    ):  # this waits for the server to read
        server.send_signal(signal.SIGINT)
        assert server.communicate()[1] == "quatch: interrupted\n"
    assert server.returncode == 130
