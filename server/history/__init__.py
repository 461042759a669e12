"""Finished games as the log keeps them: finding them, and the ratings of players.

`records` is one such game as text and knows no log; here are all of them.
What it must not know: running tables. It reads records, which are public once a game is over.
Where to begin: `archive.py` finds games, `ratings.py` rates players, `top.py` lists the best.
"""
