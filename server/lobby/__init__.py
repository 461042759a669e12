"""All tables and all people of this server, and what is said in the lobby.

What it must not know: how one table works inside (`table`), and who is connected how (`session`).
Where to begin: `lobby.py`. `tables.py` opens, finds and loads tables, `visitors.py` knows the players who are here;
`log_follower.py` and `other_processes.py` follow what other processes do.
"""
