"""The append-only log that everything is kept in: its interface, in memory, and in a SQLite file.

What it must not know: what the entries mean.
Where to begin: `table_log.py` (the interface `TableLog`), then `sqlite_log.py`.
"""
