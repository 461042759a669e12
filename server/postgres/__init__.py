"""Everything that a server keeps in PostgreSQL instead of a file, so that servers on several machines can be one.

What it must not know: what the entries mean.
Where to begin: `database.py`, the engine; `bell.py` has the processes on a database hear each other, and knows whether
it is away. `errors.py` says in words what went wrong.
"""

from typing import Final

from server.command_line import CommandLine, OtherDatabase, SubParsers

FORM: Final = "postgresql://USER:PASSWORD@HOST:PORT/NAME"
"""How a URL is written. Several hosts may stand in it, with commas between them, and options behind it."""


def _add_to(commands: SubParsers) -> None:
    in_postgres = "keep it in PostgreSQL instead; better: QUATCH_DATABASE"
    commands.choices["serve"].add_argument("--database", metavar="URL", help=in_postgres)


COMMAND_LINE: Final = CommandLine(
    add_to=_add_to,
    database=OtherDatabase(
        schemes=("postgresql", "postgres"),
        form=FORM,
        read="server.postgres.url:DatabaseUrl.read",
        engine="server.postgres.database:PostgresDatabase.at",
    ),
)
