"""Imposing bans and mutes, and lifting them. That they hold is the core's: `server/people/sanctions.py`."""

import re
from typing import Final

from msgspec.structs import replace

from engine.errors import InputError
from server.addresses import read_network
from server.people.names import skeleton
from server.people.resume_codes import GUEST
from server.people.sanctions import Sanction, Sanctions

_DURATION: Final = re.compile(r"([0-9]{1,4})([smhdw])")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
_FOR_EVER: Final = ("", "for ever", "forever")


async def impose(sanctions: Sanctions, seconds: float | None, sanction: Sanction) -> Sanction:
    """Impose one that holds for so many seconds from now, or for ever (None). Raises InputError if it is not saved."""
    sanction = replace(sanction, until=None if seconds is None else sanctions.wall() + seconds)
    await sanctions.put({**{old.target: None for old in sanctions.expired()}, sanction.target: sanction})
    return sanction


async def lift(sanctions: Sanctions, text: str) -> list[Sanction]:
    """Lift every sanction against this target, key or name. Raises InputError if that cannot be saved."""
    targets, look = {text, str(read_network(text))}, skeleton(text)
    found = [
        one
        for one in sanctions.all()
        if targets & {one.target, *one.keys, *one.of_guest} or (one.name and skeleton(one.name) == look)
    ]
    await sanctions.put({one.target: None for one in found})
    return found


def whom(sanction: Sanction) -> str:
    """Whom it is against."""
    return f"{sanction.name} ({target_of(sanction)})" if sanction.name else target_of(sanction)


def target_of(sanction: Sanction) -> str:
    """The player's first key, which ops know them by, or the network of a guest; else the target."""
    networks = [each for each in sanction.of_guest if read_network(each)]
    own = "a guest" if sanction.target.startswith(GUEST) else sanction.target
    return next(iter((*sanction.keys, *networks, own)))


def read_duration(text: str) -> float | None:
    """The seconds in ``30m``, ``2h`` or ``7d``; None for ``for ever`` or no text. Raises InputError."""
    if text in _FOR_EVER:
        return None
    found = _DURATION.fullmatch(text)
    if found is None or not int(found[1]):
        raise InputError("bad_request", f"how long is {text[:20]!r}? Type 30m, 2h, 7d, or for ever")
    return float(int(found[1]) * _SECONDS[found[2]])
