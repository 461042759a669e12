"""What is told of the powers that a rank may have, and what they are worth: a new one has all of it here.

What a power does to a game stands where the game asks for it: `rank_powers.py` says what may follow, `effects.py` whose
turn is next and what burns, `game.py` where cards go.
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Effect: TypeAlias = Literal["reset", "burn", "reverse", "lower", "mirror", "skip"]


class PowerFacts(NamedTuple):
    """One power."""

    does: str
    """What a card with it does, as the rules sheet says it of the card."""
    value: float
    """The value for AI players of a card that has it and goes on anything, on the scale of ranks: 0 for the 2 to 12 for
    the ace. No plain rank may have the same. A reset is spent before the court cards, a burn last of all."""
    reason: str = ""
    """What speaks for it in a hint if another player than usual moves next; empty if the other reasons say it all."""
    lesson: str = ""
    """What a lesson adds to what it does."""
    players: int = 2
    """How many players an example needs to show it."""


POWERS: Final[Mapping[Effect, PowerFacts]] = {
    "reset": PowerFacts("resets the pile: anything may follow", 8.6),
    "burn": PowerFacts("burns the pile: it goes to the bin", 14.0, lesson="Burned cards are out of the game."),
    "reverse": PowerFacts(
        "reverses the order if an odd number is played; with two players left it skips the next one",
        12.5,
        reason="it reverses the order",
        players=3,
    ),
    "lower": PowerFacts("asks for a lower card next", 13.0),
    "mirror": PowerFacts("counts as the card beneath it", 8.7, lesson="It does what that card does."),
    "skip": PowerFacts("skips the next player, once for each card", 12.5, reason="it skips the next player", players=3),
}
