"""What a player, an op or a program can ask for by name: one registry of commands, and what each of them does.

What it must not know: terminals and drawing: a command gets a player session and returns lines.
Where to begin: `registry.py` says what a command is; `typed_line.py` is the way of a line; a command is declared beside
its function in one of the files named below, and nowhere else.
"""

# In this order they stand in help.
from server.commands import tables, games, questions, talk, identity, connection, help, admin  # noqa: A004, I001

__all__ = ["admin", "connection", "games", "help", "identity", "questions", "tables", "talk"]
