"""All tables and all people of this server, and what is said in the lobby.

What it must not know: how one table works inside (`table`), and who is connected how (`session`).
Where to begin: `lobby.py`. `tables.py` opens, finds and loads tables, `visitors.py` knows all players. As for the other
processes of the server, `log_follower.py` follows what they write, and `peers.py` says what is known of them.
"""
