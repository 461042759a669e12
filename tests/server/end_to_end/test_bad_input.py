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
            await ana.until_text("You are frob now")
            await settled(lambda session=session: session.terminal.size == (100, 30))  # type: ignore[misc]
        await still_well(open_server)
        await settled(lambda: not open_server.app.sessions)


async def test_garbage_ends_no_connection_in_line_mode(open_server: RunningServer) -> None:
    """Without a tty, too."""
    async with open_server.person(term=None) as ana:
        ana.send(random.Random(8).randbytes(20_000).replace(b"\x04", b"") + b"\n" + b"y" * 200_000 + b"\nwho\n")
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
