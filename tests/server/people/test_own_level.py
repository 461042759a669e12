"""The level of AI players that a person meets, over an evening and for ever: one that they beat half the time."""

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from typing import get_args

import pytest
from msgspec import ValidationError, convert

from engine.ai import LEVELS
from server.people.settings import CHOICES, LEAD, Level, OwnLevel
from tests.soak import Figure, long
from tests.support.each import for_each

PEOPLE: Mapping[str, tuple[float, ...]] = {
    "newcomer": (0.35, 0.22, 0.16, 0.1, 0.08),
    "as good as easy": (0.5, 0.34, 0.22, 0.15, 0.1),
    "as good as medium": (0.66, 0.5, 0.4, 0.3, 0.22),
    "as good as hard": (0.8, 0.62, 0.5, 0.34, 0.25),
    "as good as extreme": (0.88, 0.74, 0.66, 0.5, 0.42),
    "better than all": (0.95, 0.9, 0.86, 0.8, 0.72),
}
"""How often people are ahead of AI players of each level: about what the levels do to each other in an arena."""


def played(own: OwnLevel, results: str) -> OwnLevel:
    """After these games: ``+`` ahead of more AI players than not, ``-`` of fewer, ``=`` neither."""
    for result in results:
        own = own.for_next_game().after_game(behind="-=+".index(result), ahead=1)
    return own


def test_the_levels_are_those_of_the_engine() -> None:
    """In their order, with `auto` before them in the settings."""
    assert list(get_args(Level)) == list(LEVELS)
    assert CHOICES["level"] == ("auto", *LEVELS)


@for_each(
    ("before", "results", "level"),
    [
        ("easy", "++", "easy"),
        ("easy", "+++", "medium"),
        ("easy", "+-+-+", "easy"),
        ("easy", "+-+-+++", "medium"),
        ("easy", "++=====+", "medium"),
        ("easy", "---", "easy"),
        ("easy", "---+++", "medium"),
        ("easy", "-----++++", "easy"),
        ("medium", "---", "easy"),
        ("medium", "+++--+-", "hard"),
        ("medium", "+++--+--", "medium"),
        ("medium", "+++---", "medium"),
        ("hard", "++++++", "master"),
        ("master", "+++", "master"),
        ("master", "+++---", "extreme"),
        ("medium", "===============", "medium"),
    ],
)
def test_three_more_of_one_kind_move_the_level_by_one(before: Level, results: str, level: Level) -> None:
    """Counted since the last change; at the ends they only count anew. `played` is one game after the other."""
    assert played(OwnLevel(before), results).for_next_game().level == level


def test_what_is_decided_waits_for_the_next_game() -> None:
    """A game that is finished elsewhere meanwhile does not count twice, and no level is left out."""
    decided = OwnLevel("easy", won=3)
    assert decided.after_game(behind=1, ahead=0) == decided
    assert decided.for_next_game() == OwnLevel("medium")
    assert decided.for_next_game().for_next_game() == OwnLevel("medium")


@for_each(
    ("own", "news"),
    [
        (OwnLevel("easy", 2, 0), ""),
        (OwnLevel("easy", 3, 0), "AI players: medium now, you were ahead of easy ones in 3 games of 3."),
        (OwnLevel("medium", 1, 4), "AI players: easy now, medium ones were ahead of you in 4 games of 5."),
        (OwnLevel("easy", 0, 3), ""),
        (OwnLevel("master", 3, 0), ""),
    ],
)
def test_a_change_is_told_with_its_reason(own: OwnLevel, news: str) -> None:
    """And nothing if there is none."""
    assert own.news == news
    assert len(news) <= 75, "one row of a screen"


@for_each("wrong", [{"level": "god"}, {"won": -1}, {"won": 1.5}, {"lost": "x"}, []])
def test_what_is_stored_wrongly_is_refused(wrong: object) -> None:
    """`Settings` are the defaults then."""
    with pytest.raises(ValidationError):
        convert(wrong, OwnLevel)


@pytest.mark.parametrize("who", PEOPLE)
def test_after_some_games_people_beat_those_they_meet_about_half_the_time(who: str, figure: Figure) -> None:
    """Over a thousand evenings of forty games, of which the first fifteen find the level.

    A level seldom lasts fewer than five games, and nobody gets one that is far from theirs.
    """
    chance, ahead = Random(who), PEOPLE[who]
    best = min(range(len(LEVELS)), key=lambda level: abs(ahead[level] - 0.5))
    won = games = changes = far = 0
    for _ in range(long(250, 1_000)):
        own = OwnLevel()
        for game in range(40):
            level = list(LEVELS).index(own.level)
            is_ahead = chance.random() < ahead[level]
            after = own.after_game(behind=is_ahead, ahead=not is_ahead).for_next_game()
            if game >= 15:
                games, won, changes = games + 1, won + is_ahead, changes + (after.level != own.level)
                far += abs(level - best) > 1
            own = after
    figure(f"{who}: {won / games:.0%} of games ahead, a change every {games / max(changes, 1):.0f} games")
    if who in {"newcomer", "better than all"}:
        assert far / games < 0.05, "as near as there is a level"
    else:
        assert 0.42 < won / games < 0.58
        assert far / games < 0.2
    assert changes / games < 1 / 5


def test_the_level_depends_on_the_results_alone() -> None:
    """The same games give the same level, in any session and on any server."""
    chance = Random(1)
    for _ in range(50):
        results = "".join(chance.choices("+-=", k=60))
        assert played(OwnLevel(), results) == played(OwnLevel(), results)
        levels = [list(LEVELS).index(played(OwnLevel(), results[:n]).level) for n in range(61)]
        steps = [n for n, (one, two) in enumerate(pairwise(levels)) if one != two]
        assert all(abs(levels[n] - levels[n + 1]) == 1 for n in steps)
        assert all(later - earlier >= LEAD for earlier, later in pairwise(steps))
