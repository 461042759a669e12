"""The big board: a picture of the server for a projector in the room, which nobody types at.

What it must not know: hands, sealed cards and private tables. It is given what every spectator sees.
Where to begin: `feed.py` collects what all boards of a process show, `director.py` decides what is shown when, and
`session.py` is one connection that shows it. `frame.py` draws it.
"""
