"""One player's session: who they are, at which table, what they look at, what they were told.

What it must not know: terminals and wire formats: it tells through callables that a connection passes in.
Where to begin: `player_session.py`; `location.py` for coming and going, `table_feed.py` for what a table tells.
"""
