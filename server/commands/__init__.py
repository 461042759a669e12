"""What a player, an op or a program can ask for by name: one registry of commands, and what each of them does.

What it must not know: drawing and wire formats: a command gets a player session and returns lines.
Where to begin: `registry.py` says what a command is; `typed_line.py` is the way of a line, and `finding.py` finds the
command that it means. A command stands above its function, in one of the files that are imported here, and nowhere
else.
"""

# In the order of help.
from server.commands import sitting, looking, games, side_views  # noqa: F401, I001
from server.commands import yourself, help  # noqa: A004, F401
