"""The README as a player follows it, with the real ssh client in a real terminal, and `quatch play`."""

import asyncio
import json
import shlex
import subprocess
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.ledger import RateLimit
from server.transport.asyncssh_private import Connection
from server.transport.host_keys import KEY_NAME, NEXT_KEY_NAME, load_next, load_or_create
from server.transport.ssh import SshAcceptor
from tests.support.people import RunningServer, running_server
from tests.support.programs import PROGRAM
from tests.support.resources import settled
from tests.support.tmux import play_to_the_end, terminal

ROOT = Path(__file__).parents[3]


@pytest.mark.needs("ssh", "tmux")
async def test_the_readme_s_game(open_server: RunningServer, tmp_path: Path) -> None:
    """Log in with the real client, play to the end, start another game, quit: the terminal is restored."""
    with terminal(tmp_path, *open_server.openssh("ana@127.0.0.1")) as tmux:
        await tmux.until("play against AI players")
        await tmux.enter("play", "ready begins")
        await play_to_the_end(tmux)
        await tmux.enter("start", "arranging")
        await tmux.enter("quit", "Type quit again, or")
        screen = await tmux.enter("quit", "ended 0")
        assert "Good-bye" in screen
        assert "QUATCH" not in screen


@pytest.mark.needs("ssh", "tmux")
async def test_the_line_that_a_player_passes_on_leads_a_friend_to_the_table(
    open_server: RunningServer, tmp_path: Path
) -> None:
    """As a shell reads it, with the address and the port of the server."""
    async with open_server.person("ann", command="new key=a$(b)", size=(120, 40)) as ann:
        await ann.until("Your table")
        screen = await ann.enter("invite bo", "'bo' is not here. They can come with: ssh -t")
        program, *arguments = shlex.split(screen.partition("They can come with: ")[2].partition("\n")[0])
        assert (program, arguments[:4]) == ("ssh", ["-t", "-p", str(open_server.port), "127.0.0.1"])
        with terminal(tmp_path, *open_server.openssh(*arguments)) as tmux:
            await tmux.until(r"\(you\)")
            await ann.until("sits down")


@pytest.mark.needs("tmux")
async def test_quatch_play_needs_no_network_and_fits_a_window_whose_size_changes(tmp_path: Path) -> None:
    """A whole game in the local terminal. The line across the screen is as long as the screen is wide."""
    command = ("env", "QUATCH_PACE=0", *PROGRAM, "play", "--seats", "2")
    with terminal(tmp_path, "env", "-C", str(ROOT), *command) as tmux:
        await tmux.until("ready begins")
        for columns, rows in ((100, 30), (70, 22), (80, 24)):
            tmux.run("resize-window", "-x", str(columns), "-y", str(rows))
            await tmux.until(rf"(?m)^\u2500{{{columns - 1}}}$")
        await play_to_the_end(tmux)
        screen = await tmux.enter("quit", "ended 0")
        assert "Good-bye" in screen


@pytest.mark.needs("ssh")
async def test_what_is_wrong_with_a_command_goes_to_standard_error(open_server: RunningServer) -> None:
    """So that no script takes it for the answer; with --json it is one, and at a terminal there is one way for all."""

    async def run(*arguments: str) -> tuple[int | None, str, str]:
        client = await asyncio.create_subprocess_exec(
            *open_server.openssh(*arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
        answered, told = await asyncio.wait_for(client.communicate(), 30)
        return client.returncode, answered.decode(), told.decode()

    told = "No option '--foo': there are --json, --help."
    assert await run("-oLogLevel=ERROR", "127.0.0.1", "who", "--foo") == (2, "", f"{told}\n")
    assert await run("-oLogLevel=ERROR", "127.0.0.1", "who") == (0, "0 here.\n", "")
    status, answered, told_apart = await run("-oLogLevel=ERROR", "127.0.0.1", "who", "--foo", "--json")
    assert (status, json.loads(answered)["error"]["code"], told_apart) == (2, "bad_request", "")
    assert await run("-oLogLevel=ERROR", "-tt", "127.0.0.1", "who", "--foo") == (2, f"{told}\r\n", "")


@pytest.mark.needs("ssh")
async def test_a_client_that_wants_new_keys_all_the_time_is_told_why_it_is_cut_off(
    open_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `RekeyLimit=1K` there is a key exchange for every few lines; it is served for a while."""
    monkeypatch.setattr(SshAcceptor, "key_exchanges", RateLimit(3, 0.1))
    client = await asyncio.create_subprocess_exec(
        *open_server.openssh("-T", "-oRekeyLimit=1K", "ana@127.0.0.1"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    said, told = await asyncio.wait_for(client.communicate(b"help all\n" * 200), 30)
    assert b"Quatch. Welcome" in said
    assert b"your client asks for new keys too often: give it a RekeyLimit of 1M or more" in told


@pytest.mark.needs("ssh")
async def test_a_connection_that_the_server_has_no_memory_for_is_one_line_in_the_log(
    open_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host learns why nobody can come in."""

    async def fails(_: Connection) -> None:
        raise MemoryError("no room for another connection")

    monkeypatch.setattr(Connection, "reload_config", fails)
    with capture_logs() as logs:
        client = await asyncio.create_subprocess_exec(
            *open_server.openssh("127.0.0.1", "version"), stderr=subprocess.DEVNULL
        )
        assert await client.wait() == 255
    assert ("connection failed", "MemoryError: no room for another connection") in {
        (line["event"], line.get("problem")) for line in logs
    }


@pytest.mark.needs("ssh")
async def test_openssh_learns_the_next_host_key(tmp_path: Path) -> None:
    """While the server still proves itself by the one before: nobody is warned when the next takes its place."""
    folder, known = tmp_path / "keys", tmp_path / "known_hosts"
    load_or_create(folder)
    (folder / KEY_NAME).rename(folder / NEXT_KEY_NAME)
    async with running_server(tmp_path, hostkeys=str(folder)) as server:
        options = [f"UserKnownHostsFile={known}", "UpdateHostKeys=yes"]
        current, following = (load_or_create(folder), *load_next(folder))
        known.write_text(f"[127.0.0.1]:{server.port} {current.export_public_key().decode()}")
        command = ["ssh", "-T", "-p", str(server.port), *(f"-o{each}" for each in options), "ana@127.0.0.1"]
        client = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        await settled(lambda: following.export_public_key().decode().split()[1] in known.read_text())
        await client.communicate(b"quit\n")
