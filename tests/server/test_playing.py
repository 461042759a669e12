"""Whole games through real ssh connections."""

import re

from tests.server.people import House, Person, play_on_screen


async def test_a_game_is_played_to_its_end_on_the_screen_and_another_begins(open_house: House) -> None:
    """From the lobby's one word to the last card, reading nothing but the screen; then a new deal."""
    async with open_house.person() as ana:
        await ana.until("to play against AI players")
        ana.type("play")
        await ana.until("swaps hand")
        screen = await play_on_screen(ana)
        assert "the game" in screen
        ana.type("start")
        await ana.until("arranging")


async def test_every_rule_set_can_be_played_on_the_screen(open_house: House) -> None:
    """Each rule set that ships is playable at once."""
    async with open_house.person() as ana:
        for name, cards in (("cathedral", 3), ("college", 3), ("life", 3)):
            await ana.until("to play against AI players")
            ana.type(f"play {name}")
            await ana.until(f"type {cards} cards to lay")
            ana.type(" ".join(own_hand(ana)[:cards]))
            await ana.until(lambda person: "hand  3" in person.shown.split("YOU")[-1])
            await play_on_screen(ana)
            ana.type("leave")


async def test_two_people_and_an_ai_player_each_see_their_own_cards_alone(open_house: House) -> None:
    """Two clients at one table: each screen shows its own hand and never the other's."""
    async with open_house.person("ana") as ana, open_house.person("bo") as bo:
        await ana.until("lobby>")
        ana.type("new seats=3")
        await ana.until("seat 1   ana  (you)")
        await bo.until("2 of 3 free")
        bo.type("sit 1")
        await bo.until("seat 2   bo  (you)")
        bo.type("start")
        await ana.until("YOUR TURN")
        await bo.until("YOUR TURN")
        hands = {person: own_hand(person) for person in (ana, bo)}
        assert len(hands[ana]) == len(hands[bo]) == 3
        assert not any(card in open_part(bo) for card in hands[ana])
        assert not any(card in open_part(ana) for card in hands[bo])
        assert "bo " in ana.shown
        assert "ana " in bo.shown


async def test_what_is_typed_stays_with_who_typed_it(open_house: House) -> None:
    """Keys of one session never act in another, whoever came last."""
    async with open_house.person("ana") as ana, open_house.person("bo") as bo:
        await ana.until("2 here")
        await bo.until("2 here")
        ana.type("/one")
        await bo.until("ana: one")
        bo.type("/two")
        await ana.until("bo: two")
        ana.send(b"only-mine")
        await ana.until("lobby> only-mine")
        bo.send(b"\x03")
        await bo.until("Ctrl-C again")
        assert "only-mine" in ana.shown
        assert "only-mine" not in bo.text


async def test_line_mode_says_the_same_game_without_escape_codes(open_house: House) -> None:
    """`ssh -T`: a whole game from typed lines, answered in plain text."""
    async with open_house.person(term=None) as ana:
        await ana.until_text("Say play")
        ana.send(b"play\n")
        await ana.until_text("then say ready")
        ana.send(b"ready\n")
        done = len(ana.text)
        while " wins the game!" not in ana.text and "You win the game!" not in ana.text:
            await ana.until(
                lambda person, done=done: any(  # type: ignore[misc]
                    sign in person.text[done:] for sign in ("You can ", " the game!", "game is drawn")
                )
            )
            news, done = ana.text[done:], len(ana.text)
            if "game is drawn" in news:
                break
            if "You can " in news:
                ana.send(spoken_move(news).encode() + b"\n")
        assert "\x1b" not in ana.text
        ana.send(b"quit\n")
        assert await ana.until_gone() == 0
        assert "Good-bye" in ana.text


async def test_a_script_of_lines_is_carried_out_to_its_last_line(open_house: House) -> None:
    """Input that ends at once: every line is answered before the session ends."""
    async with open_house.person(term=None) as ana:
        ana.send(b"who\n" * 300 + b"help\n")
        ana.process.stdin.write_eof()
        assert await ana.until_gone() == 0
        assert ana.text.count("1 here: ana.") == 300
        assert "hang up" in ana.text


async def test_a_dumb_terminal_gets_lines_with_echo(open_house: House) -> None:
    """TERM=dumb on a tty: what is typed is echoed and can be rubbed out, and still no escape codes."""
    async with open_house.person(term="dumb") as ana:
        await ana.until_text("Say play")
        ana.send(b"whx\x7fo\r")
        await ana.until_text("1 here: ana.")
        assert "\x1b" not in ana.text
        assert "whx\b \bo" in ana.text


async def test_the_mode_can_be_changed_at_any_time(open_house: House) -> None:
    """From the screen to lines and back, in the middle of a game."""
    async with open_house.person() as ana:
        await ana.until("lobby>")
        ana.type("play")
        await ana.until("YOUR TURN")
        ana.type("set mode line")
        await ana.until_text("Your face-down cards: 1, 2 and 3.")
        ana.type("where")
        await ana.until(lambda person: person.text.count("Your face-down cards: 1, 2 and 3.") == 2)
        ana.type("set mode screen")
        await ana.until("YOUR TURN")


async def test_what_is_typed_ahead_of_a_change_of_mode_is_not_lost(open_house: House) -> None:
    """Lines and the beginning of a line go on in the other mode."""
    async with open_house.person() as ana:
        await ana.until("lobby>")
        ana.send(b"set mode line\rwho\rtables\rhel")
        await ana.until_text("0 tables.")
        ana.send(b"p\r")
        await ana.until_text("hang up")
        assert "1 here: ana." in ana.text


async def test_the_end_of_input_waits_for_the_keys_before_it(open_house: House) -> None:
    """`ssh -tt HOST < script`: every line is carried out before the session ends."""
    async with open_house.person() as ana:
        await ana.until("lobby>")
        ana.send(b"new seats=2\r/hello to everybody who is here today\rleave\rname Zoey\r")
        ana.process.stdin.write_eof()
        assert await ana.until_gone() == 0
        assert "Zoey" in ana.text


async def test_ssh_host_play_is_at_a_table_at_once(open_house: House) -> None:
    """`ssh -t HOST play`: cards in hand without typing anything."""
    async with open_house.person(command="play life") as ana:
        await ana.until("Life cards")
        await ana.until("type 3 cards to lay")


def own_hand(person: Person) -> list[str]:
    """The cards of the hand row, as on the screen."""
    row = next(line for line in person.shown.split("\n") if line.startswith("   hand "))
    return [group[0] + suit for group in row.split()[2:] for suit in group[1:]]


def open_part(person: Person) -> str:
    """The screen without the rows of one's own zones, and without the resume word, which may look like cards."""
    return re.sub(r"resume \S+", "", person.shown.split("   YOU")[0])


def spoken_move(news: str) -> str:
    """A move from the sentence that says what one can do: "You can play 5, 6 or 7, pick up the pile or pass"."""
    sentence = news[news.rindex("You can ") :].removeprefix("You can ")
    verb, *rest = sentence.replace(",", " ").replace(".", " ").split()
    return {"play": rest[0] if rest else "", "flip": rest[0] if rest else "", "pick": "p", "pass": "d", "say": "ready"}[
        verb
    ]
