"""Replays: a player steps through a finished game, watches it go on by itself, or records it for asciinema.

What it must not know: how a game is stored; it gets records from `history`.
Where to begin: `view.py` is what a player looks at, and `commands.py` is what they type; `recording.py` makes the
recording, and `on_command_line.py` is `quatch replay`.
"""
