"""`keys`, `link` and `unlink`."""

from collections.abc import Sequence
from typing import Final

import structlog

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.commands.registry import Answer, Command, Context, declared_in
from server.extension import Feature
from server.limits import CODES_SHOWN
from server.linking.links import LINK_CODES, LINK_SECONDS, LINKS, LINKS_PER_ACCOUNT, Links
from server.lobby.service import Runs
from server.player.player_session import PlayerSession

log = structlog.get_logger("quatch.linking")


@Command("keys", on_server=True, section="yourself", in_full=True, read_only=True, pages=(), words="key, login")
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
        await session.claim_name()
        minutes = quantity(LINK_SECONDS // 60, "minute")
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
