"""What `top`, `top tonight`, `top month` and `nights` answer: the best players, as text and as JSON."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct, convert

from engine.wording.phrases import quantity
from server.cells import MEASURE, cut, pad
from server.history.periods import Period, PeriodPlayer
from server.history.ratings import SETTLED, Standing
from server.limits import NAME_LENGTH
from server.records.scoring import LISTED_FROM

GUESTS_NOT_LISTED: Final = "Guests are not listed; with an ssh key you would be."
_YOU: Final = " (you)"


def name_cell(name: str, *, you: bool) -> str:
    """A name as a column, all of one width; ``you``: it is that of the player who reads the list."""
    return pad(name + (_YOU if you else ""), NAME_LENGTH + len(_YOU))


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
    best = best_players(standings, you)
    mixed = len({each.rules for each in best}) > 1
    where = [f", at {each.rules}" if mixed else f", best streak {each.best_streak}" if drawn else "" for each in best]
    scores = [f"{each.rating:>5}" if drawn else f"rating {each.rating}" for each in best]
    return _lines(title, best, scores, where, SETTLED, drawn=drawn)


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


class BestOfPeriod(Struct, kw_only=True):
    """A `PeriodPlayer` as JSON, without the key."""

    place: int
    """Equal scores share a place."""
    name: str
    you: bool
    score: float
    """Rounded; places come from the exact scores."""
    provisional: bool
    """Whether there are few games so far."""
    games: int
    wins: int


def best_of_period(players: Sequence[PeriodPlayer], you: str | None) -> list[BestOfPeriod]:
    """Players as JSON, best first; the player with the key ``you`` is marked."""
    return [
        BestOfPeriod(
            place=1 + sum(other.score > player.score for other in players),
            name=player.name,
            you=player.key == you,
            score=round(float(player.score), 1),
            provisional=player.games < LISTED_FROM,
            games=player.games,
            wins=player.wins,
        )
        for player in players
    ]


def period_lines(title: str, best: Sequence[BestOfPeriod], *, drawn: bool = True) -> list[str]:
    """The best players of a period as plain text; ``drawn`` as above."""
    scores = [f"{each.score:>5.1f}" if drawn else str(each.score) for each in best]
    return _lines(title, best, scores, [""] * len(best), LISTED_FROM, drawn=drawn)


def _lines(
    title: str,
    best: Sequence[BestPlayer | BestOfPeriod],
    scores: Sequence[str],
    more: Sequence[str],
    few: int,
    *,
    drawn: bool,
) -> list[str]:
    """A list of players. ``more``: what a row ends with, or what a sentence says behind the name."""
    if not best:
        return [cut(f"{title}: no rated games yet.", MEASURE)]
    lines = [title]
    for each, score, rest in zip(best, scores, more, strict=True):
        games = quantity(each.games, "game")
        if drawn:
            name, mark = name_cell(each.name, you=each.you), "?" if each.provisional else " "
            lines.append(f"{each.place:>3}. {name} {score}{mark} {games:>12}, {each.wins:>5} won{rest}")
        else:
            you, doubt = ", you" if each.you else "", ", from few games" if each.provisional else ""
            lines.append(f"{each.place}. {each.name}{you}{rest}: {score}{doubt}; {games}, {each.wins} won.")
    if drawn and any(each.provisional for each in best):
        lines.append(f"A question mark: fewer than {few} games so far.")
    return [cut(line, MEASURE) for line in lines] if drawn else lines


def night_line(night: Period) -> str:
    """A night in one sentence: how much was played, by how many, and who was best."""
    people = quantity(len(night.people()), "player")
    settled = [player for player in night.best(None) if player.games >= LISTED_FROM]
    best = [player.name for player in settled if player.score == settled[0].score]
    score = f"; best: {', '.join(best)} ({float(settled[0].score):.1f})" if settled else ""
    return f"{night.date}: {quantity(night.games, 'game')}, {people}{score}"
