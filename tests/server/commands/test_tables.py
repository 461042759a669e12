"""The list of tables in words, over ssh and for programs: one order, and nothing missing for programs."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import pytest

from server.lobby.lobby import Lobby
from server.lobby.tables import READ_SECONDS
from server.people.players import Caller
from server.session import exec_commands
from server.table.deadlines import DROWSY_SECONDS
from server.table.unlogged_state import LOADED_SECONDS
from tests.support.each import for_each
from tests.support.emulator import SETTLED, TerminalPlayer, at_a_table, open_lobby

pytestmark = pytest.mark.virtual_time


@asynccontextmanager
async def lobby_with_sleeping_tables() -> AsyncIterator[Lobby]:
    """Ana plays at table 1 and bo at table 2, and both have gone; cy plays at table 3; dee waits at table 4."""
    async with open_lobby() as lobby:
        staying = []
        for name, line in (("ana", "play"), ("bo", "play"), ("cy", "play"), ("dee", "new")):
            player = await TerminalPlayer(lobby, name).arrived()
            await player.type(line)
            if name in {"ana", "bo"}:
                await player.go()
            else:
                staying.append(player)
        await asyncio.sleep(DROWSY_SECONDS + READ_SECONDS)
        yield lobby


async def told(lobby: Lobby, command: str, name: str = "zoe") -> list[str]:
    """What `ssh HOST COMMAND` tells a player with a key."""
    status, lines = await exec_commands.answer(command, lobby, Caller(name, f"SHA256:{name}"))
    assert status == 0
    return [line.partition(":")[0] if line.startswith("Table ") else line for line in lines]


async def test_the_list_of_tables_begins_with_those_that_matter_most() -> None:
    """Those that sleep are one line, except the player's own; programs are told all, in the same order."""
    async with lobby_with_sleeping_tables() as lobby:
        folded = "2 more, whose players are away: tables all."
        assert await told(lobby, "tables") == ["2 tables.", "Table 4", "Table 3", folded]
        assert await told(lobby, "tables all") == ["4 tables.", "Table 4", "Table 3", "Table 1", "Table 2"]
        folded = "1 more, whose players are away: tables all."
        assert await told(lobby, "tables", "bo") == ["3 tables.", "Table 2", "Table 4", "Table 3", folded]
        for command in ("tables --json", "tables all --json"):
            (line,) = await told(lobby, command, "bo")
            assert [table["table"] for table in json.loads(line)["tables"]] == [2, 4, 3, 1]
            assert json.loads(line)["kept_seats"] == []


async def test_ones_own_table_is_named_also_when_it_is_listed_no_more() -> None:
    """It sleeps in the log, and the seat is kept."""
    async with lobby_with_sleeping_tables() as lobby:
        await asyncio.sleep(LOADED_SECONDS)
        kept = "Your seat at table 2 is kept: sit 2"
        assert await told(lobby, "tables", "bo") == ["2 tables.", kept, "Table 4", "Table 3"]


async def test_who_says_where_each_player_is() -> None:
    """At a table, watching one, or in the lobby: in lines, for programs and on the screen of the lobby."""
    async with lobby_with_sleeping_tables() as lobby:
        eve, kim = TerminalPlayer(lobby, "eve"), TerminalPlayer(lobby, "kim", (120, 40))
        await asyncio.sleep(SETTLED)
        await eve.type("watch 3")
        assert await told(lobby, "who") == ["4 here: cy (table 3), dee (table 4), eve (watching 3), kim (lobby)."]
        (line,) = await told(lobby, "who --json")
        assert json.loads(line)["where"][1:] == [
            {"name": "dee", "table": 4, "watching": False},
            {"name": "eve", "table": 3, "watching": True},
            {"name": "kim", "table": None, "watching": False},
        ]
        rows = [row.split() for row in kim.shown.split("\n")]
        assert all(
            any(row[-len(end) :] == end for row in rows) for end in (["cy", "table", "3"], ["eve", "watching", "3"])
        )


ALL_OF_A_RANK: Final = (
    "One rule is not as usual at a table of level easy or medium: All your cards of a rank must go together."
)


@for_each(("typed", "told"), [("level=easy", True), ("level=hard", False)])
@for_each("command", ["play", "new"])
async def test_a_table_whose_level_brings_a_rule_tells_it(command: str, typed: str, told: bool) -> None:  # noqa: FBT001
    """All cards of a rank go together in Quatch at levels easy and medium."""
    async with at_a_table() as ana:
        await ana.type("leave", "leave", f"{command} {typed}")
        assert (ALL_OF_A_RANK in " ".join(ana.shown.split())) is told


@pytest.mark.features("plain_questions")
@pytest.mark.parametrize("asked", ["which rule is different", "why is one rule not as usual?"])
async def test_which_rule_is_not_as_usual_and_why_can_be_asked(asked: str) -> None:
    """At the table that has it."""
    async with at_a_table() as ana:
        await ana.type("leave", "leave", "play easy", asked)
        assert ALL_OF_A_RANK in ana.session.display.answer


async def test_a_player_who_sits_down_reads_it_in_lines() -> None:
    """Once when they come, and again when they ask where they are."""
    async with at_a_table("mode line") as ana:
        await ana.type("leave", "leave", "new level=easy", "where")
        written = b"".join(ana.transport.writes).decode()
        assert " ".join(written.split()).count(ALL_OF_A_RANK) == 2


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
        assert rows[-2].startswith(" Enter deals")
        assert "help" in rows[-2]
        assert any(row.startswith(" No game yet: start deals") for row in rows)
