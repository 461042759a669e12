"""Whatever a client sends gets one clear line or silence, and the next player notices nothing."""

import random

from server.limits import COLUMNS, ROWS
from tests.support.people import Person, RunningServer
from tests.support.resources import settled


async def still_well(running_server: RunningServer) -> None:
    """Another player logs in and is served."""
    async with running_server.person("honest") as honest:
        await honest.enter("who", "honest")


async def test_absurd_terminal_sizes_are_clamped(open_server: RunningServer) -> None:
    """A claimed size becomes a usable one; a screen that is too small gets line mode."""
    for size in ((0, 0), (1, 1), (80, 0), (500, 200), (65535, 65535), (2**32 - 1, 2**32 - 1)):
        async with open_server.connection() as connection:
            process = await connection.create_process(term_type="xterm", term_size=size, encoding=None)
            ana = Person(process, 250, 80)
            await ana.until_text("play")
            session = next(iter(open_server.app.sessions))
            assert session.terminal.size[0] in COLUMNS
            assert session.terminal.size[1] in ROWS
            process.change_terminal_size(65535, 65535)
            process.change_terminal_size(0, 0)
            process.change_terminal_size(100, 30)
            ana.type("frob")
            await ana.until_text("nknown command")
            await settled(lambda session=session: session.terminal.size == (100, 30))  # type: ignore[misc]
        await still_well(open_server)
        await settled(lambda: not open_server.app.sessions)


async def test_a_megabyte_pasted_is_one_bounded_line(open_server: RunningServer) -> None:
    """A paste, bracketed or not, makes no move by accident and delays no other player."""
    async with open_server.person() as ana:
        await ana.press(b"\x1b[200~" + b"play\r" * 200_000 + b"\x1b[201~", "play play play")
        assert not open_server.app.lobby.tables.listings()
        await ana.press(b"\x03" + b"x" * 100_000, "xxxxxxxx")
        await still_well(open_server)
        await ana.press(b"\x03who\r", " here: ana")


async def test_garbage_bytes_and_invalid_utf8_end_no_connection(open_server: RunningServer) -> None:
    """Random bytes, broken UTF-8 and unknown escape sequences are no reason to lose a player."""
    noise = random.Random(7)
    async with open_server.person() as ana:
        await ana.until("lobby>")
        for _ in range(50):
            ana.send(bytes(b for b in noise.randbytes(400) if b not in b"\x03\x04\r\n"))
        ana.send(b"\xff\xfe\xc3\x28" + b"\x1b[" + b"9" * 30_000 + b"\x1b[999;999;999~\x1bO\x1b]52;c;AAAA\x07\r")
        await still_well(open_server)
        await ana.press(b"\x03\x15who\r", " here: ana")


async def test_garbage_ends_no_connection_in_line_mode(open_server: RunningServer) -> None:
    """Without a tty, too."""
    async with open_server.person(term=None) as ana:
        ana.send(random.Random(8).randbytes(20_000).replace(b"\x04", b"") + b"\n" + b"y" * 1_000_000 + b"\nwho\n")
        await ana.until("1 here: ana (lobby).")
    await still_well(open_server)


async def test_talk_is_cleaned_and_bounded(open_server: RunningServer) -> None:
    """What a player types can neither control nor flood another player's terminal."""
    async with open_server.person("ana", term=None) as ana, open_server.person("bo", term=None) as bo:
        await bo.until("Type play")
        await ana.until("Type play")
        ana.send("/a\u202eb<3{0}%s\u0301\u0301\u0301\u0301 \u200b\x9b31mred\n".encode())
        await bo.until("ana: ab<3{0}%s")
        assert "\u202e" not in bo.text
        assert "\x9b" not in bo.text
        assert bo.text.count("\u0301") <= 2
        for n in range(20):
            ana.send(f"/flood {n}\n".encode())
        await ana.until("You talk too fast")
        assert bo.text.count("flood") <= 5
