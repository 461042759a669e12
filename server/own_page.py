"""A page of the player's own: `me` shows their games, their ratings and what features know of them.

What it must not know: other features: they tell their lines themselves (`OwnLine`).
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import takewhile
from typing import Final

from msgspec import Struct

from engine.errors import InputError
from engine.wording.phrases import quantity
from server.cells import pad
from server.commands.games import OwnLine
from server.commands.registry import Answer, Command, Context, command_named, declared_in
from server.features import Feature
from server.history.archive import OwnGame, games_of
from server.history.ratings import RatedApart, Standing
from server.number_text import read_number
from server.player.level_of_opponents import level_met
from server.player.player_session import PlayerSession
from server.records.results import result_text
from server.render.scene import AfterGame

LISTED: Final = 10
"""The player's latest games that are listed."""
MOST_IN_A_ROW: Final = 100
"""How many of the latest games are looked at to count those won in a row."""
ABOUT_CELLS: Final = 16
RANKED: Final = 100
"""A player who is not among so many best is told no rank."""


class _RatingJson(Struct):
    rating: int
    rank: int | None
    games: int
    wins: int
    change: int
    """How much the last game has changed the rating."""
    provisional: bool
    streak: int
    """Games won in a row under these rules."""
    best_streak: int


@Command(
    "me [N]",
    read_only=True,
    on_server=True,
    section="yourself",
    pages={"lobby", "between"},
    ssh="answer",
    needs_name=True,
    details=("What you can type here is told by help alone.",),
    words=(
        "profile, stats, statistics, account, whoami, who am i, rating, rank, my rating, my rank, my place, my stats, "
        "my score"
    ),
)
async def me(context: Context, rest: str) -> Answer:
    """Show your games, ratings and streaks."""
    player, lobby = context.player, context.lobby
    if rest:
        return await _open(context, rest)
    if not player.account:
        won = context.feed.won if isinstance(context, PlayerSession) else []
        since = f"; since you came {quantity(len(won), 'game')}, {sum(won)} won" if won else ""
        kept = "With an ssh key your games and ratings would be kept."
        lines = [f"{player.name}, a guest{since}.", kept, *_meets(context)]
        return Answer(lines, {"rules": {}, "streak": 0, "last": [], "more": {}})
    await lobby.standings.count_some()
    ratings = {each.rules: await _rating(context, each) for each in await lobby.standings.of(player.account)}
    latest = await games_of(lobby.store, player.account, MOST_IN_A_ROW)
    games, streak = latest[:LISTED], sum(1 for _ in takewhile(lambda own: own.result.winner == own.seat, latest))
    told = {each.about: line for each in lobby.features.all(OwnLine) if (line := await each.of(context))}
    lines = [f"{player.name}, with an ssh key.", *_rating_lines(context, ratings), *_meets(context)]
    lines += [_row(context, "streak", f"{quantity(streak, 'game')} won in a row")] if streak > 1 else []
    lines += [_row(context, about, line) for about, line in told.items()]
    opens = isinstance(context, PlayerSession) and bool(games) and bool(_shows_game(context))
    title_of = lobby.rulebook.title_of
    lines += ["Your last games; type a number to see one again:"] if opens else []
    lines += [
        f"{number:>2}  {own.game.id}  {title_of(own.result.rated_as or '', own.game.rules)}: {result_text(own.result)}"
        for number, own in enumerate(games, 1)
    ]
    # Ratings are by the name under which games are rated: that of the rules, or one of a feature, which has a slash.
    value = {"rules": ratings, "streak": streak, "last": [*map(_game, games)], "more": told}
    return Answer(lines, value, number_means="me {}" if opens else "")


async def _open(context: Context, rest: str) -> Answer:
    """Show one of the player's latest games again, by its number. Raises InputError."""
    number, shows = read_number(rest) or 0, _shows_game(context)
    account = context.player.account
    games = await games_of(context.lobby.store, account, LISTED) if account else []
    if not shows or not 1 <= number <= len(games):
        raise InputError("bad_request", f"type me and the number of one of your games, not {rest[:20]!r}")
    return await shows.run(context, games[number - 1].game.id)


def _shows_game(context: Context) -> Command | None:
    """The command that shows a finished game again; None without the feature that has it."""
    features = context.lobby.features
    word = next((each.word for each in features.all(AfterGame) if each.is_for_all), "")
    return command_named(word, features)


async def _rating(context: Context, own: Standing) -> _RatingJson:
    best = [each for each in await context.lobby.standings.top(own.rules, RANKED) if each.level is None]
    rank = next((place for place, each in enumerate(best, 1) if each.key == own.key), None)
    return _RatingJson(own.rating, rank, own.games, own.wins, own.change, own.provisional, own.streak, own.best_streak)


def _game(own: OwnGame) -> Mapping[str, object]:
    """A game as programs are told of it, with the day in UTC on which it ended."""
    # 1 is the place of a winner; there is none if nobody stayed to end the game. If only the winner has a place in the
    # game, all others share the second, whatever cards they had left.
    ranks = [each.rank for each in own.result.finishes]
    place = None if own.result.abandoned is True else ranks[own.seat]
    date = f"{datetime.fromtimestamp(own.game.at, UTC):%Y-%m-%d}"
    value = {"game": own.game.id, "rules": own.game.rules, "place": place, "date": date}
    return {**value, "shared_by": place and ranks.count(place), "result": result_text(own.result)}


def _rating_lines(context: Context, ratings: Mapping[str, _RatingJson]) -> list[str]:
    """A line for each rule set, and for what features rate apart."""
    lines = []
    for rules, each in ratings.items():
        place = f", number {each.rank}" if each.rank and not each.provisional else ""
        games = f"{quantity(each.games, 'game')}{' so far' if each.provisional else ''}, {each.wins} won"
        row = f"{games}, rating {each.rating} ({each.change:+}){place}"
        lines.append(_row(context, _title(context, rules), row))
    return lines or ["No rated game yet: play begins one."]


def _title(context: Context, rules: str) -> str:
    """What the games of a standing are called."""
    apart = next((each for each in context.lobby.features.all(RatedApart) if each.name == rules), None)
    return apart.feature if apart else context.lobby.rulebook.title_of(rules) or rules


def _meets(context: Context) -> list[str]:
    """The AI players that the player meets."""
    if not isinstance(context, PlayerSession):
        return []
    return [_row(context, "you meet", f"{level_met(context)} AI players; set level changes that")]


def _row(context: Context, about: str, line: str) -> str:
    return f"{pad(about, ABOUT_CELLS)} {line}" if context.scene.drawn else f"{about}: {line}"


FEATURE: Final = Feature("own_page", declared_in(__name__))
