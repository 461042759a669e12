"""All tables and all people of this server, and what is said in the lobby.

It knows all who are on the server, each as a `Visitor`; `player` is one of them from inside, `people` what is kept.
What it must not know: the game at a table, beyond who is there and since when, and who is connected how (`session`).
Where to begin: `lobby.py`. `tables.py` opens, finds and loads tables, and follows what other processes of the server
write of them; `peers.py` says what is known of these processes, and `visitors.py` knows all players.
"""
