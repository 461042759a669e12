"""What a start imports: programs that say one line must not wait for all of a server."""

import json
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from server.ai import pool
from server.cli.arguments import build_parser
from server.cli.developer_arguments import all_benches

ROOT: Final = Path(__file__).parents[3]
NEEDED_BY_FEW: Final = (
    "asyncpg",
    "shtab",
    "server.bench",
    "server.sent_bots.bots",
    "server.cli.local_play",
    "server.training",
)
"""What no server imports that keeps its data in a file and is not announced on the local network."""
NEEDED_BY_A_SERVER: Final = ("apsw", "asyncio", "asyncssh", "msgspec", "prompt_toolkit", "server.app", "structlog")
"""What the help of the program does not import."""
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
import server.cli.serve, server.app.run_process
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
        ("serve", NEEDED_BY_FEW),
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
