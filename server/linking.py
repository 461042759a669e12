"""Players with several keys: `link`, `unlink` and `keys`. A key is linked by a code typed on the other device.

The own account of a key that is linked stays, and the key has it back when it is unlinked.
Which account a key stands for is known to the core (`people/accounts.py`), also without this feature.
What it must not know: tables, except that a player who links a key leaves theirs before.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Sequence
from typing import Final
from weakref import WeakKeyDictionary

import structlog

from engine.errors import InputError
from server.commands.registry import Answer, Command, Context, declared_in
from server.features import Feature
from server.ledger import Resource
from server.limits import CODES_SHOWN, NEW_ACCOUNTS
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service
from server.people.players import new_account_id, new_code
from server.people.profiles import DAY_SECONDS
from server.people.sanctions import duration_text
from server.player.player_session import PlayerSession
from server.storage.key_value_store import DurableStore, saved
from server.typed_json import Versioned, readable, write_versioned

LINKS: Final = Resource(
    "linked-keys",
    "server",
    200_000,
    refusal="the server can link no more keys",
    of_address=8 * (NEW_ACCOUNTS.share.burst + DAY_SECONDS * NEW_ACCOUNTS.share.per_second),
)
LINKS_PER_ACCOUNT: Final = Resource(
    "linked-keys-of-an-account",
    "account",
    8,
    refusal="{most} keys are linked already: unlink one of them first",
)
LINK_CODES: Final = Resource(
    "link-codes",
    "server",
    10_000,
    refusal="too many keys are being linked: try again later",
    of_address=20,
)
"""The codes that are valid at a time."""
LINK_SECONDS: Final = 600
"""How long a link code is valid."""


class _Offer(Versioned, frozen=True):
    """A link code that was shown: a key that brings it before then joins the account."""

    account: str
    until: float
    """In seconds since 1970."""


class Links(Service):
    """Links keys to accounts, and unlinks them."""

    def __init__(self, lobby: Lobby) -> None:
        self.accounts, self._wall = lobby.accounts, lobby.wall
        self.listed = WeakKeyDictionary[PlayerSession, Sequence[str]]()
        """The keys that each player has been shown, which can be completed from then on."""
        self._offers = DurableStore(lobby.store, "link", LINK_CODES)
        """An `_Offer` for each link code, by the code's hash."""
        self._linking = asyncio.Lock()

    async def new_code(self, account: str) -> str:
        """A code that links one more key, once and soon; earlier codes of this account expire.

        Raises InputError, NotSaved.
        """
        if len(await self.accounts.keys_of(account)) >= LINKS_PER_ACCOUNT.share:
            raise LINKS_PER_ACCOUNT.refuse()
        async with self._linking:
            await self._offers.load()
            for digest, text in list(self._offers.texts.items()):
                if self._account_offered(text) in {account, None}:
                    await self._offers.put(digest, None)
            code = new_code()
            offer = _Offer(account, self._wall() + LINK_SECONDS)
            await self._offers.put(_digest(code), write_versioned(offer))
            return code

    async def link(self, key: str, code: str) -> str:
        """Link a key to the account that offered this code, which is used up; return the account.

        Raises InputError, NotSaved.
        """
        async with self._linking:
            await self._offers.load()
            account = self._account_offered(self._offers.texts.get(_digest(code)))
            if account is None:
                raise InputError("bad_word", "that code links nothing: type link on the other device for a new one")
            if await self.accounts.of(key) == account:
                raise InputError("bad_request", "this key is yours already: type that code on the other device")
            await self._must_be_alone(key)
            if await self.accounts.count_linked_keys() >= LINKS.share:
                raise LINKS.refuse()
            await self._offers.put(_digest(code), None)
            await self._save(self.accounts.link(key, account, new_account_id()), key, account, linked=True)
            return account

    async def unlink(self, account: str, key: str) -> None:
        """Have a key of this account stand for its own account again, or if it is this one for a new account.

        Raises InputError, NotSaved.
        """
        keys = await self.accounts.keys_of(account)
        if key not in keys:
            raise InputError("bad_request", "that is no key of yours: keys lists them")
        if len(keys) == 1:
            raise InputError("bad_request", "that is your only key: link another one first")
        today = int(self._wall() // DAY_SECONDS)
        await self._save(self.accounts.unlink(key, new_account_id(), today), key, account, linked=False)

    async def _save(self, write: Awaitable[None], key: str, account: str, *, linked: bool) -> None:
        """Save whether a key stands for an account. Raises InputError."""

        async def is_done() -> bool:
            return (await self.accounts.of(key) == account) is linked

        await saved(write, is_done)

    async def _must_be_alone(self, key: str) -> None:
        account = await self.accounts.of(key)
        keys = await self.accounts.keys_of(account) if account else {}
        if keys and keys[key] != account:
            raise InputError("bad_request", f"this key is linked already: type unlink {key} first")
        if len(keys) > 1:
            raise InputError("bad_request", "other keys are linked to this one: unlink them first, or type link here")

    def _account_offered(self, text: str | None) -> str | None:
        """The account of an offer that is still valid; None for any other text."""
        offer = readable(text, _Offer)
        return offer.account if offer and self._wall() < offer.until else None


def _digest(code: str) -> str:
    return hashlib.sha256(b"quatch-link-v1\0" + code.lower().encode()).hexdigest()


log = structlog.get_logger("quatch.linking")


@Command("keys", on_server=True, section="yourself", in_full=True, read_only=True, pages=(), words="key")
async def keys(session: PlayerSession, _: str) -> Answer:
    """List your ssh keys."""
    links = session.lobby.service(Links)
    _, own = _account_and_key(session)
    links.listed[session] = [*await links.accounts.keys_of(session.player.id)]
    return Answer([f"{key}{' (you use this one now)' if key == own else ''}" for key in links.listed[session]])


@Command("link [CODE]", on_server=True, section="yourself", in_full=True, pages=())
async def link(session: PlayerSession, rest: str) -> Answer:
    """Be the same player with another ssh key."""
    if not rest:
        account, _ = _account_and_key(session)
        session.lobby.ledger.charge(CODES_SHOWN, session.caller)
        code = await session.lobby.service(Links).new_code(account)
        await session.lobby.names.keep(session)
        minutes = duration_text(LINK_SECONDS)
        lasts = f"The code works once, within {minutes}. Keep it secret: it makes another key yours."
        return Answer([f"On your other device come in with its own key and type: link {code}", lasts])
    key = _key(session)
    session.must_be_in_lobby()
    if seats := await session.lobby.tables.seats_of(session.player.id):
        raise InputError("bad_request", f"you have a seat at table {next(iter(seats))}: leave that table first")
    with session.try_secret():
        account = await session.lobby.service(Links).link(key, rest)
    log.info("key linked", key=key, account=account)
    await session.come_in_again()
    return Answer([f"You are {session.player.name} with this key, too: same name, settings, seats and results."])


@Command(
    "unlink FINGERPRINT",
    on_server=True,
    section="yourself",
    where={"lobby"},
    grave=True,
    pages=(),
    completes={"FINGERPRINT": lambda context, _: _listed(context)},
)
async def unlink(session: PlayerSession, rest: str) -> Answer:
    """Remove one of your ssh keys."""
    account, own = _account_and_key(session)
    await session.lobby.service(Links).unlink(account, rest)
    log.info("key unlinked", key=rest, account=account, by=own)
    if rest == own:
        await session.come_in_again()
        return Answer([f"This key is no longer linked: you are {session.player.name}."])
    return Answer([f"The key {rest} is no longer yours."])


def _key(session: PlayerSession) -> str:
    if session.caller.key is None:
        raise InputError("bad_request", "you came in without an ssh key: make one with ssh-keygen, and come in again")
    return session.caller.key


def _account_and_key(session: PlayerSession) -> tuple[str, str]:
    """The player's account, and the key that they came in with. Raises InputError if either is missing."""
    key = _key(session)
    if session.player.account is None:
        raise InputError("bad_request", "there is no room for new players from your address now: come in again later")
    return session.player.account, key


def _listed(context: Context) -> Sequence[str]:
    """The keys that the player has been shown."""
    return context.lobby.service(Links).listed.get(context, ()) if isinstance(context, PlayerSession) else ()


FEATURE: Final = Feature("linking", (Runs(Links), *declared_in(__name__), LINKS, LINKS_PER_ACCOUNT, LINK_CODES))
