"""The sub-commands for developers that measure: ``bench``, ``arena``, ``fit``."""

import argparse
import json
import os
from contextlib import suppress
from pkgutil import resolve_name

from engine.errors import InputError
from engine.rulesets import ruleset
from server.bench.figures import Figure, compare, read_report, report_of, report_text
from server.cli.developer_arguments import IN_ALL, all_benches
from server.cli.print_lines import print_lines
from server.training.arena import Match, run_arena
from server.training.fit import SHIPPED, fit_weights
from server.training.ladder import run_ladder


def bench(options: argparse.Namespace) -> int:
    """Measure one part, or compare two reports. Raises InputError."""
    if options.what == "compare":
        if len(options.files) != 2:
            raise InputError("bad_request", "bench compare: name two files that quatch bench --json has written")
        return print_lines(compare(*map(read_report, options.files)))
    if options.files:
        raise InputError("bad_request", f"bench {options.what}: no files, not {options.files[0]}")
    parts = IN_ALL if options.what == "all" else (options.what,)
    benches = [resolve_name(all_benches()[part]) for part in parts]
    if not options.json:
        return max(print_lines(measure(options)) for measure in benches)
    if options.what == "attacks":
        raise InputError("bad_request", "bench attacks: it has limits and no ratios, so leave out --json")
    runs = [[line for measure in benches for line in measure(options)] for _ in range(options.runs)]
    print(report_text(report_of([[line for line in run if isinstance(line, Figure)] for run in runs])))
    return 0


def fit(options: argparse.Namespace) -> int:
    """Learn weights."""
    return print_lines(fit_weights(options.rules, options.games, options.seed, options.to or SHIPPED))


def arena(options: argparse.Namespace) -> int:
    """Play a match, or all matches of a ladder. Raises InputError."""
    if options.ladder:
        with suppress(KeyboardInterrupt):
            print_lines(run_ladder(options.ladder, options.jobs or os.cpu_count() or 1, keep=options.keep))
        return 0
    if options.rules is None:
        raise InputError("bad_request", "arena: name a rule set and players, or --ladder FILE")
    report = run_arena(Match(ruleset(options.rules), tuple(options.players), options.seed), options.games, options.jobs)
    print(json.dumps(report.to_json()) if options.json else "\n".join(report.lines()))
    return 0
