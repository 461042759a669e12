"""The last lines of the log, as a console shows them."""

from server.console.overview import RecentLines


def test_values_of_every_kind_are_shown() -> None:
    """Also lists, which a log may hold; what says nothing is left out."""
    recent = RecentLines()
    recent("info", {"event": "reloaded", "lines": ["a", "b"], "name": "", "key": None, "n": 0})
    assert [(line.level, line.text) for line in recent.last(5)] == [("info", "reloaded  lines=['a', 'b']  n=0")]
