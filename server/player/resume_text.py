"""How people are told that they can come in again and have their seat: by their key, or as guests by a resume word."""

from server.people.players import Player


def return_words(player: Player, word: str) -> str:
    """How to have one's seat again after the connection was lost."""
    if player.identity is not None:
        return "You are known by your ssh key: come in again with it, and your seat is yours."
    return f"If the connection is lost: come in again and say resume {word}"


def kept_words(player: Player, word: str) -> str:
    """What becomes of the seat of who hangs up."""
    how = "" if player.identity is not None else f" and say resume {word}"
    return (
        f"If you hang up your seat is kept, and where others play an AI player plays on, until you come in again{how}."
    )


def parting_words(player: Player, word: str) -> list[str]:
    """What a guest is told who has gone while a seat is kept: their screen is gone, this line stays."""
    if player.identity is not None:
        return []
    return [f"Your seat is kept for a while: come in again and say resume {word}"]
