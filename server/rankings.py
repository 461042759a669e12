"""What is typed to see the best players of all times, under one rule set or under all.

What it must not know: how ratings come about (`history`).
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.errors import InputError, NoSuch
from server.commands.games import TopList
from server.commands.registry import Answer, Command, Context, declared_in
from server.features import Feature
from server.history.ratings import RatedApart, Standing
from server.history.top import GUESTS_NOT_LISTED, best_players, top_lines

BEST_LISTED: Final = 18
"""The players that fit on a page with what stands around them."""
BEST_READ: Final = 100
RATED_GAMES: Final = (
    "A game is rated if its rules are unchanged, and a player with a key meets another one or AI players, not guests.",
    "You are last if you leave, stay away, remove a player, or let an AI player make more than a third of your moves.",
    "It is not rated for you if you were away at the deal or are removed. Whom all others have left has won.",
)
"""The rule of ratings; `history/README.md` says which modules decide it."""


def _words_behind_top(context: Context, _: str) -> list[str]:
    lobby = context.lobby
    return [*(each.word for each in lobby.features.all(TopList)), *lobby.rulebook.names]


@Command(
    "top [PERIOD] [RULES]",
    read_only=True,
    on_server=True,
    pages={"lobby"},
    ssh="answer",
    details=RATED_GAMES,
    completes={"PERIOD": _words_behind_top},
    words=(
        "leaderboard, leaderboards, highscore, highscores, high score, high scores, ranks, ranking, rankings, ladder, "
        "ratings, best players, best score, best scores"
    ),
)
async def top(context: Context, rest: str) -> Answer:
    """List the best players."""
    lobby = context.lobby
    word, _, more = rest.replace("today", "tonight").partition(" ")
    for each in lobby.features.all(TopList):
        if word == each.word:
            return await each.answer(context, more.strip())
    for apart in lobby.features.all(RatedApart):
        if rest == apart.feature:
            raise InputError("bad_request", apart.listed)
    try:
        rules = lobby.rulebook.find(rest) if rest else None
    except InputError as error:
        raise NoSuch(error.code, "list or rule set", rest, _words_behind_top(context, "")) from None
    complete = await lobby.standings.count_some()
    best = await lobby.standings.top(lobby.rulebook.name_of(rules) if rules else None, BEST_READ)
    at_best = dict[str, Standing]()
    for standing in best:
        if standing.level is None:
            at_best.setdefault(standing.key, standing)
    listed, you = [*at_best.values()][:BEST_LISTED], context.player.account
    # A standing has the name of its last game.
    names = {each.key: await lobby.profiles.name_of(each.key) for each in listed}
    people, shown = (
        [replace(each, name=names.get(each.key) or each.name) for each in some] for some in (listed, best[:BEST_LISTED])
    )
    lines = [
        *top_lines(
            rules.title if rules else "All rule sets, each player's best", people, you, drawn=context.scene.drawn
        ),
        *(ai_line(best) if rules else ()),
        *standings_note(people, you),
        *(await _counted_apart(context, you) if you else ()),
    ]
    if not complete:
        lines.append("Games of the past are still being counted: these ratings will change.")
    return Answer(lines, {"top": best_players(shown, you), "complete": complete})


async def _counted_apart(context: Context, you: str) -> list[str]:
    """Where the best of this player's games are listed, if all of these are rated apart."""
    apart = {each.name: each for each in context.lobby.features.all(RatedApart)}
    own = [standing.rules for standing in await context.lobby.standings.of(you)]
    is_all = apart.keys() >= {*own}
    return [f"Your {apart[name].feature} games are counted apart: {apart[name].listed}." for name in own if is_all]


def standings_note(standings: Sequence[Standing], you: str | None) -> list[str]:
    """Why the player who asks is not listed, if that needs saying."""
    if you is None:
        return [GUESTS_NOT_LISTED]
    is_listed = any(standing.key == you for standing in standings)
    return [] if is_listed or not standings else ["You are not among them."]


def ai_line(standings: Sequence[Standing]) -> list[str]:
    """The ratings of AI players under one set of rules, in a line; nothing without one."""
    levels = [f"{each.level} {each.rating}" for each in standings if each.level]
    return [f"AI players: {', '.join(levels)}."] if levels else []


FEATURE: Final = Feature("rankings", declared_in(__name__), asked={"top": b"All rule sets"})
