"""Rules that lessons are tried with."""

from engine.rules import Rules
from engine.rulesets import rulesets
from tests.soak import long
from tests.support.random_games import TABLES, house_rules

MANY_RULES: dict[str, Rules] = {
    **rulesets(),
    **{str(table): table.read() for table in TABLES},
    **{f"house {seed}": house_rules(seed).read() for seed in range(long(20, 60))},
}
"""The rule sets, mixes of options, and house rules drawn at random."""
