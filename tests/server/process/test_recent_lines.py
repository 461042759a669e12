"""The lines of the log that the console shows."""

from server.process.logs import RecentLines


def test_values_of_every_kind_are_shown() -> None:
    """Also lists, which a log may hold; what says nothing is left out."""
    recent = RecentLines()
    recent(None, "info", {"event": "reloaded", "lines": ["a", "b"], "name": "", "key": None, "level": "info", "n": 0})
    assert [(line.level, line.text) for line in recent.last(5)] == [("info", "reloaded  lines=['a', 'b']  n=0")]
