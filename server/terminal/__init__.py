"""A terminal at the other end: what it can show, what is typed, and the least to send so that it shows the next rows.

What it must not know: what the rows say. prompt_toolkit is used in this package only.
Where to begin: `terminal.py`; `keys.py` turns bytes into keys, `input_line.py` edits the line, `painter.py` sends the
changes.
"""
