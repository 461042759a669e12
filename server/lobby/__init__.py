"""All tables and all people of this server, and what is said in the lobby.

What it must not know: how one table works inside (`table`), and who is connected how (`session`).
Where to begin: `lobby.py`; `tables.py` opens, loads and closes tables; `other_processes.py` knows who is at a
table in other processes.
"""
