"""The append-only log that everything is kept in, in memory or in a SQLite file, and a key/value store on top of it.

What it must not know: what the entries mean.
Where to begin: `table_log.py` (the interface `TableLog`), then `sqlite_log.py`,
`sqlite_connections.py`; `key_value_store.py`.
"""
