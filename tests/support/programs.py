"""Programs that tests start."""

import os
from typing import Final

STOPS_SECONDS: Final = 6.0
"""A server stops within five seconds, whatever happens; here a second more, for a busy machine."""


def as_a_host(**settings: str) -> dict[str, str]:
    """The environment of a program started as a host would start it, with these settings in it.

    Without Python's development mode, in which the tests may run: on a busy machine it logs every step that takes long,
    between the lines that a test reads.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDEVMODE"} | settings
