"""The source of the program, for tests that read it."""

import ast
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules(package: str, named: str = "", having: str = "") -> Sequence[tuple[str, ast.Module]]:
    """The modules of a package with their syntax trees: whose name matches this pattern, and which have this text."""
    return [(name, _tree(text)) for name, text in _texts(package) if re.match(named, name) and having in text]


@cache
def _texts(package: str) -> Sequence[tuple[str, str]]:
    return [(_name(file), file.read_text("utf-8")) for file in sorted((ROOT / package).rglob("*.py"))]


@cache
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
