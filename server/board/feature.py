"""What the board gives to the server."""

from typing import Final

from server.board.boards import Boards, show_board
from server.board.commands import NAME
from server.commands.registry import declared_in
from server.extension import Feature
from server.lobby.service import Runs
from server.session.exec_commands import OwnScreen

FEATURE: Final = Feature("board", (*declared_in("server.board.commands"), Runs(Boards), OwnScreen(NAME, show_board)))
