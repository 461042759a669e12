"""One table: its log, the state that the log folds to, its coordinator, and what each subscriber may see.

What it must not know: the lobby, connections, drawing. Subscribers get views, never the state of a game.
Where to begin: `coordinator.py` (who may do what, in which order), then `journal.py` (writing the log) and `fold.py`
(reading it).
"""
