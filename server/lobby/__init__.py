"""All tables and all people of this server, and what is said in the lobby.

It knows all who are on the server, each as a `Visitor`; `player` is one of them from inside, `people` what is kept.
What it must not know: the game at a table, beyond who is there and since when, and who is connected how (`session`).
Where to begin: `lobby.py`. `tables.py` opens, finds and loads tables, `visitors.py` knows all players. As for the other
processes of the server, `log_follower.py` follows what they write, and `peers.py` says what is known of them.
"""
