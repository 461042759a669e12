"""What a player, an op or a program can ask for by name: one registry of commands, and what each of them does.

What it must not know: terminals and drawing: a command gets a player session and returns lines.
Where to begin: `registry.py` says what a command is, `catalog.py` which files declare them; `typed_line.py` is the way
of a line. A command stands beside its function, in one of those files and nowhere else.
"""
