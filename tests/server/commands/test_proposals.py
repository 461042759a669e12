"""What Enter does after a line that is no command works where it is proposed."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

import pytest

from engine.errors import InputError
from server.commands.registry import commands_with
from server.commands.typed_line import ParsedCommand, execute, parse
from server.joining import JoinLines
from server.player.player_session import PlayerSession
from tests.soak import long
from tests.support.emulator import people
from tests.support.features import FEATURES
from tests.support.positions import at
from tests.support.states import all_states
from tests.support.tables import put

MOST_UNLIKE: Final = ("lobby", "puzzle", "daily", "my turn", "game over")
"""States that have little in common."""
OF_KEPT_GAMES: Final = {"replay", "review", "verify"}
"""What cannot be tried at tables: their games in these states are in no log."""


def _proposals(context: PlayerSession) -> Iterator[ParsedCommand]:
    """What Enter does behind slips and questions with the words for each command."""
    for command in commands_with(FEATURES):
        for name in filter(str.islower, long(command.typed[:1], command.typed)):
            for typed in (f"{name}?", f"{name} bo?", f"can I {name}", f"{name[0]}{name[2:]}", f"{name}x"):
                try:
                    parse(typed, context)
                except InputError as error:
                    line = getattr(error, "line", "")
                    meant = parse(line, context) if line and not line.startswith("'") else None
                    if isinstance(meant, ParsedCommand):
                        yield meant


@pytest.mark.features("review")
@pytest.mark.virtual_time
async def test_no_review_is_proposed_to_a_player_who_has_only_watched() -> None:
    """It would ask whose turns; the line may be said to the others."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new seats=2")
        await bo.type("watch 1")
        await ana.type("start", "ready")
        put(ana.lobby.tables.here[1], at("quatch", "hand 7c", "hand 8s 9s", pile="6s"))
        await ana.type("7")
        for here, line in ((ana, "review"), (bo, "'reviw")):
            await here.type("reviw")
            assert here.session.player_session.typed_again.proposed == line


@pytest.mark.features("replay", "puzzles", "lesson", "daily")  # those of the states
@pytest.mark.waiting_takes_no_time
async def test_nothing_that_is_proposed_is_refused_where_it_is_proposed() -> None:
    """What only shows something is done in the same state, all else in one that is new."""
    waiting, done = defaultdict[str, list[ParsedCommand]](list), set[tuple[str, str, str]]()
    async with all_states() as states:
        for state, context in states.items():
            if not isinstance(context, PlayerSession) or state not in long(MOST_UNLIKE, states):
                continue
            context.lobby.join_lines = JoinLines(("cards.example",))
            for meant in _proposals(context):
                is_tried = not context.at_table or meant.command.name not in OF_KEPT_GAMES
                if not is_tried or (what := (state, meant.command.name, meant.rest)) in done:
                    continue
                done.add(what)
                if meant.command.read_only:
                    await execute(meant, context)
                else:
                    waiting[state].append(meant)
    assert len(done) > 100
    for _ in range(long(2, max(map(len, waiting.values())))):
        async with all_states() as states:
            for state, lines in waiting.items():
                here = states[state]
                if lines and isinstance(here, PlayerSession):
                    here.lobby.join_lines = JoinLines(("cards.example",))
                    await execute(lines.pop(), here)
