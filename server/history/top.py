"""What `top` answers: the best players as text, and as JSON."""

from collections.abc import Sequence

from msgspec import Struct, convert

from engine.wording.phrases import quantity
from server.cells import MEASURE, cut
from server.history.ratings import SETTLED, Standing
from server.language.player_lists import GUESTS_NOT_LISTED, name_cell


class BestPlayer(Struct, kw_only=True):
    """A `Standing` as `top --json` lists it. It has no key: no player can see whose key is whose."""

    place: int = 0
    name: str
    level: str | None
    you: bool = False
    rules: str
    rating: int
    provisional: bool
    games: int
    wins: int
    draws: int
    places: tuple[int, ...]
    streak: int
    best_streak: int


def top_lines(title: str, standings: Sequence[Standing], you: str | None = None, *, drawn: bool = True) -> list[str]:
    """Standings as plain text, best first; the row of the key ``you`` is marked.

    ``drawn``: as a table with no line wider than `MEASURE` cells; otherwise as sentences, for a screen reader.
    """
    if not standings:
        return [cut(f"{title}: no rated games yet.", MEASURE)]
    mixed = len({standing.rules for standing in standings}) > 1
    if not drawn:
        return [title, *(_spoken(n, standing, you, mixed=mixed) for n, standing in enumerate(standings, 1))]
    lines = [title]
    for place, standing in enumerate(standings, 1):
        name = name_cell(standing.name, you=standing.key == you)
        rating = f"{standing.rating:>5}{'?' if standing.provisional else ' '}"
        last = f"at {standing.rules}" if mixed else f"best streak {standing.best_streak}"
        lines.append(
            f"{place:>3}. {name} {rating} {quantity(standing.games, 'game'):>12}, {standing.wins:>5} won, {last}"
        )
    if any(standing.provisional for standing in standings):
        lines.append(f"A question mark: fewer than {SETTLED} games so far.")
    return [cut(line, MEASURE) for line in lines]


def _spoken(place: int, standing: Standing, you: str | None, *, mixed: bool) -> str:
    name = f"{standing.name}{', you' if standing.key == you else ''}{f', at {standing.rules}' if mixed else ''}"
    rating = f"{standing.rating}{', from few games' if standing.provisional else ''}"
    return f"{place}. {name}: rating {rating}; {quantity(standing.games, 'game')}, {standing.wins} won."


def standings_note(standings: Sequence[Standing], you: str | None) -> list[str]:
    """Why the player who asks is not listed, and that AI players of a level share a row, if either needs saying."""
    if not standings and you is not None:
        return []
    levels = any(standing.level for standing in standings)
    shared = ["All AI players of one level share a row."] if levels else []
    if you is None:
        return [*shared, GUESTS_NOT_LISTED]
    if any(standing.key == you for standing in standings):
        return shared
    return [*shared, "You are not listed: these are the best players only."]


def best_players(standings: Sequence[Standing], you: str | None = None) -> list[BestPlayer]:
    """Standings as JSON, best first; the player with the key ``you`` is marked."""
    found = convert(standings, list[BestPlayer], from_attributes=True)
    for place, (player, standing) in enumerate(zip(found, standings, strict=True), 1):
        player.place, player.you = place, standing.key == you
    return found
