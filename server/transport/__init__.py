"""Bytes in and out: ssh, telnet, this terminal; and the proof that a key is somebody's.

What it must not know: what the bytes mean to a player: it hands over a `Terminal` and a `Caller`.
Where to begin: `ssh.py` (who is connecting) and `ssh_channel.py` (one session of a connection); `telnet.py` for
telnet.
"""
