"""Draws a scene as rows of styled text. Pure: no I/O, no clock.

What it must not know: sessions and terminals. A scene comes in, rows go out.
Where to begin: `frame.py` chooses lobby, table or page; `table_frame.py` and `seat_rows.py` draw a table; `theme.py`
says how cards look.

One idea keeps it cheap: **what is drawn are values, and what follows from equal values is worked out once.** Half of a
server's work is drawing, and nearly everything on a screen was drawn a moment ago: for the player's own last screen, or
for the others at the table. So each step from a move to the bytes for a terminal is a pure function of few values:

1. `Scene`: what one player sees, put together anew for each frame. It refers to values that others share, such as the
   view of the game, and copies none.
2. Parts, such as a seat or the pile: rows, as a function of the few values that the part shows and of the canvas, for
   instance of a `seat_rows.Seat`. A move changes one or two of the seats that four players see, and the pile, which is
   the same for all of them; the other parts are those of the last frame. What shows much of a table, such as the row
   of its status, is a function of the `Snapshot` itself, which is equal to no other, or of its ``public`` part, which
   all at the table share: it is drawn once a move.
3. `Frame`: the rows of the whole screen. All that a session keeps of it are these; a part that has stayed is the same
   object, which the sessions that show it share.
4. Changes: what turns one row into the next, as a function of the two (`terminal.painter`). A row that stays sends
   nothing. Only of those that change is it found how a terminal shows them. The players of a table are painted right
   after one another, so most changes are found by the first of them.

The last results of steps 2 to 4 are kept in a cache of fixed size for each function. Nothing ever has to be thrown away
when something changes, since another value is another question; nothing depends on what is kept but time. Nobody can be
shown what another may know: a part with secrets, such as the hand, has them in its values.

To keep it so: a part takes only what it shows, because each further value makes it differ more often. Its values are
hashed at every look, so they are numbers, texts and short tuples, or have one object for each (`Theme`).
"""
