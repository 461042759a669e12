"""How many accounts and linked keys the players of one address may add, since the log keeps them for long.

A key costs nothing: without a limit one address would soon fill the places for all accounts. Past it players keep their
name and settings for the session only.
"""

from server.addresses import AddressSet, network_of
from server.limits import NEW_ACCOUNTS
from server.people.players import Caller
from server.rate_limit import Rates


class NewAccounts:
    """What has been added lately, by address. IPv6 counts by network: `addresses.network_of`."""

    def __init__(self, spared: AddressSet) -> None:
        """The addresses in ``spared`` stand for many players, and have no limit."""
        self._spared = spared
        self._rates = Rates(NEW_ACCOUNTS)

    def admit(self, caller: Caller | None) -> bool:
        """Charge one more to the caller's address (None: the server itself); return whether it may be added."""
        if caller is None or caller.address is None or caller.address in self._spared:
            return True
        return self._rates.of(network_of(caller.address)).take_if_free()
