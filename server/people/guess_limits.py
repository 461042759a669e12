"""How many wrong secrets an address may try, and how many may be tried at one table.

A secret is the word of a private table, a guest's resume code or a link code. After a few wrong ones, every secret from
that address, or every word at that table, is refused for a while, even a right one: a refusal says nothing about it.
The codes have no such limit over all addresses, which would refuse everybody's; they are too long to be guessed
(`resume_codes.new_code`).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from engine.errors import InputError
from server.addresses import AddressSet, network_of
from server.limits import WRONG_GUESSES, WRONG_GUESSES_AT_TABLE
from server.people.players import Caller
from server.rate_limit import Rate, Rates

WRONG: Final = ("bad_word", "private")
"""The codes of the refusals that say that a secret is wrong."""


class GuessLimits:
    """The wrong secrets of the last minutes by address and by table. IPv6 counts by network: `addresses.network_of`."""

    def __init__(self, shared: AddressSet, failed: Callable[[Caller, int | None], None] = lambda *_: None) -> None:
        """At the addresses in ``shared``, which many players may have, each key or wished name counts for itself.

        ``failed`` is called when a caller has tried a wrong secret: that of a table with this number, or another one.
        """
        self._failed = failed
        self._shared = shared
        self._by_source = Rates(WRONG_GUESSES)
        self._by_table = Rates(WRONG_GUESSES_AT_TABLE)

    @contextmanager
    def attempt(self, caller: Caller, table: int | None = None) -> Iterator[None]:
        """Try a secret in the body, which raises InputError with a code of `WRONG` if it is wrong.

        ``table`` is the number of the table whose word it should be. Raises InputError before the body is entered if
        too many secrets were wrong.
        """
        rates = self._rates(caller, table)
        if wait := max(rate.wait() for rate in rates):
            problem = "there were too many wrong words or codes: wait a minute, then try again"
            raise InputError("too_fast", problem, retry_s=wait)
        for rate in rates:
            rate.take()
        is_wrong = True
        try:
            yield
            is_wrong = False
        except InputError as error:
            is_wrong = error.code in WRONG
            raise
        finally:
            if is_wrong:
                self._failed(caller, table)
            else:
                for rate in rates:
                    rate.give_back()

    def note_wrong(self, caller: Caller, table: int | None) -> None:
        """Count a wrong secret that was tried in another process."""
        for rate in self._rates(caller, table):
            rate.take()

    def _rates(self, caller: Caller, table: int | None) -> list[Rate]:
        rates = [self._by_source.of(self._source(caller))]
        if table is not None:
            rates.append(self._by_table.of(table))
        return rates

    def _source(self, caller: Caller) -> object:
        if caller.address is None or caller.address in self._shared:
            return caller
        return network_of(caller.address)
