"""A time of day for tests, which stands still until it is set."""


class Clock:
    """Called, it tells the seconds since 1970."""

    def __init__(self, now: float = 1_790_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        """Seconds since 1970."""
        return self.now
