"""Attacks with every request of a bot, as fast as may be."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from server.bench.attackers import NONSENSE, Attacker, from_addresses, sessions
from server.bot_protocol.requests import kinds_of_requests
from server.features import load


def _floods() -> Iterator[tuple[str, Attacker]]:
    """Each request, plain and with every key set to nonsense."""
    for name, kind in kinds_of_requests(load()).items():
        wrong: dict[str, Any] = {field.name: NONSENSE for field in msgspec.structs.fields(kind)}
        right = {"ply": 1, "move": "play 7"} if name == "move" else {}
        lines = [msgspec.json.encode({"type": name, **keys}).decode() for keys in (right, wrong)]
        begin = "" if name in {"new", "join"} else '{"type":"new","fill":"easy"}'
        yield f"bot {name}", sessions(lines, begin, bot=True)


ATTACKS: Final = from_addresses(_floods())
