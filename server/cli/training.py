"""The sub-commands that let AI players play each other: ``arena``, ``fit``."""

import argparse
import json
import os
from contextlib import suppress
from pathlib import Path

from engine.errors import InputError
from engine.rulesets import ruleset
from server.cli.print_lines import print_lines
from server.training.arena import Match, run_arena
from server.training.fit_weights import SHIPPED, fit_weights
from server.training.ladder import run_ladder


def fit(options: argparse.Namespace) -> int:
    """Learn weights."""
    return print_lines(fit_weights(options.rules, options.games, options.seed, options.to or SHIPPED))


def arena(options: argparse.Namespace) -> int:
    """Play a match, or all matches of a ladder. Raises InputError."""
    if options.ladder:
        with suppress(KeyboardInterrupt):
            print_lines(run_ladder(options.ladder, options.jobs or os.cpu_count() or 1, keep=options.keep is not None))
        return 0
    if options.rules is None or options.keep == Path():
        raise InputError("bad_request", "arena: name a rule set and players, and a file to --keep; or --ladder FILE")
    match = Match(ruleset(options.rules), tuple(options.players), options.seed)
    report = run_arena(match, options.games, options.jobs, options.keep)
    print(json.dumps(report.to_json()) if options.json else "\n".join(report.lines()))
    return 0
