"""The database that everything is kept in: the logs of tables, finished games, standings, accounts and texts.

It is in memory, in a SQLite file, or in the database of a feature. Each of these is an engine, a class below
`Database`, which has every read and write; `sql.py` has every statement.
What it must not know: what the entries mean.
Where to begin: `database.py`, then `sqlite_database.py`; for texts that a process keeps in memory `key_value_store.py`.
"""
