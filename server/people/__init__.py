"""Identity: accounts and keys, names, settings, bans and mutes.

It is what is known of people whether they are here or not; `player` is a person who is here.
What it must not know: sessions, the screen, and of tables only their numbers.
Where to begin: `players.py` (a player, a caller), `accounts.py` (keys), `names.py` (names that look alike).
"""
