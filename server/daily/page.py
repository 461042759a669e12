"""The results of a daily deal as the lines of a page, and as JSON for programs."""

from fractions import Fraction
from typing import Final

from msgspec import Struct

from engine.rulesets import DEFAULT
from engine.wording.phrases import quantity
from server.commands.registry import Context
from server.daily.choice import PAR_GAMES
from server.daily.deal import AI_VERSION, DailyResult, DailyScore, Day, daily_commitment
from server.daily.results import DailyRow, DayResults
from server.daily.service import Dailies
from server.history.top import name_cell

LISTED: Final = 20
"""How many results are listed; a player who is further down is listed after them."""
MIXED: Final = "An update changed the AI players: scores compare only games against the same ones."
"""Said if some of the listed games are from before it."""


def dailies_of(context: Context) -> Dailies:
    """The daily deals of the server."""
    return context.lobby.service(Dailies)


class ResultJson(Struct):
    """One line of the results."""

    name: str
    place: int
    """1 for the best; players with equal results have the same."""
    margin: int
    """The cards that the others had left, if the player won; else minus those that the player had left."""
    score: float | None
    """The part of the field that was beaten, 0 to 100; null as long as there is no field: AI players still play."""
    you: bool
    ai_version: str
    """Changes if AI players play in another way: only games with one version are compared with each other."""


class DailyJson(Struct):
    """A day's deal and its results."""

    date: str
    number: int
    rules: str
    commitment: str
    seed: str | None
    """Null as long as the day is not over."""
    played: bool
    par: int | None
    """The margin of the middle one of Master's games; null before you have played, and as long as Master plays."""
    results: list[ResultJson]
    """Best first; empty before you have played."""
    days_in_a_row: int
    """On how many days in a row you have finished the deal."""
    most_days_in_a_row: int


def head(title: str, results: DayResults) -> list[str]:
    """The first line of a page of results."""
    return [f"{title}, {results.date}: {quantity(len(results.by_account), 'player')}."]


def own_lines(context: Context, results: DayResults, own: DailyRow | DailyResult | None) -> list[str]:
    """How the player did, and Master."""
    is_today, par = results.date == dailies_of(context).today.date, results.par(context.player.account)
    lines = [f"Par, the middle one of Master's {PAR_GAMES} games: {_score_text(par)}."] if par else []
    if is_today and AI_VERSION not in results.fields:
        lines.append("Master still plays it: ask again in a moment.")
    if own is None:
        return ["You did not play it.", *lines]
    score = percent_text(results.percent_of(own, context.player.account))
    guest = "" if context.player.account else " You are a guest: this counts for nobody."
    return [f"You: {_score_text(own.score)}; score {score}{beside_par(own.score, par)}.{guest}", *lines]


def again_line(context: Context, results: DayResults, again: DailyResult) -> str:
    """How a game went in which the player has played the deal again."""
    score = percent_text(results.percent_of(again, context.player.account))
    return f"Again, which does not count: {_score_text(again.score)}; score {score}."


def beside_par(own: DailyScore, par: DailyScore | None) -> str:
    """Whether the player did better or worse than Master, behind a score; empty as long as par is not known."""
    if par is None:
        return ""
    how = "the same as" if own.margin == par.margin else f"{'better' if own.margin > par.margin else 'worse'} than"
    return f", {how} par ({_cards_text(par)})"


def streak_lines(value: DailyJson) -> list[str]:
    """How many days in a row the player has finished the deal; nothing as long as there are no two."""
    if value.most_days_in_a_row < 2:
        return []
    return [f"Days in a row: {value.days_in_a_row}, at best {value.most_days_in_a_row}."]


def rows(context: Context, results: DayResults) -> list[str]:
    """The best results as a table, and that of the player."""
    best, own = results.best(LISTED), context.player.account or ""
    if own in results.by_account and own not in best:
        best.append(own)
    return [*(_row(context, account, results) for account in best), *([MIXED] if results.is_mixed else [])]


def _row(context: Context, account: str, results: DayResults) -> str:
    number, row, you = results.number_of(account), results.by_account[account], account == context.player.account
    score = percent_text(results.percent_of(row, account))
    if not context.scene.drawn:
        return f"{number}. {row.name}{', you' if you else ''}: {_score_text(row.score)}; score {score}."
    name = name_cell(row.name, you=you)
    return f"{number:>3}. {name} {score:>6}  {_score_text(row.score)}"


def _score_text(score: DailyScore) -> str:
    if score.turns == 0:
        return "not finished"
    return f"{_cards_text(score)}, {quantity(score.turns, 'turn')}"


def _cards_text(score: DailyScore) -> str:
    return f"won, {score.margin} cards ahead" if score.margin > 0 else f"{quantity(-score.margin, 'card')} left"


def end_text(score: DailyScore) -> str:
    """How a game ended for its player, behind "I" or another name."""
    return "won" if score.margin > 0 else f"had {quantity(-score.margin, 'card')} left"


def percent_text(percent: Fraction | None) -> str:
    """A score; a dash as long as there is none."""
    return "-" if percent is None else f"{float(percent):.1f}"


async def daily_value(context: Context, day: Day, results: DayResults | None) -> DailyJson:
    """What programs are told; ``results`` is None for a player who may not know them yet."""
    dailies = dailies_of(context)
    seed, is_over = await dailies.deals.seed(day.date), day.date != dailies.today.date
    streak = await dailies.streak(context.player)
    par = results.par(context.player.account) if results else None
    shown = list[ResultJson]()
    if results:
        for account in results.best(LISTED):
            row, you = results.by_account[account], account == context.player.account
            score = results.percent_of(row, account)
            rounded = None if score is None else round(float(score), 1)
            shown.append(
                ResultJson(row.name, results.number_of(account), row.score.margin, rounded, you, row.ai_version)
            )
    return DailyJson(
        day.date,
        day.number,
        DEFAULT,
        daily_commitment(day.date, seed),
        seed if is_over else None,
        bool(results and (context.player.account or "") in results.by_account),
        par.margin if par else None,
        shown,
        streak.at(dailies.today.date),
        streak.best,
    )
