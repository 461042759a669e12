"""Draws a scene as rows of styled text. Pure: no I/O, no clock.

What it must not know: sessions and terminals. A scene comes in, rows go out.
Where to begin: `frame.py` chooses lobby, table or page; `table_frame.py` and the `*_rows.py` draw a table; `theme.py`
says how cards look.
"""
