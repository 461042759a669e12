"""The sub-commands for finished games, from a file or a server's log: ``replay``, ``review``, ``verify``."""

import argparse
import asyncio
import sys

from server.ai.pool import AIPool
from server.history.record_text import record_text
from server.history.replay import decisions_of
from server.history.review import review_game, review_subject, reviewed_game
from server.history.review_text import review_lines
from server.pieces import at_once
from server.records.record_reader import read_record
from server.records.verify import verify
from server.terminal.progress_bar import progress_bar
from server.typed_json import json_line


def review(options: argparse.Namespace) -> int:
    """Print the review of a seat. Raises InputError."""
    record = read_record(record_text(options.game, options.data))
    subject = review_subject(record, "" if options.seat is None else str(options.seat))
    # This process serves no other player, so it may compute in its event loop.
    with progress_bar("looking back", len(at_once(decisions_of(record, subject.seat)))) as add:
        reviewed = asyncio.run(review_game(subject, AIPool(), lambda done, _: add(min(done, 1))))
    lines = [json_line(reviewed_game(reviewed))] if options.json else review_lines(reviewed, plot=sys.stdout.isatty())
    print("\n".join(lines))
    return 0


def verify_record(options: argparse.Namespace) -> int:
    """Verify a finished game. Raises BadRecord if it does not hold."""
    print("\n".join(verify(record_text(options.game, options.data))))
    return 0
