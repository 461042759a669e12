"""The player: talk, name, seat, keys and settings, and hanging up."""

import re
from typing import Final

from engine.errors import InputError
from engine.wording.phrases import listed, sentence_case
from server.bounded_dict import make_room
from server.clean_text import clean, clean_name
from server.commands.finding import FILLERS, GENERAL, PLEASE, UNKNOWN, Unsaid, is_heard, is_small_talk, spoken, ways
from server.commands.registry import Answer, Command, Context
from server.language.table_list import sleeping_seat_text
from server.limits import IGNORED, NAME_LENGTH, TALK_KEPT_SECONDS, TALK_LENGTH
from server.lobby.names import WISHES_KEPT
from server.people.names import skeleton
from server.people.players import Caller, guest_address, way_back_text
from server.people.settings import AUTO, COUNTED, HOSTS, RULE, Settings
from server.player.level_of_opponents import level_met
from server.player.player_session import KEY_SECONDS, NOT_KEPT, PlayerSession, kept_seat_text, take_seat_back
from server.player.talk import TO_YOU
from server.table.place import LOBBY
from server.table.recent_talk import Said

GOOD_BYE: Final = "Good-bye. Come again."
_INTRODUCES: Final = re.compile(
    r"(?i)((hi|hello|hey)\W+)?(i ?am|i['\u2019]?m|it['\u2019]?s|it is|this is|(?P<sure>(my |the )?name is|call me))\s+"
)
"""How people begin who say their name; "I'm hungry" begins as "I'm Joe" does, so only some do so for sure."""


@Command(
    "say TEXT, or /TEXT",
    on_server=True,
    section="yourself",
    details=(f"Players who come within {TALK_KEPT_SECONDS // 60} minutes read it, too.",),
    words="chat, talk, shout",
)
async def say(session: PlayerSession, rest: str) -> Answer | None:
    """Talk to the players around you."""
    player, text = session.player, _talk(session, rest, "say what? Type say hello, or /hello")
    said = Said(player.name, text, player.id, guest_address(player, session.caller))
    if not session.at_table:
        session.lobby.visitors.say(said)
    elif not session.table.broadcaster.say(session, said) and is_heard(session):
        return Answer(["Only others who watch read this: players hear you after the game."])
    by = session.lobby.visitors.named(session.offer.by)
    if by is not None and by.table_number != session.table_number:
        return Answer([f"{by.player.name} does not read this: tell {by.player.name} reaches them."])
    if session.side_view is None and not is_heard(session):
        way = "; tell NAME reaches a player elsewhere" if session.lobby.visitors.people()[1:] else f":{ways(session)}"
        return Answer([f"Nobody else is here to read it now{way}."])
    return None


@Command(
    "tell NAME TEXT",
    on_server=True,
    section="yourself",
    pages=(),
    details=("Nobody else reads it, and it is not kept.",),
    words="whisper, msg, message, dm, pm, reply",
)
async def tell(session: PlayerSession, rest: str) -> Answer:
    """Talk to one player, in private."""
    name, _, said = rest.partition(" ")
    if not name:
        raise InputError("bad_request", "tell which player? Type tell, the name and what to say")
    if name.lower() in {"all", "everyone", "everybody", "them"}:
        return await say(session, said) or Answer()
    name, sitters = name.rstrip(":,"), session.snapshot.sitters if session.snapshot is not None else ()
    if any(each and each.is_ai and each.name.casefold() == name.casefold() for each in sitters):
        raise InputError("bad_request", f"{name} is an AI player and reads nothing; set pace says how fast they play")
    other = session.lobby.visitors.find(name)
    if session.is_watching and session.table.playing and other.player.id in session.table.names():
        raise InputError("wrong_phase", "players hear you after the game: say reaches others who watch")
    text = _talk(session, said, f"tell {other.player.name} what?")
    other.hear(session.player.name, TO_YOU + text)
    session.talk.hear(session.player.name, f"(to {other.player.name}) {text}")
    return Answer()


@Command(
    "ignore NAME",
    on_server=True,
    section="yourself",
    pages=(),
    ssh="answer",
    details=(
        "You hear nothing they say, and no invitation, and they take no seat at your table.",
        "With an ssh key that also holds when you come again. ignore alone lists whom you ignore.",
    ),
    words="block, block player, mute player",
)
async def ignore(context: Context, rest: str) -> Answer:
    """Stop hearing a player, or hear them again."""
    settings = await _own_settings(context)
    if not (name := clean(rest).removesuffix(" again")):
        return Answer([ignored_text(context, settings)])
    is_ignored = (look := skeleton(name)) in settings.ignored
    asked = context if isinstance(context, PlayerSession) and not rest.endswith(" again") else None
    if not is_ignored:
        name = (await context.lobby.names.find_player(name))[0].name
    if look == skeleton(context.player.name):
        raise InputError("bad_request", "ignore which player? That is you")
    if not is_ignored and len(settings.ignored) >= IGNORED.share:
        raise IGNORED.refuse()
    if is_ignored and asked and not asked.typed_again.confirm_or_ask(f"ignore {rest}"):
        return Answer([f"You hear nothing from {name} already: type ignore {name} again to hear them."])
    changed = settings.ignoring({*settings.ignored} ^ {look})
    is_kept = await context.lobby.profiles.remember_settings(context.player, changed)
    if isinstance(context, PlayerSession):
        context.settings = changed
    elif is_kept:
        context.lobby.settings_changed(context.player.id)
    else:
        raise InputError("not_saved", "that cannot be saved now: try again in a moment")
    return Answer(
        [f"You hear {name} again." if is_ignored else f"You hear no more from {name}; they cannot sit with you."]
    )


def ignored_text(context: Context, settings: Settings) -> str:
    """Whom a player with these settings ignores; of players who are not here only how their names look is known."""
    here = {skeleton(each): each for each in context.lobby.visitors.names()}
    names = listed([here.get(look, look) for look in settings.ignored], "and")
    heard = "You hear everybody: ignore NAME stops hearing a player."
    return f"You hear nothing from {names}: ignore NAME has you hear them again." if names else heard


async def _own_settings(context: Context) -> Settings:
    """The settings of the session, or of the account. Raises InputError, NotSaved."""
    if isinstance(context, PlayerSession):
        return context.settings
    if not context.player.account:
        raise InputError("bad_request", "without an ssh key that works in a session: come in with ssh HOST")
    return Settings.from_json((await context.lobby.profiles.account_of(context.caller)).settings)


@Command("resume [CODE]", on_server=True, section="yourself", pages=())
async def resume(session: PlayerSession, rest: str) -> Answer | None:
    """Take back your seat; alone: show your code."""
    if not session.caller.may_return:
        raise InputError("bad_request", NOT_KEPT)
    if not rest:
        asleep = map(sleeping_seat_text, await session.lobby.tables.sleeping_seats(session.player.id))
        way_back = way_back_text(session.resume_code, session.caller.token)
        return Answer([*filter(None, [session.reminder]), *asleep, way_back])
    await take_seat_back(session, "-".join(rest.split()))
    return None


@Command(
    "name TEXT",
    on_server=True,
    section="yourself",
    where={"lobby", "table", "watching"},
    pages={"lobby"},
    words=(
        "nick, nickname, rename, change name, change name TEXT, change nick TEXT, username, "
        "change nickname TEXT, call TEXT, be called TEXT, name is TEXT, set name TEXT"
    ),
)
async def name(session: PlayerSession, rest: str) -> Answer:
    """Choose your name."""
    if not (rest := PLEASE.sub("", rest)):
        raise InputError("bad_request", f"you are {session.player.name}: type name and a new name, as in name Ann")
    if (of := re.fullmatch("(.+) (?:to|into|as) (.+)", rest)) and session.lobby.is_op(session.caller):
        raise InputError("bad_request", f"to rename another player, type relabel {of[1]} as {of[2]}")
    if not clean_name(rest):
        raise InputError("bad_request", f"{clean(rest)[:20]!r} makes no name: use letters and digits")
    if session.lobby.names.means_something(rest):
        raise InputError("bad_request", f"{rest[:20]!r} is a word for something here: choose another name")
    if given := session.lobby.imposed.given_name(session.player.id, session.caller):
        how_long = given.how_long(session.lobby.wall())
        raise InputError("bad_request", f"an op has given you the name {given.name}, {how_long}")
    wished = _as_one_word(rest)
    # Of more words, as in "call it a day", a name is only guessed.
    if " " in rest and session.front_end.can_answer:
        return propose_name(wished, session)
    if session.at_table:
        make_room(session.lobby.names.wished, WISHES_KEPT)
        session.lobby.names.wished[session.player.id] = wished
        called = await session.lobby.names.free(wished, session.player.id)
        then = f"here you stay {session.player.name}: you are called {called} when you are back in the lobby."
        return Answer([sentence_case(f"{_otherwise(rest, called)}{then}")])
    was_asked = session.asks_name
    await session.lobby.names.rename(session, wished)
    kept = await session.lobby.guests.kept_for(Caller(wished), session.player.id)
    reminder = kept.reminder if kept and not session.player.account else ""
    change = " now; name NAME changes it" if was_asked and not reminder else ""
    taken = "" if reminder else _otherwise(rest, session.player.name)
    return Answer([f"{sentence_case(f'{taken}you are {session.player.name}{change}.')} {reminder}".rstrip()])


def _otherwise(typed: str, called: str) -> str:
    """Why a player is called otherwise than they have typed; empty if they are not."""
    if called != (wished := _as_one_word(typed)):
        return f"another player has the name {wished}, so "
    is_whole = called == "-".join(typed.rstrip(" .,!").split())
    return "" if is_whole else f"a name is {NAME_LENGTH} letters and digits at most, so "


def name_in(typed: str, error: InputError, session: PlayerSession) -> str:
    """The name that a line may give which is refused, by this error, as no command; empty if there is none.

    It is in a line like "hi, I'm Joe", or alone if the player is asked or it has a capital. Two words are one name if
    nothing else is said, or both begin with a capital. Raises InputError if no letter of the line can be in a name.
    """
    asks = session.asks_name or (error.code == UNKNOWN and typed.isalpha() and typed.istitle())
    found, is_asked = _INTRODUCES.match(typed), asks and not is_small_talk(spoken(typed))
    is_no_command = session.place is LOBBY and (error.code == UNKNOWN or isinstance(error, Unsaid))
    if not (is_no_command and (is_asked or (found and (session.asks_name or found["sure"])))):
        return ""
    if not (name := _as_one_word(said := typed[found.end() if found else 0 :].rstrip(" .,!"))):
        raise InputError("bad_request", f"a name is {NAME_LENGTH} letters and digits at most: type it again")
    words, is_talk = said.split(), not {*said.lower().split()}.isdisjoint((*FILLERS, *GENERAL))
    is_short = len(words) == 1 or (len(words) == 2 and (said.istitle() or not (found or is_talk)))
    are_names = (clean_name(word) == word[:NAME_LENGTH].rstrip("-") or not word.isascii() for word in words)
    return name if is_short and all(are_names) else ""


def propose_name(name: str, session: PlayerSession) -> Answer:
    """Have Enter or yes be the wish for this name, which is guessed."""
    session.typed_again.proposed = f"name {name}"
    return Answer([f"Press Enter to be called {name}; help lists all."])


def _as_one_word(name: str) -> str:
    return clean_name("-".join(name.split()))


@Command(
    "repeat",
    section="yourself",
    pages=(),
    read_only=True,
    words="say it again, say that again, read it again, read that again, what was that",
)
async def repeat(session: PlayerSession, _: str) -> Answer:
    """Show again what came since your last line."""
    return Answer([*session.front_end.said_before] or ["There is nothing to show."])


@Command(
    "set [SETTING VALUE]",
    section="yourself",
    pages={"lobby", "between"},
    details=(RULE, COUNTED),
    words=(
        "settings, options, config, preferences, prefs, colour, color, colours, colors, theme, speed, "
        "difficulty, levels, hard mode, easy mode, turn off ..., turn on ..., change ..., language, sound"
    ),
)
async def set_(session: PlayerSession, rest: str) -> Answer:
    """Show or change your settings."""
    key, _, value = rest.lower().partition(" ")
    if not key:
        drawn, is_hosts = session.front_end.is_drawn, session.lobby.config.level != AUTO
        return Answer(session.settings.lines(drawn=drawn, level=level_met(session), is_hosts=is_hosts))
    await session.change_setting(key, value.strip())
    but = await _set_pace_here(session) if key == "pace" else await _set_level_here(session) if key == "level" else ""
    notes = session.front_end.screen_notes if key == "mode" else ()
    now = getattr(session.settings, key)
    told = HOSTS if now is None else f"{now:g}" if key == "pace" else now
    return Answer([f"Set: {key} {told}{but}.", *notes])


async def _set_pace_here(session: PlayerSession) -> str:
    """Have AI players at the player's table wait as the player has set it. Returns a note for the player."""
    own, usual = session.settings.pace, session.lobby.config.pace
    if session.at_table:
        try:
            await session.table.set_pace(session, usual if own is None else own)
        except InputError:
            return ", for tables that you open: this one is somebody else's"
    return ""


async def _set_level_here(session: PlayerSession) -> str:
    """Let AI players at the player's own table follow. Returns what `auto` stands for now, and when the level holds."""
    stands_for = f", which is {level_met(session)} now" if session.settings.level == AUTO else ""
    is_own = session.at_table and session.table.follows(session)
    if is_own:
        await session.table.change_ai_level(session, level_met(session))
    when = "your next game" if is_own or not session.at_table else "the next table that you open"
    return f"{stands_for}, from {when} on"


@Command(
    "quit",
    goes=True,
    section="yourself",
    where={"lobby", "table", "watching"},
    words="exit, bye, disconnect, logout, log out, log off, exit game, quit game, goodbye, good bye, see you",
)
async def quit_(session: PlayerSession, _: str) -> Answer | None:
    """Hang up."""
    if session.front_end.can_answer and session.in_game and not session.typed_again.confirm_or_ask("quit"):
        how = f"Type quit again, or press Ctrl-C within {KEY_SECONDS} seconds, to hang up."
        return Answer([f"{how} {kept_seat_text(session)}"])
    session.quit(GOOD_BYE)
    return None


def _talk(session: PlayerSession, text: str, otherwise: str) -> str:
    """The text that a player says. Raises InputError if it is empty (``otherwise`` is told then), or they are muted."""
    text = clean(text, TALK_LENGTH)
    if not text:
        raise InputError("bad_request", otherwise)
    session.take_turn_to_talk(text)
    return text
