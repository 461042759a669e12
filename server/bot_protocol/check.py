"""`quatch bots --check COMMAND`: play with a bot through what may happen to it, and say what it does wrong.

Nothing here is a server but its port: each trial is a story that the bot is told over ssh, and its requests are read as
strictly as a server reads them. COMMAND is started anew for each trial, with the arguments of ssh behind it.
"""

import asyncio
import shlex
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from tempfile import TemporaryFile
from typing import Final, TypeAlias, TypeVar

import asyncssh

from engine.ai import LEVELS
from engine.errors import InputError, Refused
from engine.events import Event
from engine.game import deal, play
from engine.moves import parse_move
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.view import View, view_of
from server.bot_protocol import messages, requests
from server.bot_protocol.messages import write_message
from server.bot_protocol.requests import read_request
from server.clean_text import clean
from server.features import load
from server.session.bot_requests import BotMessage, Request

ANSWER_SECONDS: Final = 20.0
"""How long a bot may take for an answer."""
TABLE: Final = 7
GAME: Final = "8F3K2Q7M"
SEATS: Final = 3
ANY_HOST: Final = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR")
"""The options of ssh that let it in at a server whose key nobody knows."""

R = TypeVar("R", bound=Request)


class Wrong(Exception):
    """What a bot has done wrong, in a line."""


class NeverCame(Wrong):
    """The bot has not even connected."""


class Told:
    """One connection of a bot, and the game that it plays there."""

    def __init__(self, process: asyncssh.SSHServerProcess[bytes]) -> None:
        """``process`` is what the bot has started here."""
        self._process = process
        self._features = load()
        self._seq = 0
        self.moves = 0

    async def tell(self, message: BotMessage) -> None:
        """Send a message."""
        await self.send(write_message(message))

    async def send(self, line: str) -> None:
        """Send a line in two pieces, as a network may cut it."""
        data = line.encode() + b"\n"
        self._process.stdout.write(data[: len(data) // 2])
        await self._process.stdout.drain()
        await asyncio.sleep(0)
        self._process.stdout.write(data[len(data) // 2 :])

    async def hear(self, *kinds: type[R]) -> R:
        """The next request of one of these kinds; those that are always right are answered. Raises Wrong."""
        names = " or ".join(str(kind.__struct_config__.tag) for kind in kinds)
        while True:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    line = await self._process.stdin.readline()
            except TimeoutError:
                raise Wrong(f"sends nothing for {ANSWER_SECONDS:g} seconds where {names} is needed") from None
            if not line:
                raise Wrong(f"ends where {names} is needed")
            try:
                request = read_request(line.rstrip(b"\n"), self._features)
            except InputError as error:
                raise Wrong(f"sends {clean(line.decode(errors='replace').strip(), 60)}: {error}") from None
            match request:
                case requests.Ping(id=asked):
                    await self.tell(messages.Pong(asked))
                case requests.Tables():
                    await self.tell(messages.Tables([]))
                case requests.Cut():
                    pass
                case _ if isinstance(request, kinds):
                    return request
                case _:
                    raise Wrong(f"sends {clean(line.decode().strip(), 60)} where {names} is needed")

    async def hello(self, table: int | None = None) -> None:
        """The first message."""
        await self.tell(messages.Hello(1, "quatch check", "fox", tuple(rulesets()), table))

    async def sit(self, rules: str, seats: int, state: str = "open") -> None:
        """Say that the bot sits there."""
        await self.tell(messages.Joined(TABLE, 0, seats, rules, "not rated: a check", state))

    async def seat_asked_for(self) -> tuple[str, int]:
        """Give the bot the seat that it asks for. Returns the rule set and the number of seats."""
        await self.hello()
        asked: Request = await self.hear(requests.New, requests.Join)
        rules, seats = getattr(asked, "rules", None) or DEFAULT, getattr(asked, "seats", None) or SEATS
        if rules not in rulesets():
            raise Wrong(f"asks for the rule set {clean(rules, 20)}, which hello does not name")
        await self.sit(rules, seats)
        if isinstance(asked, requests.New) and asked.fill is None:
            await self.hear(requests.Start)
        return rules, seats

    async def play(self, rules: str, seats: int, trouble: "Trouble | None" = None) -> None:
        """Play a game in which the bot has seat 0; its third decision gets into trouble. Raises Wrong."""
        state, events = deal(ruleset(rules), seats, f"check {rules} {seats}")
        ply, chance = 0, Random(rules)
        await self._tell_events(events)
        while state.outcome is None:
            others = [seat for seat in state.order if seat and _must_move(view_of(state, seat), seat)]
            view = view_of(state, others[0] if others else 0)
            if others:
                move = LEVELS["easy"](view, chance)
            else:
                asked = messages.Turn.of(GAME, TABLE, ply, view, 0)
                if trouble is not None and self.moves == 2:
                    await trouble(self, asked)
                text = await self.answer(asked)
                try:
                    move = parse_move(text)
                    play(state, 0, move)
                except (InputError, Refused) as error:
                    raise Wrong(f"makes the move {clean(text, 40)}: {error}") from None
                self.moves += 1
            state, events = play(state, others[0] if others else 0, move)
            ply += 1
            await self._tell_events(events)
        places = state.places
        ranks = tuple(1 + (places.index(seat) if seat in places else len(places)) for seat in range(seats))
        await self.tell(messages.Over(TABLE, state.outcome.to_json(), state.places, GAME, ranks, (0,) * seats))

    async def _tell_events(self, events: Sequence[Event]) -> None:
        for event in events:
            self._seq += 1
            await self.tell(messages.Event(TABLE, self._seq, event.seen_by(0).to_json()))

    async def answer(self, turn: messages.Turn) -> str:
        """The move of the bot in this turn. Raises Wrong."""
        await self.tell(turn)
        while True:
            request: Request = await self.hear(requests.Move, requests.Back)
            if isinstance(request, requests.Move):
                if request.ply != turn.ply:
                    raise Wrong(f"answers ply {request.ply}, not {turn.ply}, which is that of the turn")
                return request.move


Trouble: TypeAlias = Callable[[Told, messages.Turn], Awaitable[None]]
Trial: TypeAlias = Callable[[Told], Awaitable[None]]


def _must_move(view: View, seat: int) -> bool:
    return not view.ready[seat] if view.phase == "arrange" else view.to_move == seat


async def _later_release(told: Told, _: messages.Turn) -> None:
    await told.send('{"type":"weather","rain":[1,{"deep":null}]}')
    await told.send('{"type":"error","code":"slow","message":"later","weather":"rain"}')


async def _not_saved(told: Told, turn: messages.Turn) -> None:
    await told.answer(turn)
    await told.tell(messages.Refused(turn.ply, "not_saved", None, "the server cannot save it: try again"))


async def _slow(told: Told, _: messages.Turn) -> None:
    await told.tell(messages.Error("slow", "you ask for a lot, so answers come later"))


async def _away(told: Told, _: messages.Turn) -> None:
    await told.tell(messages.Error("away", "an AI player has taken over"))
    await told.hear(requests.Back)


async def _game_with(trouble: Trouble, told: Told) -> None:
    await told.play(*await told.seat_asked_for(), trouble)


async def _whole_game(told: Told) -> None:
    await told.play(*await told.seat_asked_for())
    await told.hear(requests.Leave, requests.Again, requests.Start)


async def _kept_seat(rules: str, told: Told) -> None:
    await told.hello(TABLE)
    await told.sit(rules, ruleset(rules).seats_max, "playing")
    await told.play(rules, ruleset(rules).seats_max)


TRIALS: Final[Mapping[str, Trial]] = {
    "asks for a seat, plays a game of legal moves, and leaves or plays again": _whole_game,
    "passes over messages and keys that it does not know": partial(_game_with, _later_release),
    "moves again after a move that was not saved": partial(_game_with, _not_saved),
    "goes on after slow, which says that answers come later": partial(_game_with, _slow),
    "takes its seat back after away, when its clock ran out": partial(_game_with, _away),
    **{f"goes on where it has a seat, by the rules of {name}": partial(_kept_seat, name) for name in rulesets()},
}
"""What a good bot does, and the story in which that shows."""


class _Guests(asyncssh.SSHServer):
    """Everybody may come in."""

    def begin_auth(self, username: str) -> bool:  # noqa: ARG002 - any name will do
        """Nothing is asked."""
        return False


async def check_bot(command: str, report: Callable[[str], None], trials: Mapping[str, Trial] = TRIALS) -> int:
    """Try a bot. ``report`` gets a line for each trial. Returns how many it has not passed.

    A bot that does not even connect is tried once.
    """
    calls = asyncio.Queue[asyncssh.SSHServerProcess[bytes]]()
    server = await asyncssh.listen(
        "127.0.0.1", 0, server_factory=_Guests, process_factory=calls.put_nowait, encoding=None,
        server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")],
    )  # fmt: skip
    of_ssh = ["-F", "none", *(f"-o{option}" for option in ANY_HOST), "-p", f"{server.get_port()}", "127.0.0.1"]
    failed = 0
    try:
        for promise, trial in trials.items():
            try:
                await _try(trial, [*shlex.split(command), *of_ssh], calls)
            except Wrong as problem:
                failed += 1
                report(f"WRONG  {promise}: {problem}")
                if isinstance(problem, NeverCame):
                    break
            else:
                report(f"good   {promise}")
    finally:
        server.close()
        await server.wait_closed()
    return failed


async def _try(trial: Trial, words: list[str], calls: asyncio.Queue[asyncssh.SSHServerProcess[bytes]]) -> None:
    """Have a bot pass a trial. Raises Wrong, with the last line of what the bot says of its trouble, and OSError."""
    with TemporaryFile() as errors:
        bot = await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=errors
        )
        called, ended = asyncio.create_task(calls.get()), asyncio.create_task(bot.wait())
        try:
            await asyncio.wait((called, ended), timeout=ANSWER_SECONDS, return_when="FIRST_COMPLETED")
            await _tell(trial, called.result() if called.done() else None, ended=ended.done())
        except Wrong as problem:
            errors.seek(0)
            last = errors.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise type(problem)(f"{problem} ({clean(last, 200)})" if last else f"{problem}") from None
        finally:
            with suppress(ProcessLookupError):
                bot.kill()
            await ended
            if not called.cancel():  # the ssh of the bot outlives it
                connection = called.result().get_extra_info("connection")
                connection.abort()
                await connection.wait_closed()


async def _tell(trial: Trial, process: asyncssh.SSHServerProcess[bytes] | None, *, ended: bool) -> None:
    """Tell the story of a trial to the bot that has connected, or else has ended or not. Raises Wrong."""
    if process is None:
        raise NeverCame("ends before it connects" if ended else f"does not connect in {ANSWER_SECONDS:g} seconds")
    if process.command != "bot" and process.subsystem != "bot":
        raise Wrong(f"asks for {clean(str(process.command or process.subsystem), 40)}, not for bot")
    try:
        await trial(Told(process))
    except (ConnectionError, asyncssh.Error):
        raise Wrong("ends in the middle of a game") from None
    process.close()
