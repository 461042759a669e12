"""Accounts for tests: the one of the key `SHA256:ana`, and of `key_named("ana")`, is `account:ana`."""

from typing import Final

from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.people.profiles import DAY_SECONDS

FILL: Final = "A"


def key_named(name: str) -> str:
    """A fingerprint that other processes take for one."""
    return f"SHA256:{name:{FILL}<43}"


async def keep_account(lobby: Lobby, caller: Caller) -> None:
    """Keep the account of this caller, if they have a key, under an id that a test knows."""
    if caller.key is not None:
        account = caller.key.replace("SHA256:", "account:").rstrip(FILL)
        await lobby.profiles.accounts.add_account(account, caller.key, int(lobby.wall() // DAY_SECONDS))
