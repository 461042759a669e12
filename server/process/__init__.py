"""The health of the process: counters, background tasks, logs, file descriptors, garbage collector.

`app` starts and stops the server; here is what runs in any process of it and knows none of its parts.
What it must not know: how players and tables work, and what connections carry. It only counts them.
Where to begin: `counters.py`.
"""
