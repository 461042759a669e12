"""What `top tonight`, `top month` and `nights` tell of a period: as text, and as JSON."""

from collections.abc import Sequence

from msgspec import Struct

from engine.wording.phrases import quantity
from server.cells import MEASURE, cut
from server.history.periods import Period, PeriodPlayer
from server.language.player_lists import name_cell
from server.records.scoring import LISTED_FROM


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
    """The best players of a period as plain text.

    ``drawn``: as a table with no line wider than `MEASURE` cells; otherwise as sentences, for a screen reader.
    """
    if not best:
        return [cut(f"{title}: no rated games yet.", MEASURE)]
    rows = [_row(each) if drawn else _spoken(each) for each in best]
    notes = (
        [f"A question mark: fewer than {LISTED_FROM} games so far."] if any(each.provisional for each in best) else []
    )
    return [cut(line, MEASURE) for line in (title, *rows, *(notes if drawn else []))]


def _row(player: BestOfPeriod) -> str:
    name = name_cell(player.name, you=player.you)
    score = f"{player.score:>5.1f}{'?' if player.provisional else ' '}"
    return f"{player.place:>3}. {name} {score} {quantity(player.games, 'game'):>12}, {player.wins:>5} won"


def _spoken(player: BestOfPeriod) -> str:
    few = ", from few games" if player.provisional else ""
    you = ", you" if player.you else ""
    return (
        f"{player.place}. {player.name}{you}: {player.score}{few}; {quantity(player.games, 'game')}, {player.wins} won."
    )


def night_line(night: Period) -> str:
    """A night in one sentence: how much was played, by how many, and who was best."""
    people = quantity(len(night.people()), "player")
    settled = [player for player in night.best(None) if player.games >= LISTED_FROM]
    best = [player.name for player in settled if player.score == settled[0].score]
    score = f"; best: {', '.join(best)} ({float(settled[0].score):.1f})" if settled else ""
    return f"{night.date}: {quantity(night.games, 'game')}, {people}{score}"
