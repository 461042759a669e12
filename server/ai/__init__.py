"""Lets AI players think in worker processes, so that the event loop never waits for them.

What it must not know: tables. It gets a question with a view, and gives a move.
Where to begin: `pool.py`.
"""
