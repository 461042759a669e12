"""The console of the host: what it shows, what can be typed at it, and that no card is in it."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random

import pytest
import structlog
from msgspec.structs import replace
from wcwidth import wcswidth

from server.config import Config
from server.console.consoles import ANSWER_SECONDS, TICK_SECONDS, Consoles
from server.console.frame import PARTS, ConsoleScene, draw_console
from server.console.host_words import way_for
from server.console.overview import Load, overview
from server.features import Features
from server.joining import code_of, join_lines
from server.lobby.lobby import Lobby
from server.people.players import Caller
from server.people.settings import Settings
from server.process import logs
from server.process.counters import UNREAD, Counters
from server.render.theme import theme_of
from server.session import exec_commands
from server.storage.sqlite_database import MemoryDatabase
from server.terminal.terminal import Terminal
from tests.support.asking import OP
from tests.support.competitions import BEGINS, CUP, Cups
from tests.support.each import for_each
from tests.support.emitted import check_emitted
from tests.support.emulated_screen import shown_by
from tests.support.emulator import SETTLED, EmulatorTransport, TerminalPlayer, opened
from tests.support.features import FEATURES
from tests.support.odd_names import names
from tests.support.random_games import redealt
from tests.support.tables import known_seeds

pytestmark = pytest.mark.virtual_time


class Console:
    """A host at a console."""

    def __init__(
        self,
        consoles: Consoles,
        caller: Caller,
        stop: Callable[[], None] | None = None,
        size: tuple[int, int] = (80, 24),
    ) -> None:
        self.transport = EmulatorTransport(*size, self._answer)
        self.terminal = Terminal(self.transport, term="xterm-256color", size=size, is_tty=True)
        self.task = asyncio.create_task(consoles.show(self.terminal, caller, stop, "log in quatch.log"))

    def _answer(self, data: bytes) -> None:
        asyncio.get_running_loop().call_soon(self.terminal.feed, data)

    async def press(self, keys: str) -> str:
        """Press these keys; the screen when what comes of them is shown."""
        self.terminal.feed(keys.encode())
        await asyncio.sleep(SETTLED)
        return shown_by(self.transport.screen)

    async def type(self, line: str) -> str:
        """Type a line and press Enter; the screen then."""
        return await self.press(f"{line}\r")


HOST = Caller("host", runs_server=True)


@asynccontextmanager
async def server_with_console(features: Features = FEATURES) -> AsyncIterator[tuple[Lobby, Consoles]]:
    """A lobby where AI players move at once, and its consoles."""
    config = Config(pace=0, grace=0, ops=(OP,))
    async with opened(Lobby(config, MemoryDatabase(), new_seed=known_seeds(), features=features)) as lobby:
        consoles = Consoles(lobby)
        yield lobby, consoles
        consoles.end("bye")
        await asyncio.gather(*consoles.tasks)


async def test_a_host_sees_people_tables_and_the_log() -> None:
    """Where each is, whose turn it is with the clock, and what was logged."""
    logs.configure()
    async with server_with_console() as (lobby, consoles):
        console = Console(consoles, HOST)
        ana, bo = TerminalPlayer(lobby, "ana"), TerminalPlayer(lobby, "bo")
        await asyncio.sleep(SETTLED)
        await ana.type("new seats=2 clock=90")
        await bo.type("sit 1", "start", "ready")
        structlog.get_logger().warning("the roof leaks", where="here")
        await asyncio.sleep(2)
        shown = await console.press("")
        assert "QUATCH  2 here, 1 table, cpu" in shown
        assert "   1  Quatch       ana bo" in shown
        assert "move 1  ana 2:5" in shown  # of three minutes, which are twice the clock before play
        assert "bo                this terminal    table 1" in shown
        assert "WARNING the roof leaks  where=here" in shown
        assert "log in quatch.log" in shown
        check_emitted(b"".join(console.transport.writes), "xterm-256color")


@pytest.mark.features("moderation")
async def test_commands_of_ops_work_there_with_completion() -> None:
    """The host is an op by being there. Short answers go by themselves; long ones are pages, which Enter puts away."""
    async with server_with_console() as (lobby, consoles):
        console = Console(consoles, HOST)
        await TerminalPlayer(lobby, "ana").arrived()
        assert "kick ana" in await console.press("ki\ta\t")
        assert "Disconnected ana" in await console.type("")
        assert lobby.visitors.here == []
        assert "Told 0 people" in await console.type("announce hello")
        await asyncio.sleep(ANSWER_SECONDS + 2 * TICK_SECONDS)
        assert "Told 0 people" not in await console.press("")
        assert "What hosts can do:" in (first := await console.type("help"))
        assert "drain [NODE] [MINUTES|off]" in first + await console.press("\r")
        assert "admin>" in await console.press("\r")
        assert "Enter goes on>" in await console.type("rules life")
        assert "admin>" in await console.press("\r" * 9)
        assert "0 tables" in await console.type("tables")
        assert "nknown command 'frob': help lists all" in await console.type("frob")
        assert "Hand works in a session" in await console.type("hand")
        assert "nknown command 'look': help lists all" in await console.type("look who is winning")


async def test_right_and_left_show_one_part_and_esc_shows_all() -> None:
    """On an empty line."""
    async with server_with_console() as (lobby, consoles):
        console = Console(consoles, HOST)
        await asyncio.sleep(SETTLED)
        parts = [await console.press("\x1b[C") for _ in PARTS]
        titles = [[part for part in PARTS[1:] if f" {part} ──" in shown] for shown in parts]
        assert titles == [["join", "log"], ["tables"], ["people"], ["log"], ["tables", "people", "log"]]
        lobby.join_lines = join_lines(["192.168.1.20"], 2222, "SHA256:key")
        await console.press("\x1b[C")
        assert "ssh://guest@192.168.1.20:2222" in await console.press("")
        assert "tables ──" in await console.press("\x1b\x1b")


async def test_only_the_host_stops_the_server_and_is_asked() -> None:
    """An op elsewhere only closes the console."""
    stopped: list[bool] = []
    async with server_with_console() as (_, consoles):
        console, elsewhere = Console(consoles, HOST, lambda: stopped.append(True)), Console(consoles, Caller("op", OP))
        await asyncio.sleep(SETTLED)
        assert "Press Ctrl-C or type quit again within 10 seconds" in await console.type("quit")
        assert "The server goes on." in await console.type("no")
        await console.type("yes")
        assert not stopped
        await console.press("\x03")
        assert not stopped
        await asyncio.sleep(120)
        await console.press("\x03")
        assert not stopped
        await console.press("\x03")
        await console.type("yes")
        assert len(stopped) == 2
        await elsewhere.type("quit")
        assert elsewhere.task.done()
        assert not console.task.done()


async def test_only_ops_elsewhere_are_told_how_to_open_the_console_of_a_renewed_server() -> None:
    """That of the host opens by itself."""
    async with server_with_console() as (_, consoles):
        console, elsewhere = Console(consoles, HOST, lambda: None), Console(consoles, Caller("op", OP))
        await asyncio.sleep(SETTLED)
        await consoles.retire("")
        assert "Its console is a new one: ssh -t HOST admin" in await elsewhere.press("")
        assert "Its console is a new one." in await console.press("")


async def test_the_console_of_an_op_ends_who_is_none_after_a_reload() -> None:
    """The others stay."""
    async with server_with_console() as (lobby, consoles):
        host, op = Console(consoles, HOST, lambda: None), Console(consoles, Caller("op", OP))
        await asyncio.sleep(SETTLED)
        consoles.took_settings()
        await asyncio.sleep(SETTLED)
        assert not op.task.done()
        lobby.config.take(dataclasses.replace(lobby.config, ops=()))
        consoles.took_settings()
        await asyncio.sleep(SETTLED)
        assert op.task.done()
        assert not host.task.done()


async def test_no_card_is_in_a_console() -> None:
    """Deal anew all that a spectator cannot see, and what everybody sees of cards: the console stays the same."""
    async with server_with_console() as (lobby, _):
        ana = await TerminalPlayer(lobby, "ana").arrived()
        await ana.type("play seats=2", "ready")
        load = Load(UNREAD)
        before = overview(lobby, load, lambda: 0.0)
        table = lobby.tables.here[1]
        game = table.journal.state.game
        assert game is not None
        table.journal.state = replace(table.journal.state, game=redealt(game, None, Random(1)))
        assert overview(lobby, load, lambda: 0.0) == before


@for_each("size", [(20, 5), (40, 12), (60, 20), (80, 24), (120, 40), (200, 60), (300, 100)])
@for_each("part", PARTS)
def test_every_console_fits(part: str, size: tuple[int, int]) -> None:
    """With many people of wide names; what does not fit is counted, and nothing is half shown."""
    called = names(40)
    scene = ConsoleScene(
        "QUATCH  40 here, 10 tables, cpu 3%, p99 2 ms",
        "20:41",
        "ssh -p 2222 192.168.1.20",
        ["Guests type in a terminal:", "ssh -p 2222 192.168.1.20 " * 9],
        code_of("ssh://guest@192.168.1.20:2222"),
        "log in quatch.log",
        [(n, "Quatch", " ".join(called[n : n + 4]), "move 12", f"{called[n]} 24 s") for n in range(10)],
        [(name, "192.168.100.200", "watching 12") for name in called],
        [f" 20:41:07 came in  name={name}" for name in called],
        part=part,  # type: ignore[arg-type]
        answer="an answer " * 9,
        hints="help",
    )
    frame = draw_console(scene, *size, theme_of(Settings()))
    rows = [row.text for row in frame.rows]
    assert len(rows) == size[1] - 1
    assert max(map(wcswidth, rows)) < size[0]
    if part == "all" and size >= (60, 20):
        assert "more: type people" in "\n".join(rows) or called[-1] in "\n".join(rows)


@for_each("size", [(80, 24), (80, 40)])
def test_the_code_stays_beside_the_log_and_an_answer(size: tuple[int, int]) -> None:
    """On the screen that a host leaves open all evening."""
    code = code_of("http://192.168.1.20:8080/")
    told = ConsoleScene("", "", "a line", ["how guests come"], code, "log in a file", log=[" 20:41:07 came in"])
    scene = replace(told, part="join", competitions=["the cup: round 2"], answer="an answer " * 15, hints="help")
    rows = [row.text for row in draw_console(scene, *size, theme_of(Settings())).rows]
    assert all(any(code_row.text in row for row in rows) for code_row in code)
    for shown in ("how guests come", "log in a file", "the cup: round 2", "20:41:07 came in", "an answer", "help"):
        assert sum(shown in row for row in rows) == (2 if shown == "an answer" else 1), shown


@for_each("part", ["all", "log"])
def test_a_long_line_of_the_log_is_shown_to_its_end(part: str) -> None:
    """Which tells what is wrong, or what to do."""
    scene = ConsoleScene("", "", "", log=[f" 20:41:07 WARNING {'a word ' * 20}and the end"], part=part)  # type: ignore[arg-type]
    assert "and the end" in "\n".join(row.text for row in draw_console(scene, 80, 24, theme_of(Settings())).rows)


def test_the_load_is_that_of_the_last_minute() -> None:
    """Processor time and the slowest of 99 in 100 answers of the event loop."""
    counters, now, worked = Counters(), [0.0], [0.0]
    load = Load(counters, lambda: now[0], lambda: worked[0])
    assert load.text == ""
    for second in range(200):
        now[0], worked[0] = float(second), second * (0.5 if second > 100 else 0.1)
        counters.loop_lag_seconds.observe(0.004 if second > 100 else 3.0)
        load.sample()
    assert load.text == ", cpu 50%, p99 5 ms"
    counters = Counters()
    slow = Load(counters, lambda: now[0], lambda: worked[0])
    slow.sample()
    now[0] += 1
    counters.loop_lag_seconds.observe(70)
    slow.sample()
    assert slow.text == ", cpu 0%", "the first one waits until the console is loaded"
    counters.loop_lag_seconds.observe(70)
    slow.sample()
    assert slow.text == ", cpu 0%, p99 over 10 s"


def test_ssh_admin_is_the_console_of_ops_with_a_screen() -> None:
    """To all others it is what it was."""
    opened = exec_commands.opens("admin", FEATURES, has_terminal=True, is_op_at_screen=True)
    assert isinstance(opened, exec_commands.OwnScreen)
    assert exec_commands.opens("admin", FEATURES, has_terminal=True) == "answer"
    assert exec_commands.opens("admin bans", FEATURES, has_terminal=True, is_op_at_screen=True) == "answer"


async def test_the_console_says_how_far_competitions_are() -> None:
    """In a line each, as their feature says it."""
    lobby = Lobby(Config(), MemoryDatabase(), features=Features((CUP,)))
    assert overview(lobby, Load(UNREAD)).competitions == [BEGINS.progress]


async def test_an_op_who_plays_in_a_competition_is_called_at_the_console() -> None:
    """Once, with the way to the table, where a session goes; not if they have one, which is called itself."""
    async with server_with_console(Features((CUP, *FEATURES))) as (lobby, consoles):
        console, lobby.service(Cups).now = Console(consoles, Caller("opa", OP)), replace(BEGINS, calls=(("opa", 3),))
        await asyncio.sleep(SETTLED)
        called = "You are called to table 3: ssh HOST brings you there."
        assert called in await console.press("")
        assert b"".join(console.transport.writes).count(b"\a") == 1
        assert called not in await console.type("log")
        await asyncio.sleep(2 * TICK_SECONDS)
        assert called not in await console.press("")
        await TerminalPlayer(lobby, "opa", caller=Caller("opa", OP)).arrived()
        lobby.service(Cups).now = replace(BEGINS, calls=(("opa", 4),))
        await asyncio.sleep(2 * TICK_SECONDS)
        assert "You are called" not in await console.press("")


async def test_the_words_of_a_feature_go_with_it() -> None:
    """Without features the console knows its own words alone."""
    lobby = Lobby(Config(), MemoryDatabase())
    assert way_for("how do I stop the server", lobby).startswith("quit closes the console")
    typed = ("board", "backup", "reload", "pause", "start tournament", "say hello all")
    assert [way_for(each, lobby) for each in typed] == [""] * len(typed)


@pytest.mark.features("moderation")
async def test_an_op_at_a_shell_is_told_the_way_too() -> None:
    """With the line that opens a console; not by a program, nor if a command says itself what is wrong."""
    async with server_with_console() as (lobby, _):
        for typed, told in (
            ("admin close for tonight", "ssh -t HOST admin opens the console. drain stops the server"),
            ("admin kick the op", "No player here is called 'the op'."),
            ("close for tonight", "That is not understood: ssh HOST help lists all."),
        ):
            status, (line,) = await exec_commands.answer(typed, lobby, Caller("op", OP))
            assert status == exec_commands.USAGE
            assert line.startswith(told)
        _, (line,) = await exec_commands.answer("admin close for tonight --json", lobby, Caller("op", OP))
        assert "unknown command 'close'" in line


@pytest.mark.features("keeper")
async def test_the_program_is_named_as_it_was_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a clone it is on no path."""
    lobby = Lobby(Config(), MemoryDatabase(), features=FEATURES)
    monkeypatch.setattr("sys.argv", [".venv/bin/quatch", "serve"])
    assert way_for("reload", lobby).startswith("Type in a shell: .venv/bin/quatch reload --data var ")


@pytest.mark.features("returning_guests")
async def test_a_host_who_tells_who_a_guest_is_reads_of_reseat() -> None:
    """With the name as it was typed."""
    lobby = Lobby(Config(), MemoryDatabase(), features=FEATURES)
    said = "Grandma2 is really Grandma, give her the seat back"
    assert way_for(said, lobby).startswith("Type reseat NAME as Grandma: ")


async def test_q_closes_a_page_and_the_question_to_stop_goes_with_its_time() -> None:
    """At the console of the host, where q elsewhere asks to stop the server."""
    async with server_with_console() as (_, consoles):
        console = Console(consoles, HOST, lambda: None)
        await asyncio.sleep(SETTLED)
        assert "Enter goes on>" in await console.type("rules life")
        assert "quit again" not in (shown := await console.type("q"))
        assert "admin>" in shown
        assert "quit again within 10 seconds" in await console.type("q")
        await asyncio.sleep(12)
        assert "quit again" not in await console.press("")


async def test_the_first_screen_says_what_phones_open() -> None:
    """Beside the line for terminals, and which word shows the code."""
    async with server_with_console() as (lobby, consoles):
        lobby.join_lines = join_lines(["192.168.1.20"], 2222, "SHA256:key", "http://{host}:8080/")
        console = Console(consoles, HOST)
        await asyncio.sleep(SETTLED)
        shown = await console.press("")
        assert "join: ssh -p 2222 192.168.1.20   on a phone: http://192.168.1.20:8080/" in shown
        assert "help  join  " in shown
        assert "Right: more" in shown


@pytest.mark.features("replay")
async def test_what_is_to_be_typed_in_a_shell_has_the_address_of_the_server() -> None:
    """As far as it is known: in a line, on a page, and in the last line; in a session, too."""
    async with server_with_console() as (lobby, consoles):
        console = Console(consoles, Caller("op", OP), size=(160, 30))
        ana = await TerminalPlayer(lobby, "ana", (160, 30)).arrived()
        assert "ssh HOST replay ID --export" in await console.type("help replay")
        lobby.join_lines = join_lines(["192.168.1.20"], 2222, "SHA256:key")
        await console.type("q")
        for each in (console, ana):
            assert "ssh -p 2222 192.168.1.20 replay ID --export" in await each.type("help replay")
        await consoles.retire("")
        await asyncio.sleep(SETTLED)
        assert "ssh -t -p 2222 192.168.1.20 admin opens it." in shown_by(console.transport.screen)


@pytest.mark.features("board", "keeper", "moderation", "timed_backups", "tournament")
async def test_a_host_is_told_the_way_of_the_console_in_their_own_words() -> None:
    """In the place of a refusal; a command stays what it is, and q is quit."""
    async with server_with_console() as (lobby, consoles):
        lobby.join_lines = join_lines(["192.168.1.20"], 2222, "SHA256:key", "http://{host}:8080/")
        console = Console(consoles, HOST, lambda: None, (200, 24))
        await asyncio.sleep(SETTLED)
        folder = lobby.config.data
        for typed, way in {
            "stop": "drain stops the server when the games are over, quit",
            "shutdown": "drain stops the server when the games are over, quit",
            "ask how do I stop the server?": "drain stops the server when the games are over, quit",
            "help stop": "drain stops the server when the games are over, quit",
            "help quit": "drain stops the server when the games are over, quit",
            "backup": f"quatch backup --data {folder} FILE",
            "ask how do I make a backup": f"quatch backup --data {folder} FILE",
            "board": "open http://192.168.1.20:8080/board in a browser, or type ssh -t -p 2222 192.168.1.20 board",
            "reload": f"quatch reload --data {folder}",
            "pause": "tournament pause stops",
            "rename carl to Karl": "ype relabel carl as Karl",
            "rename carl Karl": "ype relabel carl as Karl",
            "relabel carl as Karl": "No player here is called 'carl'",
            "relabel carl Karl": "Type relabel carl as Karl",
            "silence ben": "No player here is called 'ben'",
            "block ben": "Type ban ben",
            "remove ben": "Type kick ben",
            "lift ben": "Type unban ben, or unmute ben",
            "let ben back in": "Type unban ben, or unmute ben",
            "pardon ben": "No such ban",
            "guests": "Type who to see the players",
            "quit now": "type quit again",
            "show the qr code": "join shows what guests type and open",
            "what is the address for phones?": "join shows what guests type and open",
            "Help join": "join shows what guests type and open",
            "how many people are playing?": "0 players here now",
            "how do I lock the door": "allow_file in the settings",
            "let nobody else in": "allow_file in the settings",
            "close the server when everybody has finished": "drain stops the server when the games are over",
            "log ben out": "Type kick ben",
            "throw out ben": "Type kick ben",
            "send everybody home": "drain stops the server when the games are over, quit",
            "show me the tables": "Type tables: list the tables",
            "show me the log": "log shows what was logged",
            "status": "The first row tells how the server is",
            "who is losing": "Type tables for the games",
            "stop the tournament": "Type tournament close NAME",
            "start tournament": "tournament new NAME opens one, tournament start NAME begins it.",
            "start a tournament for tonight with 4 players": "tournament new NAME opens one, tournament start NAME",
            "ask how do I start a tournament": "tournament new NAME opens one",
            "say hello all": "To tell all players something, type announce hello all",
            "q": "type quit again",
            "close for tonight": "drain stops the server when the games are over, quit",
            "op alice": "people shows the fingerprint of each key: put that of an op under ops in the settings",
            "how do I add an op": "people shows the fingerprint of each key",
            "make alice an operator": "people shows the fingerprint of each key",
            "help ops": "people shows the fingerprint of each key",
            "tell the ops that we close": "To tell all players something, type announce",
            "how long has it been up": "uptime tells how long the server has run.",
            "how long is the ban on bob": "Unknown command",
            "the operator left": "Unknown command",
            "set clock 30": f"quatch reload --data {folder} reads the settings anew",
            "change the name of carl to Karl": "Type relabel carl as Karl",
            "add a bot": "In a session, add seats an AI player at your table.",
            "how do people join": "join shows what guests type and open",
            "turn off the chat": "The chat has no switch: mute NAME silences one player.",
            "is the server ok": "The first row tells how the server is",
            "is anybody here": "Type who to see the players",
            "kick stop": "No player here is called 'stop'",
            "results": "tournament tells of those of today, and when the next round comes; tournament results NAME",
            "end the game at table 3": "No command ends one game: kick NAME",
            "close table 3": "No command ends one game: kick NAME",
            "stop Gus talking": "Type mute Gus: stop a player from talking.",
            "make gus shut up": "Type mute NAME: stop a player from talking.",
            "who won the tournament": "tournament tells of those of today, and when the next round comes",
            "open a tournament called Friday": "tournament new Friday opens one, tournament start Friday begins it.",
            "start a tournament named Friday": "tournament new Friday opens one, tournament start Friday begins it.",
            "kick rudi for an hour": "A kick is for a minute: type ban rudi for an hour.",
            "rudi is so rude": "mute NAME stops a player's talk, kick NAME disconnects them, ban NAME",
            "how do I deal with rudi": "mute NAME stops a player's talk",
            "when is the next round?": "tournament tells of those of today, and when the next round comes",
            "where is ana?": "Type who to see the players and where they are",
            "who is playing where": "Type who to see the players and where they are",
            "tournament help": "An open night goes on all evening",
            "tournament new Friday": "Friday",
            "tournament": "tournament standings Friday shows more; what hosts can do: help tournament",
        }.items():
            assert way in await console.type(typed), typed
