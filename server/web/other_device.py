"""Moving to another device: a QR code that another browser opens once, and so becomes the same guest.

Only hashes of codes are kept, and each guest's token only under the key that its code is, so that a copy of the
database lets nobody in.
"""

import asyncio
import hashlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import Final

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.commands.registry import Answer, Command
from server.joining import BORDER, qr_modules, qr_rows
from server.ledger import Resource
from server.limits import CODES_SHOWN
from server.lobby.lobby import Lobby
from server.lobby.service import Service
from server.people.players import Player, guest_id, new_code
from server.player.player_session import PlayerSession
from server.storage.key_value_store import DurableStore
from server.typed_json import Versioned, readable, write_versioned

MINUTES: Final = 5
"""How long a code is valid."""
CODES: Final = Resource(
    "codes-for-another-device",
    "server",
    10_000,
    refusal="too many codes are shown: try again later",
    of_address=15,
)
"""The codes that are valid at a time."""


class _Offer(Versioned, frozen=True):
    """A code that was shown."""

    token: str
    """The guest's token, under the key that the code is."""
    name: str
    until: float
    """In seconds since 1970."""


class OtherDevices(Service):
    """The codes that were shown and are still valid."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._wall = lobby.wall
        self._offers = DurableStore(lobby.store, "web_code", CODES)
        """An `_Offer` for each code, by the code's hash."""
        self._changing = asyncio.Lock()

    def poster(self, screen: tuple[int, int] | None) -> Sequence[str]:  # noqa: ARG002 - it fits everywhere
        """What phones open, unless another service tells it."""
        joins, is_told = self._lobby.join_lines, any(each.invites for each in self._lobby.services)
        return [f"on a phone: {joins.link}"] if joins.opens_anywhere and not is_told else []

    async def offer(self, token: str, name: str) -> str:
        """A code with which another browser becomes this guest. Raises InputError, NotSaved."""
        async with self._changing:
            await self._offers.load()
            for digest, text in list(self._offers.texts.items()):
                if self._valid(text) is None:
                    await self._offers.put(digest, None)
            code = new_code()
            offer = _Offer(_under(code, token), name, self._wall() + 60 * MINUTES)
            await self._offers.put(_digest(code), write_versioned(offer))
            return code

    async def take(self, code: str) -> tuple[str, str]:
        """Use a code up. Returns token and name of the guest who was shown it. Raises InputError, NotSaved."""
        async with self._changing:
            await self._offers.load()
            offer = self._valid(self._offers.texts.get(_digest(code)))
            if offer is None:
                raise InputError("bad_word", "that code no longer works: show a new one on the other device")
            await self._offers.put(_digest(code), None)
            return _under(code, offer.token), offer.name

    def _valid(self, text: str | None) -> _Offer | None:
        offer = readable(text, _Offer)
        return offer if offer and self._wall() < offer.until else None


@Command("device [CODE]", may=lambda context: context.caller.token, section="yourself", in_full=True, pages=())
async def device(session: PlayerSession, rest: str) -> Answer | None:
    """Go on in another browser; alone: show a code."""
    # A page tells its own address: it may have come by way of a proxy.
    codes, token = session.lobby.service(OtherDevices), session.token
    if not token:
        raise InputError("bad_request", "that is for guests in a browser: others type link or resume")
    if not rest or "/" in rest:
        session.lobby.ledger.charge(CODES_SHOWN, session.caller)
        code = await codes.offer(token, session.player.name)
        link = f"{rest or session.lobby.join_lines.link}#{code}"
        modules = qr_modules(link) or []
        rows = qr_rows([row[BORDER:-BORDER] for row in modules[BORDER:-BORDER]])
        how_long = f"It works once, within {quantity(MINUTES, 'minute')}."
        return Answer([*(row.text for row in rows), f"On the other device scan the code, or open {link}", how_long])
    session.must_be_in_lobby()
    with session.try_secret():
        token, name = await codes.take(rest.strip())
    player_id = guest_id(token)
    seats = await session.lobby.tables.seats_of(player_id)
    await session.become(Player(player_id, next(iter(seats.values()), name)), seats, token)
    return None


def _digest(code: str) -> str:
    return hashlib.sha256(b"quatch-device-v1\0" + code.lower().encode()).hexdigest()


def _under(code: str, token: str) -> str:
    """A token of 256 bits put under the key that a code is, or taken from under it."""
    key = hashlib.sha256(b"quatch-device-key-v1\0" + code.lower().encode()).digest()
    bits = urlsafe_b64decode(f"{token}=")
    return urlsafe_b64encode(bytes(a ^ b for a, b in zip(bits, key, strict=True))).decode().rstrip("=")
