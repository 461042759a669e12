"""The lesson: a player learns a rule set step by step, in positions that are made up.

What it must not know: tables and other players.
Where to begin: `lesson.py` is what a player looks at, step by step, and what they type. The steps themselves come from
`engine/lessons`.
"""
