"""Addresses, and how much each may have, for tests that add up what they can use."""

from collections.abc import Mapping, Sequence
from typing import Final

from server.bench.attackers import CONNECTIONS
from server.limits import SESSIONS_PER_CONNECTION, TABLES_PER_CONNECTION

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
