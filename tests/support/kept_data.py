"""A database with some of everything that a server keeps, as release 1.0.0 has written it.

`python -m tests.support.kept_data` has written it. The file stays as it is, for every later release of the same first
number has to go on with it.
"""

import asyncio
import hashlib
import shutil
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import asyncssh
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from server.storage.sqlite_file import FILE_NAME
from server.transport.host_keys import KEY_NAME
from tests.support.bots import BotClient, bot
from tests.support.lasting_server import LastingServer
from tests.support.people import RunningServer, said_to
from tests.support.playing_on_screen import play_on_screen
from tests.support.sources import ROOT
from tests.support.ssh_keys import write_key
from tests.support.virtual_time import SkippingLoop, wrap_future

FILE: Final = ROOT / "tests" / "golden" / "kept_by_1_0_0.db"
STOPPED_AT: Final = 1_790_000_000.0
"""When the server stopped, in seconds since 1970."""
RUNNING_PLY: Final = 6
"""How far the game of ana and bo was then."""


def key_of(name: str) -> asyncssh.SSHKey:
    """The key of this player, always the same."""
    key = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
    return asyncssh.import_private_key(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))


def write_host_key(folder: Path) -> None:
    """Put the server's key into ``folder/keys``."""
    (folder / "keys").mkdir()
    write_key(folder / "keys" / KEY_NAME, key_of("host"))


SETTINGS: Final = {"workers": 0, "node": "here", "ops": [key_of("ana").get_fingerprint()]}
"""Those of the server; ana is an op."""


async def play_together(bots: list[BotClient], plies: int = 10_000) -> None:
    """Have bots play at one table until a move with this number, or until the game is over."""
    kinds = ("turn", "refused", "over")
    waiting = {asyncio.create_task(each.until(*kinds)): each for each in bots}
    moves: dict[BotClient, dict[str, object]] = {}
    message: dict[str, Any] = {}
    while message.get("ply", 0) < plies and message.get("type") != "over":
        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            each, message = waiting.pop(task), task.result()
            if message["type"] == "over":
                break
            if message["type"] == "turn":
                moves[each] = {"type": "move", "ply": message["ply"], "move": message["legal"][0]}
            each.send(**moves[each])  # again, if another process was faster
            waiting[asyncio.create_task(each.until(*kinds))] = each
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def _seated(bots: list[BotClient], **table: object) -> None:
    first, *others = bots
    joined = await first.ask("joined", type="new", **table)
    for each in others:
        await each.ask("joined", type="join", table=joined["table"])


async def fill(server: RunningServer) -> None:
    """Play for an evening; at its end a game of ana and bo is running."""
    async with server.person("ana", key=key_of("ana")) as person:
        await person.until("lobby>")
        person.type("set cards suits")
        await person.until("cards")
        for game in ("daily", "play quatch-original level=easy"):
            person.type(game)
            await play_on_screen(person)
            person.type("leave")
            await person.until("lobby>")
    async with server.person("ana", key=key_of("ana"), term=None) as op, server.person("eve", term=None) as eve:
        await eve.until_text("Type play")
        await said_to(op, "admin ban eve 9999d", "is banned for")
        await said_to(op, "tournament new Cup format=swiss rounds=1", "Cup")
    async with AsyncExitStack() as undo:
        names = ("ana", "bo", "cy")
        ana, bo, cy = bots = [await undo.enter_async_context(bot(server.port, n, key_of(n))) for n in names]
        for each in bots:
            await each.ask("tournament", type="tournament", do="join")
        await server.run("tournament start Cup", key_of("ana"))
        await play_together(bots)
        for each in bots:
            await each.ask("left", type="leave")
        await _seated([cy], rules="life", seats=3, fill="medium")
        await cy.play()
        await _seated([ana, bo], rules="quatch", seats=2)
        ana.send(type="start")
        await play_together([ana, bo])
        ana.send(type="again")
        bo.send(type="again")
        await play_together([ana, bo], RUNNING_PLY)


async def main() -> None:
    """Write the file."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SkippingLoop)
    began = STOPPED_AT - 7200 - loop.time()
    with tempfile.TemporaryDirectory() as name:
        write_host_key(Path(name))
        server = LastingServer(Path(name), lambda: began + loop.time(), **SETTINGS)
        await server.start()
        await fill(server.running)
        await server.stop()
        shutil.copy(Path(name, "0", FILE_NAME), FILE)


if __name__ == "__main__":
    asyncio.wrap_future = wrap_future  # type: ignore[assignment]
    with asyncio.Runner(loop_factory=SkippingLoop) as runner:
        runner.run(main())
