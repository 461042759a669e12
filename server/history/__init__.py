"""Finished games: finding, replaying and reviewing them, and who plays best.

What it must not know: running tables: it reads records, which are public once a game is over.
Where to begin: `archive.py` finds a game, `replay.py` steps through it, `review.py` judges moves, `standings.py`
rates players.
"""
