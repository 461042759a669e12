"""A table tells at once which of its rules are not those of its rule set: its level or its options may change some."""

from typing import Final

import pytest

from tests.support.emulator import at_a_table

pytestmark = pytest.mark.virtual_time
ALL_OF_A_RANK: Final = "One rule is not as usual: On your turn lay all your cards of one rank"


@pytest.mark.parametrize(("typed", "told"), [("level=easy", True), ("level=hard", False)])
@pytest.mark.parametrize("command", ["play", "new"])
async def test_a_table_whose_level_brings_a_rule_tells_it(command: str, typed: str, told: bool) -> None:  # noqa: FBT001
    """All cards of a rank go together in Quatch at levels easy and medium."""
    async with at_a_table() as ana:
        await ana.type("leave", "leave", f"{command} {typed}")
        assert (ALL_OF_A_RANK in " ".join(ana.shown.split())) is told


async def test_a_player_who_sits_down_reads_it_in_lines() -> None:
    """Once when they come, and again when they ask where they are."""
    async with at_a_table("mode line") as ana:
        await ana.type("leave", "leave", "new level=easy", "where")
        written = b"".join(ana.transport.writes).decode()
        assert written.count(ALL_OF_A_RANK) == 2


async def test_more_changes_are_left_to_the_rules_sheet() -> None:
    """A rule that is taken away is a change, too."""
    async with at_a_table() as ana:
        await ana.type("leave", "leave", "new level=easy four.scope=off")
        assert "Some rules are not as usual: type rules to read them." in " ".join(ana.shown.split())
        await ana.type("leave", "new level=hard four.scope=off")
        assert "One rule is not as usual: Four of a rank do not burn the pile." in " ".join(ana.shown.split())


@pytest.mark.parametrize("table", ["quatch seats=4", "life", "cathedral"])
async def test_the_smallest_screen_has_its_hints_also_at_a_table_with_much_to_tell(table: str) -> None:
    """The empty rows go first, and then what the deal was fixed with, which fair tells."""
    async with at_a_table(size=(60, 20)) as ana:
        await ana.type("leave", "leave", f"new {table} level=easy key=apple four.scope=off")
        rows = ana.shown.split("\n")
        assert rows[-2].startswith(" start deals")
        assert "help" in rows[-2]
        assert any(row.startswith(" No game yet: start deals") for row in rows)
