"""What ops do to the boards of a player."""

from pathlib import Path

import pytest

from tests.support.ops import KEY, admin, hosted


@pytest.mark.features("moderation")
@pytest.mark.parametrize(("line", "said"), [("kick bo", b"An op has closed"), ("ban bo 5m", b"you are banned")])
async def test_the_boards_of_a_player_are_closed_with_their_session(tmp_path: Path, line: str, said: bytes) -> None:
    """The last line says why."""
    async with (
        hosted(tmp_path) as server,
        server.person("bo", key=KEY, term=None),
        server.connection("wall", key=KEY) as connection,
    ):
        board = await connection.create_process("board", term_type="xterm-256color", encoding=None)
        await board.stdout.readuntil(b"QUATCH")
        await admin(server, line)
        assert said in await board.stdout.read()
