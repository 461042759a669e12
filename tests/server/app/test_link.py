"""What one of several processes has of the settings of its server."""

from server.app.link import share_of
from server.config import Config


def test_processes_share_workers_and_connections() -> None:
    """Together they have no more than one process would, but each has a worker."""
    share = share_of(Config(processes=4, workers=9, connections=1201))
    assert (share.workers, share.connections, share.processes) == (2, 301, 4)
    assert share_of(Config(processes=4, workers=1)).workers == 1
    assert share_of(Config(processes=4, workers=0)).workers == 0
