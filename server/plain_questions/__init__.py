"""Plain questions, as a newcomer types them, get an answer of one sentence: "what does the 10 do?", "who is winning?".

Moves that are said in sentences are understood, too: "put my king on the 4".

What it must not know: the state of a game, and terminals. Without it such sentences are not understood.
Where to begin: `sentence.py` says what a row of the tables is. Each table has a file, named after what people speak of
or where they are; `plain_questions.py` finds the sentence that is meant. `moves_said.py` has the moves.
"""

from typing import Final

from server.command_line import CommandLine

COMMAND_LINE: Final = CommandLine("server.plain_questions.plain_questions:FEATURE")
