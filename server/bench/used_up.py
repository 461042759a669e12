"""How much can be used up in a day by what is permitted, for `quatch bench attacks`: every resource.

One address uses all that it may; so do five addresses, and five of one IPv6 network of 48 bits. It is told how much of
each resource they use, and how many bytes they leave in the database; and of what all share, how many addresses it
takes to hold it.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any, Final, TypeVar

from server.addresses import read_address, share_of
from server.bench.command_floods import CONNECTIONS
from server.features import load
from server.ledger import RateLimit, Resource
from server.limits import RESOURCES, SESSIONS_PER_CONNECTION, TABLES_PER_CONNECTION

T = TypeVar("T")
DAY: Final = 86_400.0
EACH_HAS: Final[Mapping[str, int]] = {
    "connection": CONNECTIONS,
    "table": CONNECTIONS * TABLES_PER_CONNECTION.share,
    **dict.fromkeys(("session", "player", "account"), CONNECTIONS * SESSIONS_PER_CONNECTION),
}
"""How many of these an address has at a time."""
WHO: Final[Mapping[str, Sequence[str]]] = {
    "1 address": ["192.0.2.1"],
    "5 addresses": [f"192.0.2.{number}" for number in range(1, 6)],
    "5 of one /48": [f"2a00:1:2:{number}::1" for number in range(1, 6)],
}
FEWEST_HOLDERS: Final = 50
MOST_BYTES: Final = 100e6
"""The goals: how many addresses it takes to hold what all share, and the bytes that one address leaves in a day."""


def every_resource() -> list[Resource[Any]]:
    """All that can be used up."""
    return [*RESOURCES, *load().all(Resource)]


def used_in_a_day(resource: Resource[Any], addresses: Sequence[str]) -> float:
    """How much of it so many addresses can use in a day, or hold at a time, by the shares that they have."""
    shares = {"" if resource.charged_to == "server" else share_of(read_address(each)) for each in addresses}
    payers = len(shares) * EACH_HAS.get(resource.charged_to, 1)
    share = resource.share
    return payers * (share.burst + share.per_second * DAY if isinstance(share, RateLimit) else share)


def holders(resource: Resource[Any]) -> int:
    """How many addresses it takes to hold all of what all share."""
    share = resource.share
    return ceil((share.per_second if isinstance(share, RateLimit) else share) / resource.of_address)


def bench_used_up() -> Iterator[tuple[str, str]]:
    """A line for each resource and for bytes, each with the goal that it misses; empty if none."""
    for resource in every_resource():
        used = ", ".join(f"{used_in_a_day(resource, addresses):,.0f}" for addresses in WHO.values())
        line, missed = f"  {resource.name:<28} {used}", ""
        if resource.of_address:
            line += f"; held by {holders(resource)} addresses"
            if holders(resource) < FEWEST_HOLDERS:
                missed = f"{holders(resource)} addresses < {FEWEST_HOLDERS}"
        yield line, missed
    for who, addresses in WHO.items():
        left = sum(each.leaves * used_in_a_day(each, addresses) for each in every_resource() if each.leaves)
        goal = MOST_BYTES * len(addresses)
        yield f"  {who}: {left / 1e6:.0f} MB a day", f"{left / 1e6:.0f} MB > {goal / 1e6:.0f} MB" if left > goal else ""
