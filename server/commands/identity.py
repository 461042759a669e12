"""Who a player is here: their name, the seat they come back to, and the ssh keys of their account."""

import structlog

from engine.errors import InputError
from server.commands.registry import LOBBY, Answer, Command
from server.limits import LINK_SECONDS
from server.player.coming_back import resume as take_over
from server.player.coming_back import return_words
from server.player.player_session import PlayerSession

log = structlog.get_logger("quatch.linking")


@Command("resume [WORD]", pages={"lobby"})
async def resume(session: PlayerSession, rest: str) -> Answer | None:
    """Take back your seat; alone: your resume word."""
    if not rest:
        return Answer([*filter(None, [session.reminder]), return_words(session.resume_code)])
    await take_over(session, rest)
    return None


@Command("name TEXT", where=LOBBY)
async def name(session: PlayerSession, rest: str) -> Answer:
    """Choose your name."""
    if not rest:
        raise InputError("bad_request", f"you are {session.player.name}: type name and the name you want")
    await session.rename(session.lobby.free_name(rest, session.player.id))
    return Answer([f"You are {session.player.name}."])


@Command("keys", in_full=True, pages=())
async def keys(session: PlayerSession, _: str) -> Answer:
    """List the ssh keys that are you."""
    account, own = _account_and_key(session)
    known = session.lobby.accounts.keys(account)
    return Answer([f"{key}{', with which you are here' if key == own else ''}" for key in known])


@Command("link [WORD]", in_full=True, pages=())
async def link(session: PlayerSession, rest: str) -> Answer:
    """Have the key of another device be you, too."""
    if not rest:
        account, _ = _account_and_key(session)
        word = await session.lobby.accounts.new_code(account)
        await session.lobby.names.remember(session.player)
        minutes = LINK_SECONDS // 60
        return Answer(
            [
                f"On your other device come in with its own key and say: link {word}",
                f"The word works once, for {minutes} minutes. Anybody who says it becomes you: tell it to nobody.",
            ]
        )
    key = _key(session)
    session.must_be_in_lobby()
    if not session.link_tries.take_if_free():
        raise InputError("too_fast", "that were many words: wait a little before the next")
    if (table := session.lobby.kept_seat(session.player.id)) is not None:
        raise InputError("bad_request", f"you have a seat at table {table.number}: sit there and leave it first")
    account = await session.lobby.accounts.link(key, rest)
    log.info("key linked", key=key, account=account)
    await session.come_in_again()
    return Answer([f"You are {session.player.name} here, too: same name, settings, seats and results."])


@Command("unlink FINGERPRINT", where=LOBBY, in_full=True, pages=())
async def unlink(session: PlayerSession, rest: str) -> Answer:
    """Take a key away from you."""
    account, own = _account_and_key(session)
    await session.lobby.accounts.unlink(account, rest)
    log.info("key unlinked", key=rest, account=account, by=own)
    if rest == own:
        await session.come_in_again()
        return Answer([f"This key is on its own again: you are {session.player.name}."])
    return Answer([f"The key {rest} is no longer yours."])


def _key(session: PlayerSession) -> str:
    if session.caller.key is None:
        raise InputError("bad_request", "guests have no key to link: make one with ssh-keygen, and come in again")
    return session.caller.key


def _account_and_key(session: PlayerSession) -> tuple[str, str]:
    """The player's account, and the key that they came in with. Raises InputError if either is missing."""
    key = _key(session)
    if session.player.identity is None:
        raise InputError("bad_request", "this key was unlinked: type link with a word of your other device")
    return session.player.identity, key
