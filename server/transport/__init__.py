"""Bytes in and out: ssh and the local terminal; and the proof that a client holds a key.

`net` has accepted a connection and meters it; here its bytes become a login and sessions.
What it must not know: what the bytes mean to a player. It hands over a `Terminal` and a `Caller`.
Where to begin: `ssh.py`: who is connecting, and each session of a connection.
"""
