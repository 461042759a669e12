"""A page of the player's own: `me` shows their games, their ratings and what features know of them.

What it must not know: other features: they tell their lines themselves (`OwnLine`).
Where to begin: `own_page.py`, which is all of it.
"""
