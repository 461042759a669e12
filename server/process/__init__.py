"""The health of the process: metrics, watchdog, background tasks, logs, file descriptors, garbage collector.

What it must not know: how players and tables work, and what connections carry. It only counts them.
Where to begin: `metrics.py` and `watchdog.py`.
"""
