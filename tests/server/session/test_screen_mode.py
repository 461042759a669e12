"""The full screen, read back through a terminal emulator: whatever happened before, it shows the newest frame."""

import asyncio
import random

import pyte
import pytest

from server.cells import BLANK, BOLD, DIM, LOUD, PLAIN, Row, fit, joined, styled
from server.limits import KEYS_WAITING, OUTPUT_WAITING, REDRAW_SECONDS
from server.people.players import Caller
from server.process.counters import Counters
from server.render.frame import draw
from server.terminal.painter import Painter, sgr
from server.terminal.terminal import INTERRUPT, Terminal
from tests.soak import long
from tests.support.emulator import EmulatorTransport, TerminalPlayer, open_lobby
from tests.support.frames import scenes
from tests.support.screens import drawn, viewer

pytestmark = pytest.mark.virtual_time
WORDS = ("plays a queen", "  ", "|", "漢字", "e\u0301te\u0301", "♠♥", "", "-" * 30, "[7c]", "a")
HOSTILE = ("burn\x1b[2J\x07", "\u200b\x9b")
STYLES = (PLAIN, BOLD, DIM, LOUD, "red", "bold blue", "underline")


def looks(screen: pyte.Screen) -> list[list[tuple[object, ...]]]:
    """Every cell as one sees it."""
    cells = [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]
    return [[(c.data, c.fg, c.bold, c.reverse, c.underscore) for c in row] for row in cells]


def composed_anew(rows: tuple[Row, ...], columns: int) -> pyte.Screen:
    """An emulator that has never shown anything else."""
    transport = EmulatorTransport(columns, len(rows))
    transport.write(Painter(colour=True).paint(rows, columns, (0, 0)).encode())
    return transport.screen


def random_rows(chance: random.Random, before: tuple[Row, ...], columns: int, count: int) -> tuple[Row, ...]:
    """Rows that share with those before what frames share: most rows, or a part of them, or a stretch moved up."""
    rows = [*before[:count], *[BLANK] * (count - len(before))]
    if chance.random() < 0.4:
        by, first = chance.randrange(1, 5), chance.randrange(count)
        last = chance.randrange(first, count)
        rows[first:last] = [*rows[first + by : last], *[random_row(chance) for _ in range(by)]][: last - first]
    for _ in range(chance.choice((0, 1, 3, count))):
        y = chance.randrange(count)
        rows[y] = (BLANK if chance.random() < 0.5 else fit(rows[y], chance.randrange(columns))) + random_row(chance)
    rows += [BLANK] * (count - len(rows))
    return tuple(fit(row, columns - 1) for row in rows)


def random_row(chance: random.Random) -> Row:
    """A few pieces of text in random styles."""
    return joined(
        "", [styled(chance.choice(STYLES), chance.choice((*WORDS, *HOSTILE))) for _ in range(chance.randrange(4))]
    )


@pytest.mark.parametrize("seed", range(6))
async def test_the_terminal_shows_what_was_composed_whatever_happened_before(seed: int) -> None:
    """Random frames, sizes, typing, lost contents and redraws: the emulator's cells are those of a frame anew."""
    chance = random.Random(seed)
    rows: tuple[Row, ...] = ()
    async with viewer() as shown:
        for _ in range(long(15, 80)):
            match chance.randrange(8):
                case 0:
                    shown.resize(chance.randrange(60, 120), chance.randrange(20, 40))
                case 1:
                    shown.terminal.feed(chance.choice((b"7 7", b"\x1b[D", b"\x7f", "漢".encode(), b"\r", b"\x01x")))
                case 2:
                    shown.transport.screen.draw("noise from elsewhere" * 9)
                    shown.terminal.feed(b"\x0c")
                case _:
                    columns, count = shown.terminal.size
                    rows = random_rows(chance, rows, columns, count - 1)
                    shown.rows = (
                        lambda columns, count, rows=rows: (  # type: ignore[misc]
                            *(fit(row, columns - 1) for row in rows[: count - 1]),
                            *[BLANK] * (count - 1 - len(rows)),
                        )
                    )
                    shown.mode.refresh()
            await drawn()
            columns, count = shown.terminal.size
            typed = styled(BOLD, shown.bottom())
            assert looks(shown.transport.screen) == looks(composed_anew((*shown.rows(columns, count), typed), columns))
            assert shown.transport.screen.cursor.y == count - 1
            assert not shown.transport.screen.cursor.hidden


async def test_the_cursor_is_where_one_types() -> None:
    """Behind the prompt, between letters after an arrow key, two cells on after a wide letter."""
    async with viewer() as shown:
        for keys, line, x in (
            (b"ab", "> ab", 4),
            (b"\x1b[D", "> ab", 3),
            ("漢".encode(), "> a漢 b", 5),
            (b"\r", ">", 2),
        ):
            shown.terminal.feed(keys)
            await drawn()
            assert (shown.bottom().replace("漢 ", "漢"), shown.transport.screen.cursor.x) == (
                line.replace("漢 ", "漢"),
                x,
            )
        assert shown.typed == ["a漢b"]


async def test_only_the_newest_frame_is_composed() -> None:
    """A thousand changes at once are one frame, and what is typed composes none."""
    async with viewer() as shown:
        before = shown.composed
        for number in range(1_000):
            shown.rows = lambda _, rows, number=number: (styled(PLAIN, f"move {number}"), *[BLANK] * (rows - 2))  # type: ignore[misc]
            shown.mode.refresh()
        await drawn()
        shown.terminal.feed(b"7 7")
        await drawn()
        assert shown.composed == before + 1
        assert shown.transport.screen.display[0].startswith("move 999 ")


async def test_frames_come_no_faster_than_they_may() -> None:
    """A change every millisecond for a second."""
    async with viewer() as shown:
        before = shown.composed
        for _ in range(1_000):
            shown.mode.refresh()
            await asyncio.sleep(0.001)
        assert shown.composed - before <= 1 / REDRAW_SECONDS + 1


async def test_what_is_typed_is_not_kept_waiting_by_a_frame_that_has_to_wait() -> None:
    """A key just after a frame is echoed at once, though the next frame may not come yet."""
    async with viewer() as shown:
        shown.mode.refresh()
        await asyncio.sleep(0.001)
        composed = shown.composed
        shown.mode.refresh()
        shown.terminal.feed(b"7 7")
        await asyncio.sleep(0.001)
        assert shown.bottom() == "> 7 7"
        assert shown.composed == composed


async def test_a_reader_that_is_behind_gets_no_frames_and_then_the_newest() -> None:
    """Nothing is composed or sent for it, not even what it types."""
    counters = Counters()
    async with viewer(counters=counters) as shown:
        shown.transport.held_back = OUTPUT_WAITING // 2
        shown.terminal.write("\x07")
        sent, before = len(shown.transport.writes), shown.composed
        shown.rows = lambda _, rows: (styled(PLAIN, "the newest"), *[BLANK] * (rows - 2))
        shown.mode.refresh()
        shown.terminal.feed(b"7")
        await drawn()
        assert (len(shown.transport.writes), shown.composed) == (sent, before)
        shown.transport.held_back = 0
        assert counters.frames_skipped.value == 1
        await asyncio.sleep(1)
        assert shown.transport.screen.display[0].startswith("the newest")
        assert shown.bottom() == "> 7"
        assert counters.frames_drawn.value == 2  # the first one, and the newest


async def test_nothing_is_sent_while_nothing_changes() -> None:
    """The same frame composed again costs the terminal nothing."""
    async with viewer() as shown:
        sent = len(shown.transport.writes)
        for _ in range(10):
            shown.mode.refresh()
            await drawn()
        assert len(shown.transport.writes) == sent


async def test_ctrl_c_empties_the_line_first_and_a_full_line_ends_nothing() -> None:
    """Ctrl-C and Ctrl-D act on an empty line alone; pasted line ends play nothing."""
    async with viewer() as shown:
        for keys, typed in (
            (b"7\x04", []),
            (b"\x03", []),
            (b"\x03", [INTERRUPT]),
            (b"\x04", [INTERRUPT, INTERRUPT]),
            (b"\x1b[200~7\r7\r\x1b[201~", [INTERRUPT, INTERRUPT]),
            (b"\r", [INTERRUPT, INTERRUPT, "7 7"]),
        ):
            shown.terminal.feed(keys)
            await drawn()
            assert shown.typed == typed


async def test_every_key_that_edits_does_so() -> None:
    """Moving by letters and words, to the ends, and rubbing out."""
    async with viewer() as shown:
        for keys, line in (
            (b"one two\x01X", "Xone two"),
            (b"\x1b[FY\x1b[HZ", "ZXone twoY"),
            (b"\x05\x7f\x08", "ZXone tw"),
            (b"\x17", "ZXone "),
            (b"a b\x1b[1;5D\x1b[1;5D-", "ZXone -a b"),
            (b"\x1b[1;5C+", "ZXone -a+ b"),
            (b"\x02\x02\x06\x1b[3~", "ZXone -a b"),
            (b"\x0b", "ZXone -a"),
            (b"\x1b[D\x15", "a"),
            (b"\x01\x1b[D\x7f\x1b[1;5D\x05\x1b[C\x1b[3~\x1b[1;5C\x0b", "a"),
            (b"\x0b\x15\x17\x15", ""),
            (b"ab\x01\x04", "b"),
        ):
            shown.terminal.feed(keys)
            await drawn()
            assert shown.bottom() == f"> {line}".rstrip()


async def test_a_flood_of_keys_is_shown_to_its_end() -> None:
    """As many as may wait, in a line as long as may be."""
    async with viewer() as shown:
        shown.terminal.feed(b"x" * 2 * KEYS_WAITING + b"\x01y")
        await drawn()
        assert shown.bottom().startswith("> ")
        shown.terminal.feed(b"\x15z\r")
        await drawn()
        assert shown.typed == ["z"]


def test_an_update_is_small() -> None:
    """At 80 by 24 what another's move changes, log and talk in view, takes no more than 720 bytes, on average 500."""
    painter, sizes = Painter(colour=True), list[int]()
    was_mine, talked = True, 0
    for scene in scenes():
        frame = draw(scene, 80, 24)
        typed = styled(BOLD, frame.prompt)
        sent = painter.paint((*frame.rows, typed), 79, (len(frame.prompt), 23))
        snapshot = scene.snapshot
        assert snapshot is not None
        if not (snapshot.my_turn or was_mine or len(scene.talk) > talked):
            sizes.append(len(sent.encode()))
        was_mine, talked = snapshot.my_turn, len(scene.talk)
    assert len(sizes) > 40
    assert max(sizes) <= 720
    assert sum(sizes) / len(sizes) <= 500


def test_another_width_paints_everything_anew() -> None:
    """As a terminal gets it that shows nothing yet."""
    rows, painter = [styled(BOLD, "a queen and two fours")] * 3, Painter(colour=True)
    painter.paint(rows, 79, (0, 0))
    assert painter.paint(rows, 79, (0, 0)) == ""
    assert painter.paint(rows, 9, (0, 0)) == Painter(colour=True).paint(rows, 9, (0, 0))


def test_a_style_is_said_with_colours_and_without() -> None:
    """Words as SGR codes; what a terminal cannot show is left out."""
    assert sgr("", colour=True) == "\x1b[m"
    assert sgr("bold red", colour=True) == "\x1b[0;1;31m"
    assert sgr("bold red", colour=False) == "\x1b[0;1m"


def test_a_terminal_without_colours_is_known() -> None:
    """By its kind."""
    transport = EmulatorTransport(80, 24)
    assert Terminal(transport, term="xterm-256color", is_tty=True).has_colour
    assert not Terminal(transport, term="VT220", is_tty=True).has_colour


async def test_a_line_is_the_same_in_one_packet_and_key_by_key() -> None:
    """Also with spaces, with keys that mean something on an empty line, and with moves that an arrow has shown."""
    chance = random.Random(7)
    tokens = [b"a", b"7", b"q", b"b", b" ", b" ", b"\x7f", b"\x1b[C", b"\xc3\xa9"]
    async with viewer() as at_once, viewer() as by_key:
        at_once.guide.moves = by_key.guide.moves = ["play 7", "play 7 7", "pickup"]
        for _ in range(200):
            keys = chance.choices(tokens, k=chance.randrange(1, 9))
            at_once.terminal.feed(b"".join(keys) + b"\r")
            for key in [*keys, b"\r"]:
                by_key.terminal.feed(key)
                await asyncio.sleep(0)
            await drawn()
            assert at_once.typed == by_key.typed, keys


async def test_one_frame_empties_the_line_and_has_the_answer() -> None:
    """While an answer is awaited nothing is drawn; if it does not come, the line is emptied without it."""
    async with viewer() as shown:
        shown.terminal.feed(b"7")
        await drawn()
        shown.transport.writes.clear()
        shown.mode.hold()
        shown.terminal.feed(b"\r")
        shown.mode.refresh()
        await drawn()
        assert shown.typed == ["7"]
        assert not shown.transport.writes
        shown.rows = lambda _, rows: (styled(PLAIN, "You play a 7."), *[BLANK] * (rows - 2))
        shown.mode.go_on()
        assert len(shown.transport.writes) == 1
        assert b"You play a 7." in shown.transport.writes[0]
        assert shown.bottom() == ">"
        shown.terminal.feed(b"8")
        await drawn()
        shown.mode.hold()
        shown.terminal.feed(b"\r")
        assert shown.bottom() == "> 8"
        shown.mode.go_on()
        assert shown.bottom() == ">"


async def test_a_guest_reads_how_to_come_back_during_a_whole_game() -> None:
    """Once on the screen; `resume` shows it again."""
    async with open_lobby() as lobby:
        ana = TerminalPlayer(lobby, "ana", caller=Caller("ana", None))
        await ana.type("play quatch 2")
        code = ana.session.player_session.resume_code
        assert ana.shown.count(f"type resume {code}") == 1
        await ana.type("ready")
        assert ana.shown.count(f"type resume {code}") == 1
