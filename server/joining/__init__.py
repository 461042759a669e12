"""How guests find the way to a server: the lines to type, a QR code, and the key of the server in words.

What it must not know: tables, players and sessions.
Where to begin: `join_lines.py` finds what guests type, draws what they scan, and puts the fingerprint of the key into
words.
"""
