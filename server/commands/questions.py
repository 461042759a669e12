"""Questions: commands that only look at what the player sees, and change nothing."""

from datetime import timedelta
from random import Random
from time import monotonic
from typing import Final

from engine.ai.explain import explain
from engine.cards import RANK_NAMES
from engine.errors import InputError, Refused
from engine.legality import check, legal_moves
from engine.moves import Play, pick, play_of
from engine.rules import Json
from engine.view import View
from server.commands.arguments import rule_sets
from server.commands.registry import AT_TABLE, HAND, ON_SHOW, SEATED, Answer, Command, Context
from server.language.odds_text import odds_lines
from server.language.position_text import (
    choices_text,
    clock_text,
    own_cards_text,
    pile_cards_text,
    results_text,
    table_text,
    turn_text,
)
from server.language.tips import LABEL
from server.rulebook import sheet
from server.table.snapshot import Snapshot
from server.version import VERSION

STARTED: Final = monotonic()
"""When this process loaded its commands, just before it began to listen."""
LOG_LINES: Final = 20
"""How many lines `log` shows unless a number is given."""


@Command(
    "why 7", "why a card may or may not be played now", where=HAND, pages={"game"}, aliases=("y",), only_looks=True
)
async def why(context: Context, rest: str) -> Answer:
    """Tell why a card may or may not be played now, and by which clause of the rules; alone: why the last thing was."""
    view, seat = _game(context)
    if not rest:
        return Answer(
            [context.scene.reason or "Nothing has happened to you that you did not choose. To ask about a card: why 7"]
        )
    rank = pick(rest.split(maxsplit=1)[0]).rank
    if not any(isinstance(move, Play) and move.picks[0].rank == rank for move in legal_moves(view, seat)):
        try:
            check(view, seat, play_of(rank, 1))
        except Refused as refused:
            return Answer([refused.message + (f" That is rule {refused.clause}." if refused.clause else "")])
    return Answer([f"You can play {RANK_NAMES[rank]} now."])


@Command("hint", "what you could do, and why", where=SEATED, pages={"game"}, aliases=("h",), only_looks=True)
async def hint(context: Context, _: str) -> Answer:
    """Tell what an AI player would do, and why."""
    view = _game(context)[0]
    _must_allow_hints(context)
    if view.phase == "over":
        raise InputError("not_your_turn", "the game is over: type start for another, replay to see it again")
    if not _snapshot(context).my_turn:
        raise InputError("not_your_turn", "it is not your turn")
    return Answer([explain(view, Random(0), simulations=0)[1]])


@Command(
    "odds",
    "how likely the cards are that you do not see",
    where=ON_SHOW,
    pages={"game"},
    aliases=("o",),
    only_looks=True,
)
async def odds(context: Context, _: str) -> Answer:
    """Tell what the cards that the player does not see make likely."""
    _must_allow_hints(context)
    return Answer(odds_lines(_snapshot(context)))


@Command("turn", "whose turn it is, and what may be played", where=ON_SHOW, pages=(), only_looks=True)
async def turn(context: Context, _: str) -> Answer:
    """Tell whose turn it is."""
    snapshot = _snapshot(context)
    return Answer([turn_text(snapshot, context.scene.clock_left), *choices_text(snapshot)])


@Command("hand", "your cards", where=HAND, pages=(), only_looks=True)
async def hand(context: Context, _: str) -> Answer:
    """Tell the player's own cards."""
    return Answer(list(own_cards_text(_game(context)[0])))


@Command("where", "what lies where", pages={"between", "game"}, aliases=("w",), only_looks=True)
async def where(context: Context, _: str) -> Answer:
    """Tell where all cards lie, and what is to be decided; before the first game describe the table."""
    snapshot = context.snapshot
    if snapshot is None:
        return Answer(["You are in the lobby: type play, or sit N for a table."])
    return Answer(list(table_text(snapshot, context.scene.clock_left)))


@Command("pile", "what lies in the pile", where=ON_SHOW, pages={"game"}, aliases=("z",), only_looks=True)
async def pile(context: Context, _: str) -> Answer:
    """Tell what lies in the pile."""
    view = _snapshot(context).view
    return Answer(["No game is going on."] if view is None else [pile_cards_text(view)])


@Command("clock", "how much time is left", where=AT_TABLE, pages=(), only_looks=True)
async def clock(context: Context, _: str) -> Answer:
    """Tell how much time is left."""
    return Answer([clock_text(_snapshot(context), context.scene.clock_left)])


@Command(
    "log [N]",
    "what happened lately; the last N lines",
    where=ON_SHOW,
    pages={"between"},
    aliases=("l",),
    only_looks=True,
)
async def log(context: Context, rest: str) -> Answer:
    """Tell what happened lately, without tips."""
    if rest and not (rest.isascii() and rest.isdigit() and int(rest[:4]) > 0):
        raise InputError("bad_request", "log takes a number of lines, as in log 5 for the last five")
    lines = [line for line in context.scene.log if not line.startswith(LABEL)]
    return Answer(lines[-int(rest[:4]) :] if rest else ["What happened lately:", *lines[-LOG_LINES:]])


@Command("results", "who finished in which place", where=ON_SHOW, pages=(), only_looks=True)
async def results(context: Context, _: str) -> Answer:
    """Tell in which place everybody finished."""
    return Answer(results_text(_snapshot(context)))


@Command("fair", "how to check that nobody chose the cards", where=AT_TABLE, pages={"between"}, only_looks=True)
async def fair(context: Context, _: str) -> Answer:
    """Tell how anybody can check the deal."""
    deal = _snapshot(context).deal
    if deal is None:
        raise InputError("bad_request", "there is no deal yet")
    lines = [
        f"Game {deal.game}. Its cards come from a seed that was fixed before any cut. The commitment:",
        deal.commitment,
        "It is the SHA-256 of game and seed: it reveals nothing, and no other seed has the same.",
        *(f"{name} cut with: {text}" for name, text in deal.cuts),
        f"When the game is over, verify {deal.game} compares the seed with the commitment and deals again.",
    ]
    if not _snapshot(context).playing:
        lines.append("Until it starts, everybody who sits may type cut TEXT, so that nobody can choose.")
    return Answer(lines)


@Command("rules [NAME]", "the rules in brief", aliases=("r",), only_looks=True, ssh="answer", arguments=rule_sets)
async def rules(context: Context, rest: str) -> Answer:
    """Tell the named rules, or those of the table; in the lobby list the rule sets."""
    if rest:
        return Answer(sheet(context.lobby.rulebook.find(rest)))
    if context.snapshot is not None:
        return Answer(sheet(context.snapshot.rules))
    return Answer([*context.lobby.rulebook.listed(), "rules NAME tells the rules, play NAME begins a game."])


@Command("who", "list the people here", pages={"lobby", "between"}, only_looks=True, ssh="answer", json=True)
async def who(context: Context, _: str) -> Answer:
    """List the people here."""
    people: list[Json] = [*context.lobby.people()]
    return Answer([f"{len(people)} here: {', '.join(context.lobby.people())}."], {"people": people})


@Command("version", "the version of the server", pages=(), in_full=True, only_looks=True, ssh="answer", json=True)
async def version(_: Context, __: str) -> Answer:
    """Tell the version."""
    return Answer([f"quatch {VERSION}"], {"version": VERSION})


@Command("uptime", "how long the server has been up", pages=(), only_looks=True, ssh="answer", json=True)
async def uptime(context: Context, _: str) -> Answer:
    """Tell how long the server has been up, its version, and how many tables and people it has."""
    seconds, tables, people = int(monotonic() - STARTED), len(context.lobby.tables()), len(context.lobby.people())
    return Answer(
        [f"quatch {VERSION}, up {timedelta(seconds=seconds)}. Tables: {tables}. People: {people}."],
        {
            "version": VERSION,
            "uptime_s": seconds,
            "tables": tables,
            "people": people,
            "processes": 1,
            "nodes": 1,
        },
    )


def _snapshot(context: Context) -> Snapshot:
    if context.snapshot is None:
        raise InputError("bad_request", "you are in the lobby: type play, or sit N for a table")
    return context.snapshot


def _must_allow_hints(context: Context) -> None:
    snapshot = _snapshot(context)
    if snapshot.playing and not snapshot.hints:
        raise InputError("no_hints", "this table plays without hints and odds; review looks back when the game is over")


def _game(context: Context) -> tuple[View, int]:
    snapshot = _snapshot(context)
    if snapshot.view is None or snapshot.seat is None:
        raise InputError("bad_request", "you are in no game")
    return snapshot.view, snapshot.seat
