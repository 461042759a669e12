"""Questions: commands that only look at what the player sees, and change nothing."""

from functools import partial
from random import Random
from typing import Final

from engine.ai.explain import HINT_DEPTH, glance, suggestion_of
from engine.ai.verdict import Verdict
from engine.cards import RANKS, rank_label, ranks_in
from engine.errors import BadMove, InputError, Refused
from engine.legality import check, legal_moves
from engine.moves import PICK_UP, READY, Play, pick, play_of
from engine.odds import last_play_note
from engine.view import View
from engine.wording.own_cards import own_cards_text
from engine.wording.phrases import a_card, listed, quantity
from engine.wording.pile_text import playable_reason
from engine.wording.rule_keys import key_lines
from engine.wording.rules_sheet import pick_up_note
from engine.wording.typed_moves import typed_form
from server import VERSION
from server.ai.pool import WorkerFailed
from server.commands.registry import ON_SHOW, Answer, Command, Context
from server.language import position_text
from server.language.event_text import rank_text, sentences
from server.language.hint_text import hint_details, odds_lines
from server.language.parsing import RANK_WORDS
from server.number_text import read_number
from server.player.player_session import PlayerSession
from server.render.scene import AfterGame
from server.rulebook import sheet
from server.table.snapshot import Snapshot

HINT_SEED: Final = "hint"
"""Equal positions get equal hints."""
LINES_TOLD: Final = 20
"""How many lines of a game's log are told in plain lines if no number is named."""
NOT_SEARCHED: Final = "This is only a quick guess: type hint again for a better one."

question = partial(Command, read_only=True)


@question("why CARD", where={"table", "exercise"}, pages={"game", "exercise"}, aliases=("y",), words="why not")
async def why(context: Context, rest: str) -> Answer:
    """Tell why a card can or cannot be played now."""
    view, seat = _game(context)
    name = (rest.split() or [""])[-1].lower()  # of a sentence, as in why can't I play a 4
    if name in {"p", "up", "pile"}:
        try:
            check(view, seat, PICK_UP)
        except Refused as refused:
            return Answer([refused.message])
        is_hinted = isinstance(context, PlayerSession) and context.feed.hinted.startswith("p")
        return await hint(context, "more") if is_hinted else Answer([pick_up_note(view.rules)])
    try:
        rank = pick(RANK_WORDS.get(name, name)).rank
    except BadMove:
        if isinstance(context, PlayerSession) and context.feed.hinted and not context.feed.refused:
            return await hint(context, "more")
        held = view.hands[seat] or view.ups[seat]
        card = rank_label(min((rank for rank, _ in ranks_in(held)), default=RANKS.index("7")))
        return Answer([context.scene.reason or f"Ask about a card: why {card}"])
    if not any(isinstance(move, Play) and move.picks[0].rank == rank for move in legal_moves(view, seat)):
        try:
            check(view, seat, play_of(rank, 1))
        except Refused as refused:
            return Answer([refused.message])
    if isinstance(context, PlayerSession) and rank_label(rank).lower() in context.feed.hinted.split():
        return await hint(context, "more")
    note = last_play_note(view, [play_of(rank, 1)])
    return Answer([f"You can play {a_card(rank)} now: {playable_reason(view, rank)}. {note}".rstrip()])


@question(
    "hint [more]",
    may=lambda context: (now := context.snapshot) and now.my_turn and now.playing and now.hints,
    where={"table"},
    pages={"game"},
    aliases=("h",),
    details=("hint more: all reasons, what you keep, and what the next player can do.",),
    words=(
        "suggest, suggestion, advice, tip, best move, what should, what should play, what play, which card, "
        "which card play, no idea, stuck, i'm stuck"
    ),
)
async def hint(context: Context, rest: str) -> Answer:
    """Suggest a move, and say why."""
    if rest not in {"", "more"}:
        raise InputError("bad_request", f"type hint, or hint more for all reasons, not {rest[:20]!r}")
    view = _game(context)[0]
    _must_allow_hints(context)
    if view.phase == "over":
        raise InputError("not_your_turn", "the game is over: type start for another")
    if view.seat in view.places:
        raise InputError("not_your_turn", "you are out, and your place counts: leave goes back to the lobby")
    if not _snapshot(context).my_turn:
        raise InputError("not_your_turn", "it is not your turn")
    snapshot, suggestion, failure = _snapshot(context), glance(view, Random(HINT_SEED)), list[str]()
    if not suggestion.is_certain:
        try:
            verdict = await context.lobby.ai_pool.finish(Verdict(view, HINT_SEED, HINT_DEPTH), in_background=False)
            suggestion = suggestion_of(view, verdict) or suggestion  # there may be no world that agrees with the view
        except WorkerFailed:
            failure = [NOT_SEARCHED]
        now = context.snapshot
        if now is None or (now.game, now.ply) != (snapshot.game, snapshot.ply):
            raise InputError("stale", "the game went on before the hint was found")
    said = hint_details(snapshot, view, suggestion) if rest else [suggestion.sentence]
    said += filter(None, [last_play_note(view, [suggestion.move])])
    if view.phase == "arrange" and view.rules.arrange_mode == "swap" and suggestion.move != READY:
        said += ["Type ready to keep your cards as they are."]
    if isinstance(context, PlayerSession):
        context.feed.hinted, context.feed.refused = typed_form(suggestion.move), ""
    return Answer([" ".join(said), *failure])


@question(
    "odds",
    may=lambda context: context.snapshot and context.snapshot.playing and context.snapshot.hints,
    where=ON_SHOW,
    pages={"game", "exercise"},
    aliases=("o",),
    words="chances, probability",
)
async def odds(context: Context, _: str) -> Answer:
    """Show the odds of cards that you cannot see."""
    _must_allow_hints(context)
    return Answer(odds_lines(_snapshot(context)))


@question(
    "turn",
    where=ON_SHOW,
    pages=(),
    words="whose turn, whose turn is it, is it my turn, my turn, how, how play, how play ..., which ..., can't play",
)
async def turn(context: Context, _: str) -> Answer:
    """Show whose turn it is, and the choices."""
    snapshot = _snapshot(context)
    if snapshot.place.guides and isinstance(context, PlayerSession):
        return Answer(_log_lines(context)[-1:])  # what is to be done there
    return Answer(
        [" ".join([position_text.turn_text(snapshot, context.scene.clock_left), *position_text.choices_text(snapshot)])]
    )


@question(
    "hand",
    may=lambda context: context.snapshot and context.snapshot.view and context.snapshot.view.seat is not None,
    where={"table", "exercise"},
    pages=(),
    words="my cards, my hand, show cards, show hand, show my cards, show my hand",
)
async def hand(context: Context, _: str) -> Answer:
    """Show your cards."""
    return Answer(list(own_cards_text(*_game(context))))


@question(
    "where",
    may=lambda context: context.snapshot,
    pages={"game", "record", "exercise"},
    aliases=("w",),
    words="look, status, state, show, show table, cards, where am i, how many cards ...",
)
async def where(context: Context, _: str) -> Answer:
    """Show the whole table."""
    snapshot = _snapshot(context)
    at = f"where, at {count} {snapshot.ply}" if snapshot.playing and (count := snapshot.place.count) else ""
    return Answer(list(position_text.table_text(snapshot, context.scene.clock_left)), title=at)


@question("pile", where=ON_SHOW, pages={"game", "record", "exercise"}, aliases=("z",))
async def pile(context: Context, _: str) -> Answer:
    """Show the pile."""
    view = _snapshot(context).view
    if view is None:
        return Answer(["No game is going on."])
    cards = ", ".join(map(rank_text, reversed(view.pile)))
    return Answer([f"The pile, newest first: {cards}." if cards else "The pile is empty."])


@question("clock", where={"table", "watching"}, pages=(), words="time, time left, how much time ...")
async def clock(context: Context, _: str) -> Answer:
    """Show how much time is left."""
    snapshot, left = _snapshot(context), context.scene.clock_left
    if left is None or not snapshot.playing:
        return Answer([f"No clock is running. {position_text.clock_rule_text(snapshot.clock)}"])
    whose = "You have" if snapshot.my_turn and not snapshot.away else "There are"
    return Answer([f"{whose} {quantity(left, 'second')} left."])


@question("results", where=ON_SHOW, pages=(), words="score, scores, places, who won")
async def results(context: Context, _: str) -> Answer:
    """Show the places of the players."""
    return Answer(position_text.results_text(_snapshot(context)))


@question("fair", where={"table", "watching"}, pages={"between"})
async def fair(context: Context, _: str) -> Answer:
    """Show the cuts, and what they prove."""
    deal = _snapshot(context).deal
    if deal is None:
        raise InputError("bad_request", "there is no deal yet")
    return Answer(list(position_text.deal_text(deal, playing=_snapshot(context).playing)))


@question(
    "rules [RULES]",
    aliases=("r",),
    ssh="answer",
    details=("rules keys lists what can be changed for rules of your own, with its values.",),
    words="instructions, game rules, rule sets, variants, modes, game modes, read rules, explain, explain ...",
)
async def rules(context: Context, rest: str) -> Answer:
    """Show the rules, or list the rule sets."""
    if rest == "keys":
        return Answer([*key_lines(), "new KEY=VALUE changes a rule, as in new four.scope=off special.10.effect=none."])
    book, in_lobby = context.lobby.rulebook, context.place.kind == "lobby"
    if rest:
        return Answer([*sheet(book.find(rest)), *[f"play {rest} starts a game with these rules."] * in_lobby])
    if context.snapshot is not None:
        return Answer(sheet(context.snapshot.rules))
    ways = f"Type rules NAME to read them; play starts {book.names[0]}, play NAME another one."
    return Answer([*book.listed(), ways], number_means="rules {name}")


@question(
    "who",
    on_server=True,
    pages={"lobby", "between"},
    ssh="answer",
    words=(
        "players, list players, online, users, names, who is here, who's here, whos here, who is online, "
        "who is on, who is playing, anyone here, anyone else here, anybody here, anybody else here, anyone online, "
        "is anyone ..., is anybody ..., "
        "is there anyone ..., is there anybody ..., how many people ..., /who"
    ),
)
async def who(context: Context, _: str) -> Answer:
    """List the players, and where they are."""
    people = context.lobby.visitors.people()
    listed = {table.number for table in context.lobby.tables.listings()} if any(each.table for each in people) else ()
    names = ", ".join(f"{person.name} ({person.seen_from(listed)})" for person in people)
    # Where: each with the number of the table, null in the lobby, and whether they only watch there.
    value = {"people": [person.name for person in people], "where": people}
    return Answer([f"{len(people)} here{names and f': {names}'}."], value)


@question("version", pages=(), in_full=True, ssh="answer")
async def version(_: Context, __: str) -> Answer:
    """Show the version of the server."""
    return Answer([f"quatch {VERSION}"], {"version": VERSION})


@question(
    "log [N]", where=ON_SHOW, pages={"between", "record"}, aliases=("l",), details=("log 5: the last five lines.",)
)
async def log(session: PlayerSession, rest: str) -> Answer:
    """Show what has happened since the deal."""
    lines, count = _log_lines(session), read_number(rest)
    if rest and not count:
        raise InputError("bad_request", "type how many lines, as in log 5 for the last five")
    if not lines:
        return Answer(["Nothing has happened yet."])
    if count or session.front_end.is_drawn or len(lines) <= LINES_TOLD:
        return Answer(lines[-(count or 0) :], from_end=not count)
    return Answer([f"The last {LINES_TOLD} of {len(lines)} lines; log {len(lines)} tells all.", *lines[-LINES_TOLD:]])


def _log_lines(session: PlayerSession) -> list[str]:
    """The log of the game at the player's table; at a side view, what led to the position that is shown."""
    if session.side_view is not None:
        return [*session.side_view.log]
    snapshot = session.snapshot
    return [] if snapshot is None else sentences(session.table.broadcaster.happened(session), snapshot)


def _snapshot(context: Context) -> Snapshot:
    if context.snapshot is None:
        raise InputError("bad_request", "you are in the lobby: type play, or sit N for a table")
    return context.snapshot


def _must_allow_hints(context: Context) -> None:
    snapshot = _snapshot(context)
    if snapshot.playing and not snapshot.hints:
        later = listed([each.word for each in context.lobby.features.all(AfterGame) if not each.is_for_all])
        way = f"; after the game type {later}" if later else ""
        raise InputError("no_hints", f"this table plays without hints and odds{way}")


def _game(context: Context) -> tuple[View, int]:
    view = _snapshot(context).view
    if view is None or view.seat is None:
        raise InputError("bad_request", "you have no seat in a game" if view else "no game has begun here: start deals")
    return view, view.seat
