"""One connection: its lines are read and carried out, and the answers shown, for people, bots and `ssh HOST COMMAND`.

It knows terminals and wire formats; what it asks and tells is the player's session (`player`), which knows neither.
What it must not know: how commands work (`commands`) and where a player is (`player`).
Where to begin: `terminal_session.py` for people (`display.py` has what they see), `bot_requests.py` for what bots send,
`exec_commands.py` for single commands.
"""
