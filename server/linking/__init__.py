"""Players with several keys: `link`, `unlink` and `keys`. A key is linked by a code typed on the other device.

The own account of a key that is linked stays, and the key has it back when it is unlinked.
What it must not know: tables, except that a player who links a key leaves theirs before.
Where to begin: `linking.py`. Which account a key stands for is known to the core
(`people/accounts.py`), also without this room.
"""
