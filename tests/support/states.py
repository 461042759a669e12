"""A player in every state in which one may type a sentence, with one person and several, as `parse` takes them."""

import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

from engine.ai import LEVELS
from engine.errors import InputError
from server.commands.registry import Context
from server.commands.typed_line import ParsedCommand, execute, parse
from server.language.table_settings import PASSED_OVER, read_table_settings
from server.lobby.lobby import Lobby
from server.player.player_session import PlayerSession
from server.table.place import SSH
from tests.support.asking import Asking, asking
from tests.support.emulator import open_lobby
from tests.support.features import FEATURES
from tests.support.front_end import come_in
from tests.support.positions import OTHER, at
from tests.support.tables import put
from tests.support.virtual_time import in_virtual_time

_POSITIONS: Final[Mapping[str, tuple[tuple[str, ...], dict[str, Any]]]] = {
    "arranging": (
        ("hand 7c 2h Kd / up 4c 5c 9c / down 3c 4h 5d", "hand 3s 4s 5s / up 6c 6d 6h / down 7s 8s 9s"),
        {"phase": "arrange"},
    ),
    "my turn": (("hand 7c Kh 2d", OTHER), {"pile": "4d"}),
    "another's turn": (("hand 7c Kh", OTHER), {"pile": "4d", "to_move": 1}),
    "face down": (("down 9c 9d 9h", OTHER), {"pile": "4d"}),
    "out": (("hand", OTHER, "hand 9s 9c"), {"pile": "4d", "to_move": 1, "places": [0]}),
    "game over": (
        ("hand", OTHER),
        {"pile": "4d", "phase": "over", "places": [0, 1], "outcome": {"kind": "won", "winner": 0}},
    ),
}
"""The seats of a game in a state, the first of them the player's, and the rest of the position."""
_LINES: Final = {"lobby": "", "puzzle": "puzzle", "lesson": "lesson", "daily": "daily", "own table": "new"}
"""What brings a player from the lobby into a state."""


async def _type(session: PlayerSession, line: str) -> None:
    meant = parse(line, session)
    assert isinstance(meant, ParsedCommand)
    await execute(meant, session)


async def _at_a_table(lobby: Lobby, ana: PlayerSession, others: int) -> None:
    await _type(ana, f"new seats={max(2, others + 1)}")
    for number in range(others):
        other, _ = await come_in(lobby, f"bo{number}", f"SHA256:bo{number}")
        await _type(other, "sit 1")


@asynccontextmanager
async def all_states() -> AsyncIterator[dict[str, Context]]:
    """Each state with a player in it; "with others" behind its name says that other people are there."""
    async with AsyncExitStack() as stack:
        found: dict[str, Context] = {"ssh": Asking(SSH), "replay": asking("replay"), "watching": asking("watching")}

        async def newcomer() -> tuple[Lobby, PlayerSession]:
            lobby = await stack.enter_async_context(open_lobby(features=FEATURES, grace=0))
            session, _ = await come_in(lobby, key="SHA256:ana")
            await lobby.names.rename(session, "ana")
            return lobby, session

        for state, line in _LINES.items():
            _, ana = await newcomer()
            if line:
                await _type(ana, line)
            found[state] = ana
        lobby, found["lobby with others"] = await newcomer()
        await come_in(lobby, "bo", "SHA256:bo")
        lobby, ana = await newcomer()
        await _at_a_table(lobby, ana, 1)
        found["own table with others"] = ana
        for state, (seats, rest) in _POSITIONS.items():
            for others in {0, len(seats) - 1} if state in {"my turn", "game over"} else {len(seats) - 1}:
                lobby, ana = await newcomer()
                await _at_a_table(lobby, ana, others)
                await _type(ana, "start")
                put(lobby.tables.here[1], at("quatch", *seats, **rest))
                found[f"{state} with others" if others else state] = ana
        yield found


def effect(line: str, context: Context) -> str:
    """What a line does there: "move" or the name of a command that changes something; empty if it tells or shows."""
    try:
        meant = parse(line, context)
        if not isinstance(meant, ParsedCommand):
            return "move"
        is_playing = context.snapshot is not None and context.snapshot.playing
        if meant.command.name == "start" and (is_playing or {*meant.rest.split()} - {*PASSED_OVER, *LEVELS}):
            return ""  # it is refused
        if meant.command.name in {"play", "new"}:
            read_table_settings(meant.rest, context.lobby.rulebook, context.lobby.config)
    except InputError:
        return ""
    return "" if meant.command.read_only else meant.command.name


async def _print_effects() -> None:
    async with all_states() as states:
        for line in sys.argv[1:]:
            done = {state: effect(line, context) for state, context in states.items()}
            print(f"{line}:", *(f"{did} ({state})" for state, did in done.items() if did))


if __name__ == "__main__":  # python -m tests.support.states "what is this" "play on"
    in_virtual_time(_print_effects)()
