"""Bots: the session of a player as JSON, one object a line, for programs in any language; and bots of our own.

`quatch bots` has our AI players go to any server, through the protocol, and tries the bots of others.
What it must not know: the screen, and the words that people type.
Where to begin: `session.py`, with `requests.py` and `messages.py`; `bots.py` sends bots, and `check.py` tries one.
`deploy/bots/README.md` tells authors of bots.
"""

import argparse
from functools import partial
from typing import Final

from engine.levels import LEVEL_NAMES
from server.command_line import CommandLine, SubParsers, command_lines


def _entered(feature: str, name: str) -> tuple[str, str]:
    """What `BotOptions.enters` says of the one of this name."""
    return feature, name


def _add_to(commands: SubParsers) -> None:
    bots = commands.add_parser(
        "bots",
        help="seat our AI players at any server, through the bot protocol",
        argument_default=argparse.SUPPRESS,  # the defaults are those of `bots.BotOptions`
    )
    bots.add_argument("host", metavar="HOST", nargs="?", help="host name or address of the server")
    bots.add_argument(
        "--check", metavar="COMMAND", help="try a bot of yours instead: COMMAND gets the arguments of ssh"
    )
    bots.add_argument("--port", type=int, help="port of the server (default: 2222)")
    bots.add_argument("--count", type=int, help="how many, up to 20 (default: 1)")
    bots.add_argument("--level", choices=LEVEL_NAMES, help="level of the AI players (default: hard)")
    bots.add_argument("--rules", metavar="NAME", help="rule set to play (default: that of an open table)")
    bots.add_argument("--table", type=int, help="table to sit at (default: an open table, or a new one)")
    bots.add_argument("--games", type=int, help="how many games each plays (default: no end)")
    bots.add_argument("--pace", type=float, help="seconds for a move (default: 1)")
    for name, line in command_lines().items():
        if line.bots_enter:
            which, only = partial(_entered, name), _entered(name, "")
            bots.add_argument(
                f"--{name}", dest="enters", nargs="?", type=which, const=only, metavar="NAME", help=line.bots_enter
            )
    bots.add_argument("--keys", metavar="FOLDER", help="where the bots keep keys, to be known again (default: none)")
    bots.set_defaults(run="server.bot_protocol.bots:bots")


COMMAND_LINE: Final = CommandLine(
    "server.bot_protocol.session:FEATURE", add_to=_add_to, part="make", attacks="server.bot_protocol.attacks:ATTACKS"
)
