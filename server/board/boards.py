"""All boards of one process, from what is typed for them to their last byte.

`ssh -t HOST board` opens one. It stays for as long as its person likes, and takes no input but `q`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Final

from engine.errors import InputError
from engine.wording.phrases import listed
from server.addresses import Address
from server.board.feed import BoardFeed, BoardLook
from server.cells import Row
from server.clean_text import clean
from server.commands.finding import HostWords
from server.commands.registry import Answer, Command, declared_in
from server.features import Feature
from server.ledger import Resource
from server.limits import COMMAND_LENGTH
from server.lobby.competitions import Competitions, Held
from server.lobby.lobby import Lobby, Runs
from server.lobby.service import Service
from server.number_text import read_number
from server.people.players import Caller
from server.player.player_session import PlayerSession
from server.session.drawn_mode import DrawnMode
from server.session.exec_commands import OwnScreen
from server.terminal.painter import START, Painter
from server.terminal.terminal import RESTORE, Terminal, probe

NAME: Final = "board"


HELP_BOARD: Final = (
    "It is a picture for a projector or a spare screen: the tables as spectators see them, who is here, how to join.",
    "It turns its pages by itself, to where something happens; q closes it.",
    "In large letters it shows one thing at a time, in small ones everything at once.",
    "board table N        keeps to one table",
)


@Command(
    "board [table N]",
    on_server=True,
    pages=(),
    in_full=True,
    read_only=True,
    ssh="own screen",
    details=HELP_BOARD,
)
async def board(session: PlayerSession, rest: str) -> Answer:
    """Show the tables on a projector."""
    await wanted(session.lobby, rest)
    if not session.lobby.ssh_address:
        raise InputError("bad_request", "a board is shown by a server: this game has none")
    command = " ".join(filter(None, (NAME, rest)))
    return Answer([f"On the screen of the room, type in a shell: ssh -t {session.lobby.ssh_address} {command}"])


async def wanted(lobby: Lobby, rest: str) -> tuple[int | None, Held | None]:
    """The table or the competition that a board is to keep to, from the text behind `board`.

    Raises InputError if there is no such table that anybody may watch, or no such competition.
    """
    what, _, which = rest.strip().partition(" ")
    if not what:
        return None, None
    for holder in lobby.features.all(Competitions):
        if what.lower() == holder.word:
            return None, await holder.find(lobby, which.strip())
    number = read_number((which if what.lower() == "table" else rest).strip())
    if number is None:
        words = [f"board {holder.word} NAME" for holder in lobby.features.all(Competitions)]
        raise InputError("bad_request", f"type {listed(['board', 'board table N', *words])} instead")
    tables = [each.number for each in lobby.tables.listings() if not (each.private or each.asleep)]
    if number not in tables:
        here = f"tables to show: {', '.join(map(str, tables))}" if tables else "nobody is at a table now"
        raise InputError("bad_request", f"there is no table {number} to show; {here}")
    return number, None


REPAINT_SECONDS: Final = 60.0
"""How often everything is painted anew, in case that the screen was disturbed."""
FAREWELL: Final = "The board is closed."
_LEAVE: Final = frozenset(b"qQ\x03\x04")
"""q, Ctrl-C and Ctrl-D."""


class BoardSession(DrawnMode):
    """A board at one terminal. It is an `OpenBoard` of its feed."""

    def __init__(
        self, feed: BoardFeed, terminal: Terminal, caller: Caller, table: int | None, competition: Held | None
    ) -> None:
        """``table`` or ``competition``: to which the board keeps, if it keeps to one."""
        super().__init__(terminal)
        self._feed, self._table = feed, table
        self.caller, self.competition = caller, competition
        self.task = asyncio.current_task()
        """The one in which it is shown."""
        self._painter = Painter(colour=terminal.has_colour)
        self._painted: tuple[Row, ...] | None = None
        """The picture that the terminal shows; None if all of it has to be painted."""
        self._repaint_at = 0.0
        self._farewell = FAREWELL

    @property
    def look(self) -> BoardLook:
        """Which picture it shows now."""
        columns, rows = self._terminal.size
        competition = self.competition.id if self.competition else ""
        return BoardLook(columns, rows, self._terminal.has_signs, self._table, competition)

    async def run(self) -> None:
        """Show the board until its person types q or is gone, or until `ended`."""
        terminal = self._terminal
        await probe(terminal)
        self._painter = Painter(colour=terminal.has_colour, has_signs=terminal.has_signs)
        terminal.write(START)
        terminal.attach(data=self._read, input_end=self.stop, resize=self._resized, drained=self.refresh)
        self._feed.open(self)
        try:
            await self._stopped
        finally:
            self._feed.close(self)
            terminal.detach()
            terminal.write(RESTORE)
        terminal.write_lines(self._farewell)

    def ended(self, farewell: str) -> None:
        """End it with this last line, unless it is ending already."""
        if not self._stopped.done():
            self._farewell = farewell
            self.stop()

    def _draw(self) -> None:
        self._drawing = None
        if self._terminal.stalled:
            return
        self._is_due = False
        now = asyncio.get_running_loop().time()
        if now >= self._repaint_at:
            self._painter.forget()
            self._painted, self._repaint_at = None, now + REPAINT_SECONDS
        if (picture := self._feed.picture(self.look)) is not self._painted:
            self._painted = picture
            self._terminal.write(self._painter.paint(picture, self._terminal.size[0] - 1, None))
            self._terminal.counters.frames_drawn.inc()

    def _resized(self) -> None:
        self._repaint_at = 0.0
        self._feed.update_soon()

    def _read(self, data: bytes) -> None:
        if not _LEAVE.isdisjoint(data):
            self.stop()


BOARDS: Final = Resource(
    "boards",
    "server",
    128,
    refusal="{most} boards are open here already: close one with q",
    of_address=2,
    processes="divided",
)
"""Each is also a connection like any other."""
BOARDS_PER_ADDRESS: Final = Resource(
    "boards-of-an-address",
    "address",
    2,
    refusal="{most} boards are open from your address already: close one with q",
    processes="divided",
)
KICKED = "An op has closed this board."
NO_SCREEN = "A board needs a terminal that shows a screen, and this one says that it is dumb (TERM)."


class Boards(Service):
    """The boards that are open."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._feed = BoardFeed(lobby)
        self._sessions = set[BoardSession]()

    @property
    def tasks(self) -> list[asyncio.Task[object]]:
        """The tasks in which boards are shown."""
        return [task for each in self._sessions if (task := each.task) is not None]

    async def retire(self, farewell: str) -> None:
        """See `Service.retire`."""
        self.end(farewell)

    async def show(self, terminal: Terminal, caller: Caller, command: str) -> int:
        """See `OwnScreen.show`."""
        with ExitStack() as held:
            try:
                table, competition = await wanted(self._lobby, clean(command, COMMAND_LENGTH).partition(" ")[2])
                for each in (BOARDS, BOARDS_PER_ADDRESS):
                    held.enter_context(self._lobby.ledger.held(each, caller))
            except InputError as error:
                terminal.write_lines(error.sentence)
                return 1 if error.code == "too_many" else 2
            if not terminal.knows_screen:
                terminal.write_lines(NO_SCREEN)
                return 1
            session = BoardSession(self._feed, terminal, caller, table, competition)
            self._sessions.add(session)
            try:
                await session.run()
            finally:
                self._sessions.discard(session)
                if not self._sessions:  # the next board tells nothing of before
                    self._feed = BoardFeed(self._lobby)
        return 0

    async def send_away_denied(self, denial: Callable[[Caller], Awaitable[str]]) -> None:
        """End the boards of those who may not log in any more. ``denial`` says why, or nothing if they may."""
        for session in list(self._sessions):
            if farewell := await denial(session.caller):
                session.ended(farewell)

    def end(self, farewell: str) -> None:
        """End all boards with this last line."""
        for session in self._sessions:
            session.ended(farewell)

    def send_away(self, key: str | None, address: Address | None) -> None:
        """End the boards that were opened with this key, or without a key from this address."""
        if key is None and (address is None or address in self._lobby.spared):
            return
        for session in self._sessions:
            caller = session.caller
            if caller.key == key and (key is not None or caller.address == address):
                session.ended(KICKED)


def _how_to_open(lobby: Lobby, _: str) -> str:
    """How a host opens a board."""
    join = lobby.join_lines
    ways = [f"open {join.link}board in a browser"] if join.opens_anywhere else []
    ways += [f"type ssh -t {join.targets[0]} board in another terminal"] if join.targets else []
    return f"The board, for a projector: {', or '.join(ways) or 'ssh -t HOST board'}."


FEATURE: Final = Feature(
    "board",
    (
        *declared_in("server.board.boards"),
        Runs(Boards),
        OwnScreen(NAME, lambda lobby, *asked: lobby.service(Boards).show(*asked)),
        BOARDS,
        BOARDS_PER_ADDRESS,
        HostWords("(board|scoreboard|projector|big screen)", _how_to_open),
    ),
)
