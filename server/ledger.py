"""The ledger of what can be used up: each `Resource` is declared once, and what is used of it is counted here.

The declarations are in `limits.py` and in the rooms. They say whom a use is charged to, how much each may use, and what
happens beyond. Refusals, `admin usage` and the metrics follow from them. Who waits is in `fair_queue`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from math import ceil, inf
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from engine.errors import InputError
from server.addresses import Address, AddressSet, share_of
from server.bounded_dict import make_room

PAYERS_REMEMBERED: Final = 10_000
"""The payers whose use of one resource is remembered."""
WRONG: Final = ("bad_word", "private")
"""The codes of the refusals that say that a secret is wrong."""
REFUSED: Final = Counter[str]()
"""How often players of this process were refused a use of each resource, by its name."""


class RateLimit(NamedTuple):
    """How much may be used at once after a pause, and how much a second all the time."""

    burst: float
    per_second: float


Share = TypeVar("Share", RateLimit, int)
ChargedTo: TypeAlias = Literal["connection", "session", "player", "account", "address", "caller", "table", "server"]
"""``address``: one that the host spares is charged nothing. ``caller``: the address, or if many players may have it
the key or the wished name. ``server``: all together."""


@dataclass(frozen=True, slots=True, eq=False)
class Resource(Generic[Share]):
    """Something that can be used up."""

    name: str
    """As ops and monitoring call it."""
    charged_to: ChargedTo
    share: Share
    """What each of those may use: at a rate, or so many at a time."""
    _: KW_ONLY
    refusal: str = ""
    """What is said beyond the share, if a use is refused then; ``{most}`` is how many there may be at a time."""
    beyond: str = "it is refused"
    """What happens beyond the share."""
    of_address: float = 0.0
    """Of what all share: how much an address can have that nothing takes from it; 0 if ops alone have any."""
    leaves: int = 0
    """The bytes that a use leaves in the database, as `quatch bench growth` measures them."""
    processes: Literal["shared", "divided", "each"] = "shared"
    """Whether the share holds for all processes of a server together, is divided among them, or is that of each."""

    def part(self: "Resource[int]", processes: int) -> int:
        """How many one of so many processes allows, if the share is divided among them."""
        return ceil(self.share / processes) if self.processes == "divided" else self.share

    def refuse(self, retry_s: float | None = None, **words: object) -> InputError:
        """The error of a use beyond the share, which counts as refused: no other way leads to one.

        ``retry_s``: after so many seconds it may be within the share. ``words`` complete what is said.
        """
        REFUSED[self.name] += 1
        message = self.refusal.format(**{"most": self.share} | words)
        return InputError("too_many" if retry_s is None else "too_fast", message, retry_s)


class Rate:
    """A token bucket: it fills with time, and each action takes one token."""

    __slots__ = ("limit", "used_until")

    def __init__(self, limit: RateLimit) -> None:
        self.limit = limit
        self.used_until = -inf
        """When all that was used, except for a burst, will be free again; in the event loop's time."""

    def take(self, amount: float = 1.0) -> float:
        """Take so many tokens, or put them back. Returns the seconds until they may be used, 0 for now."""
        return self.use(amount, self._now())

    def use(self, amount: float, now: float) -> float:
        """As `take`, at this time."""
        burst, per_second = self.limit
        self.used_until = max(self.used_until, now - burst / per_second) + amount / per_second
        return _until(self.used_until, now) if self.used_until > now else 0.0

    def take_if_free(self) -> bool:
        """Take one token if it may be used now. Returns whether it was taken."""
        if not (is_free := self.take() == 0.0):
            self.take(-1.0)
        return is_free

    def wait(self) -> float:
        """The seconds until one token may be used, 0 for now."""
        return _until(self.used_until + 1 / self.limit.per_second, self._now())

    @property
    def used(self) -> float:
        """How much of the burst is used."""
        return max(0.0, self.limit.burst + (self.used_until - self._now()) * self.limit.per_second)

    def _now(self) -> float:
        import asyncio  # noqa: PLC0415 - `quatch --help` reads the limits and needs no loop

        return asyncio.get_running_loop().time()


def _until(time: float, now: float) -> float:
    """The seconds until then, to a microsecond: what many uses add up to is off by less."""
    return max(0.0, round(time - now, 6))


class Paying(Protocol):
    """What a caller is charged by; see `people.players.Caller`."""

    @property
    def address(self) -> Address | None:
        """None for a local terminal."""

    @property
    def key(self) -> str | None:
        """The proven key; None for a guest."""

    @property
    def wished_name(self) -> str:
        """Empty for none."""


class Ledger:
    """What is used of the resources that are charged to addresses, callers and tables, in all processes together."""

    def __init__(
        self,
        resources: Iterable[Resource[Any]],
        spared: AddressSet,
        shared: AddressSet,
        tell: Callable[[str, str, float], None] = lambda *_: None,
        processes: int = 1,
    ) -> None:
        """``spared``: addresses that are charged nothing; ``shared``: those that many players may have.

        If a server has several ``processes``, ``tell`` sends the others each charge: resource, payer and amount.
        """
        self.resources = {each.name: each for each in resources}
        self._processes = processes
        self._held = dict[str, Counter[str]]()
        self._spared = spared
        self._shared = shared
        self._tell = tell
        self._rates = dict[str, dict[str, Rate]]()

    def payer(self, resource: Resource[Any], caller: Paying | str) -> str:
        """The payer of a use: this one, if it is known already; empty for nobody."""
        if isinstance(caller, str):
            return caller
        if resource.charged_to == "server":
            return "server"
        if resource.charged_to == "address":
            return "" if caller.address is None or caller.address in self._spared else share_of(caller.address)
        if caller.address is None or caller.address in self._shared:
            return caller.key or f"name {caller.wished_name}"
        return share_of(caller.address)

    def wait(self, resource: Resource[RateLimit], payer: Paying | str) -> float:
        """The seconds until a use is within the share, 0 for now."""
        return self._rate(resource, name).wait() if (name := self.payer(resource, payer)) else 0.0

    def charge(self, resource: Resource[RateLimit], payer: Paying | str) -> None:
        """Charge a use. Raises InputError beyond the share."""
        if wait := self.wait(resource, payer):
            raise resource.refuse(wait)
        self.charge_used(resource, payer, 1.0)

    def charge_used(self, resource: Resource[RateLimit], payer: Paying | str, amount: float) -> None:
        """Charge so much that was used already, also beyond the share."""
        if name := self.payer(resource, payer):
            self._rate(resource, name).take(amount)
            self._tell(resource.name, name, amount)

    def charge_if_free(self, resource: Resource[RateLimit], payer: Paying | str) -> bool:
        """Charge a use, if it is within the share. Returns whether it is."""
        if self.wait(resource, payer):
            REFUSED[resource.name] += 1
            return False
        self.charge_used(resource, payer, 1.0)
        return True

    @contextmanager
    def held(self, resource: Resource[int], payer: Paying | str) -> Iterator[None]:
        """Hold one in the body of what there may be only so many of at a time. Raises InputError beyond the share."""
        name = self.payer(resource, payer)
        held, most = self._held.setdefault(resource.name, Counter()), resource.part(self._processes)
        if name and held[name] >= most:
            raise resource.refuse(most=most)
        held[name] += 1
        try:
            yield
        finally:
            held[name] -= 1
            held += Counter()  # forgets those that hold none

    def note(self, resource: str, payer: str, amount: float) -> None:
        """Count what was used in another process. Raises ValueError if there is no such resource."""
        if (found := self.resources.get(resource)) is None or not isinstance(found.share, RateLimit):
            raise ValueError(f"{resource[:40]!r} is no resource with a rate")
        self._rate(found, payer).take(amount)

    @contextmanager
    def attempt(self, *charges: tuple[Resource[RateLimit], Paying | str]) -> Iterator[None]:
        """Try a secret in the body, which raises InputError with a code of `WRONG` if it is wrong: that is charged.

        Raises InputError before the body is entered if one of the shares is used up, even for a right one.
        """
        rates = [(each, name := self.payer(each, who), self._rate(each, name)) for each, who in charges]
        for resource, _, rate in rates:
            if wait := rate.wait():
                raise resource.refuse(wait)
        for *_, rate in rates:
            rate.take()  # at once, since others may be tried meanwhile
        is_wrong = True
        try:
            yield
            is_wrong = False
        except InputError as error:
            is_wrong = error.code in WRONG
            raise
        finally:
            for each, name, rate in rates:
                self._tell(each.name, name, 1.0) if is_wrong else rate.take(-1.0)

    def used(self, resource: Resource[Any]) -> dict[str, float]:
        """How much each payer uses now, those with the most first."""
        found = {name: rate.used for name, rate in self._rates.get(resource.name, {}).items() if rate.used}
        found |= {name: float(number) for name, number in self._held.get(resource.name, {}).items()}
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def _rate(self, resource: Resource[RateLimit], payer: str) -> Rate:
        """The rate of a payer; of too many the one that was used longest ago is forgotten."""
        rates = self._rates.setdefault(resource.name, {})
        rate = rates.pop(payer, None)
        make_room(rates, PAYERS_REMEMBERED)
        rates[payer] = rate = rate or Rate(resource.share)
        return rate
