"""What a person can do about the keys by which they are known: acts like those of `acts`, with the same promises."""

import structlog

from engine.errors import InputError
from server.limits import LINK_SECONDS
from server.player.player_session import PlayerSession

log = structlog.get_logger("quatch.linking")


async def keys(session: PlayerSession, _: str) -> list[str]:
    """The keys of the one account."""
    account, own = _account_and_key(session)
    return [f"{key}{', with which you are here' if key == own else ''}" for key in session.lobby.accounts.keys(account)]


async def link(session: PlayerSession, rest: str) -> list[str]:
    """Have a word for another device to say; or, with the word of another device, be who one is there."""
    if not rest:
        account, _ = _account_and_key(session)
        word = await session.lobby.accounts.new_word(account)
        await session.lobby.names.remember(session.player)
        return [
            f"On your other device come in with its own key and say: link {word}",
            f"The word holds once, for {LINK_SECONDS // 60} minutes. Whoever says it becomes you: tell it nobody.",
        ]
    key = _key(session)
    session.must_be_in_lobby()
    if not session.link_tries.take_if_free():
        raise InputError("too_fast", "that were many words: wait a little before the next")
    if (table := session.lobby.kept_seat(session.player.id)) is not None:
        raise InputError("bad_request", f"you have a seat at table {table.number}: sit there and leave it first")
    account = await session.lobby.accounts.link(key, rest)
    log.info("key linked", key=key, account=account)
    await session.come_in_again()
    return [f"You are {session.player.name} here, too: same name, settings, seats and results."]


async def unlink(session: PlayerSession, rest: str) -> list[str]:
    """Be known by a key no more."""
    account, own = _account_and_key(session)
    session.must_be_in_lobby()
    await session.lobby.accounts.unlink(account, rest)
    log.info("key unlinked", key=rest, account=account, by=own)
    if rest == own:
        await session.come_in_again()
        return [f"This key is on its own again: you are {session.player.name}."]
    return [f"You are known by {rest} no more."]


def _key(session: PlayerSession) -> str:
    if session.caller.key is None:
        raise InputError("bad_request", "guests have no key to link: make one with ssh-keygen, and come in again")
    return session.caller.key


def _account_and_key(session: PlayerSession) -> tuple[str, str]:
    """The account one is known by, and the key that one has come with."""
    key = _key(session)
    if session.player.identity is None:
        raise InputError("bad_request", "this key was unlinked: say link with a word of your other device")
    return session.player.identity, key
