"""`quatch bench`: how fast the program is, each figure beside a baseline of the same run.

What it must not know: nothing is forbidden. The server never imports it, and no test measures time with it.
Where to begin: `main.py` lists the benches; `table.py` measures people at tables over ssh, `attacks.py` a server under
attack.
"""
