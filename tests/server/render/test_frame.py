"""Frames of the lobby, of tables and of pages: exact in every cell, and what gives way first."""

import dataclasses
import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Literal

import pyte
import pytest
from msgspec.structs import replace
from wcwidth import wcswidth

from engine.ai import LEVELS
from engine.game import deal, play
from engine.rulesets import ruleset, rulesets
from engine.state import State
from engine.view import view_of
from engine.wording.rules_sheet import last_card_note, power_note, special_notes
from server.cells import text_width
from server.clean_text import clean, clean_name
from server.language.event_text import after_game
from server.language.position_text import results_text
from server.people.settings import Settings
from server.render.canvas import Canvas, Scale
from server.render.frame import draw, last_screen, page_rows, turned
from server.render.scene import LobbyHint, Page, Scene, Teaches
from server.render.theme import theme_of
from server.rulebook import Rulebook
from server.table.place import RECORD, TABLE
from server.table.snapshot import NO_TABLE, GameStats, Listing, Presence, Sitter, Snapshot
from server.terminal.painter import Painter
from tests.soak import long
from tests.support.each import for_each
from tests.support.frames import NAMES, SIZES, assert_exact, scene_of
from tests.support.positions import after, at
from tests.support.random_games import redealt
from tests.support.snapshots import snapshot_of

AT_HOME = "\x1b[1;1H\x1b[?25h"
"""How a painting ends: with the cursor in the corner."""


@cache
def states() -> list[State]:
    """States of AI players' games of every rule set, from the deal to the end: all of them, or every third."""
    return [*all_states()][:: long(18, 1)]


def all_states() -> Iterator[State]:
    """States of AI players' games of every rule set, from the deal to the end."""
    for rules in rulesets().values():
        for seats in (2, 4):
            chance = random.Random(seats)
            state, _ = deal(rules, seats, "frames")
            while state.phase != "over":
                yield state
                waiting = [n for n, ready in enumerate(state.ready) if not ready]
                mover = waiting[0] if state.phase == "arrange" else state.to_move or 0
                state, _ = play(state, mover, LEVELS["hard"](view_of(state, mover), chance))
            yield state


@for_each("size", SIZES)
def test_every_moment_of_every_game_fits(size: tuple[int, int]) -> None:
    """All rule sets, for players and for spectators; the hint row is never cut off."""
    for state in states():
        for seat in (0, None):
            frame = draw(scene_of(state, seat), *size)
            assert_exact(frame, *size)
            assert "help" in frame.rows[-1].text


@for_each("size", SIZES)
def test_a_hand_of_forty_four_cards_is_shown_whole(size: tuple[int, int]) -> None:
    """A player who has picked up the whole deck still sees every card."""
    ranks = "3456789JQKA"
    hand = " ".join(rank + suit for rank in ranks for suit in "cdhs")
    state = at("quatch", f"hand {hand}", "down 2c", pile="Tc")
    frame = draw(scene_of(state, 0), *size)
    assert_exact(frame, *size)
    text = "\n".join(row.text for row in frame.rows)
    shown = (
        len(re.findall(r"\| ?cdhs ?\|", text)) if size >= (100, 30) else sum(f"{rank}cdhs" in text for rank in ranks)
    )
    assert shown == len(ranks)


def test_a_screen_never_shows_what_its_viewer_may_not_know() -> None:
    """Deal anew all that a viewer cannot see: every row stays the same."""
    chance = random.Random(1)
    for state in states():
        for seat in (0, None):
            other = redealt(state, seat, chance)
            assert draw(scene_of(other, seat), 100, 30) == draw(scene_of(state, seat), 100, 30)


def test_what_may_be_played_stands_in_parentheses() -> None:
    """Legality is not told by colour alone."""
    state = at("quatch", "hand 4c 7c 7d Kh", "hand 3c", pile="6d")
    row = next(row.text for row in draw(scene_of(state, 0), 80, 24).rows if row.text.startswith("   hand"))
    assert row.split()[2:] == ["4c", "(7cd)", "(Kh)"]


SCRIPTS = (
    *("ana", " ", "\u6f22\u5b57", "e\u0301\u0323", "\u0e44\u0e17\u0e22", "\u0928\u092e\u0938"),
    *("\ud55c\uae00", "\u1112\u1161\u11ab", "\u0645\u0631", "\u00e9", "\u2500", "\uff21", "\u202e"),
    *("\U0001f600", "\U0001f44d\U0001f3fd", "\U0001f468\u200d\U0001f469", "\u2665\ufe0f", "1\ufe0f\u20e3"),
    *("\U0001f1e9\U0001f1ea", "\u0300", "\ufffd", "\u2764", "\u3099", "\U000e0041"),
)
"""Letters of one cell, two and none; sequences that some terminals draw as one picture."""


@pytest.mark.parametrize("seed", range(long(1, 40)))
def test_every_row_is_as_wide_as_a_terminal_takes_it_for(seed: int) -> None:
    """Whatever people are called and say: our measure, wcwidth's and an emulator's are the same, cell for cell."""
    chance = random.Random(seed)
    for _ in range(5):
        scene = said_in_many_scripts(chance)
        for columns, rows in SIZES:
            frame = draw(scene, columns, rows)
            assert_exact(frame, columns, rows)
            screen = pyte.Screen(columns, rows)
            stream = pyte.ByteStream(screen)
            for row in frame.rows:
                screen.reset()
                painted = Painter(colour=True).paint((row,), columns - 1, (0, 0))
                stream.feed(painted.removesuffix(AT_HOME).encode())
                text = row.text.rstrip(" ")
                assert wcswidth(text) == text_width(text) == screen.cursor.x


def said_in_many_scripts(chance: random.Random) -> Scene:
    """A table, or the lobby, full of what was typed and has passed the gate."""

    def typed() -> str:
        return "".join(chance.choice(SCRIPTS) for _ in range(chance.randrange(1, 40)))

    names = [clean_name(typed()) or "x" for _ in range(4)]
    state = deal(rulesets()["quatch"], 4, str(chance.random()))[0]
    sitters = tuple(map(Sitter, names))
    snapshot = Snapshot(1, state.rules, chance.choice((0, None)), sitters, view_of(state, None), 7, 3)
    log, talk = ([clean(f"{chance.choice(names)}: {typed()}") for _ in range(30)] for _ in range(2))
    return Scene(
        names[0],
        people=(*map(Presence, names),),
        has_signs=chance.random() < 0.5,
        snapshot=snapshot if chance.random() < 0.7 else None,
        tables=(Listing(1, "quatch", clean(typed()), sitters, chance.random() < 0.5, 1, 1),),
        log=log,
        talk=talk,
        answer=clean(typed()),
    )


@for_each(
    ("size", "scale"),
    [
        *(((59, 19), Scale.COMPACT), ((79, 22), Scale.COMPACT), ((78, 23), Scale.COMPACT), ((79, 23), Scale.USUAL)),
        *(((99, 29), Scale.ROOMY), ((98, 60), Scale.USUAL), ((200, 28), Scale.USUAL), ((138, 80), Scale.ROOMY)),
        *(((139, 39), Scale.WIDE), ((249, 38), Scale.ROOMY), ((249, 79), Scale.WIDE)),
    ],
)
def test_as_much_is_shown_as_there_is_space_for(size: tuple[int, int], scale: Scale) -> None:
    """Both ways: a wide screen that is low, and a high one that is narrow, show what fits."""
    assert Canvas.of(*size, theme_of(Settings())).scale == scale


SITTERS = (Sitter("ana"), Sitter("Fox", "extreme"), Sitter("Owl", "easy"), Sitter("Hex", "medium"))


@for_each("cards", ["words", "letters"])
@for_each("is_replay", [True, False])
@for_each("seed", range(5))
def test_a_seat_shows_all_its_cards_and_what_it_does(
    cards: Literal["words", "letters"],
    is_replay: bool,  # noqa: FBT001
    seed: int,
) -> None:
    """Cards in words need more cells: those that lie face down then have a row below."""
    rules = ruleset("quatch")
    state, _ = deal(rules, 4, f"rows {seed}")
    view = view_of(state, None)
    if is_replay:
        view = replace(view, hands=tuple(state.hands), ups=tuple(state.ups), downs=tuple(state.downs))
    snapshot = Snapshot(NO_TABLE, rules, None, SITTERS, view, 0, place=RECORD if is_replay else TABLE)
    rows = [row.text for row in draw(Scene("ana", snapshot=snapshot, settings=Settings(cards=cards)), 80, 24).rows]
    assert sum(row.rstrip().endswith("arranging") for row in rows[1:]) == 4
    assert sum(row.count("[") for row in rows[:12]) == sum(row.count("]") for row in rows[:12]) == 4 * 6


@for_each(
    ("rules", "ana", "bo", "counts"),
    [
        ("college", "hand 3c 5d Kc", "hand 3s 4s 5s 6s / up 7s 8s 9s", [4]),
        ("life", "hand 3c 4c", "hand 3s 4s 5s / reserve 7s 8s 9s", [3]),
        ("cathedral", "hand 3c 4c 5c 6c 7c 8c", "hand 3s 4s 5s / up 7s 8s 9s", [3]),
        ("quatch", "hand 3c 4c 5c / up 6c 7c 8c", "hand 3s 4s 5s / up 7s 8s 9s", []),
    ],
)
def test_the_narrowest_window_shows_how_many_cards_are_left_after_laying(
    rules: str, ana: str, bo: str, counts: list[int]
) -> None:
    """Not where cards are swapped, and all hold as many."""
    rows = (row.text for row in draw(scene_of(at(rules, ana, bo, phase="arrange"), 0), 60, 20).rows)
    theirs = next(row for row in rows if "*hard" in row)
    assert [int(count) for count in re.findall(r"hand +(\d+)", theirs)] == counts


def test_a_long_title_gives_way_to_how_far_the_game_has_come() -> None:
    """In the narrowest window, too."""
    state = deal(rulesets()["college"], 2, "a seed")[0]
    rules = dataclasses.replace(state.rules, title="CardGame (college rules)")
    snapshot = Snapshot(3, rules, 0, (Sitter("ana"), Sitter("bo")), view_of(state, 0), 6, 3)
    scene = Scene("ana", snapshot=replace(snapshot, hints=False))
    narrow, wide = (draw(scene, columns, 24).rows[0].text for columns in (60, 100))
    assert re.fullmatch(r" Table 3  CardGame \(colleg   arranging no hints  3 watching", narrow)
    assert " Table 3  CardGame (college rules)   arranging " in wide
    full = replace(snapshot, rating="not rated: only guests play", hints=False)
    crowded = draw(Scene("ana", snapshot=full), 60, 24).rows[0].text
    assert re.fullmatch(r" Table 3     arranging +not rated  no hints  3 watching", crowded), "it is never cut itself"


def test_the_headline_of_a_game_is_the_result_that_counts() -> None:
    """As for a player who had cards left when the AI player of one who had left went out."""
    state = after(at("quatch", "hand Kd Ad", "hand 9s", "hand Kc", pile="4h", to_move=1), "play 9")
    stats = GameStats(
        ("ana", "Fox (played for bo)", "cy"), (0,) * 3, (None, "", None), ranks=(1, 3, 1), won_because="bo left"
    )
    snapshot = replace(snapshot_of(state, ply=60), stats=stats)
    assert "Nobody wins: bo left." in "".join(row.text for row in draw(Scene("ana", snapshot=snapshot), 80, 24).rows)
    state = after(at("life", "hand Kd Ad", "hand 9s", "hand", pile="4h", to_move=1, places=[2]), "play 9")
    stats = GameStats(
        ("ana", "Fox (played for bo)", "cy"), (0,) * 3, (None, "", None), ranks=(2, 3, 1), won_because="bo left"
    )
    snapshot = replace(snapshot_of(state, ply=60), stats=stats)
    shown = "".join(row.text for row in draw(Scene("ana", snapshot=snapshot), 80, 24).rows)
    assert "cy wins: bo left. You are second." in shown
    assert re.search(r"by the cards +left +picked up .*3\. ana \(you\)", shown)
    assert after_game(snapshot) == ["By the cards: first cy, second Fox (played for bo); you lose."]
    lost = replace(stats, ranks=(1, 1, 1), counts_as="the game counts as lost by ana, bo and cy", won_because="")
    shown = "".join(row.text for row in draw(Scene("ana", snapshot=replace(snapshot, stats=lost)), 80, 24).rows)
    assert "Nobody wins." in shown
    assert "cy wins" not in shown


def test_a_player_who_is_out_second_is_told_so() -> None:
    """Not that they are last, which only holds if the game counts otherwise than the cards."""
    state = after(at("life", "hand 9c", "hand", "hand Kc Ks", pile="4h", places=[1]), "play 9")
    stats = GameStats(("ana", "bo", "cy"), (0,) * 3, (None,) * 3, ranks=(2, 1, 3))
    shown = draw(Scene("ana", snapshot=replace(snapshot_of(state, ply=60), stats=stats)), 80, 24).rows
    assert any("bo wins. You are second." in row.text for row in shown)


def test_the_order_of_play_is_shown_wherever_it_fits() -> None:
    """On 80 columns with one row less than usual, as in tmux, too."""
    scene = Scene("ana", snapshot=snapshot_of(at("quatch", "hand 4c 9d", "hand 5c", pile="8h")))
    for size in ((60, 20), (80, 23), (80, 24)):
        assert "order: you > bo" in draw(scene, *size).rows[0].text


def test_the_narrowest_window_names_the_rules_whole() -> None:
    """The order gives way to them."""
    state = at("cathedral", "hand 4c", "hand 5c", "hand 6c", pile="8h")
    scene = Scene("ana", snapshot=replace(snapshot_of(state, ply=44), rating="not rated: only guests play"))
    assert " Cathedral   move 44" in draw(scene, 60, 20).rows[0].text


def test_a_guest_reads_in_no_row_that_a_game_is_rated() -> None:
    """It is for those who have a key, at the same table."""
    state = at("life", "hand 9c", "hand Kc", "hand 5c", pile="4h")
    for now in (state, after(after(state, "play 9"), "play K")):
        snapshot = replace(snapshot_of(now), rating="rated for players with a key")
        with_key, guest = (
            "\n".join(row.text for row in draw(Scene("ana", snapshot=snapshot, resume_code=code), 80, 24).rows)
            for code in ("", "abcd-efgh-jkmn")
        )
        assert "rated" in with_key
        assert "rated" not in guest


def test_the_order_of_play_leaves_out_its_name_before_a_title_is_cut() -> None:
    """As in the game whose title is the longest, for four."""
    seats = [f"hand {rank}c {rank}d" for rank in "4567"]
    snapshot = replace(snapshot_of(at("quatch-original", *seats, pile="8h"), ply=10), watching=12, hints=False)
    scene = Scene("ana", snapshot=snapshot)
    assert "Quatch original   move 10   you > bo > cy > dee" in draw(scene, 84, 24).rows[0].text


@for_each("name", rulesets())
def test_no_special_card_is_left_out_in_silence(name: str) -> None:
    """If they do not all fit, the title says where all are. What may not be the last card, and what burns, is there."""
    rules = ruleset(name)
    state = at(name, "hand 4c 9d", "hand 5c", "hand 6c", pile="8h")
    frame = draw(Scene("ana", snapshot=snapshot_of(state), has_signs=True), 100, 30)
    panel = [row.text.partition("\u2502 ")[2].strip() for row in frame.rows if "\u2502 " in row.text]
    shown = " ".join(panel)
    is_all = all(note in shown for note in special_notes(rules))
    assert any("special cards, more: rules" in row.text for row in frame.rows) != is_all
    assert last_card_note(rules) in shown
    assert all(power_note(rank, power) in shown for rank, power in rules.special.items() if power.effect == "burn")


@pytest.mark.parametrize(
    ("rules", "rows"),
    [("quatch", ["> ana (you)", " bo  ", " cy  "]), ("life", ["1. ana (you)", "2. bo  ", "3. cy loses "])],
)
def test_only_rules_that_know_more_than_a_winner_give_places(rules: str, rows: list[str]) -> None:
    """And who loses. In the others all but the winner stand in the order of the cards that they have left."""
    state = after(at(rules, "hand 9c", "hand 9s", "hand Kd Ad", pile="4h"), "play 9")
    state = state if state.phase == "over" else after(state, "play 9")
    stats = GameStats(("ana", "bo", "cy"), (0,) * 3, (None,) * 3)
    scene = Scene("ana", snapshot=replace(snapshot_of(state, ply=60), stats=stats))
    shown = "".join(row.text for row in draw(scene, 80, 24).rows)
    assert "You win!" in shown
    found = [shown.find(row) for row in rows]
    assert found == sorted(found)
    assert min(found) > 0


def test_a_player_who_sits_down_after_a_game_reads_who_played_it() -> None:
    """Nothing says that they won it, or how many cards they had."""
    state = after(at("quatch", "hand 9c", "hand 9s", "hand Kd Ad", pile="4h"), "play 9")
    stats = GameStats(("Fox", "bo", "cy"), (0,) * 3, ("easy", None, None))
    snapshot = replace(snapshot_of(state, ply=60), stats=stats)
    shown = "".join(row.text for row in draw(Scene("ana", snapshot=snapshot), 80, 24).rows)
    assert "Fox wins." in shown
    assert "You had" not in shown
    assert "(you)" not in shown
    assert results_text(snapshot) == ["Fox won the game.", "Cards left: bo 1 and cy 2."]


@pytest.mark.parametrize("size", [(80, 24), (140, 50)])
def test_newcomers_are_told_the_game_in_two_lines(size: tuple[int, int]) -> None:
    """Others are not."""
    newcomer = Scene("ana", teaches=Teaches("lesson", "an hour"))
    shown = "".join(row.text for row in draw(newcomer, *size).rows)
    said = "Get rid of all your cards first."
    assert said in shown
    assert said not in "".join(row.text for row in draw(Scene("ana"), *size).rows)


@for_each("rows", [24, 40, 50])
def test_the_log_has_all_rows_that_are_left(rows: int) -> None:
    """Down to the player's own seat."""
    lines = [f"bo plays a {n}." for n in range(1, 51)]
    scene = Scene("ana", snapshot=snapshot_of(at("quatch", "hand 4c 9d", "hand 5c", pile="8h")), log=lines)
    shown = [row.text.strip() for row in draw(scene, 80, rows).rows]
    first, last = shown.index(next(line for line in shown if line in lines)), shown.index(lines[-1])
    assert shown[first : last + 1] == lines[first - last - 1 :]
    assert " log " in shown[first - 1]
    assert set(shown[last + 1]) == {shown[last + 1][0]}


def test_a_narrow_lobby_tells_how_many_more_are_here_than_it_names() -> None:
    """Each that it names has a whole name."""
    names = [f"player{n}" for n in range(20)]
    scene = Scene(names[0], people=(*map(Presence, names),))
    shown = [row.text for row in draw(scene, 60, 20).rows]
    here = next(line for line in shown if "player1," in line)
    named, _, more = here.strip().partition(" and ")
    assert named.split(", ") == names[: named.count(",") + 1]
    assert more == f"{20 - named.count(',') - 1} more: type who"


def test_settings_go_on_in_one_column_in_a_narrow_window() -> None:
    """Behind what is typed, however long it is."""
    lines = [row for _, _, row in page_rows(tuple(Settings().lines()), 60)]
    assert {len(line) - len(line.lstrip()) for line in lines if line.startswith(" ")} == {21}


@for_each("size", SIZES)
def test_the_lobby_fits(size: tuple[int, int]) -> None:
    """With many tables and people, and with none."""
    empty = Scene("ana")
    tables = tuple(
        Listing(n, "quatch", "CardGame (college rules)", (Sitter(NAMES[1]), None), n % 2 > 0, n, 1) for n in range(40)
    )
    full = Scene(
        NAMES[1],
        tables=tables,
        people=(*map(Presence, NAMES * 9),),
        kept_seats=(*range(90, 99),),
        talk=["hello " * 30] * 40,
    )
    for scene in (empty, full):
        assert_exact(draw(scene, *size), *size)


@for_each("size", SIZES)
@for_each(
    ("kept", "line"), [((7,), "one of your tables sleeps: sit 7"), ((7, 9), "2 of your tables sleep: sit 7, sit 9")]
)
def test_the_lobby_names_the_players_own_tables_that_sleep(
    size: tuple[int, int], kept: tuple[int, ...], line: str
) -> None:
    """With other tables beside them, and without."""
    there = (Listing(1, "quatch", "Quatch", (Sitter("bo"), None), playing=False, ply=0, watching=0),)
    for tables in ((), there):
        rows = (row.text for row in draw(Scene("ana", tables=tables, kept_seats=kept), *size).rows)
        assert any(row.strip().startswith(line) for row in rows)


def test_the_lobby_speaks_of_tables_that_are_there() -> None:
    """Of a table that can be joined without a word, and of one where a game goes on; then of what features have."""

    def listing(number: int, *, playing: bool, private: bool = False) -> Listing:
        return Listing(number, "quatch", "Quatch", (Sitter("bo"), None), playing, 0, 0, private=private)

    def hints(*tables: Listing) -> str:
        offered = (LobbyHint("dice"), LobbyHint("chess", "a game of kings"))
        return draw(Scene("ana", tables=tables, hints=offered), 100, 30).rows[-1].text

    assert not re.search("sit|watch", hints())
    assert " new   sit 5   rules   me   top   / talks   dice   " in hints(
        listing(2, playing=False, private=True), listing(5, playing=False)
    )
    assert " new   sit 4   watch 4   rules   me   top   / talks   dice   " in hints(
        listing(3, playing=True, private=True), listing(4, playing=True)
    )


@for_each("size", [(60, 20), (80, 23), (80, 24), (100, 30)])
def test_help_and_quit_are_always_among_the_hints_of_the_lobby(size: tuple[int, int]) -> None:
    """Also when tables with long numbers want space."""
    tables = tuple(Listing(n, "quatch", "Quatch", (Sitter("bo"), None), n % 2 == 0, 0, 0) for n in (123456, 123457))
    for shown in ((), tables):
        assert draw(Scene("ana", tables=shown), *size).rows[-1].text.endswith("   help   quit")


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_the_lobby_cuts_names_before_it_cuts_whether_a_seat_is_free(columns: int) -> None:
    """A player decides by that where to sit down."""
    sitters = tuple(Sitter("m" * 16) for _ in range(3))
    table = Listing(7, "quatch", "Quatch", (*sitters, None), playing=False, ply=0, watching=0, private=True)
    scene = Scene("ana", tables=(replace(table, rating="not rated: only guests play"),))
    assert any("1 seat free, needs a word" in row.text for row in draw(scene, columns, 24).rows)


@for_each("lines", [20, 21, 22, 43, 64])
def test_the_screens_of_a_page_are_full(lines: int) -> None:
    """But for the last one, and each line is shown once."""
    page: Page | None = Page("rules", tuple(f"line {n}" for n in range(lines)))
    listed = tuple(Rulebook().listed())
    assert [row for _, _, row in page_rows(listed, 80)] == [*listed], "no row of the list is broken"
    shown = []
    while page is not None:
        shown.append([row.text for row in draw(Scene("ana", page=page), 80, 24).rows[2:] if row.text.strip()])
        page = turned(page, 1, 80, 24)
    assert [line for screen in shown for line in screen] == [f" line {n}" for n in range(lines)]
    assert {*map(len, shown[:-1])} <= {21}


@for_each("lines", [20, 21, 22, 43, 64])
def test_a_page_that_is_read_from_its_end_begins_with_a_full_screen(lines: int) -> None:
    """The one before it goes on where that begins."""
    page = last_screen(Page("log", tuple(f"line {n}" for n in range(lines))), 80, 24)
    shown = list[str]()
    while shown[:1] != [" line 0"]:
        screen = [row.text for row in draw(Scene("ana", page=page), 80, 24).rows[2:] if row.text.strip()]
        assert shown or len(screen) == min(lines, 21)
        shown = screen + shown
        page = turned(page, -1, 80, 24) or page
    assert shown == [f" line {n}" for n in range(lines)]


def test_rule_sets_stand_in_two_columns_also_behind_the_longest_name() -> None:
    """In the list of rules, on the narrowest screen."""
    book = Rulebook()
    lines = [row for _, _, row in page_rows(tuple(book.listed()), 60)]
    assert len(lines) > len(book.names)
    assert {line[:17].strip() for line in lines} == {"", *book.names}


def test_no_screen_of_a_page_begins_within_a_line() -> None:
    """A line that was broken goes on below with an indent. One that fills screens is broken all the same."""
    lines = tuple(f"command {n:<22} what it does, in more words than one row has" for n in range(40))
    for columns, rows in ((60, 20), (60, 21), (70, 23)):
        page: Page | None = Page("help", lines)
        while page is not None:
            assert draw(Scene("ana", page=page), columns, rows).rows[2].text.startswith(" command ")
            page = turned(page, 1, columns, rows)
    page = Page("log", ("word " * 600,))
    assert len(seen := page_rows(page.lines, 60)) > 40
    at = []
    while page is not None:
        at.append(page.at[1])
        page = turned(page, 1, 60, 20)
    assert at == sorted({*at})
    assert max(after - before for before, after in pairwise([*at, len(seen)])) <= 17


def test_a_page_is_wrapped_anew_in_a_window_of_another_width() -> None:
    """And goes on with the line that was shown first, or before it."""
    page: Page | None = Page("log", tuple(f"line {n} {'word ' * (n % 20)}".rstrip() for n in range(60)))
    seen = list[str]()
    for columns in (80, 60, 132, 60, 80, 60, 80, 60, 80):
        if page is not None:
            shown = [row.text[1:] for row in draw(Scene("ana", page=page), columns, 24).rows[2:] if row.text.strip()]
            assert all(len(row) < columns - 1 for row in shown)
            seen += [row for each in shown for row in each.split("│")]
            page = turned(page, 1, columns, 24)
    assert page is None
    found = {int(row.split()[1]) for row in seen if row.split()[:1] == ["line"]}
    assert found == {*range(60)}, "no line is left out"


def test_the_news_of_the_table_stand_beside_the_title_of_a_page_and_in_the_first_row_of_a_replay() -> None:
    """The player reads, and the others wait."""
    scene = Scene("ana", news="* YOUR TURN *")
    assert " rules   * YOUR TURN *" in draw(replace(scene, page=Page("rules", ("a line",))), 80, 24).rows[0].text
    shown = snapshot_of(at("quatch", "hand 4c 9d", "hand 5c", pile="8h"))
    assert "* YOUR TURN *" in draw(replace(scene, snapshot=replace(shown, place=RECORD)), 80, 24).rows[0].text


def test_a_long_tip_hides_no_line_of_the_log_where_there_is_room() -> None:
    """As at the first turn of a newcomer, whose first move was made for them."""
    rules = ruleset("quatch")
    view = view_of(deal(rules, 2, "tips")[0], 0)
    snapshot = Snapshot(1, rules, 0, SITTERS[:2], view, 0)
    log = ["Old.", "You start.", "You play a 3.", "You draw an ace.", *(f"Tip: {'why ' * 30}.", "Fox plays a 3.") * 2]
    rows = [row.text.strip() for row in draw(Scene("ana", snapshot=snapshot, log=log[:7]), 80, 24).rows]
    at = rows.index("Old.")
    assert rows[at : at + 4] == log[:4]
