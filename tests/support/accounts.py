"""Accounts for tests: the one of the key `SHA256:ana`, and of `key_named("ana")`, is `account:ana`."""

from typing import Final

from server.addresses import AddressSet
from server.ledger import Ledger
from server.limits import ACCOUNTS
from server.lobby.lobby import Lobby
from server.people.accounts import Accounts
from server.people.players import Caller, Player
from server.people.profiles import DAY_SECONDS, Profiles
from server.people.settings import Settings
from server.storage.sqlite_database import MemoryDatabase
from tests.support.clock import StillClock

FILL: Final = "A"


def key_named(name: str) -> str:
    """A fingerprint that other processes take for one."""
    return f"SHA256:{name:{FILL}<43}"


async def keep_account(lobby: Lobby, caller: Caller) -> None:
    """Keep the account of this caller, if they have a key, under an id that a test knows."""
    if caller.key is not None:
        account = caller.key.replace("SHA256:", "account:").rstrip(FILL)
        await lobby.profiles.accounts.add_account(account, caller.key, int(lobby.wall() // DAY_SECONDS))


def profiles_on(log: MemoryDatabase, clock: StillClock, most: int = ACCOUNTS) -> Profiles:
    """The profiles of another process, or of this one after a restart."""
    return Profiles(log, clock, Ledger((), AddressSet([]), AddressSet(["192.0.2.0/24"])), most=most)


async def kept(log: MemoryDatabase) -> set[str]:
    """The accounts of which something is kept."""
    return {account.id for account in await Accounts(log).accounts_seen_first(1_000)}


async def settings_of(log: MemoryDatabase, player: Player) -> Settings:
    """A player's settings when they come in next."""
    return Settings.from_json((await Accounts(log).account(player.id)).settings)


def key_of(name: str) -> Player:
    """A player with a key."""
    return Player(f"account:{name}", name)
