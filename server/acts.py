"""What a player can do besides moving: commands that change something. Each is a function from the visit to lines.

All raise InputError where they cannot be done; its message is one line that says what would be right.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from engine.ai import LEVELS
from engine.errors import InputError
from engine.rulesets import DEFAULT
from server.archive import find_game, find_record, latest_lines
from server.clean import clean
from server.limits import IGNORED, TALK_LENGTH, WORD_LENGTH
from server.linking import keys, link, unlink
from server.names import skeleton
from server.playback import Playback
from server.record import read_record
from server.results import read_result
from server.review import WHICH, past_of, seat_and_game
from server.standings import absent_words, top_lines
from server.table import Table
from server.terms import read_ai_player, read_terms
from server.verify import verify
from server.visit import Visit

Act: TypeAlias = Callable[[Visit, str], Awaitable[list[str]]]

EASIEST: Final = next(iter(LEVELS))
"""The level of the AI players in somebody's first game."""
LEAVING: Final = (
    "Your game is not over, and an AI player would have your seat for the rest of it: type leave again to leave. "
    "quit hangs up and keeps the seat for you."
)


async def play(visit: Visit, rest: str) -> list[str]:
    """Sit down with AI players and begin. Who has never finished a game meets easy ones, unless they say otherwise."""
    table = await _open_table(visit, rest)
    usual = visit.lobby.config.level
    if "level=" not in rest and usual != EASIEST and not await visit.has_finished_a_game():
        # The table keeps its level: in some rule sets that decides about the rules, too.
        for _ in range(table.listing().open_seats):
            await table.add(visit, EASIEST)
        visit.note(f"AI players are {EASIEST} ones in your first game. For stronger: play level={usual}")
    await table.start(visit)
    return []


async def new(visit: Visit, rest: str) -> list[str]:
    """Open a table for others to join."""
    await _open_table(visit, rest)
    visit.news.tell_table()
    return ["Your table. Others can sit down now; say start to deal, AI players take the empty seats."]


async def sit(visit: Visit, rest: str) -> list[str]:
    """Take a seat, at the table one watches or at the one named."""
    if visit.at_table and not rest:
        await visit.table.sit(visit, visit.player)
    else:
        table, word = _table_and_word(visit, rest)
        await visit.enter(table, lambda: table.sit(visit, visit.player, word))
    visit.news.tell_table()
    visit.tell_resume_word()
    return []


async def watch(visit: Visit, rest: str) -> list[str]:
    """Look on at a table."""
    table, word = _table_and_word(visit, rest)
    await visit.enter(table, lambda: table.join(visit, visit.player, word))
    visit.news.tell_table()
    return []


async def resume(visit: Visit, rest: str) -> list[str]:
    """Be again the guest who was told this word, and take the seat that was kept for them; alone it tells the word."""
    if not rest:
        return [*([visit.reminder] if visit.reminder else []), visit.return_words]
    await visit.resume(rest)
    return []


async def start(visit: Visit, _: str) -> list[str]:
    """Deal."""
    await visit.table.start(visit)
    return []


async def back(visit: Visit, _: str) -> list[str]:
    """Take one's seat back from the AI player that plays it."""
    await visit.table.back(visit)
    return []


async def cut(visit: Visit, rest: str) -> list[str]:
    """Cut the cards of the next deal with a text of one's own."""
    text = clean(rest, WORD_LENGTH)
    if not text:
        raise InputError("bad_request", "cut with what? As in cut my lucky word: any text will do")
    visit.must_be_free_to_talk()
    await visit.table.cut(visit, text)
    return []


async def add(visit: Visit, rest: str) -> list[str]:
    """Have an AI player sit down."""
    await visit.table.add(visit, *read_ai_player(rest))
    return []


async def remove(visit: Visit, rest: str) -> list[str]:
    """Free a seat."""
    number = int(rest) if rest.isascii() and rest.isdigit() and len(rest) < 3 else 0
    await visit.table.remove(visit, number - 1)
    return []


async def leave(visit: Visit, _: str) -> list[str]:
    """Go back to the lobby."""
    if visit.aside.showing is not None:
        return [f"You are {visit.look_up()}."]
    if not visit.at_table:
        if visit.looking_back.stop():
            return ["No more looking back."]
        raise InputError("bad_request", "you are in the lobby already: quit hangs up")
    if visit.in_game and not visit.caution.is_meant("leave"):
        return [LEAVING]
    await visit.leave_table(for_good=True)
    return ["You are in the lobby."]


async def replay(visit: Visit, rest: str) -> list[str]:
    """Look at a finished game again: at a table the one that is over, in the lobby the one named."""
    visit.must_be_between_games()
    if not rest and visit.at_table and visit.aside.showing is None:
        rest = visit.game
    if not rest:
        return await latest_lines(visit.lobby.store, visit.lobby.rulebook)
    visit.aside.look_at(await find_record(visit.lobby.store, rest))
    return []


async def review(visit: Visit, rest: str) -> list[str]:
    """Look back on one's turns in a finished game, and think about them."""
    game_id, seat = seat_and_game(rest.split())
    playback = visit.aside.showing
    if not game_id and isinstance(playback, Playback):
        record, result = playback.record, None
        seat = seat or ("" if playback.seat is None else str(playback.seat + 1))
    elif game_id or visit.news.last_game:
        game = await find_game(visit.lobby.store, game_id or visit.news.last_game)
        record, result = read_record(game.record), read_result(game.result)
    else:
        raise InputError("bad_request", WHICH)
    player = visit.player
    return visit.looking_back.begin(past_of(record, seat, result=result, identity=player.identity, name=player.name))


async def lesson(visit: Visit, rest: str) -> list[str]:
    """Learn the game, or the rules named."""
    visit.must_be_in_lobby()
    visit.aside.learn(visit.lobby.rulebook.find(rest or DEFAULT), rest)
    return []


async def check(visit: Visit, rest: str) -> list[str]:
    """Deal a finished game again from its seed."""
    return verify((await find_game(visit.lobby.store, rest)).record)


async def top(visit: Visit, rest: str) -> list[str]:
    """Who plays best."""
    title, best = await visit.lobby.best(rest)
    you = visit.player.identity
    return [*top_lines(title, best, you, drawn=visit.scene.drawn), *absent_words(best, you)]


async def say(visit: Visit, rest: str) -> list[str]:
    """Talk to the table, or to the lobby."""
    text = _talk(visit, rest, "say what? Type say hello, or /hello")
    if visit.at_table:
        visit.table.say(visit, visit.player.name, text)
    else:
        visit.lobby.say(visit.player.name, text)
    return []


async def tell(visit: Visit, rest: str) -> list[str]:
    """Say something to one person, wherever they are."""
    name, _, said = rest.partition(" ")
    other = visit.lobby.find(name)
    text = _talk(visit, said, f"tell {other.player.name} what?")
    other.hear(visit.player.name, f"(to you) {text}")
    return [f"You tell {other.player.name}: {text}"]


async def ignore(visit: Visit, rest: str) -> list[str]:
    """Hear no more from somebody, or again."""
    name, look = clean(rest), skeleton(rest)
    if look not in visit.ignored:
        name = visit.lobby.find(name).player.name if name else ""
    if not name or look == skeleton(visit.player.name):
        raise InputError("bad_request", "ignore whom? Say ignore NAME; once more to hear them again")
    if look in visit.ignored:
        visit.ignored.discard(look)
        return [f"You hear {name} again."]
    if len(visit.ignored) >= IGNORED:
        raise InputError("too_fast", "that is enough people to ignore")
    visit.ignored.add(look)
    return [f"You hear no more from {name}."]


async def rename(visit: Visit, rest: str) -> list[str]:
    """Take another name."""
    if visit.at_table:
        raise InputError("bad_request", "names are chosen in the lobby: say leave first")
    if not rest:
        raise InputError("bad_request", f"you are {visit.player.name}: say name NAME to change it")
    await visit.rename(visit.lobby.free_name(rest, visit.player.id))
    return [f"You are {visit.player.name}."]


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


async def _open_table(visit: Visit, rest: str) -> Table:
    visit.must_be_in_lobby()
    terms = read_terms(rest, visit.lobby.rulebook, visit.lobby.config)
    table = await visit.lobby.open_table(replace(terms, pace=visit.scene.settings.pace), visit.caller)
    await visit.enter(table, lambda: table.sit(visit, visit.player, table.word))
    visit.tell_resume_word()
    return table


def _table_and_word(visit: Visit, rest: str) -> tuple[Table, str]:
    visit.must_be_in_lobby()
    number, _, word = rest.partition(" ")
    return visit.lobby.table(number), clean(word, WORD_LENGTH)


def _talk(visit: Visit, text: str, otherwise: str) -> str:
    """What somebody says, if they may say more."""
    text = clean(text, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", otherwise)
    visit.must_be_free_to_talk()
    return text
