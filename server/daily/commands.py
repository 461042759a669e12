"""The daily deal: playing it, its results, those of the day before, and a text to share."""

import re
from collections.abc import Collection
from fractions import Fraction
from typing import Final

from msgspec import Struct

from engine.errors import InputError
from engine.rulesets import DEFAULT
from engine.wording.phrases import listed, quantity
from server.commands.finding import Understands, spoken
from server.commands.games import OwnLine, ResultLine
from server.commands.registry import Answer, Command, Context, declared_in
from server.daily import deal
from server.daily.choice import PAR_GAMES
from server.daily.results import KEPT_DAYS, DailyRow, DayResults, forget_results, kept_of
from server.daily.service import Dailies
from server.features import Feature
from server.history.archive import find_game, record_of
from server.history.ratings import RatedApart
from server.history.top import name_cell, top_lines
from server.history.when_a_day_begins import END_TEXT
from server.language.event_text import ordinal
from server.lobby.lobby import Lobby, Runs
from server.lobby.personal_data import PersonalData
from server.people.players import Player
from server.pieces import in_pieces
from server.player.player_session import PlayerSession
from server.records.record import decisions_of
from server.records.results import read_result
from server.render.scene import AfterGame, LobbyHint

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
    begun: bool
    """Whether you have begun it today, over or not."""


def head(results: DayResults) -> str:
    """The first line of a page of results."""
    return f"{deal.day_of(results.date).title}, {results.date}: {quantity(len(results.by_account), 'player')}."


def own_lines(context: Context, results: DayResults, own: DailyRow | deal.DailyResult | None) -> list[str]:
    """How the player did, and Master."""
    is_today, par = results.date == dailies_of(context).today.date, results.par(context.player.account)
    whose = f"the middle one of {PAR_GAMES} games by Master, our strongest AI player"
    lines = [f"Par, {whose}: {_score_text(par)}."] if par else []
    if is_today and deal.AI_VERSION not in results.fields:
        lines.append("Master still plays it: ask again in a moment.")
    if own is None:
        return ["You did not play it.", *lines]
    guest = "" if context.player.account else " You are a guest: this counts for nobody."
    compared = f", {beside_par(own.score, par)}" if par else ""
    return [f"You: {_result_text(results, own, context.player.account)}{compared}.{guest}", *lines]


def beside_par(own: deal.DailyScore, par: deal.DailyScore) -> str:
    """Whether the player did better or worse than Master."""
    how = "the same as" if own.margin == par.margin else f"{'better' if own.margin > par.margin else 'worse'} than"
    return f"{how} par"


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
    if not context.scene.drawn:
        return f"{number}. {row.name}{', you' if you else ''}: {_result_text(results, row, account)}."
    score = percent_text(results.percent_of(row, account))
    return f"{number:>3}. {name_cell(row.name, you=you)} {score:>6}  {_score_text(row.score)}"


def _result_text(results: DayResults, result: DailyRow | deal.DailyResult, account: str | None) -> str:
    return f"{_score_text(result.score)}; score {percent_text(results.percent_of(result, account))}"


def _score_text(score: deal.DailyScore) -> str:
    if score.turns == 0:
        return "not finished"
    return f"{_cards_text(score)}, {quantity(score.turns, 'turn')}"


def _cards_text(score: deal.DailyScore) -> str:
    return f"won, {score.margin} cards ahead" if score.margin > 0 else f"{quantity(-score.margin, 'card')} left"


def end_text(score: deal.DailyScore) -> str:
    """How a game ended for its player, behind "I" or another name."""
    return "won" if score.margin > 0 else f"had {quantity(-score.margin, 'card')} left"


def percent_text(percent: Fraction | None) -> str:
    """A score; a dash as long as there is none."""
    return "-" if percent is None else f"{float(percent):.1f}"


async def daily_value(context: Context, date: str, results: DayResults | None) -> DailyJson:
    """What programs are told; ``results`` is None for a player who may not know them yet."""
    dailies, account = dailies_of(context), context.player.account
    seed, is_over = await dailies.deals.seed(date), date != dailies.today.date
    streak = await dailies.streak(context.player)
    par = results.par(account) if results else None
    return DailyJson(
        date,
        deal.day_of(date).number,
        DEFAULT,
        deal.daily_commitment(date, seed),
        seed if is_over else None,
        bool(results and (account or "") in results.by_account),
        par.margin if par else None,
        [_result_json(results, each, you=each == account) for each in results.best(LISTED)] if results else [],
        streak.at(dailies.today.date),
        streak.best,
        begun=not is_over and await dailies.has_begun(context.player),
    )


def _result_json(results: DayResults, account: str, *, you: bool) -> ResultJson:
    row = results.by_account[account]
    score = results.percent_of(row, account)
    rounded = None if score is None else round(float(score), 1)
    return ResultJson(row.name, results.number_of(account), row.score.margin, rounded, you, row.ai_version)


SHARE: Final = "To pass on your result, type daily share."
"""What a player reads at the end of a game with a daily deal that counts."""
MOST_COUNTS: Final = 12
"""A shared text tells at most so many times how many cards the player had."""
WORDS: Final = ("top", "yesterday", "share", "again")
"""What can be typed behind `daily`."""
_ANOTHER: Final = re.compile("(play )?again|(another|one more)( game)?|another one|rematch")
"""How players ask for another game."""
HELP_DAILY: Final = (
    f"Each day at {END_TEXT} by the server's clock there is a new deal, the same for all on this server.",
    f"You play against three {deal.LEVEL} AI players. There are no hints, and nobody can watch.",
    "daily            play it, or go on; once you have played it: how you and the others did",
    "daily top        the best of today, once you have played it, and of all days",
    "daily yesterday  the results of the day before, and the seed of its deal",
    "daily share      your result as a text to pass on, without a card in it",
    "daily again      the same cards from the beginning, as often as you like once you have played them; unrated",
    "daily again yesterday  those of the day before, which everybody may know by now",
    "With an ssh key you have one try a day, which is rated in a list of its own, not in top.",
    "If you leave, your game is kept until the day ends; an unfinished game counts as last.",
    "A guest's game does not count. Somebody with two keys can play twice: the server cannot tell.",
    "Winners come first: the more cards the others had left, the better. Of the others fewer cards left are better.",
    "If that is equal, fewer turns are better.",
    "The score says how many of 100 others you beat; a tie counts half.",
    "The others are all who have played, and 40 games of AI players in your seat, which count as 20 people.",
    "After an update that changes AI players only games against the same ones are compared.",
    f"Par: Master, the strongest AI player, plays the deal {PAR_GAMES} times; the middle result is par.",
)


@Command(
    "daily [top|yesterday|share|again]",
    may=lambda context: context.place.name in {"lobby", "ssh"} or _is_in_lobby_after_it(context),
    pages={"lobby", "between"},
    in_full=True,
    ssh="answer or screen",
    shows_over_ssh=True,
    details=HELP_DAILY,
    words="today, challenge, today's game, today's deal, daily deal, daily game",
)
async def daily(context: Context, rest: str) -> Answer | None:
    """Play today's deal, the same for all."""
    match rest:
        case "" if await _own_result(context):
            return await _page(context, dailies_of(context).today.date)
        case "":
            return await (_play(context) if isinstance(context, PlayerSession) else _invitation(context))
        case "top":
            return await _top(context)
        case "yesterday":
            return await _page(context, deal.day_before(dailies_of(context).today.date))
        case "share":
            return await _share(context)
        case "again" | "again yesterday":
            await _again(context, yesterday=rest != "again")
            return None
    raise InputError("bad_request", f"type daily, or daily and one of {listed(WORDS)}, not {rest[:20]!r}")


async def own_line(context: Context) -> str:
    """What a player is told of their daily deals on their own page."""
    dailies = dailies_of(context)
    streak = await dailies.streak(context.player)
    has_begun = await dailies.has_begun(context.player)
    begun = "begun today, not finished: type daily to go on" if has_begun else "not played today"
    today = "played today" if await dailies.played(context.player) else begun
    days = streak.at(dailies.today.date)
    return f"{today}; {quantity(days, 'day')} in a row, at best {streak.best}" if days or streak.best else today


def _hint(lobby: Lobby, player: Player, seats: Collection[int]) -> LobbyHint | None:
    """Whether the player has played today's deal, as the lobby's screen says it; of guests only if they have begun."""
    dailies = lobby.service(Dailies)
    if dailies.is_known_to_have_played(player):
        return LobbyHint("daily", "you have played it today; see how others did")
    if table := dailies.begun_at(player, seats):
        return LobbyHint("daily", "today's deal: begun; type daily to go on", table=table)
    # A seat that is kept may be that of the deal, begun in another process.
    about = f"today's deal{'' if seats else f' ({deal.LEVEL}, one try): not played yet'}"
    return LobbyHint("daily", about) if player.account else None


async def end_line(session: PlayerSession, game: str) -> str:
    """How a game with a daily deal that has just ended compares with those of others."""
    found = await _result_here(session)
    if found is None or session.game != game:
        return ""
    results = await dailies_of(session).results(found.day.date)
    percent = results.percent_of(found, session.player.account)
    par = results.par(session.player.account)
    beaten = "" if percent is None else f"Here you did better than {float(percent):.0f}% of people and AI players"
    compared = f"{beaten}{f', and {beside_par(found.score, par)}' if par else ''}." if beaten else ""
    may_share = session.player.account and not found.day.again
    return f"{compared} {SHARE if may_share else ''}".strip()


def _line_for(line: str, context: Context) -> str:
    """What is meant about a daily deal: after it, another game is one with the same cards; share shares its result."""
    if (said := spoken(line)) == "share" and (_game_here(context) or _is_in_lobby_after_it(context)):
        return "daily share"
    is_over = _game_here(context) and context.snapshot and not context.snapshot.playing
    return "daily again" if is_over and _ANOTHER.fullmatch(said) else ""


def _is_in_lobby_after_it(context: Context) -> bool:
    return context.snapshot is None and dailies_of(context).is_known_to_have_played(context.player)


async def _play(session: PlayerSession) -> Answer | None:
    """Have the player come to their game with today's deal."""
    here = _game_here(session)
    if here and not here.again and session.in_game and session.side_view is None:
        return Answer(["This is your game with today's deal; daily shows the results when it is over."])
    session.must_be_in_lobby()
    dailies = dailies_of(session)
    day = dailies.today
    table = await dailies.table_of(session.caller, session.player)
    await session.enter(table, table.play)
    whose = "without a server; a server deals others" if session.caller.is_alone else "on this server"
    session.note(f"{day.title}: the same cards for everybody {whose}, {dailies.left_text}. No hints.")
    dailies.note_begun(session.player, table.number)
    if session.player.account:
        session.note("This is your one try. If you leave, daily goes on; what is unfinished at its end counts as last.")
    elif session.caller.is_alone:
        session.note("It is in your terminal alone, so it is not rated.")
    else:
        session.note("You are a guest, so it is not rated. With an ssh key it would be.")
        session.tell_way_back()
    return None


async def _again(context: Context, *, yesterday: bool) -> None:
    """Have the player begin anew with a deal that they may know: of the day before, of their table, or of today."""
    dailies, here = dailies_of(context), _game_here(context)
    date = here.date if here else dailies.today.date
    date = deal.day_before(dailies.today.date) if yesterday else date
    may_know = date < dailies.today.date or (here and here.again) or await _own_result(context)
    if not may_know:
        raise InputError(
            "bad_request", "type daily to play today's deal first; daily again yesterday deals that of the day before"
        )
    if not isinstance(context, PlayerSession):
        raise InputError("bad_request", "to play it again you need a terminal: ssh -t HOST daily again")
    is_done_here = here and (here.again or not context.in_game)
    if not is_done_here:
        context.must_be_in_lobby()
    table = await dailies.table_again(context.caller, context.player, date)
    if is_done_here:
        await context.leave_table()
    await context.enter(table, table.play)
    context.note("The same cards from the beginning. This game does not count; daily again begins anew.")
    context.tell_way_back()


def _game_here(context: Context) -> deal.DailyGame | None:
    """The game with a daily deal at the player's table."""
    snapshot = context.location.snapshot if isinstance(context, PlayerSession) else None
    return deal.daily_of(snapshot.occasion) if snapshot else None


async def _own_result(context: Context) -> deal.DailyResult | None:
    """How the player has done with today's deal; of a guest as long as they are at the table. None before its end."""
    if game := await dailies_of(context).played(context.player):
        return deal.daily_result(read_result(game.result))
    found = await _result_here(context)
    return found if found and found.day.date == dailies_of(context).today.date else None


async def _result_here(context: Context) -> deal.DailyResult | None:
    """The result of the game with a daily deal that is over at the player's table."""
    snapshot = context.location.snapshot if isinstance(context, PlayerSession) else None
    if snapshot is None or not deal.daily_of(snapshot.occasion) or snapshot.playing:
        return None
    game = await context.lobby.store.game(snapshot.game)
    return deal.daily_result(read_result(game.result)) if game else None


async def _invitation(context: Context) -> Answer:
    """What a player is told outside a session who has not played yet."""
    dailies = dailies_of(context)
    value = await daily_value(context, dailies.today.date, None)
    played = "begun it, but not finished" if value.begun else "not played it yet"
    lines = [
        f"Daily deal {value.number}, {dailies.left_text}: you have {played}.",
        f"Rules: {value.rules}, against three {deal.LEVEL} AI players. To play: ssh -t HOST daily",
        f"Commitment: {value.commitment}",
        *streak_lines(value),
    ]
    if not context.player.account:
        lines.insert(1, "You are a guest: you can play it, but it is not rated. With an ssh key it would be.")
    return Answer(lines, value)


async def _page(context: Context, date: str) -> Answer:
    """The results of today, for a player who has played, or of the day before."""
    dailies, account = dailies_of(context), context.player.account
    results = await dailies.results(date)
    value, is_today = await daily_value(context, date, results), date == dailies.today.date
    kept = results.by_account.get(account or "")
    lines = [head(results), *own_lines(context, results, await _own_result(context) if is_today else kept)]
    again = await _result_here(context)
    if again and again.day.again and again.day.date == date:
        lines.append(f"Again, which does not count: {_result_text(results, again, account)}.")
    lines += [*(streak_lines(value) if is_today else []), *rows(context, results)]
    if is_today:
        share = "daily share makes a text to pass on; " if account else ""
        ways = f"daily again deals the same cards, unrated; {share}daily yesterday tells the deal of the day before."
        return Answer([*lines, ways], value)
    if kept:
        ways = ", ".join(f"{each.word} {kept.game}" for each in context.lobby.features.all(AfterGame))
        lines += [f"Your game: {ways}"] if ways else []
    lines += [f"Its seed, secret until today: {value.seed}", f"Its commitment, known before: {value.commitment}"]
    return Answer([*lines, "daily again yesterday deals the same cards, unrated."], value)


async def _top(context: Context) -> Answer:
    dailies = dailies_of(context)
    today = dailies.today
    complete = await context.lobby.standings.count_some()
    results = await dailies.results(today.date) if await _own_result(context) else None
    value = await daily_value(context, today.date, results)
    lines = [f"{today.title}: its results are told when you have played it. Type daily."]
    if results:
        lines = [head(results), *rows(context, results)]
    best = await context.lobby.standings.top(deal.RATED_AS, LISTED)
    lines += ["", *top_lines("All daily deals", best, context.player.account, drawn=context.scene.drawn)]
    if not complete:
        lines.append("Older games are being counted.")
    return Answer(lines, value)


async def _share(context: Context) -> Answer:
    """The player's result of today in a few lines that need no explanation and name no card."""
    dailies, account = dailies_of(context), context.player.account
    results = await dailies.results(dailies.today.date)
    own = results.by_account.get(account or "")
    if own is None:
        raise InputError("bad_request", _nothing_to_share(context))
    record = await record_of(await find_game(context.lobby.store, own.game))
    held = [turn.view.cards_of(deal.PERSON) for turn in await in_pieces(decisions_of(record, deal.PERSON))]
    step = max(1, -(-len(held) // MOST_COUNTS))
    held, when = held[::step], "turn by turn" if step == 1 else f"every {ordinal(step)} turn"
    beaten, par, address = results.percent_of(own, account), results.par(account), context.lobby.ssh_address
    better = "" if beaten is None else f" I did better than {float(beaten):.0f}% of people and AI players."
    master = [f"The strongest AI player in my place {end_text(par)}."] if par else []
    join = [f"Play the same cards: ssh -t {address} daily"] if address else []
    result = f"I {end_text(own.score)} against three AI players.{better}"
    counts = f"How many cards I held, {when}: {' '.join(map(str, held))}"
    return Answer([f"Quatch, the daily card game, {results.date}", result, *master, counts, *join])


def _nothing_to_share(context: Context) -> str:
    """Why a player has no result of today to share, and what would give them one."""
    if context.caller.is_alone:
        return "there is nothing to share: only servers keep results, of players with an ssh key"
    if not context.player.account:
        return "there is nothing to share: the results of guests are not kept, those of players with an ssh key are"
    return "there is nothing to share yet: finish today's deal, then daily share makes a text of your result"


FEATURE: Final = Feature(
    "daily",
    (
        *declared_in(__name__),
        Runs(Dailies),
        Understands(_line_for),
        LobbyHint("daily", f"one deal a day, against three {deal.LEVEL} AI players", _hint),
        OwnLine("daily streak", own_line),
        ResultLine(end_line),
        PersonalData(
            name="daily",
            told=lambda _: f"your results in the daily deals of the last {KEPT_DAYS} days",
            read=kept_of,
            forget=forget_results,
        ),
        RatedApart(deal.RATED_AS, "daily top lists the best of the daily deals"),
    ),
)
