"""Plays recordings of a terminal (asciicast, version 2) to an emulator, as `asciinema play` does, but in no time."""

import json
from collections.abc import Iterator

import pyte

from tests.support.emulated_screen import Emulator, shown_by


def screen_by_screen(cast: str) -> Iterator[tuple[float, Emulator]]:
    """The screen after each text that was written, with its seconds. Raises AssertionError if the cast is malformed."""
    header, *events = map(json.loads, cast.splitlines())
    assert header["version"] == 2
    screen = Emulator(header["width"], header["height"], lambda _: None)
    stream = pyte.Stream(screen)
    before = 0.0
    for seconds, kind, text in events:
        assert seconds >= before
        assert kind == "o"
        before = seconds
        stream.feed(text)
        yield seconds, screen


def screens(cast: str) -> list[str]:
    """What is shown after each text that was written."""
    return [shown_by(screen) for _, screen in screen_by_screen(cast)]
