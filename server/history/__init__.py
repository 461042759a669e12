"""Finished games as the log keeps them: finding them, stepping through them, the players' ratings.

`records` is one such game as text and knows no log; here are all of them.
What it must not know: running tables. It reads records, which are public once a game is over.
Where to begin: `archive.py` finds a game, `playback.py` steps through it, `ratings.py` rates players.
"""
