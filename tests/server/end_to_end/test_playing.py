"""Whole games through real ssh connections, and their results."""

import json
import re

import pytest

from tests.soak import long
from tests.support.games_over_ssh import COUNTS, left_to_an_ai_player
from tests.support.people import Person, RunningServer
from tests.support.playing_on_screen import play_on_screen

pytestmark = pytest.mark.waiting_takes_no_time


async def test_every_rule_set_can_be_played_on_the_screen(open_server: RunningServer) -> None:
    """Each rule set that ships and lays cards first; in the suite one of them."""
    async with open_server.person() as ana:
        for name, cards in (("cathedral", 3), ("college", 3), ("life", 3))[: long(1, 3)]:
            await ana.until("play against AI players")
            await ana.enter(f"play {name}", f"type {cards} cards to lay")
            await ana.enter(" ".join(own_hand(ana)[:cards]), lambda person: "hand  3" in person.shown.split("YOU")[-1])
            await play_on_screen(ana)
            ana.type("leave")


async def test_two_players_at_a_table_see_only_their_own_hands(open_server: RunningServer) -> None:
    """Each screen shows its player's hand and never the other's."""
    async with open_server.person("ana") as ana, open_server.person("bo") as bo:
        await ana.enter("new seats=3", "seat 1   ana  (you)")
        await bo.until("2 seats free")
        await bo.enter("sit 1", "seat 2   bo  (you)")
        bo.type("start")
        await ana.until("YOUR TURN")
        await bo.until("YOUR TURN")
        hands = {person: own_hand(person) for person in (ana, bo)}
        assert len(hands[ana]) == len(hands[bo]) == 3
        assert not any(card in open_part(bo) for card in hands[ana])
        assert not any(card in open_part(ana) for card in hands[bo])
        assert "bo " in ana.shown
        assert "ana " in bo.shown


async def test_a_whole_game_is_played_in_line_mode_without_escape_codes(open_server: RunningServer) -> None:
    """`ssh -T`: typed lines get answers in plain text."""
    async with open_server.person(term=None) as ana:
        await ana.press(b"play\n", "then type ready")
        ana.send(b"ready\n")
        done = len(ana.text)
        while " wins the game!" not in ana.text and "You win the game!" not in ana.text:
            await ana.until(
                lambda person, done=done: any(  # type: ignore[misc]
                    sign in person.text[done:] for sign in ("You can ", " the game!", "game is drawn")
                )
            )
            feed, done = ana.text[done:], len(ana.text)
            if "game is drawn" in feed:
                break
            if "You can " in feed:
                ana.send(spoken_move(feed).encode() + b"\n")
        assert "\x1b" not in ana.text
        ana.send(b"quit\n")
        assert await ana.until_gone() == 0
        assert "Good-bye" in ana.text


async def test_a_script_of_lines_is_carried_out_to_its_last_line(open_server: RunningServer) -> None:
    """The input ends at once, and every line is answered before the session ends."""
    async with open_server.person(term=None) as ana:
        ana.send(b"who\n" * 300 + b"help\n")
        ana.process.stdin.write_eof()
        assert await ana.until_gone() == 0
        assert ana.text.count("1 here: ana (lobby).") == 300
        assert "Commands: play," in ana.text


async def test_a_script_begins_a_game_and_is_ready_in_it(open_server: RunningServer) -> None:
    """Its lines come at once, before there is a game; while all arrange their cards nothing has moved on."""
    async with open_server.person(term=None) as ana:
        ana.send(b"play\nready\nhint\n")
        await ana.until("You are ready.")
        assert "moved on" not in ana.text


async def test_a_dumb_terminal_gets_lines_with_echo(open_server: RunningServer) -> None:
    """TERM=dumb on a tty: typed text is echoed and can be erased, without escape codes."""
    async with open_server.person(term="dumb") as ana:
        await ana.until_text("Type play")
        ana.send(b"whx\x7fo\r")
        await ana.until_text("1 here: ana (lobby).")
        assert "\x1b" not in ana.text
        assert "whx\b \bo" in ana.text


async def test_a_pasted_text_is_one_line_and_waits_for_enter(open_server: RunningServer) -> None:
    """Nothing in it is carried out by itself, if the terminal marks it as pasted."""
    async with open_server.person(term="dumb") as ana:
        await ana.until_text("Type play")
        ana.send(b"\x1b[200~who\rquit\nleave\x1b[201~")
        await ana.until_text("who quit leave")
        assert "here: ana" not in ana.text
        ana.send(b"\x15\x1bOP\x1b[15~who\r")
        await ana.until_text("1 here: ana (lobby).")


async def test_repeat_says_again_the_last_answer_and_the_prompt_can_be_off(open_server: RunningServer) -> None:
    """However often it is typed, and no line of the answers holds a prompt."""
    async with open_server.person(term="dumb") as ana:
        await ana.until_text("Type play")
        ana.type("set prompt off")
        await ana.until_text("Set: prompt off.")
        done = len(ana.text)
        ana.type("who")
        ana.type("repeat")
        await ana.enter("repeat", lambda person: person.text.count("1 here: ana (lobby).") == 3)
        assert ">" not in ana.text[done:]
        ana.type("set mode line")
        await ana.until_text("Set: mode line.")


async def test_line_mode_is_mentioned_before_the_screen_begins(open_server: RunningServer) -> None:
    """One line, which a screen reader reads first, also by telnet. Players in line mode do not get it."""
    async with open_server.person() as ana, open_server.person("bo", term=None) as bo:
        await ana.until("lobby>")
        await bo.until("Type play")
        assert ana.text.index("set mode line") < ana.text.index("\x1b")
        assert "set mode line" not in bo.text


async def test_a_player_who_joins_a_table_is_told_about_it(open_server: RunningServer) -> None:
    """Its rules, its players and its clock; a spectator also how the game stands."""
    async with open_server.person("ana", term=None) as ana, open_server.person("bo", term=None) as bo:
        await ana.until("Type play")
        await bo.until("Type play")
        await ana.press(b"play life\n", "New game: Life, played by you with AI players Fox and Owl.")
        await bo.press(b"watch 1\n", "ana is its host.")
        await bo.until("Waiting for ana")
        await bo.until("ana: hand 6, face up none, face down 3.")


async def test_the_mode_can_be_changed_at_any_time(open_server: RunningServer) -> None:
    """From the screen to lines and back, during a game."""
    async with open_server.person() as ana:
        await ana.enter("play", "YOUR TURN")
        ana.type("set mode line")
        await ana.until_text("Three face-down cards, numbers 1, 2 and 3.")
        await ana.enter("where", lambda person: person.text.count("Three face-down cards, numbers 1, 2 and 3.") == 2)
        await ana.enter("set mode screen", "YOUR TURN")


async def test_what_is_typed_ahead_of_a_change_of_mode_is_not_lost(open_server: RunningServer) -> None:
    """Lines, and the beginning of a line, go on in the other mode."""
    async with open_server.person() as ana:
        await ana.until("lobby>")
        ana.send(b"set mode line\rwho\rtables\rhel")
        await ana.until_text("0 tables.")
        ana.send(b"p\r")
        await ana.until_text("Commands: play,")
        assert "1 here: ana (lobby)." in ana.text


async def test_the_end_of_input_waits_for_the_keys_before_it(open_server: RunningServer) -> None:
    """`ssh -tt HOST < script`: every line is carried out before the session ends."""
    async with open_server.person() as ana:
        await ana.until("lobby>")
        ana.send(b"new seats=2\r/hello to everybody who is here today\rleave\rname Zoey\r")
        ana.process.stdin.write_eof()
        assert await ana.until_gone() == 0
        assert "Zoey" in ana.text


def own_hand(person: Person) -> list[str]:
    """The cards in the player's row on the screen."""
    row = next(line for line in person.shown.split("\n") if line.startswith("   hand "))
    groups = [re.fullmatch(r"(10|.)(.*)", group) for group in row.split()[2:]]
    return [group[1] + suit for group in groups if group for suit in group[2]]


def open_part(person: Person) -> str:
    """The screen without the player's own zones, and without the resume code, which may look like cards."""
    return re.sub(r"resume \S+", "", person.shown.split("   YOU")[0])


def spoken_move(feed: str) -> str:
    """A move from the sentence of choices: "You can play a 5, a 6 or a jack, or type p to pick up the pile"."""
    sentence = re.sub(r"\ban? ", "", feed[feed.rindex("You can ") :].removeprefix("You can "))
    verb, what, *_ = sentence.replace(",", " ").replace(".", " ").split()
    assert verb in {"play", "type", "say"}
    return what


@pytest.mark.features("rankings")
async def test_who_sat_who_played_and_what_counts_are_told_alike(open_server: RunningServer) -> None:
    """A player leaves for good, and an AI player goes on with the cards: screen, lines, bots and top."""
    async with left_to_an_ai_player(open_server) as (ann, bob), open_server.person("cy", term=None) as cy:
        cy.type("watch 1")
        over = await bob.play()
        told = ["bob wins: ann left.", f"{COUNTS}."][over["outcome"]["winner"]]
        await cy.until(told)
        screen = await ann.enter("watch 1", "game over")
    assert over["ranks"] == [2, 1]
    assert f"   {told}" in screen
    top = json.loads((await open_server.run("top --json"))[1])["top"]
    assert {(each["name"], each["wins"]) for each in top} == {("bob", 1), ("ann", 0)}
