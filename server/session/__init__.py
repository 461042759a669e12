"""One connection's loop: read a line, have it carried out, show the answer; for people, bots and `ssh HOST COMMAND`.

What it must not know: how commands work (`commands`) and where a player is (`player`).
Where to begin: `terminal_session.py` for people, `bot_session.py` for bots, `exec_commands.py` for single commands.
"""
