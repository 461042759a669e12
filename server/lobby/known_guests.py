"""How guests without a key are known again, and what may be kept for them."""

from typing import NamedTuple

from server.lobby.service import Service
from server.people.players import Caller
from server.people.resume_codes import guest_id


class Kept(NamedTuple):
    """What may be kept for a guest who has come in as another one."""

    name: str
    reminder: str
    """How the guest takes it."""
    by_enter: bool = False
    """Whether Enter alone takes it."""


class KnownGuests(Service):
    """Here guests are known by their codes and tokens alone. A feature's own service may take the place of this one."""

    async def come(self, caller: Caller, code: str) -> tuple[str, str]:
        """The resume code and the id of a guest who comes in; ``code`` is their token or a new one."""
        del caller
        return code, guest_id(code)

    async def kept_for(self, caller: Caller, player_id: str) -> Kept | None:
        """What may be kept for a guest who came in with this id; None for nothing."""
        del caller, player_id
        return None

    async def find(self, caller: Caller, typed: str) -> tuple[str, str]:
        """The resume code and the id of the guest whose code, or name, was typed. Raises InputError."""
        del caller
        return typed, guest_id(typed)
