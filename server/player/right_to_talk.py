"""Whether a player may talk: not while they are muted, nor too fast."""

from engine.errors import InputError
from server.addresses import Address
from server.player.player_session import PlayerSession


def must_be_free_to_talk(session: PlayerSession) -> None:
    """Raises InputError if the player is muted, or talks too fast."""
    must_not_be_muted(session)
    if not session.talk.rate.take_if_free():
        raise InputError("too_fast", "you talk too fast: wait a few seconds")


def must_not_be_muted(session: PlayerSession) -> None:
    """Raises InputError if the player is muted."""
    if mute := session.lobby.mutes.on((session.player.id,), guest_address(session)):
        raise InputError("muted", f"the host of this server has muted you {mute.how_long}")


def guest_address(session: PlayerSession) -> Address | None:
    """The address that a mute of this player may be against; None for a player with a key."""
    return None if session.player.account else session.caller.address
