"""The source of the program, for tests that read it."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def modules(package: str) -> tuple[tuple[str, ast.Module], ...]:
    """Every module of a package with its syntax tree; they are parsed once for all tests."""
    return tuple((_name(file), ast.parse(file.read_text("utf-8"))) for file in sorted((ROOT / package).rglob("*.py")))


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
