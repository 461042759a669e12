"""Prints what takes a while, line by line."""

from collections.abc import Iterator


def print_lines(lines: Iterator[object]) -> int:
    """Print each line as soon as it is known. Return the exit status: what a generator returned, or 0."""
    while True:
        try:
            print(next(lines), flush=True)
        except StopIteration as end:
            return end.value or 0
