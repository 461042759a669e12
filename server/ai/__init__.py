"""Where AI players think: worker processes, so that the event loop never waits for them.

What it must not know: tables: it gets a question with a view, and gives a move.
Where to begin: `pool.py`.
"""
