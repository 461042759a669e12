"""`quatch move`: everything that a server keeps goes into another database, which may be of another engine.

What it must not know: what the rows mean; it knows the tables of `storage/sql.py`.
Where to begin: `copy.py`; `on_command_line.py` is what a host types and reads.
"""
