"""Plays recordings of a terminal (asciicast, version 2) to an emulator, as `asciinema play` does, but in no time."""

import json

import pyte

from tests.support.emulated_screen import Emulator, shown_by


def screens(cast: str) -> list[str]:
    """What is shown after each text that was written. Raises AssertionError if the cast is malformed."""
    header, *events = map(json.loads, cast.splitlines())
    assert header["version"] == 2
    screen = Emulator(header["width"], header["height"], lambda _: None)
    stream = pyte.Stream(screen)
    before, shown = 0.0, list[str]()
    for seconds, kind, text in events:
        assert seconds >= before
        assert kind == "o"
        before = seconds
        stream.feed(text)
        shown.append(shown_by(screen))
    return shown
