"""Reviews of finished games: how a seat stood, which of its moves cost most, and what a player does again and again.

What it must not know: how games are stored (`storage`), and other features.
Where to begin: `commands.py`; `review.py` judges the decisions of a seat, `text.py` puts that in words, and `habits.py`
counts the mistakes of an account.
"""

from typing import Final

from server.command_line import CommandLine, SubParsers, add_which_game, number


def _add_to(commands: SubParsers) -> None:
    review = commands.add_parser("review", help="review a seat's finished game: its chances, and what its moves cost")
    add_which_game(review)
    review.add_argument("--seat", type=number, metavar="N", help="the seat, from 1 (default: the only person's)")
    review.add_argument("--json", action="store_true", help="one JSON object")
    review.set_defaults(run="server.review.text:review")


HABITS: Final = "habits"
"""The kind of the texts that hold each account's habits."""
COMMAND_LINE: Final = CommandLine(
    "server.review.commands:FEATURE",
    add_to=_add_to,
    account_texts=(HABITS,),
    growing={"habits": "server.review.habits:many_habits"},
)
