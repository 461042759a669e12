"""Programs that tests start."""

import io
import os
import shutil
import subprocess
import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import Final
from unittest.mock import patch

from server.cli.main import main
from tests.support.sources import ROOT

PROGRAM: Final = (sys.executable, "-m", "server")
"""`quatch`, with the Python of the tests."""
SERVE: Final = (*PROGRAM, "serve", "--host", "127.0.0.1", "--port", "0")
"""A server on a free port."""


def as_a_host(**settings: str) -> dict[str, str]:
    """The environment of a program started as a host would start it, with these settings in it.

    Without Python's development mode, in which the tests may run: on a busy machine it logs every step that takes long,
    between the lines that a test reads.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDEVMODE"} | settings


def ended(*arguments: str, typed: str = "", **settings: str) -> tuple[int, str, str]:
    """Run `quatch` until it ends: its exit status, and what it says on standard output and on standard error."""
    run = subprocess.run(
        [*PROGRAM, *arguments],
        input=typed, capture_output=True, text=True, cwd=ROOT, env=as_a_host(**settings), timeout=60, check=False,
    )  # fmt: skip
    return run.returncode, run.stdout, run.stderr


def played(*arguments: str, typed: str) -> str:
    """What `quatch play` tells, in this process as its AI players, while this is typed into a pipe."""
    reader, writer = os.pipe()
    os.write(writer, typed.encode())
    os.close(writer)
    told = io.TextIOWrapper(io.BytesIO(), "utf-8")
    streams = patch.multiple(sys, stdin=(stdin := os.fdopen(reader)), stdout=told)
    with stdin, streams, patch.dict(os.environ, QUATCH_WORKERS="0", QUATCH_PACE="0"):
        assert main(["play", *arguments]) == 0
        return told.buffer.getvalue().decode()


def copy_program(folder: Path, *without: str) -> None:
    """Copy the program to this folder, in which `python -m server` then runs the copy; without these features."""
    for name in ("server", "engine"):
        left_out = shutil.ignore_patterns("__pycache__", *without, *(f"{feature}.py" for feature in without))
        shutil.copytree(ROOT / name, folder / name, ignore=left_out, dirs_exist_ok=True)
    shutil.copy2(ROOT / "pyproject.toml", folder)
    take_compiled(folder)


def take_compiled(folder: Path) -> None:
    """Have a copy of the program in this folder use the modules that are compiled already."""
    for file in folder.rglob("*.py"):
        source = ROOT / file.relative_to(folder)
        compiled, copy = (Path(cache_from_source(each)) for each in (source, file))
        if compiled.exists():
            shutil.copystat(source, file)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(compiled, copy)
