"""Real clients in plain lines: each is started, plays a move, and leaves."""

import asyncio
import re

from tests.support.patience import PATIENCE


def move_after(heard: str) -> str:
    """What a player types in answer to these lines."""
    playable = re.search(r"You can play an? (\w+)", heard)
    return playable[1] if playable else "p"


async def play_a_move(*command: str) -> None:
    """Start a client in line mode, read what can be played, play it, and leave."""
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        await process.stdout.readuntil(b"Type play")
        process.stdin.write(b"play\n")
        await process.stdout.readuntil(b"then type ready.")
        process.stdin.write(b"ready\n")
        await process.stdout.readuntil(b"Your turn.")
        turn = [await process.stdout.readline() for _ in range(3)]
        process.stdin.write(move_after(b"".join(turn).decode()).encode() + b"\n")
        await process.stdout.readuntil(b"You p")
        out, _ = await process.communicate(b"quit\n")
    assert out.endswith((b"Good-bye. Come again.\n", b"Good-bye. Come again.\r\n"))
    assert process.returncode == 0
