"""The daily deal: playing it, its results, those of the day before, and a text to share."""

from fractions import Fraction
from typing import Final

from msgspec import UNSET, Struct

from engine.errors import InputError
from engine.rulesets import DEFAULT
from engine.wording.phrases import quantity
from server.cells import pad
from server.commands.registry import Answer, Command, Context
from server.history.archive import find_record
from server.history.daily_results import DayResults
from server.history.replay import replay_of
from server.history.top import top_lines
from server.limits import NAME_LENGTH
from server.player.coming_back import tell_resume_code
from server.player.player_session import PlayerSession
from server.records.daily import END_TEXT, RATED_AS, DailyScore, Day, daily_commitment, day_before
from server.records.results import read_result
from server.table.daily_game import LEVEL, PERSON

LISTED: Final = 20
"""How many results are listed; a player who is further down is listed after them."""
TURNS_SHARED: Final = 3
"""A shared text has a mark for each so many turns."""
MARKS: Final = "_.-=+*#"
"""The marks for how many cards a player has, few to many, `CARDS_A_MARK` more for each."""
CARDS_A_MARK: Final = 3
ORDINALS: Final = ("1st", "2nd", "3rd", "4th")
HELP_DAILY: Final = (
    f"Each day at {END_TEXT} by the server's clock there is a new deal, the same for all: you against three {LEVEL} AI",
    "players. There are no hints, and nobody can watch.",
    "daily            play it, or go on; once you have played it: how you and the others did",
    "daily top        the best of today, once you have played it, and of all days",
    "daily yesterday  the results of the day before, and the seed of its deal",
    "daily share      your result as a text to pass on, without a card in it",
    "With an ssh key you have one try a day. It is rated in a list of its own, not in top. If you leave, your game",
    "is kept until the day ends; an unfinished game counts as last. A guest's game does not count.",
    "The place counts first, by cards left if you did not go out; then the cards that you were ahead, or have left;",
    "then fewer turns. The score is the part of the field that you beat, a tie counts half: the field is all who have",
    "played, and 40 games by AI players in your seat that count as much as 20 people. Par is Master's own game.",
    "That a player has two keys cannot be prevented.",
)


class _ResultJson(Struct):
    name: str
    place: int
    """In the game: 1 for a player who went out first."""
    score: float | None
    """The part of the field that was beaten, 0 to 100; null as long as there is no field."""
    you: bool


class _DailyJson(Struct):
    date: str
    number: int
    rules: str
    commitment: str
    seed: str | None
    """Null as long as the day is not over."""
    played: bool
    par: int | None
    """Master's place; null before you have played, and as long as Master plays."""
    results: list[_ResultJson]
    """Best first; empty before you have played."""
    days_in_a_row: int
    """On how many days in a row you have finished the deal."""
    most_days_in_a_row: int


@Command(
    "daily [top|yesterday|share]", pages={"lobby", "between"}, in_full=True, ssh="answer or screen", details=HELP_DAILY
)
async def daily(context: Context, rest: str) -> Answer | None:
    """Play today's deal, the same for all."""
    match rest:
        case "":
            return await _today(context)
        case "top":
            return await _top(context)
        case "yesterday":
            return await _yesterday(context)
        case "share":
            return await _share(context)
    raise InputError("bad_request", f"type daily, daily top, daily yesterday or daily share, not {rest[:20]!r}")


async def _today(context: Context) -> Answer | None:
    """Play, or if that is done or no terminal is there to play in, tell how the day stands."""
    if await _own_score(context):
        return await _results(context)
    if isinstance(context, PlayerSession):
        return await _play(context)
    return await _invitation(context)


async def _play(session: PlayerSession) -> Answer | None:
    """Have the player come to their game with today's deal."""
    snapshot = session.location.snapshot
    if snapshot is not None and snapshot.daily and snapshot.playing and session.side_view is None:
        return Answer(["This is your game with today's deal; daily shows the results when it is over."])
    session.must_be_in_lobby()
    day = session.lobby.dailies.today
    table = await session.lobby.dailies.table_of(session.caller, session.player)
    await session.enter(table, table.play_daily)
    session.note(f"{day.title}: the same cards for everybody {session.lobby.dailies.left_text}. No hints.")
    if session.player.account:
        session.note("This is your one try. If you leave, daily goes on; what is unfinished at its end counts as last.")
    elif not session.caller.may_return:
        session.note("It is in your terminal alone, so it is not rated.")
    else:
        session.note("You are a guest, so it is not rated. With an ssh key it would be.")
        tell_resume_code(session)
    return None


async def _own_score(context: Context) -> DailyScore | None:
    """How the player has done with today's deal; of a guest as long as they are at the table. None before its end."""
    game = await context.lobby.dailies.played(context.player)
    snapshot = context.location.snapshot if isinstance(context, PlayerSession) else None
    if game is None and snapshot is not None and snapshot.daily and not snapshot.playing:
        game = await context.lobby.store.game(snapshot.game)
    found = read_result(game.result).daily if game else UNSET
    return None if found is UNSET or found.day.date != context.lobby.dailies.today.date else found.score


async def _invitation(context: Context) -> Answer:
    """What a player is told outside a session who has not played yet."""
    value = await _value(context, context.lobby.dailies.today, None)
    lines = [
        f"Daily deal {value.number}, {context.lobby.dailies.left_text}: you have not played it yet.",
        f"Rules: {value.rules}, against three {LEVEL} AI players. To play: ssh -t HOST daily",
        f"Commitment: {value.commitment}",
        *_streak_lines(value),
    ]
    if not context.player.account:
        lines.insert(1, "You are a guest: you can play it, but it is not rated. With an ssh key it would be.")
    return Answer(lines, value)


async def _results(context: Context) -> Answer:
    """Today's results, for a player who has played."""
    today = context.lobby.dailies.today
    await context.lobby.standings.count_some()
    results, own = await context.lobby.dailies.results(today.date), await _own_score(context)
    value = await _value(context, today, results)
    lines = [*_head(today.title, results), *_own_lines(context, results, own), *_streak_lines(value)]
    lines += [*_rows(context, results)]
    lines.append("daily share makes a text to pass on; daily yesterday tells the deal of the day before.")
    return Answer(lines, value)


async def _top(context: Context) -> Answer:
    today = context.lobby.dailies.today
    complete = await context.lobby.standings.count_some()
    if await _own_score(context):
        results = await context.lobby.dailies.results(today.date)
        lines, value = [*_head(today.title, results), *_rows(context, results)], await _value(context, today, results)
    else:
        lines = [f"{today.title}: its results are told when you have played it. Type daily."]
        value = await _value(context, today, None)
    best = await context.lobby.standings.top(RATED_AS, LISTED)
    lines += ["", *top_lines("All daily deals", best, context.player.account, drawn=context.scene.drawn)]
    if not complete:
        lines.append("Older games are being counted.")
    return Answer(lines, value)


async def _yesterday(context: Context) -> Answer:
    dailies = context.lobby.dailies
    date = day_before(dailies.today)
    await context.lobby.standings.count_some()
    results = await dailies.results(date)
    day = Day(date, 0.0)
    value = await _value(context, day, results)
    own = results.by_account.get(context.player.account or "")
    lines = [
        *_head(day.title, results),
        *_own_lines(context, results, own.score if own else None),
        *_rows(context, results),
    ]
    if own:
        lines.append(f"Your game: replay {own.game}, review {own.game}")
    lines += [f"Its seed, secret until today: {value.seed}", f"Its commitment, known before: {value.commitment}"]
    return Answer(lines, value)


async def _share(context: Context) -> Answer:
    """The player's result of today in a few lines of ASCII, in which no card is named."""
    today, account = context.lobby.dailies.today, context.player.account
    await context.lobby.standings.count_some()
    results = await context.lobby.dailies.results(today.date)
    own = results.by_account.get(account or "")
    if own is None:
        raise InputError("bad_request", "there is nothing to share yet: finish today's deal with an ssh key first")
    _, record = await find_record(context.lobby.store, own.game, lambda _: None)
    replayed, sizes = await replay_of(record), list[int]()
    for ply in range(replayed.length):
        replayed.to(ply)
        view = replayed.now().snapshot.view
        if view is not None and view.to_move == PERSON:
            sizes.append(view.cards_of(PERSON))
    marks = "".join(MARKS[min(size // CARDS_A_MARK, len(MARKS) - 1)] for size in sizes[::TURNS_SHARED])
    score = _percent_text(results.percent_of(own.score))
    par = [f"Par: {_place(results.par)}"] if results.par else []
    return Answer([f"Quatch, {today.title.lower()}: {_place(own.score)} of 4, score {score}", *par, f"|{marks}|"])


def _head(title: str, results: DayResults) -> list[str]:
    return [f"{title}, {results.date}: {quantity(len(results.by_account), 'player')}."]


def _own_lines(context: Context, results: DayResults, own: DailyScore | None) -> list[str]:
    """How the player did, and Master."""
    is_today = results.date == context.lobby.dailies.today.date
    lines = [f"Par, Master's own game: {_score_text(results.par)}."] if results.par else []
    if is_today and not lines:
        lines = ["Master still plays it: ask again in a moment."]
    if own is None:
        return ["You did not play it.", *lines]
    is_listed = (context.player.account or "") in results.by_account
    score = _percent_text(results.percent_of(own, is_listed=is_listed))
    guest = "" if context.player.account else " You are a guest: this counts for nobody."
    par = f" {_beside_par(own, results.par)}" if results.par else ""
    return [f"You: {_score_text(own)}; score {score}.{par}{guest}", *lines]


def _beside_par(own: DailyScore, par: DailyScore) -> str:
    """How many places better or worse than Master the player did."""
    places = own.place - par.place
    if not places:
        return "Level with par."
    return f"{quantity(abs(places), 'place')} {'worse' if places > 0 else 'better'} than par."


def _streak_lines(value: _DailyJson) -> list[str]:
    """How many days in a row the player has finished the deal; nothing as long as there are no two."""
    if value.most_days_in_a_row < 2:
        return []
    return [f"Days in a row: {value.days_in_a_row}, at best {value.most_days_in_a_row}."]


def _rows(context: Context, results: DayResults) -> list[str]:
    """The best results as a table, and that of the player."""
    best, own = results.best(LISTED), context.player.account or ""
    if own in results.by_account and own not in best:
        best.append(own)
    return [_row(context, account, results) for account in best]


def _row(context: Context, account: str, results: DayResults) -> str:
    number, row, you = results.number_of(account), results.by_account[account], account == context.player.account
    score = _percent_text(results.percent_of(row.score))
    if not context.scene.drawn:
        return f"{number}. {row.name}{', you' if you else ''}: {_score_text(row.score)}; score {score}."
    name = pad(row.name + (" (you)" if you else ""), NAME_LENGTH + len(" (you)"))
    return f"{number:>3}. {name} {score:>6}  {_score_text(row.score)}"


def _score_text(score: DailyScore) -> str:
    if score.turns == 0:
        return "not finished"
    ahead = f"{quantity(score.margin, 'card')} ahead" if score.margin > 0 else f"{quantity(-score.margin, 'card')} left"
    return f"{_place(score)}, {ahead}, {quantity(score.turns, 'turn')}"


def _place(score: DailyScore) -> str:
    return ORDINALS[score.place - 1]


def _percent_text(percent: Fraction | None) -> str:
    return "-" if percent is None else f"{float(percent):.1f}"


async def _value(context: Context, day: Day, results: DayResults | None) -> _DailyJson:
    """What programs are told; ``results`` is None for a player who may not know them yet."""
    dailies = context.lobby.dailies
    seed, is_over = await dailies.deals.seed(day.date), day.date != dailies.today.date
    streak = await dailies.streak(context.player)
    shown = [(account, results.by_account[account]) for account in results.best(LISTED)] if results else []
    return _DailyJson(
        day.date,
        day.number,
        DEFAULT,
        daily_commitment(day.date, seed),
        seed if is_over else None,
        bool(results and (context.player.account or "") in results.by_account),
        results.par.place if results and results.par else None,
        [
            _ResultJson(
                row.name,
                row.score.place,
                None if (score := results.percent_of(row.score)) is None else round(float(score), 1),
                account == context.player.account,
            )
            for account, row in shown
            if results
        ],
        streak.at(dailies.today.date),
        streak.best,
    )
