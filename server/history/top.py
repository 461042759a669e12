"""The best players, as text and as JSON."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, convert

from engine.wording.phrases import quantity
from server.cells import MEASURE, cut, pad
from server.history.ratings import SETTLED, Standing
from server.limits import NAME_LENGTH

GUESTS_NOT_LISTED: Final = "Guests are not listed, only players with an ssh key."
_YOU: Final = " (you)"


def name_cell(name: str, *, you: bool) -> str:
    """A name as a column, all of one width; ``you``: it is that of the player who reads the list."""
    return pad(name + (_YOU if you else ""), NAME_LENGTH + len(_YOU))


class Best(Struct, kw_only=True):
    """A player as a list of the best has them. It has no key: no player can see whose key is whose."""

    place: int = 0
    name: str
    you: bool = False
    provisional: bool
    """Whether there are few games so far."""
    games: int
    wins: int


class BestPlayer(Best, kw_only=True):
    """A `Standing` as `top --json` lists it."""

    level: str | None
    rules: str
    rating: int
    draws: int
    places: tuple[int, ...]
    streak: int
    best_streak: int


def top_lines(title: str, standings: Sequence[Standing], you: str | None = None, *, drawn: bool = True) -> list[str]:
    """Standings as `best_lines`, best first; the row of the key ``you`` is marked."""
    best = best_players(standings, you)
    mixed = len({each.rules for each in best}) > 1
    where = [f", at {each.rules}" if mixed else f", best streak {each.best_streak}" if drawn else "" for each in best]
    scores = [f"{each.rating:>5}" if drawn else f"rating {each.rating}" for each in best]
    return best_lines(title, best, scores, where, SETTLED, drawn=drawn)


def best_players(standings: Sequence[Standing], you: str | None = None) -> list[BestPlayer]:
    """Standings as JSON, best first; the player with the key ``you`` is marked."""
    found = convert(standings, list[BestPlayer], from_attributes=True)
    for place, (player, standing) in enumerate(zip(found, standings, strict=True), 1):
        player.place, player.you = place, standing.key == you
    return found


def best_lines(
    title: str, best: Sequence[Best], scores: Sequence[str], more: Sequence[str], few: int, *, drawn: bool
) -> list[str]:
    """A list of players as plain text.

    ``more``: what a row ends with, or what a sentence says behind the name; ``few``: fewer games than this are few;
    ``drawn``: as a table with no line wider than `MEASURE` cells; otherwise as sentences, for a screen reader.
    """
    if not best:
        return [cut(f"{title}: no rated games yet.", MEASURE)]
    lines = [title]
    for each, score, rest in zip(best, scores, more, strict=True):
        games, place = quantity(each.games, "game"), "" if each.provisional else f"{each.place}."
        if drawn:
            name, mark = name_cell(each.name, you=each.you), "?" if each.provisional else " "
            lines.append(f"{place:>4} {name} {score}{mark} {games:>11}, {each.wins:>5} won{rest}")
        else:
            you, doubt = ", you" if each.you else "", " so far" if each.provisional else ""
            lines.append(f"{place} {each.name}{you}{rest}: {score}; {games}{doubt}, {each.wins} won.".lstrip())
    if drawn and any(each.provisional for each in best):
        lines.append(f"A question mark: fewer than {few} games so far, so no place.")
    return [cut(line, MEASURE) for line in lines] if drawn else lines
