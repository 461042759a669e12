"""One player's session: their name and account, their location, what they were told. People and bots have the same.

It lasts while the player is here, whatever they type with; `session` is the loop that reads and answers them.
What it must not know: terminals and wire formats; a front end shows the session to its player.
Where to begin: `player_session.py`.
"""
