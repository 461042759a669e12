"""A table drawn as rows: opponents in turn order, the pile, the log and the talk, one's own cards, what can be typed.

Knows views, never the state.
"""

from typing import Final

from engine.notes import brief, special_notes
from engine.view import View
from server.canvas import Canvas, Scale
from server.card_rows import opponents
from server.cells import BOLD, DIM, PLAIN, Row, cut, ends, newest, text_width, wrap
from server.own_rows import own
from server.pile_rows import middle
from server.position_words import FAIR_DEAL, choice_words, start_words
from server.results_frame import results
from server.scene import Scene, answer_rows
from server.update import Update
from server.ways import ways_row

ASIDE: Final = 3
"""The part of a wide screen that is beside the game: a third and a little more."""
LEAST_LOG: Final = 30
LEAST_TITLE: Final = 8
SEAL_SHOWN: Final = 32
"""So many digits of a commitment fit everywhere and can be compared by eye; `fair` shows all, which alone bind."""


def table_rows(scene: Scene, update: Update, canvas: Canvas) -> list[Row]:
    """The table: what is fixed above and below, the log and the talk in what is left between."""
    view = update.view
    above = [_status(scene, update, canvas), canvas.rule()]
    below: list[Row] = []
    if view is not None and not _shows_results(update):
        below = [canvas.rule(), *_own(scene, update, view, canvas)]
    below += [*_said(scene, update, canvas), ((canvas.faces.faint, ways_row(update, canvas.width)),)]
    height = canvas.height - len(above) - len(below)
    if canvas.scale == Scale.WIDE:
        aside = canvas.width // ASIDE + 3
        between = canvas.two_columns(
            lambda left: _game(scene, update, left, height, beside_it=True),
            lambda right: _aside(scene, update, right, height),
            canvas.width - aside,
        )
    else:
        between = _game(scene, update, canvas, height)
    return [*above, *between, *below]


def _own(scene: Scene, update: Update, view: View, canvas: Canvas) -> list[Row]:
    """One's own seat, or that with whose eyes one looks; in a replay also how far it has come."""
    progress = scene.progress
    if not update.is_replay or progress is None:
        return own(update, view, canvas, scene.clock_left)
    cells = canvas.width // 3
    done = cells * progress.at // max(1, progress.of)
    bar = f"   move {progress.at} of {progress.of}  [{'=' * done}{'-' * (cells - done)}]"
    seat = own(update, view, canvas, None) if view.seat is not None else []
    return [*seat, ends(((PLAIN, bar),), (PLAIN, progress.seen), canvas.width)]


def _shows_results(update: Update) -> bool:
    return update.tally is not None and not (update.is_replay or update.is_lesson)


def _game(scene: Scene, update: Update, canvas: Canvas, height: int, *, beside_it: bool = False) -> list[Row]:
    """The others and the pile, or what there is instead before and after a game, and the log."""
    view = update.view
    if view is None:
        rows = _waiting(update, canvas)
    elif _shows_results(update):
        rows = results(update, view, canvas)
    else:
        between = [canvas.rule()] if canvas.scale else []
        rows = [*opponents(update, view, canvas), *between, *middle(view, canvas)]
    rest = height - len(rows)
    return [*rows, *(_log(scene, canvas, rest) if beside_it else _log_and_talk(scene, update, canvas, rest))]


def _status(scene: Scene, update: Update, canvas: Canvas) -> Row:
    """Which table it is and how far its game has come; as much of it as fits, the title cut before the rest is."""
    view = update.view
    aside = "" if update.hints else "no hints  "
    watching = f"watching {update.watching}  " if update.watching else ""
    right = f"{aside}{watching}? help"
    parts: list[str] = []
    if view is not None:
        of = f" of {scene.progress.of}" if update.is_lesson and scene.progress else ""
        parts.append(f"{'step' if update.is_lesson else 'move'} {update.ply}{of}")
        if view.phase == "play" and canvas.scale:
            names = ["you" if seat == view.seat else update.name(seat) for seat in _from_mover(view)]
            parts.append(f"order: {' > '.join(names)}")
        parts += {"arrange": ["arranging"], "over": ["game over"], "play": []}[view.phase]
    place, rest = f" {_place(update)}  ", "".join(f"   {part}" for part in parts)
    title = cut(update.rules.title, max(LEAST_TITLE, canvas.width - text_width(place + rest + right) - 1))
    return ends(((BOLD, f"{place}{title.rstrip()}{rest}"),), (PLAIN, right), canvas.width)


def _place(update: Update) -> str:
    if update.is_lesson:
        return "Lesson"
    return f"Game {update.game}" if update.is_replay else f"Table {update.table}"


def _waiting(update: Update, canvas: Canvas) -> list[Row]:
    rows: list[Row] = []
    for seat, sitter in enumerate(update.sitters):
        who = "free" if sitter is None else sitter.name + (f"  *{sitter.ai_level}" if sitter.ai_level else "")
        mine = "  (you)" if seat == update.seat else ""
        host = "  host" if seat == update.host else ""
        rows.append(((PLAIN if sitter else DIM, f"   seat {seat + 1}   {who}{mine}{host}"),))
    before, word, after = start_words(update).partition("start")
    rows += [(), ((PLAIN, f" {before}"), (BOLD, word), (PLAIN, after))]
    if update.deal is not None:
        seal = f"Game {update.deal.game}, seal {update.deal.commitment[:SEAL_SHOWN]}.."
        rows += [(), *(((canvas.faces.faint, f" {line}"),) for line in [*wrap(FAIR_DEAL, canvas.width - 2), seal])]
    return rows


def _from_mover(view: View) -> list[int]:
    if view.to_move not in view.order:
        return list(view.order)
    at = view.order.index(view.to_move)
    return [*view.order[at:], *view.order[:at]]


def _said(scene: Scene, update: Update, canvas: Canvas) -> list[Row]:
    """The answer to what was typed last; where there is none, what one can do."""
    view = update.view
    is_asked = update.my_turn and view is not None and view.phase == "play"
    if scene.answer or update.is_lesson or not (is_asked or (update.away and update.playing)):
        return answer_rows(scene, canvas.width)
    return [((PLAIN, f" {line}"),) for said in choice_words(update) for line in wrap(said, canvas.width - 1)]


def _log_and_talk(scene: Scene, update: Update, canvas: Canvas, height: int) -> list[Row]:
    """The log and the talk side by side; the log alone where nobody talks, unless there is space for the rules."""
    is_roomy = canvas.scale == Scale.ROOMY and not _shows_results(update)
    if canvas.scale == Scale.COMPACT or not (scene.talk or is_roomy):
        return _log(scene, canvas, height, talk=bool(scene.talk))
    aside = _talk if scene.talk else _specials
    return canvas.two_columns(
        lambda left: _log(scene, left, height),
        lambda right: aside(scene, update, right, height),
        max(LEAST_LOG, canvas.width * 3 // 5),
    )


def _log(scene: Scene, canvas: Canvas, height: int, *, talk: bool = False) -> list[Row]:
    """What happened lately; and what was said last, where there is no other place for it."""
    heard = newest(scene.talk, 1, canvas.width - 2) if talk and height > 3 else []
    lines = newest(scene.log, height - 1 - len(heard), canvas.width - 2)
    return [
        canvas.rule("log"),
        *(((PLAIN, f" {line}"),) for line in lines),
        *(((BOLD, f" {line}"),) for line in heard),
    ][: max(0, height)]


def _talk(scene: Scene, _: Update, canvas: Canvas, height: int) -> list[Row]:
    lines = newest(scene.talk, height - 1, canvas.width - 1)
    return [canvas.rule("talk"), *(((PLAIN, line),) for line in lines)]


def _specials(_: Scene, update: Update, canvas: Canvas, height: int) -> list[Row]:
    """What special ranks do."""
    return [canvas.rule("special cards"), *_told(special_notes(update.rules), canvas, height - 1)]


def _aside(scene: Scene, update: Update, canvas: Canvas, height: int) -> list[Row]:
    """The rules in brief, and the talk under them."""
    told = _told(brief(update.rules), canvas, height // 2)
    rows: list[Row] = [canvas.rule(f"{update.rules.title} in brief"), *told, ()]
    return [*rows, *_talk(scene, update, canvas, height - len(rows))]


def _told(lines: list[str], canvas: Canvas, height: int) -> list[Row]:
    """Sentences one under the other; of those that do not fit, none is begun."""
    rows: list[Row] = []
    for line in lines:
        parts = wrap(line, canvas.width - 1)
        if len(rows) + len(parts) > height:
            break
        rows += [((PLAIN, part),) for part in parts]
    return rows
