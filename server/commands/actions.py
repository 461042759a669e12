"""What a player can do besides moving: commands that change something. Each is a function from the visit to lines.

All raise InputError where they cannot be done; its message is one line that says what would be right.
"""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec.structs import replace

from engine.ai import LEVELS
from engine.errors import InputError
from engine.rulesets import DEFAULT
from server.clean import clean
from server.commands.key_linking import keys, link, unlink
from server.history.archive import find_game, find_record, latest_lines
from server.history.review import WHICH_GAME, review_subject, seat_and_game
from server.history.standings import standings_note, top_lines
from server.language.table_settings import read_ai_player, read_table_settings
from server.limits import IGNORED, TALK_LENGTH, WORD_LENGTH
from server.people.names import skeleton
from server.player.coming_back import resume as take_over
from server.player.coming_back import return_words, tell_resume_word
from server.player.player_session import PlayerSession
from server.player.replay_view import ReplayView
from server.records.record_reader import read_record
from server.records.results import read_result
from server.records.verify import verify
from server.table.coordinator import Table

Act: TypeAlias = Callable[[PlayerSession, str], Awaitable[list[str]]]

EASIEST: Final = next(iter(LEVELS))
"""The level of the AI players in somebody's first game."""
LEAVING: Final = (
    "Your game is not over, and an AI player would have your seat for the rest of it: type leave again to leave. "
    "quit hangs up and keeps the seat for you."
)


async def play(session: PlayerSession, rest: str) -> list[str]:
    """Sit down with AI players and begin. Who has never finished a game meets easy ones, unless they say otherwise."""
    table = await _open_table(session, rest)
    usual = session.lobby.config.level
    if "level=" not in rest and usual != EASIEST and not await session.has_finished_a_game():
        # The table keeps its level: in some rule sets that decides about the rules, too.
        for _ in range(table.listing().open_seats):
            await table.add(session, EASIEST)
        session.note(f"AI players are {EASIEST} ones in your first game. For stronger: play level={usual}")
    await table.start(session)
    return []


async def new(session: PlayerSession, rest: str) -> list[str]:
    """Open a table for others to join."""
    await _open_table(session, rest)
    session.tell_table()
    return ["Your table. Others can sit down now; say start to deal, AI players take the empty seats."]


async def sit(session: PlayerSession, rest: str) -> list[str]:
    """Take a seat, at the table one watches or at the one named."""
    if session.at_table and not rest:
        await session.table.sit(session, session.player)
    else:
        table, word = _table_and_word(session, rest)
        await session.enter(table, table.sit, word)
    session.tell_table()
    tell_resume_word(session)
    return []


async def watch(session: PlayerSession, rest: str) -> list[str]:
    """Look on at a table."""
    table, word = _table_and_word(session, rest)
    await session.enter(table, table.join, word)
    session.tell_table()
    return []


async def resume(session: PlayerSession, rest: str) -> list[str]:
    """Be again the guest who was told this word, and take the seat that was kept for them; alone it tells the word."""
    if not rest:
        return [*([session.reminder] if session.reminder else []), return_words(session.resume_word)]
    await take_over(session, rest)
    return []


async def start(session: PlayerSession, _: str) -> list[str]:
    """Deal."""
    await session.table.start(session)
    return []


async def back(session: PlayerSession, _: str) -> list[str]:
    """Take one's seat back from the AI player that plays it."""
    await session.table.back(session)
    return []


async def cut(session: PlayerSession, rest: str) -> list[str]:
    """Cut the cards of the next deal with a text of one's own."""
    text = clean(rest, WORD_LENGTH)
    if not text:
        raise InputError("bad_request", "cut with what? As in cut my lucky word: any text will do")
    session.must_be_free_to_talk()
    await session.table.cut(session, text)
    return []


async def add(session: PlayerSession, rest: str) -> list[str]:
    """Have an AI player sit down."""
    await session.table.add(session, *read_ai_player(rest))
    return []


async def remove(session: PlayerSession, rest: str) -> list[str]:
    """Free a seat."""
    number = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 3 else 0
    await session.table.remove(session, number - 1)
    return []


async def leave(session: PlayerSession, _: str) -> list[str]:
    """Go back to the lobby."""
    if session.side_view is not None:
        return [f"You are {session.close_side_view()}."]
    if not session.at_table:
        if session.review_task.stop():
            return ["No more looking back."]
        raise InputError("bad_request", "you are in the lobby already: quit hangs up")
    if session.in_game and not session.confirmation.confirm("leave"):
        return [LEAVING]
    await session.leave_table(for_good=True)
    return ["You are in the lobby."]


async def replay(session: PlayerSession, rest: str) -> list[str]:
    """Look at a finished game again: at a table the one that is over, in the lobby the one named."""
    session.must_be_between_games()
    if not rest and session.at_table and session.side_view is None:
        rest = session.game
    if not rest:
        return await latest_lines(session.lobby.store, session.lobby.rulebook)
    session.look_at(await find_record(session.lobby.store, rest))
    return []


async def review(session: PlayerSession, rest: str) -> list[str]:
    """Look back on one's turns in a finished game, and think about them."""
    game_id, seat = seat_and_game(rest.split())
    replay_view = session.side_view
    if not game_id and isinstance(replay_view, ReplayView):
        record, result = replay_view.record, None
        seat = seat or ("" if replay_view.seat is None else str(replay_view.seat + 1))
    elif game_id or session.feed.last_game:
        game = await find_game(session.lobby.store, game_id or session.feed.last_game)
        record, result = read_record(game.record), read_result(game.result)
    else:
        raise InputError("bad_request", WHICH_GAME)
    player = session.player
    return session.review_task.begin(
        review_subject(record, seat, result=result, identity=player.identity, name=player.name)
    )


async def lesson(session: PlayerSession, rest: str) -> list[str]:
    """Learn the game, or the rules named."""
    session.must_be_in_lobby()
    session.learn(session.lobby.rulebook.find(rest or DEFAULT), rest)
    return []


async def check(session: PlayerSession, rest: str) -> list[str]:
    """Deal a finished game again from its seed."""
    return verify((await find_game(session.lobby.store, rest)).record)


async def top(session: PlayerSession, rest: str) -> list[str]:
    """Who plays best."""
    title, best = await session.lobby.best(rest)
    you = session.player.identity
    return [*top_lines(title, best, you, drawn=session.is_drawn), *standings_note(best, you)]


async def say(session: PlayerSession, rest: str) -> list[str]:
    """Talk to the table, or to the lobby."""
    text = _talk(session, rest, "say what? Type say hello, or /hello")
    if session.at_table:
        session.table.say(session, session.player.name, text)
    else:
        session.lobby.say(session.player.name, text)
    return []


async def tell(session: PlayerSession, rest: str) -> list[str]:
    """Say something to one person, wherever they are."""
    name, _, said = rest.partition(" ")
    other = session.lobby.find(name)
    text = _talk(session, said, f"tell {other.player.name} what?")
    other.hear(session.player.name, f"(to you) {text}")
    return [f"You tell {other.player.name}: {text}"]


async def ignore(session: PlayerSession, rest: str) -> list[str]:
    """Hear no more from somebody, or again."""
    name, look = clean(rest), skeleton(rest)
    if look not in session.talk.ignored:
        name = session.lobby.find(name).player.name if name else ""
    if not name or look == skeleton(session.player.name):
        raise InputError("bad_request", "ignore whom? Say ignore NAME; once more to hear them again")
    if look in session.talk.ignored:
        session.talk.ignored.discard(look)
        return [f"You hear {name} again."]
    if len(session.talk.ignored) >= IGNORED:
        raise InputError("too_fast", "that is enough people to ignore")
    session.talk.ignored.add(look)
    return [f"You hear no more from {name}."]


async def rename(session: PlayerSession, rest: str) -> list[str]:
    """Take another name."""
    if session.at_table:
        raise InputError("bad_request", "names are chosen in the lobby: say leave first")
    if not rest:
        raise InputError("bad_request", f"you are {session.player.name}: say name NAME to change it")
    await session.rename(session.lobby.free_name(rest, session.player.id))
    return [f"You are {session.player.name}."]


ACTS: Final[Mapping[str, Act]] = MappingProxyType(
    {
        "play": play,
        "new": new,
        "sit": sit,
        "watch": watch,
        "resume": resume,
        "start": start,
        "back": back,
        "cut": cut,
        "add": add,
        "remove": remove,
        "leave": leave,
        "replay": replay,
        "review": review,
        "lesson": lesson,
        "verify": check,
        "top": top,
        "say": say,
        "tell": tell,
        "ignore": ignore,
        "name": rename,
        "keys": keys,
        "link": link,
        "unlink": unlink,
    }
)
"""By the name of the command."""


async def _open_table(session: PlayerSession, rest: str) -> Table:
    session.must_be_in_lobby()
    table_settings = read_table_settings(rest, session.lobby.rulebook, session.lobby.config)
    table = await session.lobby.open_table(replace(table_settings, pace=session.settings.pace), session.caller)
    await session.enter(table, table.sit, table.word)
    tell_resume_word(session)
    return table


def _table_and_word(session: PlayerSession, rest: str) -> tuple[Table, str]:
    session.must_be_in_lobby()
    number, _, word = rest.partition(" ")
    return session.lobby.table(number), clean(word, WORD_LENGTH)


def _talk(session: PlayerSession, text: str, otherwise: str) -> str:
    """What somebody says, if they may say more."""
    text = clean(text, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", otherwise)
    session.must_be_free_to_talk()
    return text
