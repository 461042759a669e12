"""The append-only log that everything is kept in, and a key/value store on top of it.

It is in memory, in a SQLite file or in PostgreSQL: each is an engine, a class below `TableLog`. That one has every read
and write, and `sql.py` every statement.
What it must not know: what the entries mean.
Where to begin: `table_log.py`, then `sqlite_log.py`, or `postgres_log.py` and `postgres_bell.py`; `key_value_store.py`.
"""
