"""Finished games: finding them and stepping through them, and the players' ratings.

What it must not know: running tables. It reads records, which are public once a game is over.
Where to begin: `archive.py` finds a game, `playback.py` steps through it, `ratings.py` rates players and
`standings.py` keeps their ratings.
"""
