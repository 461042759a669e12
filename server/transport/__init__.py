"""Bytes in and out: ssh and the local terminal; and the proof that a client holds a key.

What it must not know: what the bytes mean to a player. It hands over a `Terminal` and a `Caller`.
Where to begin: `ssh.py` (who is connecting) and `ssh_channel.py` (one session of a connection).
"""
