"""What a player, an op or a program can ask for by name, and what is done then.

What it must not know: terminals and drawing: a command gets a player session and returns lines.
Where to begin: `actions.py` changes something, `queries.py` only looks, `admin.py` is for ops, `completion.py` what
could be typed.
"""
