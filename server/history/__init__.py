"""Finished games: finding, replaying and reviewing them, and the players' ratings.

What it must not know: running tables. It reads records, which are public once a game is over.
Where to begin: `archive.py` finds a game, `replay.py` steps through it, `review.py` judges decisions, `ratings.py`
rates players and `standings.py` keeps their ratings.
"""
