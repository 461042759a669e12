"""One connection: its lines are read and carried out, and the answers shown, for people, bots and `ssh HOST COMMAND`.

A session lasts as long as its connection. `player` has the player behind it, `people` what is kept of a person for the
next time, `lobby` all players and tables together.

It knows terminals and wire formats; what it asks and tells is the player's session (`player`), which knows neither.
What it must not know: how commands work (`commands`) and where a player is (`player`).
Where to begin: `terminal_session.py` for people, `bot_session.py` for bots, `exec_commands.py` for single commands.
"""
