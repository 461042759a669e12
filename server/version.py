"""The version of the program."""

from importlib.metadata import PackageNotFoundError, version
from typing import Final


def _installed() -> str:
    try:
        return version("quatch")
    except PackageNotFoundError:
        return "(not installed)"


VERSION: Final = _installed()
