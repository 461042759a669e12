"""A finished game as a recording that `asciinema play` plays: `replay ID --cast`, in a shell or over ssh.

Its form is asciicast, version 2 (https://docs.asciinema.org/manual/asciicast/v2/): the first line is a header, each
other line a text that was written and when.
"""

import asyncio
import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Final
from weakref import WeakKeyDictionary

from engine.errors import InputError
from server.cells import BLANK
from server.commands.games import kept_record
from server.commands.registry import Answer, Context
from server.fair_queue import PAYER, AddressGroup
from server.limits import COLUMNS, LEAST_SCREEN, ROWS, USUAL_SIZE
from server.pieces import collected, in_pieces
from server.render.frame import draw
from server.render.scene import LINES_KEPT, Progress, Scene
from server.replay.playback import Playback, playback_of
from server.terminal.painter import START, Painter
from server.terminal.terminal import RESTORE

CAST_FLAG: Final = "--cast"
DEAL_SECONDS: Final = 3.0
MOVE_SECONDS: Final = 1.5
HIGHLIGHT_SECONDS: Final = 2.5
END_SECONDS: Final = 5.0
"""How long the deal is shown, a move, a burn or a pick-up or a player going out, and the end."""
NOTHING_TYPED: Final = (BLANK, BLANK)
"""Stands in place of the last two rows of a screen. They say what can be typed, and nothing can in a recording."""
_TURNS: Final = WeakKeyDictionary[AddressGroup, asyncio.Lock]()
"""A lock for each address of the fair queue. A recording holds a whole game, so an address gets one at a time."""


async def record_game(context: Context, words: list[str]) -> Answer:
    """Answer `replay ID --cast`: a game as spectators saw it. Raises InputError."""
    match words:
        case [game_id, "--cast"] | ["--cast", game_id]:
            size = read_size(None)
        case [game_id, "--cast", "--size", text] | [game_id, "--size", text, "--cast"]:
            size = read_size(text)
        case _:
            raise InputError(
                "bad_request", "type ssh HOST replay ID --cast, or ssh HOST replay ID --cast --size 100x30"
            )
    async with _TURNS.setdefault(PAYER.get().address, asyncio.Lock()):
        _, record = await kept_record(context, game_id)
        return Answer(await in_pieces(collected(recording(await playback_of(record, None), size))))


def read_size(text: str | None) -> tuple[int, int]:
    """The columns and rows of a recording, as in "80x24"; None stands for the usual size. Raises InputError."""
    if text is None:
        return USUAL_SIZE
    numbers = re.fullmatch(r"(\d{1,3})x(\d{1,3})", text, re.ASCII)
    size = (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
    (columns, rows), (most_columns, most_rows) = LEAST_SCREEN, (COLUMNS.stop - 1, ROWS.stop - 1)
    if not (columns <= size[0] <= most_columns and rows <= size[1] <= most_rows):
        limits = f"{columns}x{rows} to {most_columns}x{most_rows}"
        raise InputError("bad_request", f"--size: columns and rows from {limits}, as in 80x24, not {text[:20]!r}")
    return size


def recording(replay: Playback, size: tuple[int, int]) -> Iterator[str]:
    """The lines of the recording, in ASCII, from the viewpoint of the replay; ``size`` is columns and rows."""
    columns, rows = size
    header = {"version": 2, "width": columns, "height": rows, "timestamp": int(replay.record.began)}
    yield json.dumps(header | {"title": replay.title, "env": {"TERM": "xterm-256color"}})
    for seconds, text in _written(replay, size):
        yield json.dumps([round(seconds, 3), "o", text])


def _written(replay: Playback, size: tuple[int, int]) -> Iterator[tuple[float, str]]:
    """What a terminal of this size is sent, and when: one screen for each move."""
    columns, rows = size
    painter = Painter(colour=True, has_signs=True)
    log = deque[str](maxlen=LINES_KEPT)
    seconds, start = 0.0, START
    for ply in range(replay.length + 1):
        shown = replay.to(ply)
        log.extend(shown.sentences)
        progress = Progress(ply, replay.length, replay.viewpoint_text)
        frame = draw(Scene("", snapshot=shown.snapshot, log=log, progress=progress, has_signs=True), columns, rows)
        yield seconds, start + painter.paint((*frame.rows[:-1], *NOTHING_TYPED), columns - 1, (0, rows - 1))
        start = ""
        seconds += DEAL_SECONDS if ply == 0 else HIGHLIGHT_SECONDS if ply in replay.highlights else MOVE_SECONDS
    # Behind the screen the result stays, where `asciinema play` ends and the terminal goes on.
    lines = [row.text.rstrip() for row in frame.rows[:-2]]
    yield seconds + END_SECONDS, RESTORE + "".join(f"{line}\r\n" for line in lines if line)
