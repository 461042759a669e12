"""Plain questions are answered from the rules and the position."""

from typing import Final
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from engine.cards import RANKS, cards_in, rank_label
from engine.errors import InputError
from engine.view import view_of
from engine.wording.phrases import a_card, sentence_case
from server import features
from server.commands.finding import DidYouMean, spoken
from server.commands.typed_line import parse
from server.plain_questions import plain_questions
from server.plain_questions.plain_questions import SENTENCES, _fitting, meaning
from server.render.scene import Scene
from server.table.place import SSH, TABLE
from server.table.snapshot import Sitter, Snapshot
from tests.support.asking import Asking, answer, asking, meant, placed
from tests.support.at_terminals import lobby_at, person
from tests.support.clock import Clock
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer, at_a_table, open_lobby, people, sit_together
from tests.support.features import FEATURES
from tests.support.goldens import play_to_the_end
from tests.support.positions import OTHER, at
from tests.support.sentences import ANSWERED, LIKINGS, MEANT_OTHERWISE, NEEDED, UNDERSTOOD, WAITING
from tests.support.tables import put


@for_each(("place", "typed", "said"), ANSWERED)
def test_a_question_is_answered(place: str, typed: str, said: str) -> None:
    """In plain words."""
    assert said in " ".join(answer(placed(place), typed))


@pytest.mark.parametrize(
    ("places", "said", "won"),
    [((0,), "You have won: you are out first", "You have"), ((1, 0), "You are out second", "bo has")],
)
def test_a_player_who_is_out_is_told_whether_they_have_won(places: tuple[int, ...], said: str, won: str) -> None:
    """While the others play on."""
    context = asking("table")
    assert context.snapshot is not None
    assert context.snapshot.view is not None
    out = replace(context.snapshot, view=replace(context.snapshot.view, places=places))
    (told,) = answer(Asking(TABLE, Scene("ana", snapshot=out)), "did I win?")
    assert told == f"{said}, and the others play on."
    for typed in (
        "what happens now",
        "can I go now",
        "do I have to wait",
        "next game please",
        "play again",
        "now what",
    ):
        assert answer(Asking(TABLE, Scene("ana", snapshot=out)), typed)[0].startswith(
            f"{told} Your place counts: leave"
        )
    for typed in ("can a king go on a 4", "what happens when I play a 7", "do I lose rating if I leave", "guess what"):
        assert "Your place counts" not in meaning(spoken(typed), Asking(TABLE, Scene("ana", snapshot=out)))
    (told,) = answer(Asking(TABLE, Scene("ana", snapshot=out)), "who is winning")
    assert told.startswith(f"{won} won. Fewest cards: ")


@pytest.mark.features("replay")
@for_each("typed", ["can I see everyone's cards?", "what were my face-down cards?", "can i peek at my cards"])
def test_a_game_that_is_over_shows_all_cards_in_its_replay(typed: str) -> None:
    """While it goes on nobody sees them."""
    going_on = placed("table").snapshot
    assert going_on is not None
    view = view_of(at("quatch", "hand", OTHER, phase="over", places=[0, 1], outcome={"kind": "won", "winner": 0}), 0)
    (told,) = answer(Asking(TABLE, Scene("ana", snapshot=replace(going_on, view=view))), typed)
    assert "replay to see this game again, move by move, with all cards." in told
    assert "replay" not in meaning(spoken(typed), placed("table"))


@pytest.mark.waiting_takes_no_time
async def test_a_play_is_compared_with_the_proposed_one() -> None:
    """What speaks for that one; a card that cannot go is no choice."""
    async with at_a_table() as ana:
        put(ana.lobby.tables.here[1], at("quatch", "hand 3c 6c 6d Qh", OTHER, pile="5d"))
        ana.session.player_session.feed.hinted = "6 6"
        await ana.type("why not the queen?")
        assert (
            ana.session.display.answer
            == "Play two 6s: it saves your queen and you then have 2 cards left instead of 3."
        )
        await ana.type("why not a 3")
        assert "A 3 is lower than a 5." in ana.session.display.answer


@pytest.mark.waiting_takes_no_time
async def test_what_has_happened_is_told_in_one_line() -> None:
    """The last moves, with what came of them."""
    async with at_a_table() as ana:
        await ana.type("what happend")
        assert ana.session.display.answer.endswith("Fox plays a 4.")


@pytest.mark.waiting_takes_no_time
async def test_a_no_is_no_name() -> None:
    """From a newcomer who is asked for a name, while others are there who could read it."""
    async with people("bo", "") as (_, newcomer):
        await newcomer.type("not now")
        assert "Nothing was asked just now" in newcomer.session.display.answer


def test_what_the_table_shows_is_in_the_answer() -> None:
    """The time that is left, of whom; the levels of AI players; that luck chooses among face-down cards."""
    view = view_of(at("quatch", "down 4c 5c", OTHER, pile="4d"), 0)
    snapshot = Snapshot(1, view.rules, 0, (Sitter("ana"), Sitter("Fox", "easy")), view, 1)
    context = Asking(TABLE, Scene("ana", snapshot=snapshot, clock_left=12))
    for typed, said in (
        ("how much time have I got", "Your turn. 12 seconds."),
        ("how good are they", "Fox is easy, of the levels easy, "),
        ("which one is best", "Nobody knows"),
        ("who is Fox?", "Fox is an AI player, easy."),
    ):
        assert said in " ".join(answer(context, typed))


def test_a_number_may_be_of_cards_or_a_rank() -> None:
    """A player who has so many of one rank is told how they are played."""
    for hand, said in (("7c 7d 2h", "Yes, of one rank: type 7 7. why two tells of the rank."), ("7c 2h", "why two")):
        view = view_of(at("quatch", f"hand {hand}", OTHER, pile="4d"), 0)
        snapshot = Snapshot(1, view.rules, 0, (Sitter("ana"), Sitter("bo")), view, 1)
        asked = Asking(TABLE, Scene("ana", snapshot=snapshot))
        assert meaning("can i play two", asked) == said


@pytest.mark.waiting_takes_no_time
async def test_a_sentence_that_wants_to_join_a_player_accepts_their_invitation() -> None:
    """By their name; one that begins with no refuses it."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("new")
        bo.session.player_session.hear("ana", "come to table 1", "sit 1")
        await bo.type("no, I have to go")
        assert "ana reads that you do not come now." in bo.session.display.answer
        bo.session.player_session.hear("ana", "come to table 1", "sit 1")
        for typed in ("yes i want to join Ana", "yes id love to", "go to anas table"):
            await bo.type(typed)
            assert bo.session.player_session.table_number == 1, typed
            await bo.type("leave")
            bo.session.player_session.hear("ana", "come to table 1", "sit 1")


@pytest.mark.waiting_takes_no_time
async def test_who_asks_how_to_accept_an_invitation_reads_what_to_type() -> None:
    """Also in a game."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("new")
        await bo.type("play", "ready")
        bo.session.player_session.hear("ana", "come to table 1", "sit 1")
        for typed in ("accept the invitation", "how do I accept?", "yes I come", "ooh yes"):
            await bo.type(typed)
            assert bo.session.display.answer == "After this game type sit 1.", typed


@pytest.mark.waiting_takes_no_time
async def test_who_asks_for_a_player_is_offered_to_invite_them() -> None:
    """From the lobby to a table that this opens."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo"):
        for typed in ("ask bo to play", "how do I invite bo", "can bo play with me"):
            await ana.type(typed)
            assert ana.session.player_session.typed_again.proposed == "new bo"
        await ana.type("new", "how do I invite bo")
        assert ana.session.player_session.typed_again.proposed == "invite bo"


@pytest.mark.waiting_takes_no_time
async def test_a_spectator_who_wants_to_play_reads_what_leads_to_a_seat() -> None:
    """That of an AI player after the game; where people have all of them a new table has one seat more."""
    async with people("ana", "bo", "cy", features=FEATURES) as (ana, bo, cy):
        for number, (seats, told) in enumerate(((3, "When this game is over, Enter"), (2, "then new ana bo")), 1):
            await ana.type(f"new seats={seats}")
            await bo.type(f"sit {number}")
            await ana.type("start")
            await cy.type(f"watch {number}")
            for typed in (
                "can I join the next game?",
                "queue",
                "next",
                "can I take over the bot?",
                "I want to play",
            ):
                await cy.type(typed)
                assert told in cy.session.display.answer, typed
            for each in (ana, bo, cy):
                await each.type("leave", "leave")
        await ana.type("new seats=2")
        await cy.type("watch 3", "can I join")
        assert cy.session.display.answer == "Type sit to take a seat."


@pytest.mark.waiting_takes_no_time
async def test_who_wants_to_sit_beside_a_player_reads_whether_they_can() -> None:
    """Enter takes a seat that is free, or invites who is at no table; of others what can be done is told."""
    async with people("ana", "bo", "cy", features=FEATURES) as (ana, bo, cy):
        shown, player = cy.session.display, cy.session.player_session
        await cy.type("can I join ana")
        assert player.typed_again.proposed == "invite ana"
        await ana.type("new word=apple")
        await cy.type("can I sit with ana")
        assert shown.answer == "Table 1 is private: type sit 1 and its word."
        await bo.type("new seats=2")
        await cy.type("may I sit next to bo")
        assert player.typed_again.proposed == "sit bo"
        await bo.type("shall we start")
        assert bo.session.display.answer == "No game has begun here: start deals."
        await bo.type("start")
        for typed in ("can I join bo", "i want to go and play with bo"):
            await cy.type(typed)
            assert shown.answer.startswith("No seat is free at table 2: watch 2 looks on"), typed
        await cy.type("watch 2", "can I join bo")
        assert shown.answer.startswith("When this game is over, Enter")


@pytest.mark.waiting_takes_no_time
async def test_a_player_reads_whom_of_those_here_they_ignore() -> None:
    """By their names."""
    async with people("ana", "bo", "cy", features=FEATURES) as (ana, _, __):
        for line, told in (
            ("", "You hear everybody: ignore NAME stops hearing a player."),
            ("mute cy", "You hear nothing from cy: ignore NAME has you hear them again."),
        ):
            await ana.type(line, "who is muted?")
            assert ana.session.display.answer == told


@pytest.mark.waiting_takes_no_time
async def test_players_who_want_a_friend_at_a_full_table_read_how_all_play() -> None:
    """At a new table, to which those beside them are asked to come; by a name, or a seat for who is still to come."""
    async with people("ana", "bo", "cy", features=FEATURES) as (ana, bo, cy):
        await ana.type("new bo")
        await bo.type("sit 1")
        for typed, line in (
            ("can cy join us?", "new bo cy, which asks bo and cy"),
            ("can my friend join?", "new 3 bo,"),
        ):
            await ana.type(typed)
            assert f"others can only watch. Type leave, then {line}" in ana.session.display.answer
        await ana.type("start", "can cy join us")
        assert "When this game is over type leave, then new bo cy" in ana.session.display.answer
        await cy.type("new ana bo")
        assert cy.session.player_session.snapshot is not None
        assert len(cy.session.player_session.snapshot.sitters) == 3


@pytest.mark.waiting_takes_no_time
async def test_a_game_with_others_has_no_pause() -> None:
    """Its clock goes on; a seat is kept for who hangs up."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await sit_together(ana, bo)
        await ana.type("start", "can we pause")
        assert "There is no pause, and the clock runs" in ana.session.display.answer
        assert "Your seat is kept" in ana.session.display.answer


@pytest.mark.waiting_takes_no_time
async def test_what_a_lost_game_costs_is_told_for_the_player_and_the_game() -> None:
    """Some rating with a key, unless the game at the table is not rated."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        for line, told in (
            ("who", "A lost rated game lowers your rating"),
            ("play pickup.by_choice=true", "it is not rated: changed rules"),
        ):
            await ana.type(line, "does it matter if I lose?")
            assert told in ana.session.display.answer


@pytest.mark.waiting_takes_no_time
async def test_a_guest_reads_what_is_kept_of_them_when_they_go() -> None:
    """Nothing without a seat; with one the code brings back."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo", guest=True) as bo:
        for player, line, told in (
            (ana, "who", "Nothing gets lost"),
            (bo, "who", "You are a guest: if you quit, or are cut off in the lobby, nothing is kept. In a shell type"),
            (bo, "play", "Your seat is kept: come in again and type resume"),
        ):
            await player.type(line, "what happens to my stuff if I quit")
            assert told in player.session.display.answer


@pytest.mark.waiting_takes_no_time
async def test_who_wants_to_wait_for_a_player_who_is_gone_reads_what_becomes_of_their_seat() -> None:
    """To one who is here it is said."""
    async with people("ana", "bo", features=FEATURES) as (ana, bo):
        await ana.type("new bo")
        await bo.type("sit 1", "start")
        await ana.type("wait for bo")
        assert ana.session.player_session.typed_again.proposed == "'wait for bo"
        await bo.go()
        await ana.type("wait for bo")
        assert "No game is paused: while a player is gone an AI player plays" in ana.session.display.answer


@pytest.mark.waiting_takes_no_time
async def test_nobody_who_says_more_than_bye_to_others_hangs_up() -> None:
    """They would not hear the rest."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo"):
        await ana.type("thx for the game bye")
        assert ana.session.player_session.typed_again.proposed == "'thx for the game bye"


@pytest.mark.waiting_takes_no_time
async def test_after_the_question_how_a_friend_joins_enter_shows_what_they_type() -> None:
    """It would deal the cards without them else."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana:
        await ana.type("new", "how does my friend join")
        assert "Type invite to see what they type. Enter does it" in ana.session.display.answer
        await ana.type("")
        assert "come to this table" in ana.session.display.answer
        assert not ana.session.player_session.in_game
        await ana.type("start", "let us begin")
        assert "ready ends your arranging" in ana.session.display.answer


@for_each(
    ("place", "typed"),
    [
        ("table", "how long is the pile"),
        ("lobby", "this is taking forever"),
        ("lobby", "how long have I been here"),
        ("table", "save the ten for later"),
        ("table", "clear the pile"),
        ("lobby", "can two people share a key"),
        ("lobby", "do we all have the same cards"),
        ("table", "refresh my memory"),
        ("table", "the king is too strong"),
        ("lobby", "I want to win money"),
        ("lobby", "I want to paly with freinds"),  # what is meant would open a table
    ],
)
def test_one_word_of_a_line_is_not_answered_for_the_rest(place: str, typed: str) -> None:
    """A wrong answer is worse than none."""
    assert meaning(spoken(typed), placed(place)) == ""


@for_each(("place", "typed", "other"), [(place, each, other)
                                       for (place, other), said in MEANT_OTHERWISE.items() for each in said.split(", ")
                                       if NEEDED.get(place, "") in {"", *features.FEATURES}])  # fmt: skip
def test_a_sentence_that_is_meant_otherwise_is_not_taken_for_it(place: str, typed: str, other: str) -> None:
    """Neither is the command done, nor the answer given."""
    assert not meaning(spoken(typed), placed(place)).startswith(other)


@pytest.mark.parametrize("typed", ["how do I play", "how does it work?"])
def test_the_shell_is_told_how_the_game_is_played(typed: str) -> None:
    """And what to type there to begin."""
    (told,) = answer(Asking(SSH), typed)
    assert told.startswith("Get rid of all your cards first.")
    assert "ssh HOST alone, then Enter, begins a game" in told


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("how many cards do I get", "Each player is dealt 3 face down"),
        ("how do I change my name", "In the lobby type name and the new one"),
        ("can I play with friends?", "new opens a table for friends"),
    ],
)
def test_the_shell_answers_what_is_asked_before_coming(typed: str, told: str) -> None:
    """In a sentence, also where a session has a command for it."""
    assert told in answer(Asking(SSH), typed)[0]


def test_a_question_that_is_not_understood_names_some_that_are() -> None:
    """Where it is asked: nobody wins in a shell."""
    with pytest.raises(InputError, match=r"not understood: ask for example what does a 10 do, how long is a game$"):
        answer(Asking(SSH), "ask zzz")
    with pytest.raises(InputError, match=r"what does a 10 do, who is winning, how long is a game$"):
        answer(placed("table"), "ask zzz")


@pytest.mark.parametrize("typed", ["what does a {} do?", "what is the {} for", "what are {}s for"])
def test_each_rank_may_be_asked_about(typed: str) -> None:
    """Also in the plural; the article is no ace."""
    for rank in range(len(RANKS)):
        name = a_card(rank).split()[-1]
        assert sentence_case(a_card(rank)) in " ".join(answer(placed("table"), typed.format(name)))


@pytest.mark.features("lesson")
@pytest.mark.virtual_time
@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
async def test_what_a_newcomer_asks_in_a_game_is_answered_on_the_spot(term: str) -> None:
    """With what holds there: their level, their seat, their cards."""
    async with open_lobby(features=FEATURES) as lobby:
        ana = TerminalPlayer(lobby, "ana", term=term)

        await ana.type("make it easier please")
        assert "easy already, the easiest there are" in ana.session.display.answer
        await ana.type("make the computer easier")
        assert "easy already, the easiest there are" in ana.session.display.answer
        await ana.type("it is too easy")
        assert "type play harder. Enter does it" in ana.session.display.answer
        await ana.type("play", "what do I do now?")
        assert "Type ready to keep your cards as they are." in ana.session.display.answer
        await ana.type("what just happened?")
        assert "Unknown" not in ana.session.display.answer
        await ana.type("can i change cards")
        assert "then type ready" in ana.session.display.answer
        for typed in ("how put card to table", "I want different cards", "how many swaps do I get"):
            await ana.type(typed)
            assert "then type ready" in ana.session.display.answer, typed
        await ana.type("best cards to leave up?")
        assert "put high and special cards there" in ana.session.display.answer
        for typed in ("I am happy with these", "keep everything", "leave it like that", "is this all I do"):
            await ana.type(typed)
            assert "ready ends your arranging" in ana.session.display.answer, typed
        await ana.type("who starts")
        assert "starts" in ana.session.display.answer
        await ana.type("stop")
        assert ana.session.player_session.at_table
        await ana.type("undo that please")
        assert "No swap of yours is to be taken back" in ana.session.display.answer
        view = ana.session.player_session.view
        assert view is not None
        given, taken = (rank_label(min(cards_in(cards)) >> 2) for cards in (view.hands[0], view.ups[0]))
        await ana.type(f"s {given} {taken}")
        for typed in ("undo that please", "put it back", "take the king back", "put the first card back"):
            await ana.type(typed)
            assert f"Type s {given} {taken} again: the " in ana.session.display.answer, typed
        await ana.type(f"s {given} {taken}", "unswap")
        assert "your cards lie as they were dealt" in ana.session.display.answer
        await ana.type("I need the toilet")
        assert "Your seat is kept" in ana.session.display.answer
        await ana.type("teach me the game")
        assert "In the lobby lesson teaches" in ana.session.display.answer


@pytest.mark.virtual_time
async def test_who_wants_it_harder_meets_stronger_players_by_enter() -> None:
    """The proposal does what it says."""
    async with people("ana", features=FEATURES) as (ana,):
        await ana.type("can I play harder", "")
        assert ana.session.player_session.settings.level == "medium"
        assert ana.session.player_session.at_table


@pytest.mark.virtual_time
async def test_why_a_player_cannot_play_is_no_reason_of_an_earlier_turn() -> None:
    """Without a refusal in this turn they are told what they can play."""
    async with open_lobby(features=FEATURES) as lobby:
        ana = TerminalPlayer(lobby, "ana")
        await ana.type("play quatch 2", "ready")
        put(lobby.tables.here[1], at("quatch", "hand 7c Kh", OTHER, pile="9d"))
        ana.session.player_session.feed.reason = "You chose to pick up the pile."
        await ana.type("why can't i play")
        assert "You can play" in ana.session.display.answer
        await ana.type("7", "why can't i play")
        assert "lower than" in ana.session.display.answer


PHRASES: Final = [
    (place, typed, command)
    for (place, command), said in UNDERSTOOD.items()
    for typed in said.split(", ")
    if all(NEEDED[each] in features.FEATURES for each in (place, command) if each in NEEDED)
]


@for_each("typed", ["show the game life from bo again", "show life again", "see it played again"])
def test_no_word_of_seeing_begins_a_game(typed: str) -> None:
    """It would be rated, and the player wants to look at one."""
    with pytest.raises(InputError):
        parse(typed, placed("lobby"))


@pytest.mark.features("replay")
@pytest.mark.virtual_time
async def test_words_of_seeing_show_the_last_game() -> None:
    """At its table, and in the lobby."""
    async with open_lobby(features=FEATURES) as lobby:
        ana = TerminalPlayer(lobby, "ana")
        player = ana.session.player_session
        await ana.type("show that again")
        assert "Name a finished game" in ana.session.display.answer
        await ana.type("play quatch 2")
        await play_to_the_end(ana)
        for typed in ("show that again", "show me the game again", "leave", "show that again", "replay last"):
            await ana.type(typed)
            if typed != "leave":
                assert player.side_view is not None
                assert player.side_view.record is not None
                assert player.side_view.record.id == player.feed.last_game
                await ana.type("leave")


@for_each(("place", "typed", "command"), PHRASES)
def test_natural_words_are_understood(place: str, typed: str, command: str) -> None:
    """As the command that people mean by them."""
    assert meant(typed, placed(place)) == command


@for_each("typed", LIKINGS.split(", "))
def test_a_liking_of_a_rule_set_proposes_a_game(typed: str) -> None:
    """It could be rated, so it begins only if the player says that it is meant."""
    with pytest.raises(DidYouMean, match=r"^did you mean play (life|college)\? Enter does it"):
        parse(typed, placed("lobby"))


@pytest.mark.waiting_takes_no_time
async def test_a_liking_of_a_rule_set_is_talk_where_others_are() -> None:
    """In the lobby; whoever says play begins a game there."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo"):
        await ana.type("name Ana")
        for typed in LIKINGS.split(", "):
            await ana.type(typed)
            assert "Enter says it to the others" in ana.session.display.answer
        await ana.type("let's play life")
        assert ana.session.player_session.at_table


@pytest.mark.waiting_takes_no_time
async def test_a_player_is_led_to_the_table_that_their_sentence_is_about() -> None:
    """By Enter: to watch there, or to the free seat."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("new seats=2")
        for typed, line in (
            ("can I play with ana?", "sit 1"),
            ("can I play life with ana?", "new life ana"),
            ("can i just watch them?", "watch 1"),
            ("can I come back to the table?", "sit 1"),
        ):
            await bo.type(typed)
            assert bo.session.player_session.typed_again.proposed == line
        await bo.type("I want to see ana's game")
        assert bo.session.player_session.place.name == "watching"


@pytest.mark.waiting_takes_no_time
async def test_small_talk_at_a_table_with_others_is_not_answered_in_their_place() -> None:
    """It is proposed to be said, though alone the same words ask the program."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await sit_together(ana, bo)
        talk = (
            "stay here, snap, not sure, it does not work, double trouble, is bo thinking, can you, "
            "this makes no sense, you start, you remove bo"
        )
        for typed in talk.split(", "):
            await ana.type(typed)
            assert "Enter says it to the others here, start deals" in ana.session.display.answer, typed
        await ana.type("sorry, how do I quit")
        assert "quit hangs up" in ana.session.display.answer


@for_each("others", ["", "bo"])
@pytest.mark.waiting_takes_no_time
async def test_no_word_of_a_player_who_waits_for_another_deals_the_cards(others: str) -> None:
    """Nor is anything proposed but to say it, if others are there; alone the player reads how others come."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("new seats=3")
        if others:
            await bo.type("sit 1")
        player = ana.session.player_session
        for said in WAITING.split(", "):
            await ana.type(said)
            assert not player.in_game, said
            assert player.typed_again.proposed in {"", f"'{said}"}
            if not others and said != "go get bo":
                assert "invite shows how others come" in ana.session.display.answer, said


def test_the_order_of_the_sentences_means_nothing() -> None:
    """What fits more of a line counts: so no sentence that is added takes a line from another by where it stands."""
    for place, typed, _ in (*ANSWERED, *PHRASES, *(("table", said, "") for said in WAITING.split(", "))):
        said, context = spoken(typed), placed(place)
        meant = meaning(said, context)
        _fitting.cache_clear()
        with patch.object(plain_questions, "SENTENCES", SENTENCES[::-1]):
            assert meaning(said, context) == meant, typed
        _fitting.cache_clear()
