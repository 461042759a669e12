"""The whole database file is looked through for damage soon after the start and once a day, while the server runs.

Without it damage is found where something is read or written, and in a backup.
What it must not know: what the database holds.
Where to begin: `damage_check.py`.
"""
