#!/usr/bin/env python3
"""Do the tests notice? Break the engine in small ways, one at a time, and see whether its tests fail.

    tests/mutants.py [--jobs N] [--only TEXT] [arguments for pytest]

Every mutant is tried in a copy of its own, first with the quick tests, which notice most mutants, and then with the
slow ones. Exit status 1 when a mutant survives or its old text is no longer there, 2 when the tests fail before
anything is broken.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
SECONDS: Final = 300
"""A mutant that keeps the tests busy for longer counts as noticed."""
TESTS: Final = "tests/engine"
SLOW: Final = (
    *(f"{TESTS}/test_{name}.py" for name in ("laws", "lessons", "odds", "referee_positions", "referee", "playable")),
    f"{TESTS}/ai",
)
"""Tests that play many games: nine tenths of the time. Those that notice most come first."""


class Mutant(NamedTuple):
    """One small fault: this text of this file of the engine becomes that one."""

    file: str
    old: str
    new: str

    def applies_to(self, text: str) -> bool:
        """Whether the old text stands once in this text of the file."""
        return text.count(self.old) == 1

    def __str__(self) -> str:
        return f"{self.file}: {self.old.strip()} -> {self.new.strip()}"


MUTANTS: Final = (
    Mutant("cards.py", 'SUITS: Final = "cdhs"', 'SUITS: Final = "dchs"'),
    Mutant("cards.py", "(*ALL_RANKS[1:], ALL_RANKS[0])", "ALL_RANKS"),
    Mutant(
        "events.py",
        "return self if seat == self.seat or not self.cards else type(self)(self.seat, self.count, ())",
        "return self",
    ),
    Mutant("events.py", "type(self)(self.seat, self.count, ())", "type(self)(self.seat, self.count, self.cards[:1])"),
    Mutant("rules.py", "FOUR: Final = 4", "FOUR: Final = 5"),
    Mutant("game.py", "    check(state, seat, move)\n", ""),
    Mutant("game.py", "after, events = state.copy(), list", "after, events = state, list"),
    Mutant("game.py", "    state.must_lead = None\n", ""),
    Mutant("game.py", "    state.public_hands[seat] &= left\n", ""),
    Mutant("game.py", "    state.public_hands[seat] |= taken\n", ""),
    Mutant("game.py", "    state.declined[seat] |= playable\n", ""),
    Mutant("game.py", "        playable &= ~state.powers.never_last\n", "        pass\n"),
    Mutant("game.py", "    state.declined[seat] = 0\n", ""),
    Mutant("opening.py", "    state.declined[seat] = 0\n", ""),
    Mutant("odds.py", "0 if declined & RANK_CARDS[rank] else n", "n"),
    Mutant("ai/worlds.py", "hands[seat] | self._view.public_hands[seat]", "hands[seat]"),
    Mutant("game.py", "    state.may_pass = False\n", ""),
    Mutant("game.py", "and not state.stock and state.is_out(seat)", "and state.is_out(seat)"),
    Mutant("game.py", "special = effects.burned or ", "special = "),
    Mutant(
        "game.py", "_effects_of_play(state, rank, len(cards))", "_effects_of_play(state, cards[-1] >> 2, len(cards))"
    ),
    Mutant("effects.py", "again=max(again", "again=min(again"),
    Mutant("game.py", "state.bin += state.pile\n    state.quiet = 0\n", "state.bin += state.pile\n"),
    Mutant(
        "game.py",
        "state.reserves[seat] = 0\n    state.declined[seat] = 0\n    state.quiet = 0\n",
        "state.reserves[seat] = 0\n    state.declined[seat] = 0\n",
    ),
    Mutant("game.py", "state.ups\n        state.quiet = 0\n", "state.ups\n"),
    Mutant("game.py", 'if zone == "hand" and state.stock:', "if state.stock:"),
    Mutant("opening.py", "    state.quiet = 0\n", ""),
    Mutant("game.py", "and state.reserves[seat] and not state.stock", "and state.reserves[seat]"),
    Mutant("effects.py", 'skips=count if effect == "skip" else 0', 'skips=int(effect == "skip")'),
    Mutant("effects.py", 'effect == "reverse" and count % 2 == 1', 'effect == "reverse"'),
    Mutant("game.py", "None, *row[slot + 1 :])", "*row[slot + 1 :])"),
    Mutant("game.py", "    state.pile.append(card)\n", "    state.pile.insert(0, card)\n"),
    Mutant("game.py", "state.ups[seat] ^= card_set(lifted)", "state.ups[seat] = 0"),
    Mutant("game.py", "state.pile += lifted\n        state.quiet = 0\n", "state.pile += lifted\n"),
    Mutant("game.py", "len(following) + (not out) <= 2", "len(following) <= 2"),
    Mutant("game.py", "following if out else (seat, *following)", "following if out else (*following, seat)"),
    Mutant("game.py", 'this may end the game."""\n    state.quiet = 0\n', 'this may end the game."""\n'),
    Mutant("game.py", "state.quiet >= state.rules", "state.quiet > state.rules"),
    Mutant("game.py", "again == MAY_AGAIN", "again != MAY_AGAIN"),
    Mutant("game.py", "[following : following + skips]", "[following + 1 : following + 1 + skips]"),
    Mutant("game.py", "(*state.places, *state.order)", "(*state.order, *state.places)"),
    Mutant("game.py", "Outcome(None, tuple(sorted(state.order)))", "Outcome(None, tuple(range(len(state.hands))))"),
    Mutant("game.py", "held = hand | zone[seat]", "held = hand"),
    Mutant("game.py", "if all(state.ready):", "if any(state.ready):"),
    Mutant("legality.py", "[PICK_UP, *lifts(position, seat)]", "[PICK_UP]"),
    Mutant("legality.py", "    if position.pile:\n        if not moves", "    if True:\n        if not moves"),
    Mutant("legality.py", "elif position.rules.pickup_by_choice:", "else:"),
    Mutant("legality.py", "if position.may_pass or not moves:", "if position.may_pass:"),
    Mutant("legality.py", "        allowed &= RANK_CARDS[position.must_lead]\n", "        pass\n"),
    Mutant("legality.py", "    if position.hands[seat] or position.ups[seat]:\n        return []\n", ""),
    Mutant("legality.py", "    if position.hands[seat]:\n        return []\n    most", "    most"),
    Mutant("legality.py", "(hand, MOST_COPIES) if hand else", "(hand, position.rules.play_up_at_once) if hand else"),
    Mutant("legality.py", " and not _is_last_special(position, seat, rank, 1)", ""),
    Mutant("legality.py", "laid[seat].bit_count() != rules.arrange_lay", "not laid[seat]"),
    Mutant("legality.py", "or (arranging and position.ready[seat])", ""),
    Mutant("legality.py", '        return "mixed_ranks"\n    if not pos', "        pass\n    if not pos"),
    Mutant("legality.py", "n < min(copies, most)", "n < copies"),
    Mutant("legality.py", "    if not position.pile:\n        return", "    if False:\n        return"),
    Mutant("legality.py", "(can_play or lift_of", "(lift_of"),
    Mutant("legality.py", "(position.hands[seat] and position.stock_left and (", "(False and ("),
    Mutant("legality.py", "(rules.draw_rule == ", "(True or rules.draw_rule == "),
    Mutant("moves.py", "taken.bit_count() != len(named) or taken & ~held", "taken & ~held"),
    Mutant("moves.py", "taken |= left & -left", "taken |= 1 << left.bit_length() - 1"),
    Mutant("moves.py", "(*named, *cards_in(taken ^ first))", "tuple(cards_in(taken))"),
    Mutant("moves.py", "Flip(int(slot) - 1)", "Flip(int(slot))"),
    Mutant("protocol/position_json.py", "if found >> card & 1:", "if False:"),
    Mutant("protocol/position_json.py", '_cards(source, "stock")[::-1]', '_cards(source, "stock")'),
    Mutant("protocol/position_json.py", "if n not in places)", ")"),
    Mutant("opening.py", "tuple(reversed(cards))", "tuple(cards)"),
    Mutant("opening.py", "del state.stock[-wanted:]", "del state.stock[-1:]"),
    Mutant("opening.py", "(dealer + 1) % seats", "dealer"),
    Mutant("opening.py", "[*plain, len(DECLARING_ORDER)]", "plain"),
    Mutant("opening.py", "<= seats // 2 else -1", "<= seats else -1"),
    Mutant("opening.py", "list(state.luck) or list", "list"),
    Mutant("opening.py", "        if not burned:", "        if True:"),
    Mutant("game.py", "events)\n        state.quiet = 0\n", "events)\n"),
    Mutant("opening.py", "hand & state.powers.plain) for _", "hand) for _"),
    Mutant("pile.py", "        rank = on.top\n", "        pass\n"),
    Mutant("pile.py", "on.run + len(cards) if", "on.run + 1 if"),
    Mutant("rank_powers.py", "if rank in under.blocks:", "if False:"),
    Mutant("rank_powers.py", "rank < top or _goes_anywhere(laid)", "rank < top"),
    Mutant("rank_powers.py", "(rank == top and _beats(rules, rank, top))", "rank == top"),
    Mutant("rank_powers.py", 'in {"reset", "burn"})', 'in {"burn"})'),
    Mutant("rank_powers.py", ' or (power is not None and power.on == "rank-or-lower")', ""),
    Mutant("protocol/referee.py", "        check_seat(seat, len(seats))\n", "        pass\n"),
    Mutant("protocol/referee.py", "parse_constant=_no_constant", "parse_constant=None"),
    Mutant("rules.py", "near = get_close_matches(key, names, 1)", "near = sorted(names)"),
    Mutant("rules.py", "if type(value) is not int or not 0 <= value <= LARGEST", "if not 0 <= value <= LARGEST"),
    Mutant("shuffle.py", ">= unbiased", ">= _WORD"),
    Mutant("shuffle.py", "range(len(items) - 1, 0, -1)", "range(len(items) - 1, 1, -1)"),
    Mutant("view.py", "unknown if _hides_ups(state) else tuple(state.ups)", "tuple(state.ups)"),
    Mutant("view.py", "reserves=unknown", "reserves=tuple(state.reserves)"),
    Mutant("view.py", "None if card is None else UNSEEN for", "card for"),
    Mutant(
        "ai/easy_medium_hard.py",
        "return arranging_move(view, seat, ALL_RANKS) if must_lay(view, seat) else READY",
        "return READY",
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all mutants, or those whose description contains a text; the exit status."""
    parser = argparse.ArgumentParser(description="Break the engine in small ways and see whether its tests notice.")
    parser.add_argument("--jobs", type=int, default=2, help="how many mutants to try at once (default: 2)")
    parser.add_argument("--only", default="", metavar="TEXT", help="the mutants whose description contains this")
    options, pytest_arguments = parser.parse_known_args(arguments)
    chosen = [mutant for mutant in MUTANTS if options.only in str(mutant)]
    with tempfile.TemporaryDirectory() as folder:
        unbroken = Path(folder)
        for part in ("engine", "server", "tests"):
            copytree(ROOT / part, unbroken / part, ignore=ignore_patterns("__pycache__"))
        copy(ROOT / "pyproject.toml", unbroken)
        if not _tests_pass(unbroken, pytest_arguments):
            _say("The tests fail before anything is broken: mend that first.")
            return 2
        with ThreadPoolExecutor(options.jobs) as pool:
            verdicts = list(pool.map(partial(_verdict, unbroken, pytest_arguments), chosen))
    _say(f"{len(chosen)} mutants, {verdicts.count('killed')} killed")
    return 0 if verdicts.count("killed") == len(chosen) else 1


def _verdict(unbroken: Path, pytest_arguments: Sequence[str], mutant: Mutant) -> str:
    """Try one mutant in a copy of the unbroken folder, whose bytecode spares compiling all other files."""
    text = (unbroken / "engine" / mutant.file).read_text("utf-8")
    if not mutant.applies_to(text):
        verdict = "DOES NOT APPLY"
    else:
        with tempfile.TemporaryDirectory() as folder:
            copytree(unbroken, folder, dirs_exist_ok=True)
            Path(folder, "engine", mutant.file).write_text(text.replace(mutant.old, mutant.new), "utf-8")
            verdict = "SURVIVES" if _tests_pass(Path(folder), pytest_arguments) else "killed"
    _say(f"{verdict:<8} {mutant}")
    return verdict


def _tests_pass(folder: Path, pytest_arguments: Sequence[str]) -> bool:
    """Whether the engine's tests pass in this folder, the quick ones and then the slow ones."""
    quick = [TESTS, *(f"--ignore={path}" for path in SLOW)]
    return all(_passes(folder, [*tests, *pytest_arguments]) for tests in (quick, SLOW))


def _passes(folder: Path, arguments: Sequence[str]) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *arguments]
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, timeout=SECONDS, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
