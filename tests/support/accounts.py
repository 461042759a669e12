"""Accounts for tests: the one of the key `SHA256:ana` is `account:ana`."""

from server.lobby.lobby import Lobby
from server.people.accounts import DAY_SECONDS
from server.people.players import Caller


async def keep_account(lobby: Lobby, caller: Caller) -> None:
    """Keep the account of this caller, if they have a key, under an id that a test knows."""
    if caller.key is not None:
        account = caller.key.replace("SHA256:", "account:")
        await lobby.store.add_account(account, caller.key, int(lobby.wall() // DAY_SECONDS))
