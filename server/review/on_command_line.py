"""`quatch review`: a finished game from a file or a server's log."""

import argparse
import asyncio

from server.ai.pool import AIPool
from server.command_line import print_lines
from server.history.archive import record_text
from server.pieces import at_once
from server.records.record import decisions_of
from server.records.record_reader import read_record
from server.review.review import review_game, review_subject, reviewed_game
from server.review.text import review_lines
from server.terminal.progress_bar import progress_bar
from server.typed_json import json_line


def review(options: argparse.Namespace) -> int:
    """Print the review of a seat. Raises InputError."""
    record = read_record(record_text(options.game, options.data))
    subject = review_subject(record, "" if options.seat is None else str(options.seat))
    # This process serves no other player, so it may compute in its event loop.
    with progress_bar("looking back", len(at_once(decisions_of(record, subject.seat)))) as add:
        reviewed = asyncio.run(review_game(subject, AIPool(), lambda done, _: add(min(done, 1))))
    lines = [json_line(reviewed_game(reviewed))] if options.json else review_lines(reviewed)
    return print_lines(iter(lines))
