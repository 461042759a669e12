"""The big board: a picture of the server for a projector in the room, which nobody types at.

What boards show is collected once for all of a process, while one is open: by observing the tables that anybody may
watch (`Broadcaster.observers`). A ban closes the boards of the banned, and a kick those of the player.
What it must not know: hands, sealed cards and private tables. It is given what every spectator sees.
Where to begin: `feed.py` collects what all boards of a process show, and decides for those of one size which page they
show; `frame.py` draws it, and `boards.py` are all boards, and what is typed to open one.
"""

from typing import Final

from server.command_line import CommandLine, FeatureSettings, InPlace


class BoardSettings(FeatureSettings):
    """What boards show besides the games."""

    board_talk: InPlace[bool] = False


COMMAND_LINE: Final = CommandLine("server.board.boards:FEATURE", BoardSettings)
