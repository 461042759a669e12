"""Text about the game: what typed text means, and events and positions as sentences. Pure.

What it must not know: screens, sessions, and the state of a game. It works on views.
Where to begin: `parsing.py` for what players type, `event_text.py` for what happened, `position_text.py` for what a
player sees now.
"""
