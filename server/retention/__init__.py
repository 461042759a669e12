"""Finished games and accounts are deleted when they have been kept for long enough. Without it they are kept for ever.

What it must not know: what a game or an account holds.
Where to begin: `retention.py`.
"""
