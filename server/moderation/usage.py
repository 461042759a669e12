"""Tells ops who uses how much of what can be used up, and what happens beyond a share."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from server.addresses import read_address, share_of
from server.commands.acts import op_command
from server.commands.registry import Answer, Context
from server.ledger import REFUSED, RateLimit, Resource

MOST_LISTED: Final = 3
"""The payers that are listed of a resource unless one is named."""


class _UsageJson(Struct):
    resource: str
    charged_to: str
    share: str
    beyond: str
    refused: int
    """In the process that answers, since its start."""
    used: dict[str, float]
    """By payer, those with the most first."""


@op_command("usage [NAME]", details=("NAME can also be an address; it shows what is charged to this one alone.",))
async def usage(context: Context, rest: str) -> Answer:
    """List what is used up, and who uses it."""
    ledger = context.lobby.ledger
    found, of = list[_UsageJson](), await _payers(context, rest) if rest else None
    for each in ledger.resources.values():
        used = ledger.used(each)
        if of is not None:
            used = {name: amount for name, amount in used.items() if name in of(each)}
        shown, number = dict([*used.items()][:MOST_LISTED]), REFUSED[each.name]
        if shown or (number and not rest):
            found.append(_UsageJson(each.name, each.charged_to, _share(each), each.beyond, number, shown))
    lines = list[str]()
    for one in found:
        refused = f"; {one.refused} refused" if one.refused else ""
        lines.append(f"{one.resource}: {one.share} for each {one.charged_to}{refused}. Beyond: {one.beyond}.")
        lines += [f"    {amount:.3g}  {name or 'exempt'}" for name, amount in one.used.items()]
    return Answer(lines or [f"Nothing is charged {'to that one ' if rest else ''}now."], {"usage": found})


async def _payers(context: Context, text: str) -> Callable[[Resource[Any]], set[str]]:
    """The payers for a player of this name, or for this address. Raises InputError."""
    try:
        address = share_of(read_address(text))
    except ValueError:
        player, caller = await context.lobby.find_player(text)
    else:
        return lambda _: {address}
    ids = {player.id, *await context.lobby.accounts.keys_of(player.id)}
    return lambda each: ids | ({context.lobby.ledger.payer(each, caller)} if caller else set())


def _share(resource: Resource[Any]) -> str:
    share = resource.share
    if not isinstance(share, RateLimit):
        return f"{share} at a time"
    return f"{share.burst:g} at once, then {share.per_second:.3g} a second"
