"""Guests without a key are known again: in a room by their device and name, and wherever the host says who they are.

In a room, which is a server with `lan`, the resume code of a guest follows from the address and the name with which
they come, and from a secret of the server; so nothing is kept of them, and a restart changes nothing. A guest for whom
a seat or another place is kept is asked whether it is theirs, and Enter takes it. Elsewhere a guest types the
resume code.
What it must not know: ssh and terminals. Without it each guest is a new one, unless they type their resume code.
Where to begin: `returning_guests.py`.
"""
