"""One table: its log, the state that the log folds to, the task that runs it, and what each subscriber may see.

What it must not know: the lobby, connections, drawing. Subscribers get views, never the state of a game.
Where to begin: `table.py` (what can be asked of a table), `table_task.py` (its one loop), `deadlines.py` (what is
due when), `seats.py` (who may sit where), `fold.py` (what a change in the log does).
"""
