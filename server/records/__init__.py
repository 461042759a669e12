"""One finished game: its record as text, the proof of its deal, its result. `history` is about all that a log keeps.

What it must not know: the log and its storage, and who may read a record.
Where to begin: `record.py` (the text format), `record_reader.py` and `fairness.py` (the proof), `results.py` (the
finishing order).
"""
