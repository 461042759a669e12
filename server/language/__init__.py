"""Text in, sentences out: what typed text means, and how events and positions are told. Pure.

What it must not know: screens, sessions, and the true state of a game: it works on views.
Where to begin: `parsing.py` for what people type, `event_text.py` for what happened, `position_text.py` for how
things stand.
"""
