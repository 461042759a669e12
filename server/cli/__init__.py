"""The sub-commands of `quatch`: arguments of a shell, output, exit status.

What it must not know: nothing is forbidden, and no other package imports it.
Where to begin: `arguments.py` lists the sub-commands, with the module and the function that runs each; `main.py` runs
one. The manual page is made from the arguments: `deploy/manual_page.py`.
"""
