"""`quatch bench`: how fast the program is, each figure beside a baseline of the same run.

What it must not know: nothing is forbidden; the server never imports it, and no test measures time with it.
Where to begin: `main.py` lists the benches; `table.py` is people at tables over real ssh, `attacks.py` strangers at
work.
"""
