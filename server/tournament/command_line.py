"""What `quatch bench` measures of tournaments, and what grows with them."""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine(
    benches={"tournament": "server.tournament.bench:bench_tournament"},
    growing={"tournaments": "server.tournament.growth:add_tournaments"},
)
