"""Draws a scene as rows of styled text. Pure: no I/O, no clock.

What it must not know: sessions and terminals. A scene comes in, rows go out.
Where to begin: `frame.py` chooses lobby, table or page; `table_frame.py` and the `*_rows.py` draw a table; `theme.py`
says how cards look.

Half of a server's work is drawing, and nearly everything on a screen was drawn a moment ago: for the player's own last
screen, or for the others at the table. So what is drawn are values, and equal values are drawn once:

- A part of a screen, such as a seat or the pile, is a pure function of the few values that it shows, for instance of a
  `seat_rows.Seat` and the canvas, and its last results are kept. A move changes one or two of the seats that four
  players see, and the pile, which is the same for all of them.
- The rows of a finished frame are cut to the width in the same way (`frame.finished`): equal rows are one object, which
  all sessions that show it share.
- `terminal.painter` finds in the same way what turns one row into the next.

What is kept is bounded, and nothing depends on it but time. A part that shows what only one player may know, as the
hand, has that in its values, so that no other player's screen can be given it.
"""
