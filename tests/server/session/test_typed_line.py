"""The line typed on the full screen: history, words, cut text, and what it suggests."""

import asyncio
import random
import re
from typing import Final

import pytest

from server.commands.completion import moves_to_type
from server.limits import HISTORY_LENGTH, HISTORY_LINES, LINE_LENGTH
from server.render.scene import Scene
from server.table.place import SSH
from server.terminal.key_bindings import LINE_KEYS, LineEditor, keys_help, press
from server.terminal.keys import KeyInput
from tests.soak import Figure, long
from tests.support.asking import Asking, answer
from tests.support.at_terminals import flat
from tests.support.each import for_each
from tests.support.emulated_screen import suggested_by
from tests.support.emulator import SETTLED, at_a_table, begin_together, people, sit_together
from tests.support.features import FEATURES
from tests.support.keys import (
    ALT_B,
    ALT_BACKSPACE,
    ALT_D,
    ALT_F,
    CTRL_A,
    CTRL_E,
    CTRL_K,
    CTRL_T,
    CTRL_U,
    CTRL_W,
    CTRL_Y,
    DOWN,
    ESC,
    LEFT,
    RIGHT,
    UP,
)
from tests.support.screens import SettableGuide, viewer

pytestmark = pytest.mark.virtual_time

KEYS: Final = (
    *(LEFT, RIGHT, UP, DOWN, CTRL_A, CTRL_E, CTRL_K, CTRL_T, CTRL_U, CTRL_W, CTRL_Y, b"\r", b"\t"),
    *(ALT_B, ALT_D, ALT_F, ALT_BACKSPACE, b"\x7f", b"\x04", b"\x07", b"\x1b[3~", b" ", b"7", b"q", b"a b"),
    *("\u6f22".encode(), "e\u0301".encode(), b"\x1b[200~pasted text\x1b[201~"),
)
PRESSED: Final = long(1_500, 1_000_000)


# History.


async def test_up_recalls_earlier_lines_and_down_comes_back_to_the_one_being_typed() -> None:
    """The last line first; what was typed before the first Up is not lost."""
    async with viewer() as ana:
        await ana.type(b"who\r", b"tables\r", b"hel")
        assert [await ana.type(key) for key in (UP, UP, UP, DOWN, DOWN, DOWN)] == [
            *("> tables", "> who", "> who", "> tables", "> hel", "> hel")
        ]


async def test_earlier_lines_are_bounded_in_number_and_length() -> None:
    """Short lines and long ones."""
    editor = LineEditor(SettableGuide(), submit=lambda _: None, redraw=lambda: None)
    for number in range(2 * HISTORY_LINES):
        typed(editor, f"line {number}\r".encode())
    assert editor.line.history.get_strings() == [f"line {HISTORY_LINES + n}" for n in range(HISTORY_LINES)]
    for number in range(2 * HISTORY_LINES):
        typed(editor, f"{number} ".encode() + b"x" * LINE_LENGTH + b"\r")
    kept = editor.line.history.get_strings()
    assert HISTORY_LENGTH - LINE_LENGTH <= sum(map(len, kept)) <= HISTORY_LENGTH
    assert kept[-1].startswith("99 ")


# Words and cut text.


async def test_alt_b_and_alt_f_move_by_words_and_alt_d_cuts_one() -> None:
    """Words of one letter too, as cards are; Alt-Backspace and Ctrl-W cut the word before."""
    async with viewer() as ana:
        assert await ana.type(b"7 7 10", ALT_B, ALT_B, b"x") == "> 7 x7 10"
        assert await ana.type(CTRL_A, ALT_F, b"y", ALT_F, b"z") == "> 7y x7z 10"
        assert await ana.type(CTRL_A, ALT_D, ALT_D) == ">  10"
        assert await ana.type(CTRL_E, b" a=b", ALT_BACKSPACE) == ">  10 a="
        assert await ana.type(CTRL_W) == ">  10"


async def test_ctrl_y_brings_back_what_was_cut() -> None:
    """The last cut, as often as one likes; cuts of words in a row are one; also into the next line."""
    async with viewer() as ana:
        assert await ana.type(b"one two three", CTRL_W, CTRL_W) == "> one"
        assert await ana.type(CTRL_Y, CTRL_Y) == "> one two threetwo three"
        assert await ana.type(CTRL_U, b"say ", CTRL_Y, b"\r", CTRL_Y) == "> one two threetwo three"
        assert await ana.type(CTRL_A, ALT_D, ALT_D, CTRL_E, CTRL_Y) == ">  threetwo threeone two"
        assert await ana.type(CTRL_A, CTRL_K, b"-", CTRL_Y) == "> - threetwo threeone two"
        assert await ana.type(CTRL_U, b"ab", CTRL_T) == "> ba"


# Bounds, and sessions apart.


async def test_a_paste_of_64_kib_is_one_bounded_line() -> None:
    """With its end mark or without, it sends nothing, and typing goes on."""
    async with viewer() as ana:
        await ana.type(b"\x1b[200~" + b"pasted\r" * 9_362 + b"\x1b[201~", b"\r")
        assert [len(line) for line in ana.typed] == [LINE_LENGTH]
        assert await ana.type(CTRL_U, b"who") == "> who"


async def test_no_keys_make_the_line_longer_than_it_may_be(figure: Figure) -> None:
    """Cutting and putting back twice doubles no text: whatever is pressed, the line keeps its bounds."""
    chance = random.Random(7)
    editor = LineEditor(SettableGuide(), submit=lambda _: None, redraw=lambda: None)
    typed(editor, b"x", *(CTRL_U, CTRL_Y, CTRL_Y) * 250)
    assert len(editor.line.text) == LINE_LENGTH
    for _ in range(PRESSED):
        typed(editor, chance.choice(KEYS))
        row, x = editor.line.shown("> ", 60)
        assert len(editor.line.text) <= LINE_LENGTH
        assert len(editor.clipboard.get_data().text) <= LINE_LENGTH
        assert 2 <= x < 59
        assert row
    figure(f"{PRESSED:,} keys pressed")


async def test_keys_of_one_session_never_act_in_another() -> None:
    """Two people who type in turn share no line, history, cut text or suggestion."""
    async with viewer() as ana, viewer() as bo:
        ana.guide.on_enter = "play"
        ana.mode.refresh()
        await ana.type(b"secret word", CTRL_W)
        assert await bo.type(CTRL_Y, UP, b"mine") == "> mine"
        assert await ana.type(b"\r", UP) == "> secret"
        assert await bo.type(CTRL_K, UP) == "> mine"
        assert await ana.type(CTRL_U) == ">"
        assert await bo.type(CTRL_U) == ">"
        assert (ana.suggestion(), bo.suggestion()) == ("play", "")
        assert (ana.typed, bo.typed) == (["secret "], [])


def test_help_typing_lists_every_key() -> None:
    """In the names that stand on the keys, and none twice."""
    keys = [f"{keys:<30} {meaning}" for keys, meaning in keys_help()]
    assert answer(Asking(scene=Scene("ana", drawn=True)), "help typing") == keys
    assert answer(Asking(SSH), "help typing") == keys
    assert answer(Asking(), "help typing")[2] == "Ctrl-U: empty the line.", "plain lines have few of them"
    listed = dict(keys_help())
    assert listed["Alt-F, Ctrl-Right, Alt-Right"] == "forward by a word"
    assert sum(len(keys.split(", ")) for keys in listed) == len(LINE_KEYS.bindings) - 5, (
        "text, pastes, c-j, and the keys of pages"
    )


def typed(editor: LineEditor, *keys: bytes) -> None:
    """Press keys in a line that no screen shows."""
    terminal = KeyInput()
    for each in keys:
        terminal.feed(each)
        while some := terminal.read_keys():
            for key, data in some:
                press(editor, key, data)


@pytest.mark.parametrize("key", [RIGHT, CTRL_E, b"\x1b[F"])
async def test_a_faint_suggestion_stands_behind_the_cursor_until_a_key_takes_it_over(key: bytes) -> None:
    """Enter on the empty line sends none of it."""
    async with viewer() as ana:
        ana.guide.on_enter = "play"
        ana.mode.refresh()
        assert await ana.type(b"\r") == ">"
        assert ana.suggestion() == "play"
        assert b"\x1b[0;2mplay" in b"".join(ana.transport.writes), "faint (SGR 2), whatever the colours"
        assert ana.transport.screen.cursor.x == 2
        assert ana.typed == [""]
        assert await ana.type(key) == "> play"
        assert ana.suggestion() == ""
        await ana.type(b"\r")
        assert ana.typed == ["", "play"]


async def test_right_walks_through_the_moves() -> None:
    """Left walks back; in a line that was typed both move the cursor."""
    async with viewer() as ana:
        ana.guide.moves = ["7", "7 7", "k"]
        ana.mode.refresh()
        shown = [await ana.type(key) for key in (RIGHT, RIGHT, RIGHT, LEFT, LEFT, b" ", RIGHT)]
        assert shown == ["> 7", "> k", "> 7", "> k", "> 7", "> 7 7", "> k"]
        assert await ana.type(b"\x7f", b"79", LEFT, b"8") == "> 789"
        assert await ana.type(CTRL_K, CTRL_U, RIGHT, b"h") == "> h", "a word takes the place of the move"


async def test_what_is_typed_narrows_the_suggestion() -> None:
    """It is the rest of the line if that begins so; a cursor inside the line has none."""
    async with viewer() as ana:
        ana.guide.on_enter = "sit 3"
        ana.mode.refresh()
        for keys, suggestion in ((b"S", "it 3"), (LEFT, ""), (RIGHT, "it 3"), (b"x", ""), (b"\x7fit", " 3")):
            await ana.type(keys)
            assert ana.suggestion() == suggestion
        assert await ana.type(RIGHT) == "> Sit 3"
        assert ana.suggestion() == ""


async def test_a_suggestion_never_makes_the_row_too_long() -> None:
    """At every length of the typed text, in the smallest window."""
    async with viewer(60, 20) as ana:
        ana.guide.on_enter = "x" * 58 + "\u6f22" * 20
        ana.mode.refresh()
        for _ in range(60):
            await ana.type(b"x")
            assert ana.transport.screen.display[-1].endswith("  "), (
                "one column for the cursor, and the last is never used"
            )
        assert ana.transport.screen.cursor.y == 19


@pytest.mark.parametrize("pasted", [b"leave\ry\r", b"leave\rleave\r", b"quit\ryes\rquit\r"])
async def test_a_line_sent_before_a_question_does_not_answer_it(pasted: bytes) -> None:
    """As lines that are pasted without the marks of a paste. A line that is sent after the question does."""
    async with people("ana") as (ana,):
        await ana.type("play seats=2", "ready")
        asked = "type leave to go" if pasted.startswith(b"leave") else "Type quit again, or"
        assert asked in " ".join((await ana.send(pasted)).split())
        assert ana.session.player_session.in_game
        await ana.type("turn", "leave", "y")
        assert not ana.session.player_session.at_table


@pytest.mark.parametrize("between", ["", "odds", "said by bo"])
async def test_a_yes_answers_no_question_but_the_last_thing_that_was_asked(between: str) -> None:
    """Enter and any other line drop the question; a yes to another player is offered to be said to them."""
    async with people("ana", "bo") as (ana, bo):
        session = ana.session.player_session
        await sit_together(ana, bo)
        assert "arranging" not in await ana.type("yes"), "nothing was asked"
        await ana.type("start", "ready")
        await bo.type("ready")
        await ana.type("leave")
        if between == "said by bo":
            await bo.type("say are you still there?")
        else:
            await ana.type(between)
        assert "Enter says it to the others here" in " ".join((await ana.type("yes")).split())
        assert session.in_game
        await ana.type("leave", "yes")
        assert not session.at_table


async def test_what_stands_faintly_in_the_line_is_what_enter_does() -> None:
    """What was proposed, else in the lobby `play`; at one's turn nothing. The right arrow key puts a move there."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("tabels")
        assert suggested_by(ana.transport.screen) == "tables"
        await ana.type("xyzzy2")  # a player with a new key may be called so
        assert suggested_by(ana.transport.screen) == "name xyzzy2"
        await ana.type("who")
        assert suggested_by(ana.transport.screen) == "play"
        await ana.send(RIGHT)
        assert ana.shown.endswith("lobby> play")
        await ana.send(b" life\r")
        await ana.type("ready")
        assert ana.shown.endswith("play>")
        assert suggested_by(ana.transport.screen) == ""
        before = ana.session.player_session.view
        await ana.send(b"\r\r\r")
        assert ana.session.player_session.view == before, "Enter alone never moves"
        await ana.send(RIGHT + b"\r")
        assert ana.session.player_session.view != before, "the move was made"
        await ana.send(b"\x03")
        await ana.type("leave", "leave", "new life", "set colour contrast")
        assert suggested_by(ana.transport.screen) == "", "what is faint has little contrast"


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("r", "rules"),
        ("? typing", "help typing"),
        ("rul  life", "rules life"),
        pytest.param("what is a daily", "help daily", marks=pytest.mark.features("daily")),
    ],
)
async def test_a_page_is_called_by_its_command_in_full(typed: str, title: str) -> None:
    """Not by the letter that was typed."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type(typed)
        assert re.match(rf" {title}(   .*)?\n", ana.shown)


@pytest.mark.parametrize("term", ["dumb", "xterm"])
async def test_plain_lines_hold_no_suggestion(term: str) -> None:
    """A dumb terminal, and a window that is too small for the screen."""
    async with people("ana", features=FEATURES, term=term, size=(50, 24)) as (ana,):
        await ana.send(RIGHT + CTRL_E)
        await ana.type("play life", "ready")
        sent = b"".join(ana.transport.writes)
        assert b"[0;2m" not in sent
        assert sent.endswith(b"> ")


# Keys that mean something else than to edit.


async def test_tab_completes_and_shows_what_there_is() -> None:
    """Commands and what they are about."""
    async with people("ana", features=FEATURES) as (ana,):
        assert (await ana.send(b"pl\t")).endswith("lobby> play")
        assert "cathedral  college" in await ana.send(b"c\t")
        assert "College" in await ana.send(b"o\t\r")


async def test_keys_on_a_page_turn_it_and_reach_no_game() -> None:
    """Esc and a q that is sent close it, Enter and Space turn it."""
    async with people("ana", features=FEATURES) as (ana,):
        assert (await ana.send(b"\x1b[6~\x1b[5~")).endswith("lobby>"), "there is no page yet"
        await ana.type("play life seats=2")
        for key in (b"q\r", ESC, b"\x03"):
            assert "Enter goes " in await ana.type("rules")
            assert (await ana.send(key)).endswith("play>")
        page = await ana.type("rules")
        assert await ana.send(b"\x1b[6~") != page
        assert await ana.send(b"\x1b[5~") == page
        while "Enter goes " in page:
            before, page = page, await ana.send(b" ")
            assert page != before


async def test_a_name_typed_at_the_list_of_rule_sets_shows_its_rules() -> None:
    """In the lobby it would propose a game. The list says which rules Enter begins with."""
    async with people("ana") as (ana,):
        told = await ana.type("show me the rules")
        assert "play starts quatch, play NAME another one." in told
        assert told.endswith("a name, or Enter goes back>")
        assert "Quatch: 2 to 4 players." in await ana.type("Quatch")
        assert "play quatch starts a game with these rules." in await ana.type("")
        assert "Did you mean play life?" in await ana.type("q", "life")


@for_each("page", ["help", "rules", "where", "help all"])
async def test_a_move_typed_at_a_page_is_made_unless_the_table_has_changed_behind_it(page: str) -> None:
    """The page closes in any case. Of a page over a page the table behind both counts."""
    async with at_a_table() as ana:
        table = ana.lobby.tables.here[1]
        await ana.type(page)
        table.show()
        await asyncio.sleep(SETTLED)
        ply = table.journal.state.ply
        await ana.type("help")
        await ana.type("king")
        assert "The table has changed behind the page: type king again to play it." in flat(ana)
        assert table.journal.state.ply == ply
        await ana.type(page, "k")
        assert "You play a king." in ana.shown
        assert table.journal.state.ply > ply


@pytest.mark.parametrize("said", ["stop i want to read", "let me read", "I'm still reading"])
async def test_a_wish_to_read_on_puts_no_page_away(said: str) -> None:
    """Nor does it do anything else; Enter goes on as before."""
    async with people("ana", features=FEATURES) as (ana,):
        page = await ana.type("help all")
        assert await ana.type(said) == page


async def test_talk_leaves_a_page_open_and_is_read_below_its_lines() -> None:
    """What was said before the page is not; Enter goes back then, and asks for no other game."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await bo.type("/long ago")
        page = [*filter(None, (await ana.type("set")).splitlines())]
        await bo.type("/well played")
        shown = [*filter(None, (await ana.type("/thanks, bo")).splitlines())]
        assert shown == [*page[:-1], " bo: well played", " ana: thanks, bo", page[-1]]
        assert "lobby>" in await ana.type("")


async def test_a_word_typed_over_a_page_keeps_its_first_letter() -> None:
    """No letter turns a page: brb is said, and not half of it."""
    async with people("ana", features=FEATURES) as (ana,):
        page = await ana.type("help all")
        for letter in "brbquit":
            await ana.send(letter.encode())
        assert ana.shown.endswith("> brbquit")
        assert await ana.send(ESC) == page


async def test_a_move_out_of_turn_is_refused_over_a_page_too() -> None:
    """It need not be typed again to learn that."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new seats=2")
        await bo.type("sit 1", "start", "ready", "rules")
        await ana.type("name anna")
        assert "behind the page" not in await bo.type("king")


async def test_a_second_ctrl_c_hangs_up_only_soon_after_the_first() -> None:
    """Two that are far apart were both meant for something else. It holds in a game, and also for Ctrl-D."""
    async with people("ana", features=FEATURES) as (ana,):
        for line in ("set tips off", "play"):
            await ana.type(line)
            await ana.send(b"\x04")
            await asyncio.sleep(120)
            await ana.send(b"\x03")
            assert re.search(r"(Press the key again|or press Ctrl-C) within 10 seconds", flat(ana))
            assert not ana.session.display.has_ended
        await ana.send(b"\x03")
        assert ana.session.display.has_ended


async def test_escape_empties_the_line() -> None:
    """The Esc of an arrow key does not."""
    async with people("ana", features=FEATURES) as (ana,):
        assert (await ana.send(b"frob")).endswith("lobby> frob")
        assert (await ana.send(ESC)).endswith("lobby>")
        assert (await ana.send(b"fr\x1b[Dx")).endswith("lobby> fxr")


async def test_an_answer_disappears_when_the_game_begins() -> None:
    """What was answered before the deal is not shown after it."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        assert "Your table." in await ana.type("new seats=2")
        await bo.type("sit 1", "start")
        assert "arranging" in ana.shown
        assert "Your table." not in ana.shown


async def test_an_answer_that_the_turn_overtakes_stays_in_the_log() -> None:
    """It was typed a moment ago, and may not have been read yet."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await begin_together(ana, bo)
        mover, asker = (ana, bo) if "YOUR TURN" in ana.shown else (bo, ana)
        told = "It is not your turn"
        assert told in await asker.type("hint")
        snapshot = mover.session.player_session.snapshot
        assert snapshot is not None
        await mover.type(moves_to_type(snapshot)[0])
        assert "YOUR TURN" in asker.shown
        assert asker.shown.index("── log ") < asker.shown.index(told) < asker.shown.index("YOUR TURN")


@for_each("word", ["quit", "back", "bye", "close", "exit", "done", "stop"])
async def test_a_word_for_going_only_closes_the_page(word: str) -> None:
    """At a table too, and the same in front of a finished game: nobody hangs up or loses a seat."""
    async with people("ana", features=FEATURES) as (ana,):
        for _ in range(2):
            await ana.type("rules")
            for letter in word:
                await ana.send(letter.encode())
            assert "Enter goes" not in await ana.type("")
            await ana.type("new")
            assert ana.session.player_session.at_table


async def test_leave_at_a_page_goes_unless_a_game_goes_on() -> None:
    """Then it closes only the page: whoever means that would lose the game."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("new", "rules", "leave")
        assert ana.session.player_session.place.name == "lobby"
        await ana.type("play 2", "rules")
        assert "type leave again to go" in await ana.type("leave")
        assert ana.session.player_session.at_table


@pytest.mark.features("plain_questions")
async def test_close_in_the_lobby_only_says_how() -> None:
    """It hangs up nobody."""
    async with people("ana", features=FEATURES) as (ana,):
        assert "quit hangs up" in await ana.type("close")
