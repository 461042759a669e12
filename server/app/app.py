"""The server as a whole: it starts the lobby and the listeners, opens a session for each connection, and stops."""

import asyncio
import resource
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, cast

import structlog
from msgspec import Struct

from engine.ai import weight_problems
from engine.rulesets import rulesets
from server.addresses import AddressSet, read_address
from server.app.main_process import DRAINING, READY
from server.app.signals_and_exit import SESSIONS_END_SECONDS
from server.cells import wrap
from server.clean_text import clean
from server.commands.registry import commands_with
from server.config import Config, ConfigError
from server.features import NO_FEATURES, Features
from server.joining import own_join_lines
from server.limits import LINE_LENGTH
from server.lobby.lobby import Lobby
from server.lobby.peers import Message, OneServer, Peers, Seconds
from server.lobby.service import Serving
from server.net.connection_limits import ConnectionLimits
from server.net.listener import Accepting, Acceptor, Introduces, Listener
from server.people.admission import Admission
from server.people.players import Caller
from server.process.background_tasks import BackgroundTasks, attempt
from server.process.counters import Counters
from server.records.fairness import new_seed
from server.rulebook import Rulebook, read_house_rules
from server.session import exec_commands
from server.session.terminal_session import TerminalSession
from server.storage.database import Database, NotSaved
from server.table.broadcaster import tell_each
from server.terminal.terminal import Terminal, Welcome
from server.transport.host_keys import load_next, load_or_create
from server.transport.ssh import SshAcceptor

log = structlog.get_logger("quatch.app")

GOOD_BYE: Final = "The server has ended. Every game is kept: come again soon."
NOTICE: Final = "The server has been renewed."
FAREWELL: Final = f"{NOTICE} Come in again: nothing is lost."
SPARE: Final = 128
"""File descriptors kept for everything else, such as the log."""
FEWEST: Final = 16
"""With room for fewer connections a server is of no use."""
DRAIN_CHECK_SECONDS: Final = 1.0
"""How often the server checks whether the last game is over."""
HEARD_SECONDS: Final = 5.0
"""So long after its start a process may not know yet at which tables the others of its node have players."""


class Penalty(Message, frozen=True, tag="penalty"):
    """An address waits so many seconds longer for its next connection."""

    address: str
    seconds: Seconds


class Carrier(Struct, frozen=True):
    """What carries players to a server besides ssh, as a feature gives it; see `command_line.ListensAt`."""

    name: str
    """As in `ListensAt.carrier`."""
    acceptor: Callable[[Config, Welcome, Counters], Acceptor]
    """Takes the connections. It is made only if the server listens for them."""


class App:
    """One server."""

    def __init__(
        self,
        config: Config,
        store: Database,
        sockets: Sequence[tuple[str, socket.socket]],
        new_seed: Callable[[], str] = new_seed,
        wall: Callable[[], float] = time.time,
        *,
        features: Features = NO_FEATURES,
        accepting: Accepting | None = None,
    ) -> None:
        """``sockets``: where it listens, for ssh first, each with its carrier; it closes them.

        ``wall`` is this machine's clock, in seconds since 1970. ``accepting``: see `Listener`.
        Raises ConfigError if the allow-list cannot be read, or hardly any connection fits.
        """
        self._config = config
        self._sockets = sockets
        self.drained = asyncio.Event()
        """Set when an op has asked for a stop and the running games are over."""
        house, self._not_loaded = read_house_rules(Path(config.rules_dir))
        for problem in weight_problems([*rulesets()]):
            log.warning("general weights stand in for these", problem=problem)
        self.counters = Counters()
        makers = [given.peers(store, config.node_name) for given in features.all(OneServer)]
        peers = makers[0] if makers else Peers(config.node_name)

        # The clock of all processes with this log.
        rulebook, shared = Rulebook(house), lambda: wall() - store.clock_ahead
        self.lobby = Lobby(config, store, rulebook, new_seed, shared, self.counters, features=features, peers=peers)
        self.lobby.names.of_commands = {each.name for each in commands_with(features)}
        self.sessions: dict[exec_commands.Session, asyncio.Task[object]] = {}
        self._admission = Admission(config, self.lobby.accounts, self.lobby.imposed.bans)
        exempt, banned = AddressSet(config.exempt), self._admission.denial_by_address
        connection_limits = ConnectionLimits(
            room_for(-(-config.connections // config.processes)),  # of this process, rounded up
            config.per_address,
            exempt,
            banned,
            self.counters,
            config.processes,
            elsewhere=peers.sessions_from,
            penalised=lambda address, seconds: peers.tell(Penalty(str(address), seconds)),
        )
        peers.on(Penalty, lambda _, told: connection_limits.penalise(read_address(told.address), told.seconds))
        introduces = next(iter(features.all(Introduces)), None)
        self.listener = Listener(connection_limits, AddressSet(config.proxies), accepting, introduces)
        self._stopping = False
        self._background = BackgroundTasks()

    async def start(self) -> list[str]:
        """Open the log and listen; return lines that say what guests type. Raises NotSaved, OSError, HostKeyError."""
        try:
            return await self._start()
        except BaseException:
            await self.stop()
            raise

    async def _start(self) -> list[str]:
        folder = Path(self._config.hostkeys)
        keys = [key := load_or_create(folder), *load_next(folder)]
        await self.lobby.open()
        await self.lobby.peers.check_host_key(key.get_fingerprint())
        self._background.begin(self._watch_bans(), "watching the bans")
        self._background.begin(self._wait_for_drain(), "waiting for the last game")
        config = self._config
        ssh = SshAcceptor(self._welcome, self.counters, self._admission, keys, config.crypto)
        names = {name for name, _ in self._sockets}
        acceptors: dict[str, Acceptor] = {
            carrier.name: carrier.acceptor(config, self._welcome, self.counters)
            for carrier in self.lobby.features.all(Carrier)
            if carrier.name in names
        }
        for name, listening in self._sockets:
            await self.listener.listen(acceptors.get(name, ssh), listening)
        ports = {name: listening.getsockname()[1] for name, listening in reversed(self._sockets)}
        self.lobby.join_lines = join = own_join_lines(config, ports, key.get_fingerprint())
        for service in self.lobby.services:
            service.listens(ports, self.listener.connection_limits.connections)
        return [join.fingerprint, join.lines[0]]

    def health(self) -> str:
        """`READY`, or why new players should not come: `draining`, or `database down: WHY`.

        A server that is not ready keeps its sessions: only new ones belong elsewhere.
        """
        if problem := self.lobby.store.problem:
            return f"database down: {problem}"
        return DRAINING if self.lobby.drain.is_active else READY

    async def measure(self) -> str:
        """What monitoring reads of this process now."""
        return "".join([await service.measured() for service in self.lobby.services])

    @property
    def log_folder(self) -> str:
        """The folder of the log if something else is shown at the terminal; otherwise empty."""
        return next((each.log_folder for each in self.lobby.services if each.log_folder), "")

    def serve(self, stop: Callable[[], None], process: int = 0) -> None:
        """Begin what goes on while players are served; see `Serving`."""
        for service in self.lobby.services:
            service.serve(Serving(process, stop))
        for problem in self._not_loaded:  # now that the log is where the host reads it
            log.warning("house rules not loaded", problem=problem)

    def take(self, config: Config, rulebook: Rulebook) -> None:
        """Go on with these settings and house rules; see `Config.take`."""
        self._config.take(config)
        self.lobby.rulebook.take(rulebook)
        tell_each(self.lobby.services, lambda service: service.took_settings())

    async def stop(self) -> None:
        """Stop listening, tell everybody, end their sessions, close the log and every connection."""
        self._stopping = True
        self.listener.close()
        for _, listening in self._sockets:
            listening.close()
        tell_each(self.sessions, lambda session: session.player_session.dismiss(GOOD_BYE))
        tasks: list[asyncio.Task[Any]] = [*self.sessions.values()]
        tell_each(self.lobby.services, lambda service: service.end(GOOD_BYE))
        tell_each(self.lobby.services, lambda service: tasks.extend(service.tasks))
        if tasks:
            await asyncio.wait(tasks, timeout=SESSIONS_END_SECONDS)
        await self._background.stop()
        await self.lobby.close()
        await self.listener.abort_connections()

    async def _watch_bans(self) -> None:
        """Send the banned away whenever the bans have changed."""
        changed = self.lobby.imposed.bans.changed
        while await changed.wait():
            changed.clear()
            await attempt(self.lobby.send_away_banned(), "sending the banned away")
            for service in self.lobby.services:
                await attempt(service.send_away_denied(self._admission.denial), "sending the banned away")

    async def _wait_for_drain(self) -> None:
        """Report when an op has asked for a stop and the running games are over."""
        while not self.lobby.drained():
            await self.lobby.drain.begun.wait()
            heard_in = self.lobby.peers.began + HEARD_SECONDS - asyncio.get_running_loop().time()
            await asyncio.sleep(max(DRAIN_CHECK_SECONDS, heard_in))
        log.info("drained")
        self.drained.set()

    async def _welcome(self, terminal: Terminal, caller: Caller, command: str | None) -> int:
        """Run what a connection asks for: a person's session, a program's, or one command; return the exit status."""
        if denial := GOOD_BYE if self._stopping else await self._admission.denial(caller):
            terminal.write_error(denial)
            return 1
        try:
            is_op = terminal.knows_screen and self.lobby.is_op(caller)
            has_terminal, features = terminal.is_tty, self.lobby.features
            session: exec_commands.Session
            match exec_commands.opens(command, features, has_terminal=has_terminal, is_op_at_screen=is_op):
                case exec_commands.OwnSession() as own:
                    session = own.make(self.lobby, terminal, caller)
                case "session":
                    session = TerminalSession(self.lobby, terminal, caller, clean(command or "", LINE_LENGTH))
                case exec_commands.OwnScreen() as screen:
                    return await screen.show(self.lobby, terminal, caller, command or "")
                case "answer":
                    status, lines = await exec_commands.answer(command or "", self.lobby, caller)
                    if has_terminal:  # sentences are wrapped: what else is told is a table, or for programs
                        wide = terminal.size[0]
                        lines = [row for line in lines for row in (wrap(line, wide) if line[-1:] == "." else [line])]
                    is_refused = status == exec_commands.USAGE and exec_commands.JSON_FLAG not in str(command).split()
                    (terminal.write_error if is_refused else terminal.write_lines)(*lines)
                    return status
            self.sessions[session] = cast("asyncio.Task[object]", asyncio.current_task())
            try:
                await session.player_session.identify()
                name = session.player_session.player.name
                log.info("came in", name=name, key=caller.key, address=str(caller.address))
                await session.run()
            finally:
                del self.sessions[session]
                log.info("went", name=session.player_session.player.name)
        except NotSaved as error:
            log.error("log not read", problem=str(error))  # noqa: TRY400 - it says what is wrong
            terminal.write_error("The server cannot read its log now: try again in a moment.")
            return 1
        except Exception:
            log.exception("session failed")
            terminal.write_error("Something went wrong here; it is logged. Please come in again.")
            return 1
        return 0


def room_for(connections: int) -> int:
    """The number of connections that fit, at most ``connections``, each with a file descriptor; fewer are logged.

    Raises the process's own limit as far as needed. Raises ConfigError if hardly any connection fits.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + SPARE
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    room = connections if soft == resource.RLIM_INFINITY else min(connections, soft - SPARE)
    if room < min(connections, FEWEST):
        raise ConfigError(f"the system allows {soft} open files, too few: type ulimit -n {SPARE + FEWEST} or more")
    if room < connections:
        log.warning("fewer connections than configured", room=room, connections=connections, open_files=soft)
    return room
