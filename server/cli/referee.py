"""`quatch referee`: the rules over a pipe (engine/protocol/README.md)."""

import argparse
import sys

from engine.protocol.referee import answer_line
from server.cli.print_lines import print_lines


def referee(_: argparse.Namespace) -> int:
    """Answer each request of standard input."""
    return print_lines(answer for line in sys.stdin.buffer if (answer := answer_line(line)) is not None)
