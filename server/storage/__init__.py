"""The append-only log that everything is kept in, and a key/value store on top of it.

It is in memory, in a SQLite file or in PostgreSQL: each is one implementation of `TableLog`.
What it must not know: what the entries mean.
Where to begin: `table_log.py` (the interface), then `sqlite_log.py` and `sqlite_connections.py`, or `postgres_log.py`,
`postgres_connections.py` and `postgres_bell.py`; `key_value_store.py`.
"""
