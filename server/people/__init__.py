"""Identity: accounts and keys, names, settings, bans and mutes.

What it must not know: tables, sessions and the screen.
Where to begin: `players.py` (a player, a caller), `accounts.py` (linked keys), `names.py` (names that look alike).
"""
