"""The telnet clients that people have, with the program as it is."""

from pathlib import Path
from typing import Final

import pytest

from tests.support.people import RunningServer, running_server
from tests.support.plain_clients import play_a_move
from tests.support.playing_on_screen import what_to_type
from tests.support.tmux import play_to_the_end, terminal

TINTIN: Final = "/usr/games/tt++"
"""Where Debian has it, which is on few search paths."""


@pytest.mark.needs("telnet", "tmux")
async def test_the_real_telnet_plays_a_game(telnet_server: RunningServer, tmp_path: Path) -> None:
    """In a real terminal: the screen, a game to its end, a resize, and the terminal restored."""
    with terminal(tmp_path, "telnet", "127.0.0.1", str(telnet_server.telnet_port)) as tmux:
        await tmux.until("play against AI players")
        tmux.run("resize-window", "-x", "100", "-y", "30")
        await tmux.until("\u2500{99}")
        tmux.run("resize-window", "-x", "80", "-y", "24")
        tmux.type("play")
        await tmux.until("ready begins")
        await play_to_the_end(tmux)
        tmux.type("quit")
        screen = await tmux.until("ended")
        assert "Good-bye" in screen
        assert "QUATCH" not in screen


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["plink", "-telnet", "-P", "{port}", "127.0.0.1"], marks=pytest.mark.needs("plink", "tmux")),
        pytest.param([TINTIN, "-G", "-e", "#session q 127.0.0.1 {port}"], marks=pytest.mark.needs(TINTIN, "tmux")),
    ],
    ids=["plink", "tintin"],
)
async def test_other_real_clients_play_a_move(tmp_path: Path, command: list[str]) -> None:
    """Both get the screen; they take their time to say what they are."""
    async with running_server(tmp_path, telnet_port=0, keep_table=0) as running:
        words = [word.format(port=running.telnet_port) for word in command]
        with terminal(tmp_path, "env", f"HOME={tmp_path}", *words) as tmux:
            await tmux.until("play against AI players")
            tmux.run("resize-window", "-x", "100", "-y", "30")
            await tmux.until("[-\u2500]{99}")
            tmux.run("resize-window", "-x", "80", "-y", "24")
            tmux.type("play")
            await tmux.until("ready begins")
            tmux.type("ready")
            screen = await tmux.until("(?s)You are ready.*YOUR TURN")
            tmux.type(what_to_type(screen))
            await tmux.until("You (play|pick up)")
            tmux.type("quit")
            await tmux.until("Type quit again")
            tmux.type("quit")
            await tmux.until("Good-bye")


@pytest.mark.needs("telnet", "tmux")
async def test_the_real_telnet_on_a_dumb_terminal_keeps_its_own_echo(
    telnet_server: RunningServer, tmp_path: Path
) -> None:
    """In line mode the client alone shows what is typed, once."""
    command = ["env", "TERM=dumb", "telnet", "127.0.0.1", str(telnet_server.telnet_port)]
    with terminal(tmp_path, *command) as tmux:
        tmux.type("frob")
        screen = await tmux.until("nknown command")
        assert screen.count("frob") == 2, "typed, and quoted in the answer"
        tmux.type("quit")
        await tmux.until("Good-bye")


@pytest.mark.needs("nc")
async def test_nc_plays_a_move(tmp_path: Path) -> None:
    """On the telnet port, without knowing telnet."""
    async with running_server(tmp_path, telnet_port=0) as running:
        await play_a_move("nc", "127.0.0.1", str(running.telnet_port))
