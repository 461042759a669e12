"""The engine over a pipe: positions and views as JSON, read and written, and the referee that answers with them.

What it must not know: the server and its log. Where to begin: `referee.py`, then `position_json.py`.
"""
