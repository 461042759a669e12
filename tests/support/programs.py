"""Programs that tests start."""

import os
import shutil
from pathlib import Path

from tests.support.sources import ROOT


def as_a_host(**settings: str) -> dict[str, str]:
    """The environment of a program started as a host would start it, with these settings in it.

    Without Python's development mode, in which the tests may run: on a busy machine it logs every step that takes long,
    between the lines that a test reads.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDEVMODE"} | settings


def copy_program(folder: Path, *without: str) -> None:
    """Copy the program to this folder, in which `python -m server` then runs the copy; without files of these names."""
    for name in ("server", "engine"):
        left_out = shutil.ignore_patterns("__pycache__", *without)
        shutil.copytree(ROOT / name, folder / name, ignore=left_out, dirs_exist_ok=True)
    shutil.copy2(ROOT / "pyproject.toml", folder)
