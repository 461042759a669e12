"""Which games count for the level of AI players that a person meets, and which of them are the person's."""

from typing import Final

from msgspec.structs import replace

from server.people.settings import OwnLevel, Settings
from server.player.level_of_opponents import own_level_after
from server.table.snapshot import Sitter
from tests.support.each import for_each
from tests.support.positions import after, at
from tests.support.snapshots import snapshot_of

FOX: Final = Sitter("Fox", "easy")


@for_each(
    ("seats", "others", "won", "lost"),
    [
        (("hand 7c", "hand 8s"), (FOX,), 1, 0),
        (("hand 7c", "hand 8s"), (Sitter("Fox", "hard"),), 0, 0),
        (("hand 7c", "hand 8s"), (Sitter("bo"),), 0, 0),
        (("hand 7c", "hand 8s"), (Sitter("bo", "easy", away=True),), 0, 0),
        (("hand 7c", "hand 8s"), (Sitter("robo", bot=True),), 0, 0),
        (("hand 7c", "hand 8s", "hand 9s"), (FOX, Sitter("Owl", "hard")), 0, 0),
        (("hand 7c", "hand 8s", "hand 9s"), (FOX, FOX), 1, 0),
    ],
)
def test_only_games_against_ai_players_of_the_own_level_count(
    seats: tuple[str, ...], others: tuple[Sitter, ...], won: int, lost: int
) -> None:
    """Not against people or bots, nor if an AI player of another level is there."""
    snapshot = snapshot_of(after(at("quatch", *seats, pile="6s"), "play 7"), sitters=(Sitter("ana"), *others))
    assert own_level_after(Settings(), snapshot) == OwnLevel("easy", won, lost)
    assert own_level_after(Settings(level="easy"), snapshot) == OwnLevel()
    assert own_level_after(Settings(), replace(snapshot, seat=None, view=None)) == OwnLevel()
    away = (Sitter("ana", "easy", away=True), *others)
    assert own_level_after(Settings(), replace(snapshot, sitters=away)) == OwnLevel()


@for_each(
    ("mine", "others", "won", "lost"),
    [
        ("8c", ("9s 9h", "9d 9c"), 1, 0),
        ("8c", ("9s", "9d 9c"), 0, 0),
        ("8c 8d", ("9s", "9h"), 0, 1),
        ("8c 8d", ("9s", "9h 9d 9c"), 0, 1),
        ("8c", ("9s 9h",), 0, 0),
        ("8c", ("9s",), 0, 1),
    ],
)
def test_without_a_place_the_cards_that_are_left_decide(
    mine: str, others: tuple[str, ...], won: int, lost: int
) -> None:
    """The winner is one of the AI players who are ahead; one with as many cards is neither ahead nor behind."""
    state = after(at("quatch", "hand 7c", f"hand {mine}", *(f"hand {cards}" for cards in others), pile="6s"), "play 7")
    sitters = (Sitter("ana"), *(FOX for _ in range(len(state.hands) - 1)))
    snapshot = snapshot_of(state, seat=1, sitters=(FOX, sitters[0], *sitters[2:]))
    assert own_level_after(Settings(), snapshot) == OwnLevel("easy", won, lost)
