"""The words behind `tournament`: each is declared once, above the function that carries it out, as commands are.

The function's docstring is its line of help. Host's verbs are for the player who opened the tournament, and for ops.
"""

from dataclasses import dataclass
from typing import Final

from engine.errors import InputError
from server.addresses import network_of
from server.commands.registry import AnyHandler, Context, Declared
from server.tournament.known import TournamentLog
from server.tournament.service import tournaments_of
from server.tournament.state import Tournament


@dataclass(slots=True, eq=False)
class Verb(Declared):
    """One word behind `tournament`."""

    is_hosts: bool = False

    def __call__(self, handler: AnyHandler) -> AnyHandler:
        """Declare the verb: the decorated function carries it out."""
        self.handler = handler
        VERBS[self.name] = self
        return handler


VERBS: Final[dict[str, Verb]] = {}
"""All verbs by their names, in the order of help."""
SHORTEST_WORD: Final = 3
"""So many letters of a verb are enough, if no other begins so."""


def find_verb(word: str) -> Verb | None:
    """The verb that a typed word means, which may be its beginning; None if it is none."""
    word = word.lower()
    if word in VERBS:
        return VERBS[word]
    found = [each for each in VERBS.values() if each.name.startswith(word)] if len(word) >= SHORTEST_WORD else []
    return found[0] if len(found) == 1 else None


def verb_lines() -> list[str]:
    """What `help tournament` lists."""
    lines = list[str]()
    for is_hosts in (False, True):
        if is_hosts:
            lines.append("For the player who has opened it, and for ops:")
        lines += [f"{each.usage:<32} {each.help}" for each in VERBS.values() if each.is_hosts == is_hosts]
    return lines


def may_direct(context: Context, state: Tournament) -> bool:
    """Whether the player is the host of a tournament, or an op."""
    is_op = context.lobby.is_op(context.caller)
    return is_op or (bool(context.player.id) and context.player.id == state.opened.host)


async def directed(context: Context, name: str) -> TournamentLog:
    """The tournament of this name, or the only one that the player may direct. Raises InputError if they may not."""
    tournaments = tournaments_of(context.lobby)
    if not name:
        own = [state for state in await tournaments.known.going_on() if may_direct(context, state)]
        name = own[0].name if len(own) == 1 else ""
    its = await tournaments.known.find(name)
    if not may_direct(context, its.state):
        raise InputError(
            "bad_request", f"{its.state.opened.host_name} is the host of {its.state.name}: only they do that"
        )
    return its


def network_text(context: Context) -> str:
    """The network that a player comes from; empty if it is spared."""
    address = context.caller.address
    if address is None or address in context.lobby.spared:
        return ""
    return str(network_of(address))
