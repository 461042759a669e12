"""The other processes of a server, for tests that look at what is known of them."""

from server.cluster.several import Several
from server.lobby.lobby import Lobby


def peers_of(lobby: Lobby) -> Several:
    """The other processes that a server knows."""
    assert isinstance(lobby.peers, Several)
    return lobby.peers
