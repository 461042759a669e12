"""Who somebody is: accounts and keys, names, settings, bans and mutes.

What it must not know: tables, sessions and the screen.
Where to begin: `players.py` (a player, a caller), `accounts.py` (keys), `names.py` (which names look alike).
"""
