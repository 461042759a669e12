"""The source of the program, for tests that read it."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules(package: str) -> Iterator[tuple[str, ast.Module]]:
    """Every module of a package with its syntax tree."""
    for file in sorted((ROOT / package).rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), ast.parse(file.read_text("utf-8"))
