"""What a person can do about the keys by which they are known: acts like those of `acts`, with the same promises."""

import structlog

from engine.errors import InputError
from server.limits import LINK_SECONDS
from server.visit import Visit

log = structlog.get_logger("quatch.linking")


async def keys(visit: Visit, _: str) -> list[str]:
    """The keys of the one account."""
    account, own = _account_and_key(visit)
    return [f"{key}{', with which you are here' if key == own else ''}" for key in visit.lobby.accounts.keys(account)]


async def link(visit: Visit, rest: str) -> list[str]:
    """Have a word for another device to say; or, with the word of another device, be who one is there."""
    if not rest:
        account, _ = _account_and_key(visit)
        word = await visit.lobby.accounts.new_word(account)
        await visit.lobby.names.remember(visit.player)
        return [
            f"On your other device come in with its own key and say: link {word}",
            f"The word holds once, for {LINK_SECONDS // 60} minutes. Whoever says it becomes you: tell it nobody.",
        ]
    key = _key(visit)
    visit.must_be_in_lobby()
    if not visit.words_tried.take_if_free():
        raise InputError("too_fast", "that were many words: wait a little before the next")
    if (table := visit.lobby.kept_seat(visit.player.id)) is not None:
        raise InputError("bad_request", f"you have a seat at table {table.number}: sit there and leave it first")
    account = await visit.lobby.accounts.link(key, rest)
    log.info("key linked", key=key, account=account)
    await visit.come_in_again()
    return [f"You are {visit.player.name} here, too: same name, settings, seats and results."]


async def unlink(visit: Visit, rest: str) -> list[str]:
    """Be known by a key no more."""
    account, own = _account_and_key(visit)
    visit.must_be_in_lobby()
    await visit.lobby.accounts.unlink(account, rest)
    log.info("key unlinked", key=rest, account=account, by=own)
    if rest == own:
        await visit.come_in_again()
        return [f"This key is on its own again: you are {visit.player.name}."]
    return [f"You are known by {rest} no more."]


def _key(visit: Visit) -> str:
    if visit.caller.key is None:
        raise InputError("bad_request", "guests have no key to link: make one with ssh-keygen, and come in again")
    return visit.caller.key


def _account_and_key(visit: Visit) -> tuple[str, str]:
    """The account one is known by, and the key that one has come with."""
    key = _key(visit)
    if visit.player.identity is None:
        raise InputError("bad_request", "this key was unlinked: say link with a word of your other device")
    return visit.player.identity, key
