"""The words behind `tournament`: each is declared once, above the function that carries it out, as commands are.

The function's docstring is its line of help. Those of hosts, which are here, are for the player who opened the
tournament, and for ops.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeVar

from engine.errors import InputError
from engine.wording.phrases import listed
from server.addresses import share_of
from server.commands.acts import note_act, reason_of
from server.commands.registry import Answer, Context, Declared, Handler
from server.language.table_settings import number_in
from server.number_text import read_number
from server.tournament import events
from server.tournament.events import Event
from server.tournament.known import TournamentLog
from server.tournament.pairing import AI_SEAT
from server.tournament.service import tournaments_of
from server.tournament.standings import PlayedBoard
from server.tournament.state import Tournament
from server.tournament.text import board_text, name_of, round_name

AnyHandler = TypeVar("AnyHandler", bound=Handler)


@dataclass(slots=True, eq=False)
class Verb(Declared):
    """One word behind `tournament`."""

    is_hosts: bool = False

    def __call__(self, handler: AnyHandler) -> AnyHandler:
        """Declare the verb: the decorated function carries it out."""
        self.handler = handler
        VERBS[self.name] = self
        return handler


VERBS: Final[dict[str, Verb]] = {}
"""All verbs by their names, in the order of help."""
SHORTEST_WORD: Final = 3
"""How many letters of a verb are enough, if no other verb begins with them."""


def find_verb(word: str) -> Verb | None:
    """The verb that a typed word means, which may be its beginning; None if it is none."""
    begun = [each for each in VERBS.values() if each.name.startswith(word.lower())]
    is_meant = len(begun) == 1 and len(word) >= min(SHORTEST_WORD, len(begun[0].name))
    return begun[0] if is_meant else None


def verb_lines() -> list[str]:
    """What `help tournament` lists."""
    lines = {
        is_hosts: [f"{each.usage:<32} {each.help}" for each in VERBS.values() if each.is_hosts == is_hosts]
        for is_hosts in (False, True)
    }
    return [*lines[False], "For the player who has opened it, and for ops:", *lines[True]]


def may_direct(context: Context, state: Tournament) -> bool:
    """Whether the player is the host of a tournament, or an op."""
    is_host = bool(context.player.id) and context.player.id == state.opened.host
    return is_host or context.lobby.is_op(context.caller)


async def directed(
    context: Context, name: str, is_meant: Callable[[Tournament], bool] = lambda _: True
) -> TournamentLog:
    """The tournament of this name, or the only one that the player may direct, and that is meant if several are.

    Raises InputError if they may not.
    """
    known = tournaments_of(context.lobby).known
    its = await known.find(name, lambda state: may_direct(context, state) and is_meant(state))
    if not may_direct(context, its.state):
        raise InputError("bad_request", f"only the host of {its.state.name} can do that: {its.state.opened.host_name}")
    return its


def network_text(context: Context) -> str:
    """The network that a player comes from; empty if many may have it."""
    address = context.caller.address
    if address is None or address in context.lobby.shared:
        return ""
    return share_of(address)


async def decide(context: Context, its: TournamentLog, kind: Callable[..., Event], **fields: object) -> None:
    """Write that the player has decided this. Raises InputError if it is not possible, or cannot be saved."""
    tournaments = tournaments_of(context.lobby)
    if kind in {events.Entered, events.Called}:
        tournaments.must_go_on()
    await its.write(event := kind(at=tournaments.now(), by=context.player.id, **fields))
    tournaments.tell_after_end(its.state, event)


async def _decided(context: Context, name: str, kind: Callable[..., Event], **fields: object) -> TournamentLog:
    """The tournament of this name for which the player has decided this; see `directed` and `decide`."""
    its = await directed(context, name)
    await decide(context, its, kind, **fields)
    return its


async def _correct(
    context: Context, its: TournamentLog, board: PlayedBoard, kind: Callable[..., Event], why: str, **fields: object
) -> str:
    """Decide this about a board, and note what it was before. Returns what it is now."""
    before = board_text(its.state, board)
    await decide(context, its, kind, round=board.round, board=board.number, **fields)
    after = board_text(its.state, its.state.board(board.round, board.number))
    whom = f"{its.state.name}:{board.round}.{board.number + 1}"
    await note_act(context, "tournament correction", whom, before=before, after=after, why=why)
    return after


hosts_verb: Final = partial(Verb, is_hosts=True)
"""Declares what the host of a tournament can type. Each act is an event: it changes nothing that was written before."""
EXTENSION: Final = range(1, 61)
"""The minutes by which games may be extended at once."""


@hosts_verb("start [NAME]")
async def start(context: Context, rest: str) -> Answer:
    """Begin with the first round."""
    return await publish(context, rest)


@hosts_verb("hold [NAME]")
async def hold(context: Context, rest: str) -> Answer:
    """Have the next round wait for publish, 15 minutes at most."""
    its = await _decided(context, rest, events.Held)
    return Answer([f"The next round waits, 15 minutes at most: tournament publish {its.state.name} calls it."])


@hosts_verb("draft [NAME]")
async def draft(context: Context, rest: str) -> Answer:
    """Show the tables of the next round, before others see them."""
    state, tournaments = (await directed(context, rest)).state, tournaments_of(context.lobby)
    due = tournaments.next_round(state)[1]
    if due is None:
        refusal = f"the next round of {state.name} is not due yet: tournament who shows what goes on"
        raise InputError("wrong_phase", refusal)
    lines = [f"{state.name}, round {due.round}, if nobody comes or goes: hold keeps it back, publish calls it."]
    for number, table in enumerate(await tournaments.rounds.draft(state, due), 1):
        lines.append(f"{number}. {listed([name_of(state, player) for player in table], 'and')}")
    return Answer(lines)


@hosts_verb("next [NAME]")
@hosts_verb("publish [NAME]")
async def publish(context: Context, rest: str) -> Answer:
    """Call the next round now."""
    its = await directed(context, rest)
    state, number = its.state, len(its.state.rounds) + 1
    if state.is_swiss and state.rounds and not state.rounds[-1].is_over:
        raise InputError("wrong_phase", f"{round_name(state, number - 1)} goes on: tournament who shows where")
    if state.is_swiss and not state.playing:
        raise InputError("bad_request", f"nobody is in {state.name} now")
    await decide(context, its, events.Called, round=number)
    begins = " begins" * (state.started_at is None)
    then = "the next tables are called in a moment" if state.playing else "tables are called when players have entered"
    return Answer([f"{state.name}{begins}: {then}."])


@hosts_verb("pause [NAME]")
async def pause(context: Context, rest: str) -> Answer:
    """Stop all clocks and rounds, for an hour at most."""
    its = await _decided(context, rest, events.Paused)
    return Answer([f"{its.state.name} is paused: tournament resume ends the pause."])


@hosts_verb("resume [NAME]")
async def resume(context: Context, rest: str) -> Answer:
    """Go on after a pause."""
    its = await _decided(context, rest, events.Resumed)
    return Answer([f"{its.state.name} goes on."])


@hosts_verb("extend MINUTES [NAME]")
async def extend(context: Context, rest: str) -> Answer:
    """Give the games of the present round more time."""
    text, _, name = rest.partition(" ")
    its = await directed(context, name)
    minutes = number_in(EXTENSION, text, f"by how many minutes? Type tournament extend 5, at most {max(EXTENSION)}")
    running = {board.round for board in its.state.running} or {len(its.state.rounds)}
    for number in running:
        await decide(context, its, events.Extended, round=number, seconds=60.0 * minutes)
    return Answer([f"The games may last {minutes} minutes longer."])


@hosts_verb("fix TABLE NAME NAME ...")
async def fix(context: Context, rest: str) -> Answer:
    """Correct a result: all players of the table, the best first, ana=bo for a tie, AI for an AI player."""
    rest, why = reason_of(rest)
    text, _, names = rest.partition(" ")
    its, board = await _board(context, text)
    if not board.is_over:
        raise InputError("wrong_phase", f"table {board.table} is still playing: there is no result to correct")
    ranks = _ranks(its.state, board, names.split())
    return Answer([f"Corrected: {await _correct(context, its, board, events.Fixed, why, ranks=ranks)}."])


@hosts_verb("void TABLE")
async def void(context: Context, rest: str) -> Answer:
    """Have a game not count: while its round goes on it is played again, later all get the average."""
    rest, why = reason_of(rest)
    its, board = await _board(context, rest)
    round_over = its.state.round_of(board).is_over
    if board.is_over:
        await _correct(context, its, board, events.Voided, why)
    if round_over:
        return Answer(["This game is void: all its players get 6 points."])
    table = await tournaments_of(context.lobby).rounds.reopen(its, board)
    return Answer([f"This game is void; it is played again at table {table}."])


@hosts_verb("add PLAYER [NAME]")
async def add(context: Context, rest: str) -> Answer:
    """Let a player in again who was removed or away; an op can enter anybody who is here."""
    rest, why = reason_of(rest)
    text, _, name = rest.partition(" ")
    its = await directed(context, name)
    player = context.lobby.visitors.find(text).player
    entrant = its.state.entrants.get(player.id)
    is_asked = its.state.invites(player.id) and (entrant is None or entrant.status == "left")
    if is_asked and not context.lobby.is_op(context.caller):
        # Nobody is taken to tables who has not asked for that.
        raise InputError(
            "bad_request", f"{player.name} has to enter: tournament join {its.state.name}", name=player.name
        )
    await decide(context, its, events.Entered, player=player)
    await note_act(context, "tournament add", f"{player.name} to {its.state.name}", why=why)
    return Answer([f"{player.name} is in {its.state.name}."])


@hosts_verb("remove PLAYER [NAME]")
async def remove(context: Context, rest: str) -> Answer:
    """Have a player play no more rounds; their points stay."""
    rest, why = reason_of(rest)
    text, _, name = rest.partition(" ")
    its = await directed(context, name)
    player = _entrant(its.state, text, its.state.entrants)
    await decide(context, its, events.Left, player=player)
    name = name_of(its.state, player)
    await note_act(context, "tournament remove", f"{name} of {its.state.name}", why=why)
    return Answer([f"{name} plays no more rounds of {its.state.name}."])


@hosts_verb("close [NAME]")
async def close(context: Context, rest: str) -> Answer:
    """End it: no round begins any more, and games that go on still count."""
    rest, why = reason_of(rest)
    its = await _decided(context, rest, events.Closed)
    await note_act(context, "tournament close", its.state.name, why=why)
    then = "it is over" if its.state.phase == "over" else "it is over when the last games are"
    return Answer([f"{its.state.name} ends: {then}."])


async def _board(context: Context, text: str) -> tuple[TournamentLog, PlayedBoard]:
    """The tournament and the board that ``TABLE`` means: the last one at this table, or ROUND.GAME.

    NAME:TABLE is one of the tournament of this name, which may be over. Raises InputError.
    """
    name, _, place = text.rpartition(":")
    first, _, second = place.partition(".")
    one, two = read_number(first), read_number(second)

    def found(state: Tournament) -> list[PlayedBoard]:
        return [
            each
            for each in state.boards
            if one == (each.round if two else each.table) and two in {None, each.number + 1}
        ]

    its = await directed(context, name, lambda state: bool(found(state)))
    if boards := found(its.state):
        return its, boards[-1]
    where = listed([f"table {each}" for each in sorted({board.table for board in its.state.boards})], "and")
    raise InputError(
        "bad_request",
        f"which game of {its.state.name}? Type its table, or 2.1 for the first game of the second round, or "
        f"Friday:2.1 for that of another tournament; it had {where or 'no table'}",
    )


def _ranks(state: Tournament, board: PlayedBoard, words: list[str]) -> tuple[int, ...]:
    """The ranks by seat that these words mean: names, the best first, joined by = if they tie. Raises InputError."""
    seats, rank = board.seats, 1
    ranks = [0] * len(seats)
    for word in words:
        tied = word.split("=")
        for name in tied:
            player = AI_SEAT if name.lower() == "ai" else _entrant(state, name, seats)
            free = [seat for seat, taken in enumerate(ranks) if seats[seat] == player and not taken]
            if not free:
                raise InputError("bad_request", f"no {name} is left to place in {round_name(state, board.round)}")
            ranks[free[0]] = rank
        rank += len(tied)
    if 0 in ranks:
        missing = [name_of(state, seats[seat]) for seat, rank in enumerate(ranks) if not rank]
        raise InputError("bad_request", f"name all players, the best first, {listed(missing, 'and')} too")
    return tuple(ranks)


def _entrant(state: Tournament, name: str, among: Collection[str]) -> str:
    """The id of the entrant of this name, also as name#2 if two have it. Raises InputError."""
    ids = [player for player in state.entrants if player in among]
    for player in ids:
        if name.casefold() in {name_of(state, player).casefold(), state.entrants[player].player.name.casefold()}:
            return player
    names = [name_of(state, player) for player in ids] + ["AI, which means an AI player"] * (AI_SEAT in among)
    known = f"type {listed(names, 'or')}" if names else "nobody has entered"
    raise InputError("bad_request", f"no player {name[:20]!r}: {known}")
