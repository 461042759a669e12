"""What players of tournaments can type: open one, enter it, leave it, see who is in it, and how it stands."""

import re
import time
from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from engine.errors import InputError
from engine.wording.phrases import listed, quantity
from server.clean_text import clean
from server.commands.finding import HostWords
from server.commands.games import NightEvents
from server.commands.help import help_
from server.commands.registry import Answer, Command, Context, MoreDetails, declared_in
from server.config import Config
from server.features import Feature
from server.language.table_settings import number_in, read_level, table_settings
from server.lobby.lobby import Runs
from server.records.fairness import new_seed
from server.rulebook import Rulebook
from server.session.bot_requests import BotRequest
from server.table.apply_changes import must_be_openable
from server.table.entries import TableSettings
from server.tournament import answers, events
from server.tournament.due import FEW
from server.tournament.known import PERSONAL_DATA, TournamentLog
from server.tournament.pairing import MAX_SEATS, MIN_SEATS
from server.tournament.service import RESOURCES, Tournaments, tournaments_of
from server.tournament.standings import CREDIT
from server.tournament.state import MOST_ENTRANTS, PLACES_OF_ADDRESS, Opened, Tournament
from server.tournament.text import UNTIL_CALLED, board_lines, corrected_lines, name_of, stage, standings_lines, summary
from server.tournament.verbs import VERBS, Verb, decide, find_verb, may_direct, network_text, publish, verb_lines

NAME_CELLS: Final = 24
MOST_ROUNDS: Final = 12
AHEAD_SECONDS: Final = 12 * 3600.0
"""A time lies at most so far ahead: any other is meant as one that is past."""
KEYS: Final = ("format", "rules", "rounds", "seats", "clock", "fill", "start", "end", "places", "people", "final")
_TIME: Final = re.compile("([01]?[0-9]|2[0-3]):([0-5][0-9])")
_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "format": ("open", "swiss"),
    "people": ("all", "only"),
    "final": ("on", "off"),
}


def read_tournament(text: str, rulebook: Rulebook, config: Config, now: float) -> dict[str, Any]:
    """The fields of `tournament.events.Opened` that ``NAME [KEY=VALUE]...`` describes, without host, time and seed.

    ``now`` is the time of day in seconds since 1970. Raises InputError, which names the wrong word and what would be
    right.
    """
    words, given = list[str](), dict[str, str]()
    for word in text.split():
        key, equals, value = word.partition("=")
        if not equals:
            words.append(word)
        elif key in KEYS:
            given[key] = value
        else:
            raise InputError("bad_request", f"a tournament has no {key[:20]!r}: it has {listed(KEYS, 'and')}")
    for key, choices in _CHOICES.items():
        if given.get(key, choices[0]) not in choices:
            raise InputError("bad_request", f"type {listed([f'{key}={each}' for each in choices])}")
    is_swiss = given.get("format") == "swiss"
    if (rounds := given.get("rounds", "")) and not is_swiss:
        raise InputError("bad_request", "rounds=N is for format=swiss: an open night ends when its host closes it")
    if "end" in given and is_swiss:
        raise InputError("bad_request", "a swiss ends with its last round: end=HH:MM is for an open night")
    fill, start = given.get("fill", ""), given.get("start", "host" if is_swiss else "now")
    places = _number(given, "places", MOST_ENTRANTS, f"places=N: a tournament has 1 to {MOST_ENTRANTS} places")
    if start == "full" and not places:
        raise InputError("bad_request", "start=full needs to know when it is full: add places=8, for example")
    is_timed = start not in {"now", "host", "full"}
    return {
        "name": read_name(" ".join(words)),
        "format": "swiss" if is_swiss else "open",
        "table": _table(given, fill, rulebook, config),
        "fill": fill if fill in {"full", "none"} else "default",
        "rounds": _number(given, "rounds", MOST_ROUNDS, f"a swiss has 1 to {MOST_ROUNDS} rounds, not {rounds[:9]}"),
        "people_only": given.get("people") == "only",
        "final": given.get("final") == "on" and is_swiss,
        "start": "time" if is_timed else start,
        "starts_at": read_time(start, now) if is_timed else 0.0,
        "ends_at": read_time(given["end"], now) if "end" in given else 0.0,
        "places": places,
    }


def _number(given: Mapping[str, str], key: str, most: int, refusal: str) -> int:
    """The number under a key; 0 if none is given."""
    return number_in(range(1, most + 1), given[key], refusal) if key in given else 0


def read_name(text: str) -> str:
    """The name of a tournament. Raises InputError if it could not be typed or told apart."""
    name = clean(text, NAME_CELLS)
    problems = {
        "what is the tournament called? Type tournament new NAME": not name,
        f"a tournament's name has at most {NAME_CELLS} letters, all of them visible": name != text.strip(),
        "a tournament's name has no colon": ":" in name,  # lines of the server begin with its name and a colon
        "a tournament's name has letters in it": not any(char.isalpha() for char in name),
    }
    for problem in (each for each, is_so in problems.items() if is_so):
        raise InputError("bad_request", problem)
    return name


def _table(given: Mapping[str, str], fill: str, rulebook: Rulebook, config: Config) -> TableSettings:
    """The settings of a table with the most seats; every smaller table must be possible, too."""
    rules = rulebook.find(given.get("rules", rulebook.names[0]))
    most = given.get("seats", str(min(MAX_SEATS, rules.seats_max)))
    refusal = f"the tables of a tournament have {MIN_SEATS} to {MAX_SEATS} seats"
    texts = {"seats": str(number_in(range(MIN_SEATS, MAX_SEATS + 1), most, refusal))}
    if "clock" in given:
        texts["clock"] = given["clock"]
    if fill not in {"", "full", "none"}:
        texts["level"] = read_level(fill)
    settings = table_settings(rules, rulebook.name_of(rules), {}, texts, config)
    for seats in range(MIN_SEATS, settings.seats + 1):
        must_be_openable(replace(settings, seats=seats))
    return replace(settings, hints=False)


def read_time(text: str, now: float) -> float:
    """The next time, in seconds since 1970, at which the server's clock shows HH:MM; if it skips that, an hour later.

    Raises InputError.
    """
    if (read := _TIME.fullmatch(text)) is None:
        raise InputError("bad_request", f"{text[:9]!r} is no time of day: type HH:MM; start also takes full, or host")
    today = time.localtime(now)
    for day in (today.tm_mday, today.tm_mday + 1):
        at = time.mktime((today.tm_year, today.tm_mon, day, int(read[1]), int(read[2]), 0, 0, 0, -1))
        if now < at <= now + AHEAD_SECONDS:
            return at
    raise InputError(
        "bad_request", f"{text} is past, or more than 12 hours ahead: it is {time.strftime('%H:%M', today)}"
    )


ON_A_BOARD: Final = (
    "board tournament     keeps to a tournament: its standings, its tables, its calls; name one if there are several"
)


@Verb("new NAME [KEY=VALUE]...")
async def new(context: Context, rest: str) -> Answer:
    """Open a tournament; you are its host."""
    if context.player.account is None and not context.caller.runs_server:
        raise InputError("bad_request", "to hold a tournament you need an ssh key, so that you are known again")
    tournaments = tournaments_of(context.lobby)
    read = read_tournament(rest, context.lobby.rulebook, context.lobby.config, context.lobby.wall())
    if find_verb(read["name"].partition(" ")[0]) is not None:
        raise InputError("bad_request", f"{read['name']!r} begins with a word of the command: choose another name")
    context.lobby.imposed.refuse_if_muted(context.player, context.caller)
    opened = Opened(
        host=context.player.id,
        host_name=context.player.name,
        network=network_text(context),
        at=tournaments.now(),
        seed=new_seed(),
        **read,
    )
    state = (await tournaments.open_tournament(opened, by_op=context.lobby.is_op(context.caller))).state
    lines = [f"{summary(state)} You are its host.", f"Others type: tournament join {state.name}"]
    if opened.start in {"host", "time"}:
        lines.append(f"tournament start {state.name} begins it; help tournament lists what a host can do.")
    return Answer(lines, answers.tournaments_json(context, state))


@Verb("join [NAME]")
async def join(context: Context, rest: str) -> Answer:
    """Enter a tournament, or come back to it."""
    if not context.player.id or context.caller.runs_server:
        raise InputError("bad_request", "come in with ssh HOST, and type it there; with an ssh key this works, too")
    its = await tournaments_of(context.lobby).known.find(rest)
    network, state = network_text(context), its.state
    _must_have_room(context, state, network)
    for other in await tournaments_of(context.lobby).known.going_on():
        if other.id != state.id and other.is_swiss and state.is_swiss and context.player.id in other.playing:
            raise InputError("bad_request", f"you play in {other.name}: tournament leave {other.name} first")
    before = context.player.id in state.entrants
    await decide(context, its, events.Entered, player=context.player, network=network)
    state = its.state
    said = f"You are in {state.name}: {quantity(len(state.playing), 'player')}; {stage(state)}."
    if not before and state.is_swiss and state.entrants[context.player.id].is_late:
        said += f" You have come late and begin with {CREDIT} points."
    soon = tournaments_of(context.lobby).soon(state)
    outside = context.place.kind == "shell"
    until = "ssh HOST brings you in, where you are called to your table." if outside else UNTIL_CALLED
    said += f" {soon}".rstrip() + f" {until}"
    return Answer([said], answers.tournaments_json(context, state))


def _must_have_room(context: Context, state: Tournament, network: str) -> None:
    """Raises InputError if too many have entered from the player's address.

    Those who left without a game count, too: a guest can come again as another one.
    """
    is_hosts = network == state.opened.network
    most = context.lobby.config.per_address if is_hosts else PLACES_OF_ADDRESS.share
    seated = {player for board in state.boards for player in board.people}
    others = [
        each
        for player, each in state.entrants.items()
        if each.network == network and (each.status == "in" or player not in seated)
    ]
    if network and len(others) >= most and context.player.id not in state.entrants:
        raise PLACES_OF_ADDRESS.refuse(name=state.name, players=quantity(most, "player"))


@Verb("leave [NAME]")
async def leave(context: Context, rest: str) -> Answer:
    """Play no more rounds; your points stay."""
    its = await _own(context, rest)
    await decide(context, its, events.Left, player=context.player.id)
    busy = its.state.busy.get(context.player.id)
    then = f" Your game at table {busy.table} still counts." if busy else ""
    return Answer([f"You have left {its.state.name}; your points stay.{then} tournament join brings you back."])


@Verb("out [NAME]")
async def out(context: Context, rest: str) -> Answer:
    """Sit out the next round; in a swiss the first time gives 4 points."""
    its = await _own(context, rest)
    await decide(context, its, events.SatOut, player=context.player.id)
    return Answer([f"You sit out the next round of {its.state.name}."])


@Verb("go [NAME]")
async def go(context: Context, rest: str) -> Answer:
    """In an open night: if only one or two wait, do not wait longer, AI players fill up."""
    its, tournaments = await _own(context, rest), tournaments_of(context.lobby)
    state = its.state
    if may_direct(context, state) and context.player.id not in state.playing:
        return await publish(context, state.name)  # a host who does not play means the next step
    if state.is_swiss:
        raise InputError("bad_request", f"{state.name} is a swiss: its rounds begin for all at once")
    if state.held_at is not None or state.paused_at is not None:
        raise InputError("wrong_phase", f"the host of {state.name} has stopped it for a while")
    due = tournaments.next_round(state)[1]
    if due is None or context.player.id not in due.players:
        raise InputError("wrong_phase", f"you do not wait for a table of {state.name} now")
    if len(due.players) >= FEW:
        raise InputError("wrong_phase", f"{quantity(len(due.players), 'player')} wait: you will play together soon")
    await decide(context, its, events.Called, round=due.round)
    return Answer(["The next tables are called now."])


@Verb("who [NAME]")
async def who(context: Context, rest: str) -> Answer:
    """List who is in it, and who plays where."""
    state = await _found(context, rest)
    names = [name_of(state, player) for player in state.playing]
    lines = [summary(state), *([f"Players: {', '.join(names)}."] if names else []), *board_lines(state)]
    return Answer(lines, answers.tournaments_json(context, state))


@Verb("standings [NAME]")
async def standings(context: Context, rest: str) -> Answer:
    """Show the standings."""
    state = await _found(context, rest)
    now = [*corrected_lines(state), *board_lines(state), tournaments_of(context.lobby).soon(state)]
    lines = [summary(state), *standings_lines(state, context.player.id), *filter(None, now)]
    return Answer(lines, answers.tournaments_json(context, state), title=state.name)


async def _found(context: Context, name: str) -> Tournament:
    return (await tournaments_of(context.lobby).known.find(name)).state


async def _own(context: Context, name: str) -> TournamentLog:
    """The tournament of this name, or the only one that the player has entered. Raises InputError."""
    return await tournaments_of(context.lobby).known.find(name, lambda state: context.player.id in state.playing)


@Verb("results [NAME]")
async def results(context: Context, rest: str) -> Answer:
    """Show everything: standings, honours, all games, who met whom."""
    return await answers.results_answer(context, await _found(context, rest))


ENDS: Final = ("end", "stop", "cancel", "finish", "abort", "close")
"""What hosts call to close one."""
HELP_TOURNAMENT: Final = (
    "An open night goes on all evening: players come and go, and every few minutes those who wait get a table.",
    "A swiss has a fixed number of rounds: all play at the same time, and a winner is found.",
    "Points at a table of four: 12, 8, 4, 0; of three: 12, 6, 0; of two: 10, 2. Players who tie share them.",
    "AI players take seats only where people are too few for full tables, and play for people who are away.",
    "tournament new NAME [format=open|swiss] [rules=RULES] [rounds=N] [seats=2..4] [clock=S] [fill=LEVEL|full|none]",
    "    [start=HH:MM|full|host] [end=HH:MM] [places=N] [people=only] [final=on]",
)


@Command(
    "tournament [WHAT] [NAME]",
    on_server=True,
    pages={"lobby"},
    ssh="answer",
    needs_name=True,
    details=(*HELP_TOURNAMENT, *verb_lines()),
    completes={"WHAT": lambda context, _: [*VERBS, *tournaments_of(context.lobby).known.names]},
    words="tournaments, compete",
)
async def tournament(context: Context, rest: str) -> Answer | None:
    """Play a tournament, or hold one."""
    word, _, more = rest.partition(" ")
    if verb := find_verb(word):
        return await verb.handler(context, more.strip())
    if rest.lower() == "help":
        return await help_(context, "tournament")
    if not rest:
        return await answers.overview(context)
    try:
        return await standings(context, rest)
    except InputError as error:
        name, _, last = rest.rpartition(" ")
        if word.lower() in ENDS:
            raise InputError("bad_request", f"type tournament close {more or 'NAME'}: it ends the tournament") from None
        if verb := VERBS.get(last.lower()):
            raise InputError("bad_request", f"the name stands last: tournament {verb.name} {name}") from None
        raise error from None


def _name_in(said: str) -> str:
    """The name that a host has said behind the word tournament; a sentence is none."""
    name = re.sub("^(called|named) ", "", said)
    return name if name and " " not in name else "NAME"


FEATURE: Final = Feature(
    "tournament",
    (
        *declared_in(__name__),
        Runs(Tournaments),
        *RESOURCES,
        answers.COMPETITIONS,
        MoreDetails("board", (ON_A_BOARD,)),
        HostWords(
            "(start|begin|open|new|create|hold|run|have)( (a|the|new))* tournament",
            lambda _, rest: f"tournament new {_name_in(rest)} opens one, tournament start {_name_in(rest)} begins it.",
        ),
        HostWords(rf"({'|'.join(ENDS)})( the)? tournament", lambda _, rest: f"Type tournament close {_name_in(rest)}"),
        HostWords(
            "((who|which)( (is|are|has))* (won|winning|ahead|leading)( (in|the|last|a))* tournament|results|standings"
            "|far( (is|are|has))*( the)? tournament|when( (is|does|do|will))*( the)?( next)? (round|table)( .*)?)",
            lambda _, __: (
                "tournament tells of those of today, and when the next round comes; tournament results NAME "
                "tells how one ended, top the best."
            ),
        ),
        HostWords(
            "(pause|freeze|resume|unpause|continue)",
            lambda _, __: "tournament pause stops all clocks and rounds of a tournament, tournament resume goes on.",
        ),
        NightEvents("tournaments", answers.held_in_night),
        BotRequest(answers.TournamentRequest, answers.carried_out),
        PERSONAL_DATA,
    ),
)
