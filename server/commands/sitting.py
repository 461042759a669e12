"""Coming to a table, setting it up, inviting others to it, and going."""

import shlex
from typing import Final

from msgspec.structs import replace

from engine.ai import LEVELS, STYLES
from engine.errors import InputError, NoSuch
from engine.rulesets import DEFAULT, rulesets
from engine.wording.phrases import listed, quantity, sentence_case
from server.clean_text import clean
from server.commands.finding import another_table, command_in, leave_text, told_of, way_to_table, ways
from server.commands.registry import Answer, Command, Context
from server.language.event_text import ordinal
from server.language.position_text import awaited_text, rating_sentence, seats_text, table_text, won_already_sentence
from server.language.table_list import folded_text, in_order, listing_text, sleeping_seat_text, unfolded
from server.language.table_settings import PASSED_OVER, USUAL_SEATS, read_ai_player, read_table_settings
from server.limits import DEALS_LEFT, WORD_LENGTH
from server.lobby.visitor import Visitor
from server.number_text import read_number
from server.people.settings import AUTO
from server.player.level_of_opponents import FIRST, begin_own_level, is_newcomer, level_met
from server.player.player_session import PlayerSession
from server.player.talk import NOT_NOW, TO_YOU
from server.render.scene import PLAY, Offer
from server.rulebook import changed_rules, introduction
from server.table.finished_game import RATED
from server.table.place import TABLE
from server.table.snapshot import Listing, Sitter, Snapshot
from server.table.table import Table

HELP_NEW: Final = (
    "You can choose, for example:",
    *(f"new {name:<16}{introduction(rules)}" for name, rules in rulesets().items()),
    "new seats=4         how many seats; else three",
    f"new level=easy      how strong AI players are: {', '.join(LEVELS)}",
    "new clock=30        seconds for each turn, if more than one person plays",
    "new word=apple      a private table: others type sit N apple",
    "new hints=off       no hint and no odds during a game",
    "new pickup.by_choice=true four.scope=off",
    "                    your own rules, not rated; rules keys lists the keys",
    "Every player with a seat can start; the host can also add and remove players.",
)
HELP_ADD: Final = (
    f"For example add master, or add hard miser. Levels are {', '.join(LEVELS)}; styles are:",
    *(f"{name:<12} {style.description}" for name, style in STYLES.items() if style.description),
)

EXCUSED: Final = f"{DEALS_LEFT.share.burst:.0f} rated games a day"
"""For so many that holds."""

HELP_CUT: Final = (
    "Your text becomes part of the deal, once per game and player. fair tells what that proves.",
    "cut my lucky word    all see the text at once; who runs the server could cut after you",
    "cut seal HASH        nobody knows your text before the cuts are closed, so nobody can choose the cards",
    "cut open TEXT        to be typed when the game is to start, or the cards are dealt without your cut",
    f"HASH is the SHA-256 of TEXT, which must be hard to guess and has at most {WORD_LENGTH} characters. In a shell:",
    f"TEXT=$(openssl rand -hex {WORD_LENGTH // 2}); echo $TEXT; printf %s $TEXT | sha256sum",
    "If all people and bots at the table seal and open, the deal is marked: no one could choose the cards.",
)


@Command(
    "play [RULES] [KEY=VALUE]...",
    where={"lobby"},
    ssh="screen",
    details=("For example play life 2 easy: two seats, easy AI players; help new tells all that you can choose.",),
    words=(
        "begin, go, game, deal, solo, single player, singleplayer, quick game, quick match, new game, play game, "
        "start game, start new game, new game TEXT, start game TEXT, begin game TEXT, start playing, "
        "challenge TEXT, match TEXT, duel TEXT, play alone, another game, play again, rematch, "
        "again, deal me in"
    ),
)
async def play(session: PlayerSession, rest: str) -> Answer | None:
    """Start a game against AI players."""
    if _named_in(session, rest):
        return await new(session, rest)
    if question := _asked_to_give_way(session, f"play {rest}".rstrip()):
        return question
    # Only a table of a level has the rules of that level: "easy players" are those of a usual table.
    wish = next((level for level in LEVELS if f"{level} players" in rest), "")
    rest = rest.replace(f"{wish} players", "").strip()
    if rest in {"", DEFAULT} and is_newcomer(session):
        rest = f"{rest} seats=2"  # a player of the lowest card wins 46 of 100 games, and 18 against two
    table = await _open_table(session, await _with_level(session, rest), wish)
    if session.snapshot is not None and not session.front_end.is_drawn:  # a screen says it in its first row
        for line in rating_sentence(session.snapshot):
            session.note(line)
    await table.start(session)
    if session.snapshot is not None and (changed := changed_rules(session.snapshot.rules)):
        session.note(changed)
    return None


@Command(
    "new [RULES] [KEY=VALUE]...",
    on_server=True,
    where={"lobby"},
    ssh="screen",
    details=HELP_NEW,
    words=(
        "create, host, create table, create game, new table, open table, open table TEXT, open game TEXT, "
        "make table, make game, make table TEXT, make game TEXT, friends, multiplayer"
    ),
    completes={"RULES": lambda context, _: [*context.lobby.rulebook.names, *context.lobby.visitors.names()]},
)
async def new(session: PlayerSession, rest: str) -> Answer:
    """Open a table for friends; help new tells more."""
    if question := _asked_to_give_way(session, f"new {rest}".rstrip()):
        return question
    people = _named_in(session, rest)
    seats = [f"seats={len(people) + 1}"] if people else []  # a number that is typed counts
    await _open_table(session, " ".join([*seats, *(word for word in rest.split() if not _named_in(session, word))]))
    _tell_table(session)
    if people:
        return _invite_people(session, people, rest)
    return Answer(["Your table. invite shows how others come; start deals, with AI players in the free seats."])


@Command(
    "meet",
    on_server=True,
    where={"lobby"},
    pages={"lobby"},
    ssh="screen",
    details=("Others who type it come to your table: they sit down between games, and watch until then.",),
    words=(
        "find players, find people, find opponents, find game, join game, play with people, play with others, "
        "play online, matchmaking, queue"
    ),
)
async def meet(session: PlayerSession, rest: str) -> Answer | None:
    """Play with people, or AI players until then."""
    if rest:
        raise InputError("bad_request", "meet takes nothing after it: it brings you to those who are here")
    if question := _asked_to_give_way(session, "meet"):
        return question
    await session.lobby.read_on()
    for table in sorted(session.lobby.tables.listings(), key=lambda each: (each.playing, each.number)):
        people = [each.name for each in table.sitters if each and each.ai_level is None and not each.bot]
        is_open = people and not (table.asleep or table.private or table.occasion)
        if not is_open or all(each and not each.is_ai for each in table.sitters) or await session.is_ignored(people):
            continue
        if (await session.lobby.tables.bring_up(str(table.number), session.caller)).is_barred(session.player.id):
            continue
        await _come(session, str(table.number), to_sit=not table.playing)
        _tell_table(session)
        if not table.playing:
            session.tell_way_back()
            return Answer([f"You sit with {listed(people, 'and')}: {'Enter' if session.next_step else 'start'} deals."])
        session.take_turn_to_talk()
        is_new = session.view is not None and session.view.phase == "arrange" and len(people) == 1
        sooner = f". No card is played: type leave, then new {session.player.name}, and we play now" if is_new else ""
        for name in people:
            if (other := session.lobby.visitors.named(name)) is not None:
                other.hear(session.player.name, f"{TO_YOU}I wait for the next game here{sooner}")
        sooner = f" {people[0]} reads how to leave for a new table with you at once." if is_new else ""
        return Answer([f"{listed(people, 'and')} will see that you wait: after this game Enter takes a seat.{sooner}"])
    await play(session, f"seats={USUAL_SEATS}")
    session.note("Others who type meet come to this table.")
    return None


def _ways_to(context: Context, seats: int = 0) -> list[str]:
    """What names a table that is open to all, where so many seats are free: its number, and who is there."""
    tables, people = context.lobby.tables.listings(), context.lobby.visitors.people()
    numbers = [each.number for each in tables if each.open_seats >= seats and not each.private]
    return [*map(str, numbers), *(each.name for each in people if each.table in numbers)]


@Command(
    "sit N [WORD]",
    on_server=True,
    where={"lobby", "table", "watching"},
    pages={"lobby"},
    ssh="screen",
    words="join, sit down, take seat",
    completes={"N": lambda context, _: _ways_to(context, seats=1)},
)
async def sit(session: PlayerSession, rest: str) -> Answer | None:
    """Take a seat at table N."""
    if _means_this_table(session, rest):
        if session.place == TABLE:
            return Answer([session.where])
        await session.sit(session.table)
    elif read_number(rest.partition(" ")[0]) not in session.own_seats and (
        question := _asked_to_give_way(session, f"sit {rest}".rstrip())
    ):
        return question
    else:
        await _come(session, rest, to_sit=True)
    _tell_table(session)
    session.tell_way_back()
    return None


@Command(
    "watch N [WORD]",
    on_server=True,
    where={"lobby", "table", "watching"},
    pages=(),
    ssh="screen",
    words="spectate, observe",
    completes={"N": lambda context, _: _ways_to(context)},
)
async def watch(session: PlayerSession, rest: str) -> Answer | None:
    """Watch table N."""
    if _means_this_table(session, rest):
        return Answer([session.where])
    await _come(session, rest, to_sit=False)
    _tell_table(session)
    return None


@Command(
    "tables [all]",
    on_server=True,
    pages=(),
    read_only=True,
    ssh="answer",
    words="list, games, ls, rooms, matches, list games, list tables, watch game, watch games",
)
async def tables(context: Context, rest: str) -> Answer:
    """List the tables; all: also those that sleep."""
    if rest not in {"", "all"}:
        raise InputError("bad_request", f"type tables or tables all, not {rest[:20]!r}")
    await context.lobby.read_on()
    here, player_id = context.lobby.tables, context.player.id
    own = await here.seats_of(player_id)
    found = in_order(here.listings(), own)
    unlisted = tuple(sorted(own.keys() - {each.number for each in found}))
    shown = found if rest == "all" else unfolded(found, own)
    way = "" if shown or unlisted else " To open one, type new."
    lines = [f"{quantity(len(shown), 'table')}.{way}", *map(sleeping_seat_text, unlisted), *map(listing_text, shown)]
    if folded := folded_text(len(found) - len(shown)):
        lines.append(f"{folded}.")
    # Kept seats: at tables that are not among the others, since they sleep.
    return Answer(lines, {"tables": [*map(_as_json, found)], "kept_seats": unlisted})


def _as_json(table: Listing) -> dict[str, object]:
    """A table as programs are told of it."""
    return {
        "table": table.number,
        "rules": table.rules,
        "title": table.rules_title,
        "state": table.state,
        "ply": table.ply,
        "seats": table.sitters,
        "open": table.open_seats,
        "watching": table.watching,
        "private": table.private,
        "hints": table.hints,
        "asleep": table.asleep,
        "rating": table.rating,
        "occasion": table.occasion,
    }


@Command(
    "start [LEVEL]",
    may=lambda context: not (context.snapshot is not None and context.snapshot.playing),
    where={"table"},
    pages={"between"},
    words="begin, go, deal, play, again, rematch, play again, next, continue, go on, new game, next game, ready, agree",
)
async def start(session: PlayerSession, rest: str) -> Answer | None:
    """Deal; AI players take any free seats."""
    rest = " ".join(word for word in rest.split() if word.lower() not in PASSED_OVER)
    if (here := session.snapshot) is not None and here.playing:
        to_table = way_to_table(session, rest)
        way = to_table or " ".join(_place_kept(here, ": type leave to go") or awaited_text(here))
        is_slip = here.my_turn and rest.isalpha() and not to_table  # as in "play the sixx"
        why = f"{rest!r} is no card" if is_slip else "the game is going on"
        raise InputError("wrong_phase", f"{why}. {sentence_case(way)}")
    if session.occasion and session.view is not None:  # its game is over
        if not session.occasion.alone:
            raise InputError(
                "wrong_phase", " ".join([f"{session.occasion.name} is played once.", *session.occasion.next.lines])
            )
        await session.leave_table()
        return await play(session, rest)
    named = _named_in(session, rest)
    if named and len(named) == len(rest.split()):
        if any(each.player.id not in session.table.names() for each in named):
            return await invite(session, rest)
        rest = ""
    follows, level = session.table.follows(session), await _with_level(session, rest)
    if level and level not in LEVELS:
        if way := way_to_table(session, level):
            raise InputError("bad_request", f"a table keeps its rules and seats: {way}")
        raise InputError("bad_request", f"that is not understood:{ways(session)}")
    if follows and level:
        await session.change_setting("level", level)
    if follows or level:
        await session.table.change_ai_level(session, level or level_met(session))
    await session.table.start(session)
    if follows:
        begin_own_level(session)
    return None


@Command("back", goes=True, where={"table"}, pages=(), words="i'm back, im back, am back")
async def back(session: PlayerSession, _: str) -> Answer | None:
    """Take your seat back; between games, leave."""
    is_idle = session.snapshot is not None and not (session.snapshot.playing or session.snapshot.away)
    return await (leave(session, "") if is_idle else session.table.back(session))


@Command("cut TEXT", where={"table"}, pages={"between"}, details=HELP_CUT)
async def cut(session: PlayerSession, rest: str) -> None:
    """Cut the cards before they are dealt."""
    word, _, sealed = rest.partition(" ")
    if word in {"seal", "open"}:
        session.lobby.imposed.refuse_if_muted(session.player, session.caller)
        await (session.table.seal_cut if word == "seal" else session.table.open_cut)(session, sealed)
        return
    text = clean(rest, WORD_LENGTH)
    if not text:
        raise InputError("bad_request", "cut with what? Type cut and any text, as in cut my lucky word")
    session.take_turn_to_talk()
    await session.table.cut(session, text)


@Command(
    "add [LEVEL] [STYLE]",
    may=lambda context: context.snapshot is not None and None in context.snapshot.sitters,
    where={"table"},
    pages={"between"},
    details=HELP_ADD,
    words="add ai, add bot, add player, bots",
)
async def add(session: PlayerSession, rest: str) -> None:
    """Add an AI player to your table."""
    await session.table.add(session, *read_ai_player(rest))


@Command(
    "remove NAME",
    where={"table"},
    pages={"between"},
    details=(
        "remove 2 removes the player of seat 2. People and bots cannot sit here again, so you are asked first.",
        "During a game this makes you last in it, and the game is not rated for the player you remove.",
    ),
)
async def remove(session: PlayerSession, rest: str) -> Answer | None:
    """Remove a player from your table."""
    sitters = session.table.listing().sitters
    names = [sitter.name.lower() if sitter else "" for sitter in sitters]
    seat = names.index(rest.lower()) if rest and rest.lower() in names else (read_number(rest) or 0) - 1
    cost = _cost_of_removing(session.snapshot, seat, dict(enumerate(sitters)).get(seat))
    if cost and not session.typed_again.confirm_or_ask(f"remove {rest}"):
        return Answer([f"{cost}: if you mean that, type remove {rest} again."])
    await session.table.remove(session, seat)
    return None


@Command(
    "leave",
    goes=True,
    where={"lobby", "table", "watching"},
    pages={"between", "game"},
    words=(
        "lobby, menu, home, go home, stop watching, stop game, go back, back lobby, go lobby, go back lobby, "
        "return lobby, main menu, stop, give up, resign, surrender, forfeit, fold, concede, end game"
    ),
    details=(f"Before a card is played that costs nothing, for {EXCUSED}; then you are last, unless all others left.",),
)
async def leave(session: PlayerSession, _: str) -> Answer:
    """Go back to the lobby; a seat is given up."""
    if not session.at_table:
        if stopped := session.stop_waiting():
            return Answer(stopped)
        raise InputError("bad_request", "you are in the lobby already: type quit to hang up")
    occasion = session.occasion
    if occasion and (session.in_game or (occasion.others_wait and not session.is_watching)):
        await session.leave_table()
        return Answer([f"You are in the lobby. {occasion.left}"])
    costs = question_before_leaving(session)
    if costs and not session.typed_again.confirm_or_ask("leave"):
        return Answer([costs])
    place = ["The game counts as lost for you when it ends."] if costs else _place_kept(session.location.snapshot)
    if session.in_game and not costs:
        excused = f" That holds for {EXCUSED}." if _is_rated(session) else ""
        won = won_already_sentence(session.snapshot)
        place = [won or f"No card was played, so the game does not count for you.{excused}"]
    stopped = session.stop_waiting()
    await session.leave_table()
    return Answer([" ".join(["You are in the lobby.", *place, *stopped])])


@Command(
    "invite [NAME]...",
    may=lambda context: not (context.snapshot and context.snapshot.occasion and context.snapshot.occasion.alone),
    on_server=True,
    where={"lobby", "table", "watching"},
    pages={"between"},
    details=(
        "invite NAME tells a player what to type; invite alone shows the line that others type in their terminals.",
    ),
    words="share, the link, friend, invite friend, invite friends",
)
async def invite(session: PlayerSession, rest: str) -> Answer:
    """Invite a player to your table."""
    if not session.lobby.ssh_address:
        raise InputError("bad_request", "nobody else can come to this table: it is in your terminal alone")
    people = _named_in(session, rest)
    if not session.at_table:
        if rest and not people:
            raise InputError("bad_request", f"{rest[:20]!r} is not here: type new, and invite shows what they type")
        opened = await new(session, rest)
        if rest or not session.at_table:
            return opened
    if session.occasion and session.occasion.alone:
        raise InputError("bad_request", f"{session.occasion.name} is played alone")
    await session.lobby.read_on()  # whether there is a free seat
    return _invite_people(session, people, rest)


@Command("decline", may=lambda context: context.scene.invitation, on_server=True, in_full=True, pages=())
async def decline(session: PlayerSession, _: str) -> Answer:
    """Say no to an invitation, or to another game."""
    if session.is_asked:
        await session.table.refuse(session)
        return Answer(["The others read that you want no other game now."] if session.side_view else ())
    name, session.offer = session.offer.by, PLAY
    if not name:
        raise InputError("bad_request", "nobody has invited you just now")
    if (other := session.lobby.visitors.named(name)) is not None:
        session.take_turn_to_talk()
        other.hear(session.player.name, NOT_NOW)
    return Answer([f"{name} reads that you do not come now."])


def _named_in(session: PlayerSession, rest: str) -> list[Visitor]:
    """The players who are here and are named in a line, each once."""
    named = filter(None, map(session.lobby.visitors.named, rest.split()))
    return list({each.player.id: each for each in named}.values())


async def _with_level(session: PlayerSession, rest: str) -> str:
    """A line without harder or easier: the player's own level becomes so. Raises InputError."""
    words = rest.split()
    for wish, step in (("harder", 1), ("easier", -1)):
        if wish in words:
            words.remove(wish)
            levels = [*LEVELS]
            at = min(max(0, levels.index(level_met(session)) + step), len(levels) - 1)
            await session.change_setting("level", levels[at])
            session.note(f"AI players are {level_met(session)} for you now; set level changes that.")
    return " ".join(words)


async def _open_table(session: PlayerSession, rest: str, wish: str = "") -> Table:
    words = [word for word in rest.split() if word != f"level={AUTO}"]
    try:
        settings = read_table_settings(" ".join(words), session.lobby.rulebook, session.lobby.config)
    except NoSuch as error:
        if error.code == "unknown_rules" and not (error.meant or session.caller.is_alone):
            if about := command_in(words, session):
                raise told_of(about, session) from None
            error.message = error.message.replace("no rule set", "no player here and no rule set", 1)
        raise
    names_level = any(word.startswith("level=") or word.lower() in LEVELS for word in words)
    settings = replace(settings, pace=session.settings.pace, ai_level="" if names_level else wish or level_met(session))
    table = await session.lobby.tables.open_table(settings, session.caller, session.player.id)
    await session.enter(table, table.sit, settings.word, is_own=True)
    session.tell_way_back()
    if not (names_level or wish):
        begin_own_level(session, FIRST)
    return table


def _asked_to_give_way(session: PlayerSession, line: str) -> Answer | None:
    """The question to a player who waits for something else, once for each; None if they may go on. A program may."""
    notice = session.notice
    if notice is None or notice.invites or notice.of in session.gives_way_to:
        return None
    gives_way = "alone it waits for you, with others an AI player plays on"
    question = f"{notice.text} A game that you begin now gives way to it: {gives_way}."
    if not session.front_end.can_answer:
        session.front_end.told([question])
    elif not session.typed_again.confirm_or_ask(line):
        return Answer([f"{question} Type {line} again to begin."])
    session.gives_way_to |= {notice.of}
    return None


def question_before_leaving(session: PlayerSession) -> str:
    """What a player loses for good if they leave now, and how they would keep it; empty if nothing."""
    is_excused = not (_is_rated(session) and session.lobby.ledger.wait(DEALS_LEFT, session.player.id))
    is_played = session.view is not None and session.view.phase == "play"  # the cards are arranged
    if not session.in_game or (is_excused and not is_played) or won_already_sentence(session.snapshot):
        return ""  # see also `Table.leave`
    why = "" if is_played else f"No card is played yet, but you can leave only {EXCUSED} like this. "
    cost = "You would be last, and your rating would fall" if _is_rated(session) else "You would lose this game"
    otherwise = ", or quit to keep your seat" if session.caller.may_return else ""
    return f"{why}{cost}: type leave to go all the same{otherwise}."


def _is_rated(session: PlayerSession) -> bool:
    """Whether the game is rated for the player."""
    rating = session.snapshot.rating if session.snapshot else ""
    return session.player.account is not None and rating.startswith(RATED)


def _place_kept(snapshot: Snapshot | None, then: str = "") -> list[str]:
    """What a player who is out of cards keeps, whatever they do while others play on."""
    view = snapshot.view if snapshot and snapshot.playing else None
    if view is None or view.seat is None or view.seat not in view.places:
        return []
    return [f"Your {ordinal(view.places.index(view.seat) + 1)} place counts{then}."]


def _cost_of_removing(snapshot: Snapshot | None, seat: int, sitter: Sitter | None) -> str:
    """What cannot be undone if the table's host removes the player of this seat; empty if nothing."""
    if snapshot is None or snapshot.seat != snapshot.host or sitter is None or sitter.is_ai or seat == snapshot.seat:
        return ""
    cost = f"{sitter.name} could never sit here again"
    is_in_game = snapshot.playing and snapshot.view is not None and seat not in snapshot.view.places
    return f"You would be last in this game, and {cost}" if is_in_game else cost


def _tell_table(session: PlayerSession) -> None:
    """Tell a player at the start who sits at the table, and how its game stands."""
    if snapshot := session.snapshot:
        stands = table_text(snapshot, session.feed.clock_left) if snapshot.view else []
        session.front_end.told([*seats_text(snapshot), *stands])


def _means_this_table(session: PlayerSession, rest: str) -> bool:
    """Whether ``N [WORD]`` names the table that the player is at, a player there, or no table."""
    where = rest.partition(" ")[0]
    named = session.lobby.visitors.named(where)
    is_here = where == str(session.table_number) or (named is not None and named.table_number == session.table_number)
    return session.at_table and (is_here or {*rest.lower().split()} <= PASSED_OVER)


async def _come(session: PlayerSession, rest: str, *, to_sit: bool) -> None:
    """Go to the table of ``N [WORD]``, from the lobby, or from a table that the player watches or that has ended."""
    if session.in_game:
        raise InputError("bad_request", f"after this game type {'sit' if to_sit else 'watch'} {rest}")
    if not session.may_go:
        session.must_be_in_lobby()
    number, _, word = rest.partition(" ")
    open_to_all = [each for each in session.lobby.tables.listings() if not each.private]
    if not (rest or to_sit) and len(open_to_all) == 1:
        number = str(open_to_all[0].number)
    if other := session.lobby.visitors.named(number):
        if other is session:
            raise InputError("bad_request", "that is you: sit N takes a seat at table N, and tables lists them")
        if other.table_number is None:
            name = other.player.name
            raise InputError("bad_request", f"{name} is in the lobby: invite {name}", name=name)
        number = str(other.table_number)
    table = await session.lobby.tables.bring_up(number, session.caller)
    was_at_table = session.at_table
    try:
        if was_at_table:
            await session.leave_for(table, clean(word, WORD_LENGTH), to_sit=to_sit)
        if to_sit:
            await session.sit(table, clean(word, WORD_LENGTH))
        else:
            await session.enter(table, table.come, clean(word, WORD_LENGTH))
    except InputError as error:
        if error.code == "table_full" and not table.listing().private:
            session.offer = Offer(f"watch {table.number}", f"watch table {table.number} until there is a seat")
            session.lobby.visitors.show_lobby(session)  # and what becomes of that table
        raise


def _invite_people(session: PlayerSession, named: list[Visitor], rest: str) -> Answer:
    """Invite these players to the table here, and say how others come; ``rest`` was typed. Raises InputError."""
    table, word = session.table, session.location.snapshot.word if session.location.snapshot else ""
    open_seats = table.listing().open_seats
    way = f"{'sit' if open_seats else 'watch'} {table.number}"
    # Quoted, since a player has chosen the word and others paste this line into a shell.
    line = f"ssh -t {session.lobby.ssh_address} {way} {shlex.quote(word) if word else ''}".rstrip()
    if session.lobby.join_lines.opens_anywhere:
        line += f"  or, on a phone: {session.lobby.join_lines.link}"
    if not named:
        return Answer([f"{f'{rest[:20]!r} is not here. They' if rest else 'Others'} can come with: {line}"])
    present = table.names() if open_seats else table.runtime.present
    if not (people := [each for each in named if each.player.id not in present]):
        they, seated = [each.player.name for each in named], table.names()
        if len(seated) == len(table.listing().sitters) and not all(each.player.id in seated for each in named):
            way = f"{leave_text(session)}, then {another_table(session, '', *they)}"
            raise InputError("table_full", f"no seat is free: {way}")
        raise InputError("bad_request", f"at this table already: {listed(they, 'and')}")
    for other in people:
        _charge_invitation(session, other)
        said = f"{TO_YOU}come to table {table.number}, {table.listing().rules_title}"
        other.hear(session.player.name, said, f"{way} {word}".rstrip())
    names = listed([other.player.name for other in people], "and")
    others = "" if 0 < open_seats <= len(people) else f" Others can come with: {line}"
    return Answer([f"You invite {names}.{others}"])


def _charge_invitation(session: PlayerSession, other: Visitor) -> None:
    """Charge an invitation as talk. Raises InputError if the other player cannot be invited now."""
    name, player_id, table = other.player.name, other.player.id, session.table
    if table.is_barred(player_id):
        who = "you have" if session.snapshot and session.snapshot.seat == session.snapshot.host else "the host has"
        raise InputError("barred", f"{who} removed {name} for good: {name} can play with you at another table alone")
    if other.player.kind == "bot":
        raise InputError("bad_request", f"a bot like {name} reads no invitations")
    session.take_turn_to_talk()
    session.talk.note_invitation(player_id, name)
