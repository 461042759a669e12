"""`quatch bench frames`: the CPU time to compose and to paint what one player sees, in this process.

The baseline is prompt_toolkit showing the same rows in one window.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from itertools import cycle
from random import Random
from statistics import fmean
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import DummyInput
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from engine.game import deal, play
from engine.legality import legal_moves
from engine.moves import READY
from engine.rulesets import ruleset
from engine.view import view_of
from server.bench.figures import Figure, Line, rate
from server.cells import BOLD, Row
from server.language.event_text import sentences
from server.render.frame import draw
from server.render.scene import LINES_KEPT, Scene
from server.table.snapshot import Sitter, Snapshot
from server.terminal.painter import Painter

SIZES: Final = ((60, 20), (80, 24), (100, 30), (200, 60))
SITTERS: Final = tuple(Sitter(name) for name in ("ana", "bo", "Fox", "Ivy"))
VIEWER: Final = 0
LONGEST_GAME: Final = 200


def bench_frames(seconds: float) -> Iterator[Line]:
    """For each size: CPU time and bytes for an update of one player's screen, composing and painting apart."""
    yield f"{'size':<10}{'compose':>12}{'paint':>12}{'bytes':>8}{'baseline: prompt_toolkit':>28}{'bytes':>8}"
    shown = list(scenes())
    for columns, rows in SIZES:
        frames = [draw(scene, columns, rows) for scene in shown]
        pictures = [(*frame.rows, ((BOLD, frame.prompt),)) for frame in frames]
        composing = _cpu_ms((draw(scene, columns, rows) for scene in cycle(shown)), seconds / 3)
        painting, sent = _painted(_painter(rows), pictures, seconds / 3)
        baseline, sent_by_it = _painted(_prompt_toolkit(columns, rows), pictures, seconds / 3)
        mine, theirs, size = composing + painting, composing + baseline, f"{columns}x{rows}"
        text = (
            f"{size:<10}{composing:>9.3f} ms{painting:>9.3f} ms{sent:>8.0f}{baseline:>25.3f} ms"
            f"{sent_by_it:>8.0f}   the whole {mine / theirs:.2f} x baseline"
        )
        yield Figure(f"frames: {size}, beside prompt_toolkit", mine, theirs, "ms", text)


def scenes(viewer: int | None = VIEWER, seed: str = "frames") -> Iterator[Scene]:
    """The scenes of one player in the game of this seed, or of a spectator (None), one after each move."""
    chance = Random(1)
    log, talk = deque[str](maxlen=LINES_KEPT), deque[str](maxlen=LINES_KEPT)
    game, events = deal(ruleset("quatch"), len(SITTERS), seed)
    for ply in range(LONGEST_GAME):
        snapshot = Snapshot(1, game.rules, viewer, SITTERS, view_of(game, viewer), ply)
        log.extend(sentences([event.seen_by(viewer) for event in events], snapshot))
        if ply % 7 == 0:
            talk.append(f"bo: that was move {ply}")
        yield Scene("ana", snapshot=snapshot, log=tuple(log), talk=tuple(talk))
        if game.phase == "over":
            return
        if game.phase == "arrange":
            game, events = play(game, game.ready.index(False), READY)
        else:
            seat = game.to_move or 0
            game, events = play(game, seat, chance.choice(legal_moves(game, seat)))


def _cpu_ms(steps: Iterator[object], seconds: float) -> float:
    """Milliseconds of CPU time for each of these endless steps."""
    return 1e3 / rate((1 for _ in steps), seconds, time.process_time)


Paint = Callable[[Sequence[Row]], str]
"""Shows rows, and returns the bytes sent for them."""


def _painted(paint: Paint, pictures: list[tuple[Row, ...]], seconds: float) -> tuple[float, float]:
    """Milliseconds of CPU time and bytes for each picture, in order."""
    sent = [len(paint(picture).encode()) for picture in pictures]
    return _cpu_ms((paint(picture).encode() for picture in cycle(pictures)), seconds), fmean(sent[1:])


def _painter(rows: int) -> Paint:
    painter = Painter(colour=True)
    return lambda picture: painter.paint(picture, (0, rows - 1))


def _prompt_toolkit(columns: int, rows: int) -> Paint:
    """The same rows as the text of one window."""
    shown: StyleAndTextTuples = []
    stream = StringIO()
    size = Size(rows=rows, columns=columns)
    app = Application[None](
        layout=Layout(Window(FormattedTextControl(lambda: shown))),
        full_screen=True,
        input=DummyInput(),
        output=Vt100_Output(stream, lambda: size, term="xterm", enable_cpr=False),
    )

    def paint(picture: Sequence[Row]) -> str:
        shown[:] = [fragment for row in picture for fragment in (*row, ("", "\n"))]
        stream.seek(0)
        stream.truncate()
        app.render_counter += 1
        with set_app(app):
            app.renderer.render(app, app.layout)
        return stream.getvalue()

    return paint
