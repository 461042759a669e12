"""The random games with which laws are tried: built-in rule sets, mixes of options, and house rules drawn at random."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.support.each import Test, for_each
from tests.support.random_games import SEEDS, TABLES, Game, Step, Table, house_rules, random_game


def with_every_table(argument: str, drawn: int) -> Callable[[Test], Test]:
    """Try a test at every table, and at so many with house rules drawn at random; the table is this argument."""
    return for_each(argument, [*TABLES, *map(house_rules, range(drawn))])


at_every_table: Final = with_every_table("at", 12 * SEEDS)


def games(at: Table) -> Iterator[Game]:
    """The games that a law is tried with: fewer for drawn house rules, since there are many of them."""
    return (random_game(at, str(seed)) for seed in range(SEEDS if at in TABLES else 1))


def some_steps(game: Game, every: int) -> list[Step]:
    """All of the arranging, and every so many steps of play, beginning anywhere."""
    begin = sum(step.state.phase == "arrange" for step in game.steps)
    return [*game.steps[:begin], *game.steps[begin + len(game.steps) % every :: every]]
