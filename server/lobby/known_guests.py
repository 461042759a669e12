"""How guests without a key are known again, and what may be kept for them."""

from typing import Literal, NamedTuple, TypeAlias

from server.lobby.service import Service
from server.people.players import Caller
from server.people.resume_codes import guest_id

WayBack: TypeAlias = Literal["enter", "wait", "code", "here"]
"""How a guest takes what is kept: at once, when their earlier connection has ended, by the code when it has ended, or
by the code while it is here."""


class Kept(NamedTuple):
    """What may be kept for a guest who has come in as another one."""

    name: str
    way: WayBack

    @property
    def reminder(self) -> str:
        """How the guest takes it."""
        return {
            "enter": f"{self.name}'s seat is waiting: is it you? Press Enter.",
            "wait": f"{self.name} is connected still. Is that you? Type resume {self.name} when that has ended.",
            "here": f"{self.name} is connected still. Is that you? Type resume and the code that you were shown.",
            "code": f"Were you {self.name}? Type resume and the code that you were shown.",
        }[self.way]


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
