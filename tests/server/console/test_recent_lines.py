"""The last lines of the log, as a console shows them."""

from server.console.overview import RECENT, keep_line


def test_values_of_every_kind_are_shown() -> None:
    """Also lists, which a log may hold; what says nothing is left out, and of a key all but its beginning."""
    keep_line("info", {"event": "reloaded", "lines": ["a", "b"], "name": "", "key": None, "n": 0})
    keep_line("warning", {"event": "came in", "key": f"SHA256:{'x' * 43}"})
    told = [line.partition(":")[2][6:] for line in [*RECENT][-2:]]
    assert told == ["reloaded  lines=['a', 'b']  n=0", "WARNING came in  key=SHA256:xxxxxxxx.."]
