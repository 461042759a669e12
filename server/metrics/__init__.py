"""Metrics and health over HTTP, for the host's monitoring and for a balancer, off by default; and `uptime`, to type.

What it must not know: players. It counts, and names nobody.
Where to begin: `figures.py` is what each process measures, `page.py` is the page of all, in the main process.
"""

from typing import Any, Final

from server.command_line import CommandLine, FeatureSettings, ListensAt


class MetricsSettings(FeatureSettings):
    """Where the page is."""

    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"

    def listens_at(self, core: Any) -> ListensAt | None:  # noqa: ANN401, ARG002 - a `Config`
        """See `FeatureSettings`."""
        if self.metrics_port is None:
            return None
        at = (self.metrics_host,), self.metrics_port, "metrics_host", "metrics_port"
        return ListensAt("metrics", *at, answers="server.metrics.page:MetricsPage")


COMMAND_LINE: Final = CommandLine("server.metrics.measuring:FEATURE", MetricsSettings)
