"""A player's terminal: what it can show, the keys typed at it, and the few bytes that bring its screen up to date.

What it must not know: what the rows of the screen say. Only this package and a bench use prompt_toolkit.
Where to begin: `terminal.py`. `keys.py` turns bytes into keys, `key_bindings.py` says what each key does to the line in
`input_line.py`, and `painter.py` sends what has changed on the screen.
"""
