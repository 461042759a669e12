"""Inviting players to a table: those who are on the server, and by a line to pass on those who are not."""

import asyncio
import shlex

from engine.errors import InputError
from server.commands.registry import Answer, Command
from server.limits import INVITE_SECONDS
from server.lobby.visitor import Visitor
from server.player.player_session import PlayerSession
from server.player.right_to_talk import take_turn_to_talk


@Command(
    "invite [NAME]",
    where={"table", "watching"},
    pages={"between"},
    details=(
        "The player is told what to type. Alone it shows the line for others, who type it in their own terminals.",
    ),
)
async def invite(session: PlayerSession, rest: str) -> Answer:
    """Invite a player to your table."""
    if not session.lobby.ssh_address:
        raise InputError("bad_request", "nobody else can come to this table: it is in your terminal alone")
    occasion = session.location.snapshot.occasion if session.location.snapshot else None
    if occasion and occasion.alone:
        raise InputError("bad_request", f"{occasion.name} is played alone")
    await session.lobby.read_on()  # whether there is a free seat
    table, word = session.table, session.location.snapshot.word if session.location.snapshot else ""
    way = f"{'sit' if table.listing().open_seats else 'watch'} {table.number}"
    # Quoted, since a player has chosen the word and others paste this line into a shell.
    line = f"ssh -t {session.lobby.ssh_address} {way} {shlex.quote(word) if word else ''}".rstrip()
    if not rest:
        return Answer([f"Others can come with: {line}"])
    other = session.lobby.visitors.named(rest)
    if other is None:
        return Answer([f"{rest[:20]!r} is not here. They can come with: {line}"])
    _note_invitation(session, other)
    text = f"come to table {table.number}, {table.listing().rules_title}: type {way} {word}".rstrip()
    other.hear(session.player.name, f"(to you) {text}")
    return Answer([f"You invite {other.player.name}. Others can come with: {line}"])


def _note_invitation(session: PlayerSession, other: Visitor) -> None:
    """Charge an invitation as talk. Raises InputError if the other player cannot be invited now."""
    name, player_id, now = other.player.name, other.player.id, asyncio.get_running_loop().time()
    session.invited = {each: at for each, at in session.invited.items() if now < at + INVITE_SECONDS}
    if player_id in (session.table.names() if session.table.listing().open_seats else session.table.runtime.present):
        raise InputError("bad_request", f"{'you are' if other is session else f'{name} is'} at this table already")
    if session.table.is_barred(player_id):
        raise InputError("barred", f"{name} was removed from this table, and cannot sit here again")
    if other.player.kind == "bot":
        raise InputError("bad_request", f"{name} is a bot, which reads no invitations")
    if player_id in session.invited:
        raise InputError("too_fast", f"you have just invited {name}: wait a minute")
    take_turn_to_talk(session)
    session.invited[player_id] = now
