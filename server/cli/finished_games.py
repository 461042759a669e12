"""`quatch verify`: a finished game from a file or a server's log."""

import argparse

from server.history.archive import record_text
from server.records.verify import verify


def verify_record(options: argparse.Namespace) -> int:
    """Verify a finished game. Raises BadRecord if it does not hold."""
    print("\n".join(verify(record_text(options.game, options.data))))
    return 0
