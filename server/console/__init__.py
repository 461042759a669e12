"""The host's console: the server at a glance, and a prompt for the commands of ops.

What it must not know: hands and hidden cards, since a host may play as well. It shows what the lobby lists.
Where to begin: `session.py` is one console, at the terminal of the server or over ssh; `overview.py` collects what it
shows, and `frame.py` draws it.
"""
