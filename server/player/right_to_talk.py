"""Whether a player may talk: not while they are muted, nor too fast."""

from typing import Protocol

from engine.errors import InputError
from server.addresses import Address
from server.lobby.lobby import Lobby
from server.people.players import Caller, Player
from server.player.player_session import PlayerSession


class Speaker(Protocol):
    """A player's session, or a connection that gives one command."""

    @property
    def lobby(self) -> Lobby:
        """Where they are."""

    @property
    def caller(self) -> Caller:
        """Where they come from."""

    @property
    def player(self) -> Player:
        """Who they are."""


def take_turn_to_talk(session: PlayerSession) -> None:
    """Use up one of the player's turns to talk. Raises InputError if they are muted, or talk too fast."""
    must_not_be_muted(session)
    if not session.talk.rate.take_if_free():
        raise InputError("too_fast", "you talk too fast: wait a few seconds")


def must_not_be_muted(speaker: Speaker) -> None:
    """Raises InputError if the player is muted."""
    if mute := speaker.lobby.mutes.on((speaker.player.id,), guest_address(speaker)):
        raise InputError("muted", f"the host of this server has muted you {mute.how_long}")


def guest_address(speaker: Speaker) -> Address | None:
    """The address that a mute of this player may be against; None for a player with a key."""
    return None if speaker.player.account else speaker.caller.address
