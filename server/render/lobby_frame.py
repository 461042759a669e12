"""The lobby's screen: what to press first, the tables, who is here, the talk. Pure."""

from typing import Final

from engine.rulesets import DEFAULT
from engine.wording.phrases import quantity
from engine.wording.rules_sheet import in_short
from server.cells import BLANK, BOLD, PLAIN, Row, cut, justify, newest, pad, styled, text_width
from server.language.table_list import free_seats_text
from server.render.canvas import Canvas, Scale
from server.render.card_art import box, side_by_side
from server.render.scene import Scene, answer_rows
from server.table.snapshot import Listing

TITLE: Final = "QUATCH"
HINTS: Final = ("rules", "me", "top", "/ talks")
"""What can be typed in any lobby, after what is most useful in this one and what features have."""
HINTS_ALONE: Final = ("rules", "set")
"""The same where no other player can come."""
ALWAYS: Final = "   help   quit"
"""The hints that every lobby shows, however narrow it is."""
MOST_TALK: Final = 5
"""The least rows of talk, with its title; tables give way to them."""
HERE_CELLS: Final = 24


def lobby_rows(scene: Scene, canvas: Canvas) -> list[Row]:
    """The lobby at this size."""
    head = [*_head(scene, canvas), *_first_steps(scene, canvas)]
    below = [*answer_rows(scene.answer, canvas.width), styled(canvas.theme.faint, _hints(scene, canvas.width))]
    height = canvas.height - len(head) - len(below)
    if scene.alone:
        between = [BLANK] * height
    else:
        tables = _tables(scene, canvas, height - MOST_TALK)
        between = [*tables, *_here_and_talk(scene, canvas, height - len(tables))]
    return [*head, *between, *below]


def _here_and_talk(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    """The other players and what was said; nothing for a player who is alone."""
    if len(scene.people) < 2:
        return _talk(scene, canvas, height)
    if canvas.scale == Scale.COMPACT:
        names, room = ", ".join(person.name for person in scene.people), canvas.width - 1
        if text_width(names) > room:
            names = cut(names, room - len(" and 1000 more: type who")).rpartition(",")[0]
            names += f" and {len(scene.people) - names.count(',') - 1} more: type who"
        here = canvas.block("here", [names])
        return [*here, *_talk(scene, canvas, height - len(here))]
    return canvas.two_columns(
        lambda left: _talk(scene, left, height),
        lambda right: _here(scene, right, height),
        canvas.width - HERE_CELLS - 3,
    )


def _head(scene: Scene, canvas: Canvas) -> list[Row]:
    tables = f", {quantity(len(scene.tables), 'table')}" if scene.tables else ""
    here = f"{len(scene.people)} here{tables}"
    if canvas.scale < Scale.ROOMY:
        return [
            justify(styled(BOLD, f" {TITLE}   welcome, {scene.name}"), styled(PLAIN, here), canvas.width),
            canvas.rule(),
        ]
    suits = canvas.theme.suits or "cdhs"
    letters = [
        box(canvas.theme, [styled(BOLD, f" {letter} "), styled(canvas.theme.colours[at % 4], f"  {suits[at % 4]}")], 3)
        for at, letter in enumerate(TITLE)
    ]
    beside_it = ["", f"   welcome, {scene.name}", f"   {here}", ""]
    drawn = side_by_side(letters)
    rows = [styled(PLAIN, " ") + row + styled(BOLD, said) for row, said in zip(drawn, beside_it, strict=True)]
    return [*rows, canvas.rule()]


def _first_steps(scene: Scene, canvas: Canvas) -> list[Row]:
    """What to press first, and for newcomers the game in short; for a player who waits, what for."""
    teaches, notice, width = scene.teaches, scene.notice, canvas.width
    if notice and not notice.invites:
        watched = (each for each in scene.tables if not (each.private or each.number in scene.kept_seats))
        running = [f"watch {table.number}" for table in watched if table.playing]
        ways = ["Enter for a quick game", *running[:1], *(hint.text for hint in scene.hints[:1]), "/ talks"]
        until_then = f" Meanwhile: {', '.join(ways)}."
        meanwhile = " You are taken there now." if notice.call else until_then
        return [styled(BOLD, cut(f" {notice.text}", width)), styled(PLAIN, cut(meanwhile, width))]
    news = notice.text if notice else scene.invitation and f"{scene.invitation}."
    rows = [styled(BOLD, cut(f" {news}", width)) if news else BLANK]
    for typed, what in first_steps(scene).items():
        rows.append(styled(BOLD, f"   {typed:<9}") + styled(PLAIN, cut(what, width - 12)))
    if teaches and not notice:
        short = in_short(scene.rulebook.find(DEFAULT)) if canvas.scale else []
        learn = f"To learn it in {teaches.how_long}, type {teaches.word}."
        rows += [BLANK, *(styled(PLAIN, f"   {line}") for line in (*short, learn))]
    return [*rows, BLANK]


def first_steps(scene: Scene) -> dict[str, str]:
    """What to type first, and what it does."""
    return {"Enter": scene.offer.what} | {hint.text: hint.about for hint in scene.hints if hint.about}


def _hints(scene: Scene, width: int) -> str:
    """What can be typed, with existing tables as the examples."""
    tables = [table for table in scene.tables if not table.private and table.number not in scene.kept_seats]
    open_ = [f"sit {table.number}" for table in tables if table.open_seats]
    running = [f"watch {table.number}" for table in tables if table.playing]
    first = HINTS_ALONE if scene.alone else ("new", *open_[:1], *running[:1], *HINTS)
    hint = ""
    for part in (*first, *(each.text for each in scene.hints if not each.about)):
        if len(hint) + len(part) + 3 + len(ALWAYS) <= width:
            hint += f"   {part}" if hint else f" {part}"
    return hint + ALWAYS


def _tables(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    """As many tables as fit, those that matter most first."""
    rows = [canvas.rule("tables"), *_kept_seats(scene, canvas)]
    room = max(1, height - len(rows))
    rows += [_table_row(table, canvas) for table in scene.tables[:room]]
    if len(scene.tables) > room:
        rows[-1] = styled(canvas.theme.faint, f"      and {len(scene.tables) - room + 1} more: type tables")
    if not scene.tables:
        rows.append(styled(canvas.theme.faint, "   No table is open: new opens one for friends."))
    return rows


def _kept_seats(scene: Scene, canvas: Canvas) -> list[Row]:
    """The player's own tables that sleep, which are not listed."""
    told = {table.number for table in scene.tables} | {hint.table for hint in scene.hints}
    asleep = sorted({*scene.kept_seats} - told)
    if not asleep:
        return []
    sleep = "one of your tables sleeps" if len(asleep) == 1 else f"{len(asleep)} of your tables sleep"
    ways = ", ".join(f"sit {number}" for number in asleep)
    return [styled(PLAIN, cut(f"   {sleep}: {ways}", canvas.width - 1))]


def _table_row(table: Listing, canvas: Canvas) -> Row:
    names = " ".join("-" if s is None else f"{'*' if s.ai_level else ''}{s.name}" for s in table.sitters)
    cells, seats = (15, 19) if canvas.scale == Scale.COMPACT else (16, 30)
    if canvas.width > 99:
        cells, seats = 26, canvas.width - 26 - 30
    title = table.rules_title if text_width(table.rules_title) <= cells else table.rules
    watching = f"  {table.watching} watching" if table.watching and canvas.scale else ""
    number, rules, state = f"{table.number:>4}", f"  {pad(title, cells)} ", f"  {_state(table)}{watching}"
    room = canvas.width - text_width(number + rules + state)
    return styled(BOLD, number) + styled(PLAIN, f"{rules}{pad(names, min(seats, room))}{state}")


def _state(table: Listing) -> str:
    if table.asleep:
        return "asleep"
    free = table.between if table.occasion else free_seats_text(table)
    state = f"move {table.ply}" if table.playing else free
    return f"{state}, needs a word" if table.private else state


def _here(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    rows, listed = [canvas.rule("here")], {table.number for table in scene.tables}
    for person in scene.people[: height - 1]:
        name = styled(BOLD if person.name == scene.name else PLAIN, person.name)
        rows.append(justify(name, styled(canvas.theme.faint, person.seen_from(listed)), canvas.width - 1))
    if len(scene.people) >= height:
        rows[-1] = styled(canvas.theme.faint, f"and {len(scene.people) - height + 2} more: type who")
    return rows


def _talk(scene: Scene, canvas: Canvas, height: int) -> list[Row]:
    """The talk; empty rows if nobody has said anything."""
    if not scene.talk:
        return [BLANK] * max(0, height)
    return canvas.block("talk", newest(scene.talk, height - 1, canvas.width - 2)) if height > 1 else []
