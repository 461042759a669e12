"""A player is forgotten over real ssh: nothing that is kept, and nothing that anybody is shown, says who they were."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import apsw
import asyncssh
import pytest

from server.commands.registry import commands_with
from server.config import Config, ConfigError
from server.people.accounts import FORGOTTEN
from server.people.players import Caller, Player
from server.people.sanctions import Sanction
from server.privacy.commands import AGAIN_SECONDS, GAMES_AT_ONCE, UNDONE, WHAT_GOES, Forgetting, all_games_of
from server.records.record_reader import verify
from server.session import exec_commands
from server.storage.database import EMPTY, NotSaved
from server.storage.sqlite_database import MemoryDatabase, SqliteDatabase
from tests.soak import long
from tests.support.bots import bot
from tests.support.features import FEATURES
from tests.support.log_entries import entry, finished
from tests.support.ops import AWAY, OP, admin
from tests.support.patience import PATIENCE
from tests.support.people import RunningServer, running_server

NAME = "zyvesna"
WHAT_IS_ASKED = "\n".join(WHAT_GOES) + "\n"
KEY = asyncssh.generate_private_key("ssh-ed25519")
OTHER_KEY = asyncssh.generate_private_key("ssh-ed25519")
BO = asyncssh.generate_private_key("ssh-ed25519")


@asynccontextmanager
async def servers(folder: Path, number: int) -> AsyncIterator[list[RunningServer]]:
    """Servers on one file, as the processes of one server are."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                running_server(folder, SqliteDatabase(folder / "quatch.db"), grace=60, ops=[OP.get_fingerprint()])
            )
            for _ in range(number)
        ]


def kept(folder: Path) -> dict[str, list[object]]:
    """Every value in every column of the database, by table."""
    with closing(apsw.Connection(str(folder / "quatch.db"), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        rows = {each: db.execute(f"SELECT * FROM {each}").fetchall() for each in tables}  # noqa: S608
        return {each: [value for row in found for value in row] for each, found in rows.items()}


def places_of(folder: Path, *words: str) -> list[str]:
    """The tables of the database in which one of these words stands."""
    found = {
        table: [value if isinstance(value, bytes) else str(value).encode() for value in values]
        for table, values in kept(folder).items()
    }
    sought = [word.lower().encode() for word in words]
    return [table for table, values in found.items() if any(word in each.lower() for word in sought for each in values)]


async def until_nowhere(folder: Path, *words: str) -> None:
    """Wait until none of these words stands in the database: what processes tell each other stays some seconds."""
    async with asyncio.timeout(PATIENCE):
        while places_of(folder, *words) in ([], ["message"]) and places_of(folder, *words):
            await asyncio.sleep(0.1)
    assert places_of(folder, *words) == []


def fingerprints(*keys: asyncssh.SSHKey) -> list[str]:
    """The fingerprints without what they all begin with."""
    return [key.get_fingerprint().removeprefix("SHA256:") for key in keys]


async def shown(server: RunningServer, *games: str) -> str:
    """What every command behind `ssh HOST` says, also of these games."""
    said, op = list[str](), Caller("op", OP.get_fingerprint())
    for command in commands_with(FEATURES):
        given = f"admin {command.name}" if command.ops else command.name
        if command.name not in {"forget", "export", "drain"} and (command.ops or command.ssh.startswith("answer")):
            for more in ("", *games):
                said += (await exec_commands.answer(f"{given} {more}", server.app.lobby, op))[1]
    return "\n".join(said)


async def finished_game(server: RunningServer) -> str:
    """The player plays a game against an AI player to its end; its id."""
    async with bot(server.port, NAME, KEY) as player:
        player.send(type="new", rules="quatch", seats=2, fill="easy")
        over = await player.play()
        player.send(type="leave")
        await player.ask("pong", type="ping")
    return str(over["game"])


@pytest.mark.features("moderation", "own_page", "replay")
@pytest.mark.parametrize("number", range(long(2, 1), 3))
async def test_nothing_says_who_a_forgotten_player_was(tmp_path: Path, number: int) -> None:
    """Not a column, not a command: also with two processes, with a game that goes on, and after its end."""
    async with servers(tmp_path, number) as (here, *others):
        there = others[-1] if others else here
        game = await finished_game(here)
        async with (
            here.person("op", key=OP, term=None) as op,
            here.person(NAME, key=KEY, term=None) as player,
            bot(there.port, "bo", BO) as bo,
        ):
            await op.until("Type play")
            await player.enter("set cards suits", "Set: cards suits.")
            await player.enter("report op he is rude", "The person who runs the server will read")
            await player.enter("say hello", f"{NAME}: hello")
            await op.enter(f"admin mute {NAME} because {NAME} shouts", "is muted")
            await op.enter(f"admin unmute {NAME}", "Lifted")
            await player.enter("new quatch seats=2", "Your table.")
            bo.send(type="join", table=2)
            await bo.until("joined")
            await player.enter("cut lucky", "lucky")
            bo.send(type="start")
            turn = await bo.until("turn")
            await here.run("me", KEY)  # counts the game
            assert {"account", "account_key", "look", "entry", "game", "standing", "text"} <= {
                *places_of(tmp_path, NAME, *fingerprints(KEY))
            }
            status, said = await here.run("forget", KEY)
            assert (status, "To be forgotten type: forget really" in said) == (0, True)
            player.type("forget really")  # it goes on although it ends this very session
            assert "is being deleted" in await player.until("Good-bye")
            bo.send(type="move", ply=turn["ply"], move="ready")
            over = await bo.play()
            await until_nowhere(tmp_path, NAME, *fingerprints(KEY))
            for server in (here, there):
                assert NAME not in await shown(server, game, str(over["game"]))
            assert "a former player" in (await here.run(f"replay {game}"))[1]
            for each in (game, str(over["game"])):
                status, said = await there.run(f"verify {each}")
                assert status == 0, said
        assert (await here.run("me", KEY))[1].startswith("ana, with an ssh key.")
    await until_nowhere(tmp_path, NAME)


async def test_what_was_begun_goes_on_after_a_crash(server: RunningServer) -> None:
    """The server has died before anything was deleted but after it was written that it should be. Once only."""
    lobby = server.app.lobby
    await server.run("me", KEY)
    account = await lobby.accounts.of(KEY.get_fingerprint())
    assert account is not None
    await lobby.profiles.claim_name(Player(account, NAME))
    long_ago = lobby.wall() - AGAIN_SECONDS - 1
    await lobby.store.put_text(FORGOTTEN, account, str(long_ago))
    await lobby.service(Forgetting).go_on()
    assert await lobby.profiles.owner(NAME) is None
    assert await lobby.accounts.of(KEY.get_fingerprint()) is None
    await lobby.profiles.claim_name(Player(account, NAME))  # a task that was late
    assert await lobby.profiles.owner(NAME) is None
    assert await lobby.store.count_texts(FORGOTTEN) == 0


async def test_nobody_is_told_that_all_is_deleted_before_it_is(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full once it is written that a player goes; the rest goes when there is room again."""
    lobby = server.app.lobby
    await server.run("me", KEY)

    async def fails(*_: object) -> None:
        raise NotSaved("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(lobby.profiles, "forget", fails)
        assert await server.run("forget really", KEY) == (0, f"{UNDONE}\n")
    assert await lobby.accounts.of(KEY.get_fingerprint()) is not None
    await lobby.store.put_text(FORGOTTEN, str(await lobby.accounts.of(KEY.get_fingerprint())), "1.0")
    await lobby.service(Forgetting).go_on()
    assert await lobby.accounts.of(KEY.get_fingerprint()) is None


async def test_linked_keys_go_with_the_player(server: RunningServer) -> None:
    """One person has both; what the second key had before it was linked goes, too."""
    linking = pytest.importorskip("server.linking", reason="it links them")
    lobby = server.app.lobby
    for key, name in ((KEY, "radko"), (OTHER_KEY, NAME)):
        async with server.person(name, key=key, term=None) as player:
            await player.enter(f"name {name}", f"You are {name}.")
    account = await lobby.accounts.of(KEY.get_fingerprint())
    assert account is not None
    links = lobby.service(linking.Links)
    await links.link(OTHER_KEY.get_fingerprint(), await links.new_code(account))
    assert (await server.run("forget really", OTHER_KEY))[0] == 0
    assert [await lobby.profiles.owner(name) for name in ("radko", NAME)] == [None, None]
    assert [await lobby.accounts.of(key.get_fingerprint()) for key in (KEY, OTHER_KEY)] == [None, None]
    assert await lobby.profiles.accounts.count_linked_keys() == 0


@pytest.mark.parametrize("inside", [False, True])
async def test_ops_forget_a_player_who_asks_them_to(server: RunningServer, *, inside: bool) -> None:
    """By the whole name, and not each other."""
    async with server.person(NAME, key=KEY, term=None) as player, server.person("op", key=OP, term=None) as op:
        await player.enter(f"name {NAME}", f"You are {NAME}.")
        await op.enter("name boss", "You are boss.")
        for wrong in ("nobody really", f"{NAME[:-1]} really", "boss really", "really"):
            status, said = await server.run(f"admin forget {wrong}", OP)
            assert status != 0, said
        listed = " ".join((await admin(server, "help")).split())
        assert "admin forget NAME [really] have all that is kept of a player deleted" in listed
        assert f"type: admin forget {NAME} really" in await admin(server, f"forget {NAME}")
        assert (await server.run(f"forget {NAME} really", BO))[1] == WHAT_IS_ASKED
        assert (await server.run(f"admin forget {NAME} really", BO))[0] == 2
        for nobody in ("admin forget", "admin forget really"):
            await op.enter(nobody, "Forget which player?")
        assert "ban NAME" in await op.enter("admin help", "keep out a player")
        assert "ban NAME" in await op.enter("admin help ban", "ban NAME")
        if inside:
            await op.enter(f"admin forget {NAME} really", "The player is forgotten.")
        else:
            assert await server.run(f"admin forget {NAME} really", OP) == (0, "The player is forgotten.\n")
        await player.until("Good-bye")
        assert NAME not in await admin(server, "journal")
        assert "forget a player" in await admin(server, "journal")
        async with server.person("fay", key=BO, term=None) as fay:  # who has no name of her own yet
            await fay.until("fay")
            assert await server.run("admin forget fay really", OP) == (0, "The player is forgotten.\n")
            await fay.until("Good-bye")


async def test_an_export_has_all_that_is_kept(server: RunningServer) -> None:
    """As JSON, of players with a key alone; nothing of a game that goes on but the number of its table."""
    game = await finished_game(server)
    async with server.person(NAME, key=KEY, term=None) as player:
        await player.enter("set cards suits", "Set: cards suits.")
        await player.enter("play", "Arrange your cards")
        status, said = await server.run("export", KEY)
        assert status == 0
        found = json.loads(said)
        assert (found["name"], found["keys"], found["settings"]["cards"]) == (NAME, [KEY.get_fingerprint()], "suits")
        assert [each["game"] for each in found["games"]] == [game]
        assert verify(found["games"][0]["record"])
        assert [len(found["tables"]), len(found["ratings"])] == [1, 1]
        account = found["account"]
        await server.app.lobby.imposed.mutes.put(
            {account: Sanction(account, NAME, 2_000_000_000.25, OP.get_fingerprint())}
        )
        again = json.loads((await server.run("export --json", KEY))[1])
        assert (again["games"], again["mutes"]) == (found["games"], ["2033-05-18T03:33:20Z"])
    status, said = await server.run("export")
    assert (status, said) == (2, "You came in without an ssh key, so nothing is kept under your name.\n")
    assert (await server.run("forget really"))[0] == 2


@pytest.mark.features("daily")
async def test_everybody_reads_the_page_of_the_host(tmp_path: Path) -> None:
    """Our own says what features keep; the host's is shown without what no terminal should get."""
    page = tmp_path / "privacy.txt"
    page.write_text("We keep little.\x1b[2J\n{kept}Addresses: {addresses}.\n")
    async with running_server(tmp_path) as server:
        status, said = await server.run("privacy")
        assert (status, "- your results in the daily deals" in said, "kept for 30 days" in said) == (0, True, True)
    async with running_server(tmp_path, privacy_page=str(page), privacy_addresses=7) as server:
        status, said = await server.run("privacy")
        assert (status, said.splitlines()[0], said.splitlines()[-1]) == (0, "We keep little.", "Addresses: 7 days.")
        page.unlink()
        assert (await server.run("privacy"))[0] == 2


async def test_old_addresses_are_forgotten(tmp_path: Path) -> None:
    """Those in reports, in the journal of ops and in the log; those of yesterday stay."""
    now, log = 1_800_000_000.0, tmp_path / "quatch.log"
    settings = {"ops": [OP.get_fingerprint()], "exempt": ["127.0.0.1"], "data": str(tmp_path)}
    first, last = (f'{{"address": "{AWAY}", "timestamp": "2027-0{month}-15T08:00:00.123456Z"}}\n' for month in (1, 2))
    log.write_text(f"{first}a line of a traceback\n{last}")
    async with running_server(tmp_path, None, lambda: now, **settings) as server:
        async with server.person("bo", source=AWAY, term=None) as bo, server.person("eve", source=AWAY, term=None):
            await bo.enter("report eve", "The person who runs the server will read")
            await admin(server, "kick eve")
        for days, is_there in ((29, True), (31, False)):
            now = 1_800_000_000.0 + days * 86_400
            await server.app.lobby.service(Forgetting).forget_addresses()
            texts = await admin(server, "journal") + await admin(server, "complaints")
            assert (AWAY in texts, "kick" in texts) == (is_there, True)
            assert (first in log.read_text(), last in log.read_text()) == (is_there, True)
    assert log.read_text() == last


async def test_others_are_served_while_very_many_games_are_read() -> None:
    """Between each two games. All are found, the latest first, although they are listed in pieces."""
    log, turns, most = MemoryDatabase(), 0, 2 * GAMES_AT_ONCE + 1
    for number in range(most):
        game = replace(finished(f"g{number}"), accounts=("account:ana",))
        await log.append(EMPTY, entry(number, 1), game)

    async def serve_others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    others = asyncio.create_task(serve_others())
    found = [game.id async for game in all_games_of(log, "account:ana")]
    others.cancel()
    assert found == [f"g{number}" for number in reversed(range(most))]
    assert turns >= most - 1


def test_what_a_host_sets_of_privacy_must_make_sense() -> None:
    """The setting is named, with what would be right."""
    with pytest.raises(ConfigError, match="privacy_addresses: must be at least 1 day, or inf for ever, not 0"):
        Config.load(None, {}, {"privacy_addresses": 0})
    Config.load(None, {}, {"privacy_addresses": "inf"})
    with pytest.raises(ConfigError, match=r"privacy_page: must be a file, not 'no\.txt'"):
        Config.load(None, {}, {"privacy_page": "no.txt"})
