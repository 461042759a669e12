"""A typed line on its way: understood as a move or a command, then carried out."""

from dataclasses import dataclass

from engine.moves import Move
from server.commands.catalog import find
from server.commands.registry import Answer, Command, Context
from server.language.parsing import parse_typed_move
from server.limits import LINE_LENGTH
from server.player.player_session import PlayerSession
from server.table.snapshot import REPLAY, Snapshot


@dataclass(frozen=True, slots=True)
class ParsedCommand:
    """A command as typed, and the text behind its name."""

    command: Command
    rest: str


def parse(line: str, context: Context) -> Move | ParsedCommand:
    """What a line means where the player is. Raises InputError if it means nothing there."""
    line = line.strip()[:LINE_LENGTH]
    if line[:1] in {"/", "'"}:
        return ParsedCommand(find("say", context), line[1:].strip())
    snapshot = context.snapshot
    if snapshot and snapshot.view and snapshot.table != REPLAY and (move := parse_typed_move(line, snapshot.view)):
        return move
    word, _, rest = line.partition(" ")
    return ParsedCommand(find(word.lower(), context), rest.strip())


async def execute(meant: Move | ParsedCommand, session: PlayerSession, line: str, seen: Snapshot | None) -> Answer:
    """Carry out what a line means; ``seen`` is what the player saw when they typed it.

    Raises InputError if it cannot be done.
    """
    if session.confirmation.asked:
        session.confirmation.observe(meant.command.name if isinstance(meant, ParsedCommand) else str(meant))
    if not isinstance(meant, ParsedCommand):
        return Answer(await session.move(meant, line, seen))
    if not meant.command.only_looks:
        await session.wait_for_turn()
    return await meant.command.handler(session, meant.rest)
