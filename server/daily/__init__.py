"""The daily deal: each day the same cards for everybody, who plays them alone against three AI players.

A day begins when a night does (`history/when_a_day_begins.py`), so that an evening is not cut in two.
What it must not know: other features, and the state of a game: the core keeps what it promises at its tables.
Where to begin: `README.md`; then `deal.py` (the day, what its cards come from, what a table is opened for, how games
are compared), `service.py` (who has played it, and where), `choice.py` (which deal a day gets), `results.py`,
`commands.py`.
"""

from typing import Final

from server.command_line import CommandLine, PlayedHere

SECRET: Final = "daily-secret"  # noqa: S105 - the kind of a text
"""The kind of the text from which all seeds of a server come; the oldest one counts."""
STREAK: Final = "daily-streak"
"""The kind of the texts that hold each account's days in a row."""
COMMAND_LINE: Final = CommandLine(
    "server.daily.commands:FEATURE",
    growing={"daily results": "server.daily.results:many_results"},
    account_texts=(STREAK,),
    played_here=PlayedHere(
        "a deal a day for all without a server, not that of a server; unrated",
        "daily",
        "the deal is the same for all",
        ((SECRET, "", ""),),  # so that today's deal is the same wherever it is played without a server
    ),
)
