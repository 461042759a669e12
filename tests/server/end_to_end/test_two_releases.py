"""What 1.0.0 has kept is kept by every later release, and one release takes over from another while people play."""

import asyncio
import json
import re
import shutil
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

import pytest

from server import VERSION
from server.storage.engines import database_at
from server.storage.sqlite_file import FILE_NAME
from server.table.apply_changes import read_log
from tests.soak import SOAKING
from tests.support.bots import BotClient, bot
from tests.support.hosted import HostedServer, hosted_server
from tests.support.kept_data import FILE, RUNNING_PLY, SETTINGS, STOPPED_AT, key_of, play_together, write_host_key
from tests.support.lasting_server import LastingServer
from tests.support.people import ReachedServer
from tests.support.programs import as_a_host, copy_program

NEXT: Final = "1.0.1"
CHANGES: Final = (
    ("server/__init__.py", r'VERSION = ".*"', f'VERSION = "{NEXT}"'),
    # A new field in every entry in the log of a table, and in standings.
    ("server/table/entries.py", r'(    id: str = ""\n)', rf'\1    release: str = "{NEXT}"\n'),
    ("server/history/ratings.py", r'(    name: str = ""\n)', rf'\1    release: str = "{NEXT}"\n'),
    # And one that standings have no more.
    ("server/history/ratings.py", r" +best_streak.*\n", ""),
    ("server/history/top.py", r"each\.best_streak", "each.streak"),
    ("server/own_page.py", r"own\.best_streak", "own.streak"),
)
"""What a next release might change: in which file, what, and to what."""
PLIES: Final = 8
"""So long a game is played by two releases at once."""


async def answer(server: ReachedServer, command: str, name: str = "ana") -> dict[str, Any]:
    """What `ssh HOST COMMAND --json` tells a player."""
    status, said = await server.run(f"{command} --json", key_of(name))
    assert status == 0, said
    return dict(json.loads(said))


async def all_verified(server: ReachedServer) -> set[str]:
    """The ids of all games, each of which is still as it was dealt and played."""
    games = {game["game"] for game in (await answer(server, "replay"))["games"]}
    for game in games:
        await answer(server, f"verify {game}")
    return games


@pytest.mark.features("cluster", "daily", "linking", "moderation", "privacy", "rankings", "replay", "tournament")
@pytest.mark.waiting_takes_no_time
async def test_what_1_0_0_has_kept_is_kept(tmp_path: Path) -> None:
    """Names, settings, games, ratings, the daily deal, tournaments, bans; and a running game goes on to its end."""
    (tmp_path / "0").mkdir()
    shutil.copy(FILE, tmp_path / "0" / FILE_NAME)
    write_host_key(tmp_path)
    began = STOPPED_AT - asyncio.get_running_loop().time()
    server = LastingServer(tmp_path, lambda: began + asyncio.get_running_loop().time(), **SETTINGS)
    await server.start()
    here = server.running
    kept = await answer(here, "export")
    assert (kept["name"], kept["settings"]["cards"]) == ("ana", "suits")
    assert {each["rules"]: each["games"] for each in kept["ratings"]} == {
        "daily/deals": 1,
        "quatch": 2,
        "quatch-original": 1,
    }
    assert len(await all_verified(here)) == len(kept["games"]) + 1
    assert (await answer(here, "daily"))["played"]
    (night,) = (await answer(here, "nights"))["nights"]
    assert [(each["name"], len(each["winners"])) for each in night["tournaments"]] == [("Cup", 1)]
    async with here.connection("eve") as eve:
        done = await eve.run("who")
        assert "eve is banned from this server" in str(done.stdout) + str(
            done.stderr
        )  # the older release tells all as answers
    async with bot(here.port, "ana", key_of("ana")) as ana, bot(here.port, "bo", key_of("bo")) as bo:
        players = [ana, bo]
        assert [(await each.until("joined"))["state"] for each in players] == ["playing"] * 2
        for each in players:
            each.send(type="back")
        await play_together(players, RUNNING_PLY + PLIES)
        await play_together(players)
    assert len(await all_verified(here)) == len(kept["games"]) + 2
    await server.stop()


def become(program: Path, version: str) -> None:
    """Put the next release in the place of this one, or this one again."""
    copy_program(program)
    for name, old, new in CHANGES if version == NEXT else ():
        text = (program / name).read_text("utf-8")
        changed = re.sub(old, new, text, count=0 if "best_streak" in old else 1)
        assert changed != text
        (program / name).write_text(changed, "utf-8")


async def renewed(server: HostedServer, program: Path, version: str) -> None:
    """Have a running server go on with the next release, or with this one again."""
    become(program, version)
    server.process.send_signal(signal.SIGHUP)
    assert (await server.logged("reloaded"))["version"] == version


async def rated_game(server: ReachedServer) -> str:
    """Cy plays a rated game; its id."""
    async with bot(server.port, "cy", key_of("cy")) as cy:
        if cy.told[0]["table"]:
            await cy.ask("left", type="leave")
        cy.send(type="new", rules="quatch", seats=2, fill="easy")
        return str((await cy.play())["game"])


async def rating_of_cy(server: ReachedServer) -> dict[str, Any]:
    """What is stored of it."""
    ratings = (await answer(server, "export", "cy"))["ratings"]
    return next(each for each in ratings if each["rules"] == "quatch")


@pytest.mark.skipif(not SOAKING, reason="slow: copies of the program, started three times")
@pytest.mark.features("cluster", "keeper", "privacy", "replay")
@pytest.mark.parametrize(("engine", "processes"), [("sqlite", 2), ("postgres", 1)])
async def test_a_game_goes_on_through_an_upgrade_and_a_downgrade(
    engine: str, processes: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """By several processes, and by two releases at one table. What one of them does not know it writes back."""
    program, data = tmp_path / "program", tmp_path / "data"
    become(program, VERSION)
    data.mkdir()
    shutil.copy(FILE, data / FILE_NAME)
    write_host_key(tmp_path)
    settings = {"QUATCH_PACE": "0", "QUATCH_KEEP_GAMES": "inf", "QUATCH_DATABASE": ""}
    settings |= {"PYTHONPATH": str(program), "PYTHONSAFEPATH": "1"}
    if engine == "postgres":
        settings["QUATCH_DATABASE"] = request.getfixturevalue("postgres").new_database()
        move = (sys.executable, "-m", "server", "move", "--from", str(data), "--to", settings["QUATCH_DATABASE"])
        moving = await asyncio.create_subprocess_exec(*move, env=as_a_host(**settings))
        assert await moving.wait() == 0
    async with hosted_server(tmp_path, "--processes", str(processes), **settings) as server, AsyncExitStack() as undo:
        comings = {name: await undo.enter_async_context(AsyncExitStack()) for name in ("dee", "eli")}

        async def comes(name: str) -> BotClient:
            """Another connection in the place of the one before."""
            await comings[name].aclose()
            return await comings[name].enter_async_context(bot(server.port, name, key_of(name)))

        ply = PLIES
        games, before = await all_verified(server), await rating_of_cy(server)
        dee, eli = await comes("dee"), await comes("eli")
        table = (await dee.ask("joined", type="new", rules="quatch", seats=2))["table"]
        await eli.ask_again("joined", type="join", table=table)
        eli.send(type="start")
        await play_together([dee, eli], ply)
        for version in (NEXT, VERSION):
            await renewed(server, program, version)
            while (eli := await comes("eli")).told[0]["server"] != f"quatch {version}":
                pass  # a process of the other release took this connection just before it was told to retire
            await play_together([dee, eli], ply := ply + PLIES)
            dee = await comes("dee")
            await play_together([dee, eli], ply := ply + PLIES)
            await server.until(lambda: len(server.children()) == processes)
            games.add(await rated_game(server))
        assert await all_verified(server) == games
        after = await rating_of_cy(server)
        assert await server.stop() == 0
    async with database_at(settings["QUATCH_DATABASE"], data) as log:
        entries = await log.read(table)
    state, _ = read_log(entries)
    assert state.ply > ply
    assert {json.loads(entry.data).get("release") for entry in entries} == {None, NEXT}
    assert "release" not in json.loads(entries[-1].data)
    assert (after["games"], after["release"]) == (before["games"] + 2, NEXT)
    assert after["best_streak"] >= before["best_streak"]
