"""Plain questions, as a newcomer types them, get an answer of one sentence: "what does the 10 do?", "who is winning?".

Moves that are said in sentences are understood, too: "put my king on the 4".

What it must not know: the state of a game, and terminals. Without it such sentences are not understood.
Where to begin: `answers.py`, which lists the questions, with those of `about_the_game.py`, `about_results.py`,
`about_people.py` and `about_the_screen.py`; `plain_questions.py` finds the one that is meant.
`moves_said.py` has the moves.
"""
