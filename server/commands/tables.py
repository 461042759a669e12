"""Coming to a table, setting it up, and going."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from engine.ai import LEVELS, STYLES
from engine.errors import InputError
from engine.rules import Json
from server.clean import clean
from server.commands.arguments import rule_sets
from server.commands.registry import AT_TABLE, LOBBY, SEATED, Answer, Command, Context
from server.language.position_text import listing_text
from server.language.table_settings import KEYS, read_ai_player, read_table_settings
from server.limits import WORD_LENGTH
from server.player.coming_back import tell_resume_code
from server.player.player_session import PlayerSession
from server.table.coordinator import Table
from server.table.snapshot import Listing, Sitter

EASIEST: Final = next(iter(LEVELS))
"""The level of the AI players in a player's first game."""
HELP_NEW: Final = (
    "You can choose, for example:",
    "new life            another rule set; rules lists them",
    "new seats=3         how many play",
    f"new level=easy      of the AI players: {', '.join(LEVELS)}",
    "new clock=30        seconds for a decision, if more than one person plays",
    "new key=apple       a private table: others type sit N apple",
    "new hints=off       a table without hint and odds while a game is on",
    "new pickup.by_choice=true four.scope=off",
    "                    rules of your own: the keys are those of the files of rule sets",
    "Everybody who sits can start. As its host you can add AI players and remove others.",
    "For example:",
    "add master          an AI player of another level than the table's",
    "add hard miser      one with a style of its own:",
    *(f"{'':<20}{name}: {style.description}" for name, style in STYLES.items() if style.description),
)
LEAVING: Final = (
    "Your game is not over, and an AI player would have your seat for the rest of it: type leave again to leave. "
    "quit hangs up and keeps the seat for you."
)


def new_table(context: Context, before: Sequence[str]) -> list[str]:
    """Completes `new`: the rule set, then the keys of the table's settings."""
    return rule_sets(context, before) if not before else [f"{key}=" for key in KEYS]


@Command("play [RULES]", "a game against AI players, at once", where=LOBBY, ssh="session", arguments=rule_sets)
async def play(session: PlayerSession, rest: str) -> Answer:
    """Sit down with AI players and start. They are easy ones in a player's first game, unless a level is named."""
    table = await _open_table(session, rest)
    usual = session.lobby.config.level
    if "level=" not in rest and usual != EASIEST and not await session.has_finished_a_game():
        # The table keeps its level: some rule sets make rules depend on it.
        for _ in range(table.listing().open_seats):
            await table.add(session, EASIEST)
        session.note(f"AI players are {EASIEST} ones in your first game. For stronger: play level={usual}")
    await table.start(session)
    return Answer()


@Command(
    "new [RULES] [KEY=VALUE]",
    "open a table for friends; see help new",
    where=LOBBY,
    arguments=new_table,
    details=HELP_NEW,
)
async def new(session: PlayerSession, rest: str) -> Answer:
    """Open a table for others to join."""
    await _open_table(session, rest)
    session.tell_table()
    return Answer(["Your table. Others can sit down now; type start to deal, AI players take the empty seats."])


@Command("sit N [WORD]", "take a seat at table N", where=LOBBY | {"watching"}, pages={"lobby"})
async def sit(session: PlayerSession, rest: str) -> Answer:
    """Take a seat at the named table, or at the one that the player watches."""
    if session.at_table and not rest:
        await session.table.sit(session, session.player)
    else:
        table, word = _table_and_word(session, rest)
        await session.enter(table, table.sit, word)
    session.tell_table()
    tell_resume_code(session)
    return Answer()


@Command("watch N [WORD]", "watch table N", where=LOBBY, ssh="screen")
async def watch(session: PlayerSession, rest: str) -> Answer:
    """Watch a table."""
    table, word = _table_and_word(session, rest)
    await session.enter(table, table.join, word)
    session.tell_table()
    return Answer()


@Command("tables", "list the tables", pages={"lobby", "between"}, only_looks=True, ssh="answer", json=True)
async def tables(context: Context, _: str) -> Answer:
    """List all tables."""
    found = context.lobby.tables()
    lines = ["1 table." if len(found) == 1 else f"{len(found)} tables.", *map(listing_text, found)]
    return Answer(lines, {"tables": [_table_json(table) for table in found]})


@Command("start", "deal; AI players take the empty seats", where=SEATED, pages={"between"})
async def start(session: PlayerSession, _: str) -> Answer:
    """Deal."""
    await session.table.start(session)
    return Answer()


@Command("back", "take your seat back from the AI player", where=SEATED, pages=())
async def back(session: PlayerSession, _: str) -> Answer:
    """Take the seat back from the AI player that plays for the player."""
    await session.table.back(session)
    return Answer()


@Command("cut TEXT", "cut the cards before they are dealt", where=SEATED, pages={"between"})
async def cut(session: PlayerSession, rest: str) -> Answer:
    """Cut the cards of the next deal with a text."""
    text = clean(rest, WORD_LENGTH)
    if not text:
        raise InputError("bad_request", "cut with what? As in cut my lucky word: any text will do")
    session.must_be_free_to_talk()
    await session.table.cut(session, text)
    return Answer()


@Command(
    "add [LEVEL] [STYLE]",
    "seat an AI player, if the table is yours",
    where=SEATED,
    pages={"between"},
    arguments=lambda _, before: LEVELS if not before else STYLES,
)
async def add(session: PlayerSession, rest: str) -> Answer:
    """Seat an AI player."""
    await session.table.add(session, *read_ai_player(rest))
    return Answer()


@Command("remove SEAT", "free a seat, if the table is yours", where=SEATED, pages={"between"})
async def remove(session: PlayerSession, rest: str) -> Answer:
    """Free a seat."""
    number = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 3 else 0
    await session.table.remove(session, number - 1)
    return Answer()


@Command("leave", "back to the lobby; your seat is lost", where=LOBBY | AT_TABLE, pages={"between", "game"})
async def leave(session: PlayerSession, _: str) -> Answer:
    """Go back to the lobby; in the lobby stop a review."""
    if not session.at_table:
        if session.review_task.stop():
            return Answer(["The review has stopped."])
        raise InputError("bad_request", "you are in the lobby already: quit hangs up")
    if session.in_game and not session.confirmation.confirm("leave"):
        return Answer([LEAVING])
    await session.leave_table(for_good=True)
    return Answer(["You are in the lobby."])


async def _open_table(session: PlayerSession, rest: str) -> Table:
    settings = read_table_settings(rest, session.lobby.rulebook, session.lobby.config)
    table = await session.lobby.open_table(replace(settings, pace=session.settings.pace), session.caller)
    await session.enter(table, table.sit, table.word)
    tell_resume_code(session)
    return table


def _table_and_word(session: PlayerSession, rest: str) -> tuple[Table, str]:
    session.must_be_in_lobby()
    number, _, word = rest.partition(" ")
    return session.lobby.table(number), clean(word, WORD_LENGTH)


def _table_json(table: Listing) -> Json:
    return {
        "table": table.number,
        "rules": table.rules,
        "title": table.rules_title,
        "state": "playing" if table.playing else "open",
        "ply": table.ply,
        "seats": [None if sitter is None else _sitter_json(sitter) for sitter in table.sitters],
        "open": table.open_seats,
        "watching": table.watching,
        "private": table.private,
        "hints": table.hints,
        "asleep": table.asleep,
    }


def _sitter_json(sitter: Sitter) -> Json:
    return {"name": sitter.name, "ai_level": sitter.ai_level, "away": sitter.away, "bot": sitter.bot}
