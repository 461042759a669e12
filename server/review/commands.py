"""`review`: which moves cost most in a finished game. `habits`: the mistakes that a player makes again and again.

A player waits for a review while they go on with what they do.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import Final

import structlog

from engine.ai.mistakes import Mistake
from engine.errors import InputError
from engine.rules import Json
from engine.wording.phrases import quantity
from server.ai.pool import WorkerFailed
from server.commands.finding import Understands, spoken
from server.commands.games import OwnLine, ResultLine, id_of, kept_record, last_seen, where_listed
from server.commands.registry import Answer, Command, Context, declared_in
from server.fair_queue import PAYER
from server.features import Feature
from server.limits import SEARCHES_PER_ADDRESS
from server.lobby.lobby import Lobby, Runs
from server.player.player_session import PlayerSession
from server.records.results import read_result
from server.render.scene import AfterGame
from server.review import text
from server.review.habits import GAMES_NEEDED, Habits, HabitSearch
from server.review.review import Review, ReviewSubject, Tick, review_game, review_subject, reviewed_game, seat_and_game

_MOVE: Final = re.compile(r"(?:(?:.* )?(?:move|turn) (?:number )?|review (?=\d\d))?#?(\d+)")
"""How a player names a move of the game that has just ended; a review of one digit is that of a seat."""
PARTS: Final = 5
"""How often plain lines tell of the progress."""

log = structlog.get_logger("quatch.review")


AT_ONCE_SECONDS: Final = 0.1
"""A review that is there by then needs no word of its progress."""


class ReviewTask:
    """A review that a player waits for."""

    def __init__(self, session: PlayerSession, subject: ReviewSubject, before: asyncio.Task[None] | None) -> None:
        """It begins when the review ``before`` has freed its place.

        A player who looks at something else when it is done is told that it is ready, and not shown it.
        """
        self._session, self._front_end, self.subject = session, session.front_end, subject
        self._asked_at = _looked_at(session)
        self.said = text.review_progress(subject)
        """What was said last of its progress."""
        self.task = asyncio.create_task(self._run(before))

    def stop(self) -> list[str]:
        """Stop it. Returns what to say."""
        self.task.cancel()
        return ["The review has stopped."]

    def _tick(self, done: int, turns: int) -> None:
        """Tell how many turns are done: on a screen of every one, in lines of every fifth part."""
        if not done or _looked_at(self._session) != self._asked_at:
            return  # the answer that says so is still on its way, or the player looks at something else
        line = text.review_progress(self.subject, done, turns)
        said, self.said = self.said, line
        if self._front_end.is_drawn:
            self._front_end.progressed(line, instead_of=said)
        elif done < turns and PARTS * done // turns > PARTS * (done - 1) // turns:
            self._front_end.told([line])

    async def _run(self, before: asyncio.Task[None] | None) -> None:
        """Make the review, and show it or say that it is ready."""
        past = self.subject
        if before is not None:
            await asyncio.wait([before])
        number_means = ""
        try:
            review = await PAYER.get().run(_reviewed(self._session.lobby, past, self._tick))
            lines = text.review_lines(review)
            way = _way_to_moves(self._session.lobby)
            if way and self._session.may_look_back:
                number_means = way.format(game=past.record.id, move="{}", seat=past.seat + 1)
                lines.append(text.how_to_see_moves(review, number_means, on_page=self._front_end.is_drawn))
        except InputError as error:
            lines = [error.sentence]
        except Exception:
            log.exception("review failed", game=past.record.id)
            lines = ["That went wrong here; it is logged."]
        if self._session.waits_for is self:
            self._session.waits_for = None
        if _looked_at(self._session) == self._asked_at and not self._front_end.is_reading:
            self._front_end.answered("review", lines, number_means=number_means)
        else:
            is_last = self._session.may_look_back and last_seen(self._session) == past.record.id
            line = text.review_ready(past, is_last=is_last) if len(lines) > 1 else lines[0]
            self._session.note(line) if self._session.at_table else self._front_end.answered("", [line])


def _looked_at(session: PlayerSession) -> object:
    """What the player looks at: a side view, or a game at a table. Another value means something newer."""
    location = session.location
    return session.side_view, location.table, location.snapshot and location.snapshot.game


_WORDS: Final[Mapping[Mistake, str]] = {
    "takes": "You take the pile when playing a card is better",
    "leaves": "You play a card when taking the pile is better",
    "powers early": "You spend special cards when an ordinary one is better",
    "powers late": "You keep special cards when playing one is better",
    "high": "You play too high a card",
    "low": "You play too low a card",
    "many": "You play too many cards of a rank at once",
    "few": "You play too few cards of a rank at once",
}
HELP_HABITS: Final = (
    f"It needs {GAMES_NEEDED} games that you have finished here with an ssh key.",
    "Each of your moves is compared with the best one that a short search finds.",
    "A mistake is a habit if it came five times, and twice as often as its opposite.",
)


@Command(
    "review [ID] [SEAT]",
    may=lambda context: (
        (now := context.snapshot) and now.seat is not None and (now.stats or now.place.kind == "record")
    ),
    pages={"between", "record"},
    aliases=("c",),
    ssh="answer or screen",
    shows_over_ssh=True,
    needs_name=True,
    words="analyse, analyze, analysis",
)
async def review(context: Context, rest: str) -> Answer:
    """Find the costly moves in a finished game."""
    subject = await _subject(context, *seat_and_game(rest.split()))
    if isinstance(context, PlayerSession):
        before = context.waits_for if isinstance(context.waits_for, ReviewTask) else None
        if before is not None and before.subject == subject:
            return Answer([before.said])
        context.stop_waiting()
        context.waits_for = task = ReviewTask(context, subject, before.task if before else None)
        await asyncio.wait([task.task], timeout=AT_ONCE_SECONDS)  # it may have been made before
        return Answer(() if task.task.done() else [task.said])
    found = await _reviewed(context.lobby, subject)
    return Answer(text.review_lines(found), reviewed_game(found))


async def _reviewed(lobby: Lobby, subject: ReviewSubject, tick: Tick = lambda _, __: None) -> Review:
    """A review, as one of the long searches of the payer's address. Raises InputError, also if that has too many."""
    try:
        with lobby.ledger.held(SEARCHES_PER_ADDRESS, PAYER.get().address.share):
            return await review_game(subject, lobby.ai_pool, tick)
    except WorkerFailed:
        raise InputError("failed", "the review was interrupted: try again") from None


def _way_to_moves(lobby: Lobby) -> str:
    """How a move of a finished game is seen, see `AfterGame.at_move`; empty if no feature shows it."""
    return next((each.at_move for each in lobby.features.all(AfterGame) if each.at_move), "")


async def _subject(context: Context, game_id: str, seat: str) -> ReviewSubject:
    """The turns of a seat, by default the player's own, in a game, by default the last that they saw or played."""
    player = context.player
    if not game_id and isinstance(context, PlayerSession):
        view = context.side_view
        if view and view.record:
            shown = view.snapshot.view
            seat = seat or ("" if shown is None or shown.seat is None else str(shown.seat + 1))
            return review_subject(view.record, seat, account=player.account, name=player.name)
        if context.in_game:
            raise InputError("wrong_phase", "a review of this game can be had when it is over")
    if not (game_id := await id_of(context, game_id or "last")):
        raise InputError("bad_request", f"which game? Type review ID{where_listed(context, '; ')}")
    game, record = await kept_record(context, game_id)
    return review_subject(record, seat, result=read_result(game.result), account=player.account, name=player.name)


@Command("habits", on_server=True, pages={"between"}, in_full=True, read_only=True, ssh="answer", details=HELP_HABITS)
async def habits(context: Context, _: str) -> Answer:
    """Show mistakes that you make often."""
    found, waiting = await context.lobby.service(HabitSearch).of(context.player)
    lines = [_sentence(found, mistake) for mistake in found.worst]
    if found.counted >= GAMES_NEEDED:
        seen = f"{quantity(found.turns, 'turn')} in {quantity(found.counted, 'game')}"
        lines = [f"Seen in {seen}:", *lines] if lines else [f"No bad habit in {seen}: well played."]
    else:
        lines = [f"Habits show after {GAMES_NEEDED} games. Looked through so far: {found.counted}."]
    if waiting:
        lines.append(f"Still to look through: {quantity(waiting, 'game')}. Ask again in a minute.")
    value: Mapping[str, Json] = {
        "games": found.counted,
        "needed": GAMES_NEEDED,
        "turns": found.turns,
        "waiting": waiting,  # so many more games are being looked through
        "habits": [  # the points are what one costs each time on average, in 100
            {"mistake": each, "times": found.of(each).times, "points": round(_points(found, each), 1)}
            for each in found.worst
        ],
    }
    return Answer(lines, value)


async def own_line(context: Context) -> str:
    """The player's worst habit, as far as their games are looked through, for their own page."""
    found = await context.lobby.service(HabitSearch).known_habits(context.player)
    return _WORDS[found.worst[0]] if found.worst else ""


async def costliest_move(session: PlayerSession, game: str) -> str:
    """The move that cost the player most in the game that has just ended, as `review` tells it; empty if none did."""
    try:
        found = await review_game(await _subject(session, game, ""), session.lobby.ai_pool)
    except (InputError, WorkerFailed):
        return ""
    return text.costliest_sentence(found)


def _line_for(line: str, context: Context) -> str:
    """Where a game is over, a number is that of a move, as what is told of the costliest one names it."""
    snapshot = context.snapshot
    named = _MOVE.fullmatch(spoken(line)) if context.place.kind == "table" else None
    if not (named and snapshot and snapshot.stats):
        return ""
    return _way_to_moves(context.lobby).format(game=snapshot.game, move=named[1], seat=(snapshot.seat or 0) + 1)


def _sentence(found: Habits, mistake: Mistake) -> str:
    times = found.of(mistake).times
    return f"{_WORDS[mistake]}: {times} times. Each cost {_points(found, mistake):.0f} percent on average."


def _points(found: Habits, mistake: Mistake) -> float:
    return 100 * found.of(mistake).cost / found.of(mistake).times


FEATURE: Final = Feature(
    "review",
    (
        *declared_in(__name__),
        AfterGame("c", "review", "to hear what your moves cost"),
        Runs(HabitSearch),
        Understands(_line_for),
        OwnLine("habit", own_line),
        ResultLine(costliest_move),
    ),
)
