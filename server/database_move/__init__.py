"""`quatch move`: everything that a server keeps goes into another database, which may be of another engine.

What it must not know: what the rows mean; it knows the tables of `storage/sql.py`.
Where to begin: `copy.py`; `move` there is what a host runs.
"""

from typing import Final

from server.command_line import CommandLine, SubParsers

WHERE: Final = "postgresql://USER:PASSWORD@HOST:PORT/NAME, or the folder that the setting data names"


def _add_to(commands: SubParsers) -> None:
    move = commands.add_parser("move", help="copy all data of a server to another database, such as PostgreSQL")
    move.add_argument("--from", required=True, metavar="URL", help=f"the database to copy: {WHERE}")
    move.add_argument("--to", required=True, metavar="URL", help="an empty database, named in the same way")
    move.set_defaults(run="server.database_move.copy:move")


COMMAND_LINE: Final = CommandLine(add_to=_add_to, part="host")
