"""One table: its log, the state that follows from it, and what each subscriber may see.

What it must not know: the lobby, connections, drawing. Subscribers get views, never the state of a game.
Where to begin: `table.py` (what can be asked of a table; its `Director` is for competitions), `own_work.py` (what it
does by itself), `inbox.py` (one thing after the other), `deadlines.py` (what is due when), `seats.py` (who may sit
where), `apply_changes.py` (what a change in the log does).
"""
