"""Recordings of a terminal for `asciinema play`: asciicast, version 2 (https://docs.asciinema.org/manual/asciicast/v2/).

The first line is a header, each other line a text that was written and when.
"""

import json
from collections.abc import Iterable, Iterator


def asciicast(
    title: str, size: tuple[int, int], timestamp: float, written: Iterable[tuple[float, str]]
) -> Iterator[str]:
    """The lines of a recording, in ASCII.

    ``size`` is columns and rows, ``timestamp`` when it began in seconds since 1970; ``written`` are the texts, each
    with the seconds since the beginning.
    """
    columns, rows = size
    header = {"version": 2, "width": columns, "height": rows, "timestamp": int(timestamp), "title": title}
    yield json.dumps(header | {"env": {"TERM": "xterm-256color"}})
    for seconds, text in written:
        yield json.dumps([round(seconds, 3), "o", text])
