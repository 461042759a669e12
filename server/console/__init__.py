"""The host's console: the server at a glance, and a prompt for the commands of ops.

It is the full screen of `session/screen_mode.py` with another picture, and takes the commands of `ssh HOST admin`. An
op opens one by `ssh -t HOST admin`. At the terminal of the server it is there from the beginning: of several processes
the first one shows it; after a renewal or a kill that of the next one waits until the terminal is free.
What it must not know: hands and hidden cards, since a host may play as well. It shows what the lobby lists.
Where to begin: `session.py` is one console, `consoles.py` are all of a process; `overview.py` collects what a console
shows, `frame.py` draws it, and `host_console.py` writes to the terminal of the server without waiting for it.
"""
