"""What is wrong with the database or the clock is told to the host and the ops, once, and when it is over.

What it must not know: how the database is kept.
Where to begin: `alarms.py`.
"""
