"""A finished game as text, the proof of its deal, and its result.

What it must not know: the log and its storage; who may read a record.
Where to begin: `record.py` (the text format), `verify.py` and `fairness.py` (the proof), `results.py` (who came in
where).
"""
