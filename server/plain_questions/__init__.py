"""Plain questions, as a newcomer types them, get an answer of one sentence: "what does the 10 do?", "who is winning?".

What it must not know: the state of a game, and terminals. Without it such sentences are not understood.
Where to begin: `answers.py`, which lists the questions, with those of `about_the_game.py`, `about_people.py` and
`about_the_screen.py`; `understanding.py` finds the one that is meant.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.plain_questions.understanding:FEATURE")
