"""Programs that tests start."""

import os


def as_a_host(**settings: str) -> dict[str, str]:
    """The environment of a program started as a host would start it, with these settings in it.

    Without the development mode of Python, which the tests themselves run in: on a busy machine it tells of every step
    that takes long, between the lines that a test reads.
    """
    return {name: value for name, value in os.environ.items() if name != "PYTHONDEVMODE"} | settings
