"""Plain questions are answered from the rules and the position."""

from itertools import chain
from typing import Final

import pytest
from msgspec.structs import replace

from engine.cards import RANKS, cards_in, rank_label
from engine.errors import InputError
from engine.view import view_of
from engine.wording.phrases import a_card, sentence_case
from server import features
from server.commands.finding import DidYouMean, spoken
from server.commands.typed_line import parse
from server.plain_questions.answers import SENTENCES
from server.plain_questions.plain_questions import meaning
from server.render.scene import Scene
from server.table.place import SSH, TABLE
from server.table.snapshot import Sitter, Snapshot
from tests.support.asking import Asking, answer, asking, meant, placed
from tests.support.at_terminals import lobby_at, person
from tests.support.clock import Clock
from tests.support.each import for_each
from tests.support.emulator import TerminalPlayer, open_lobby
from tests.support.features import FEATURES
from tests.support.goldens import play_to_the_end
from tests.support.positions import OTHER, at

OF_FEATURES: Final = {
    "review": [
        ("lobby", "how do I get better at this", "When a game is over type review"),
        ("lobby", "what did I do wrong", "When a game is over type review"),
        ("lobby", "what could I have done better", "When a game is over type review"),
    ],
    "puzzles": [
        ("puzzle", "hint", "no hints in a puzzle: odds"),
        ("puzzle", "give me a clue", "no hints in a puzzle: odds"),
        ("puzzle", "what can I do", "Find the one move that is clearly best"),
        ("puzzle", "what is this", "Find the one move that is clearly best"),
        ("puzzle", "a harder one", "Puzzles get harder as you solve them."),
        ("puzzle", "what now", "Find the one move that is clearly best"),
        ("puzzle", "idk", "Find the one move that is clearly best"),
        ("puzzle", "ok", "Find the one move that is clearly best"),
    ],
    "lesson": [
        ("lobby", "strategy", "Lesson teaches the game"),
        ("lesson", "did I win", "Nobody wins here"),
        ("lesson", "what does now with other cards mean", "Each step has cards of its own"),
        ("lesson", "what are my cards", "Your hand"),
    ],
    "replay": [
        ("replay", "faster", "as in play 0.5"),
        ("replay", "stop", "play goes on, leave goes back"),
        ("replay", "pause", "play goes on, leave goes back"),
        ("replay", "how do I stop this", "leave goes back"),
        ("replay", "what can I do", "You can type the following."),
        ("replay", "show me bo's cards", "bo: hand 3"),
    ],
    "returning_guests": [
        ("lobby", "yes I was Grandma, I lost the code", "Ask them to type reseat ana as NAME"),
    ],
    "daily": [("lobby", "wat is par", "Par is the middle one of five games")],
}
"""What is answered while these features are there."""


ANSWERED: Final = [
    *chain.from_iterable(rows for feature, rows in OF_FEATURES.items() if feature in features.FEATURES),
    ("lobby", "what is this game?", "Get rid of all your cards first."),
    ("lobby", "what is this?", "Get rid of all your cards first."),
    ("lobby", "how long does a game take?", "A game takes about 2-5 minutes."),
    ("lobby", "what's the difference between the games", "take the pile whenever you like"),
    ("lobby", "difference between college and life", "life: A 7 goes on anything and asks for a lower card"),
    ("lobby", "what's the difference between life and college", "college: After playing from your hand draw one"),
    ("lobby", "college or life?", "college: After playing from your hand draw one"),
    ("table", "which is the easiest?", "Newcomers begin with quatch; life is the shortest"),
    ("table", "cathedral please", "A table keeps its rules: type leave, then play cathedral."),
    ("table", "just the two of us", "type leave, then new seats=2"),
    ("table", "switch to life", "A table keeps its rules: type leave, then play life."),
    ("table", "I want to play quatch", "This table plays Quatch: rules tells how."),
    ("table", "other rules", "type leave, then play cathedral, play college"),
    ("lobby", "house rules", "For rules of your own type, in the lobby, new and what differs"),
    ("table", "help house", "For rules of your own type, in the lobby, new and what differs"),
    ("lobby", "can I make my own rules?", "For rules of your own type, in the lobby, new and what differs"),
    ("table", "raise 5", "That is of another game"),
    ("table", "select 7", "Type 7 alone"),
    ("table", "lay down", "On your turn type the rank of a card"),
    ("table", "get pile", "p picks up the pile."),
    ("table", "what do I swap", "No: cards are swapped only before the first one is played."),
    ("table", "what does arranging mean", "Face-up cards are played late"),
    ("table", "add 2 bots", "add seats one AI player each time"),
    ("lobby", "multi player", "meet finds people to play with"),
    ("lobby", "can I", "Ask the whole question, as in what does a 10 do"),
    ("table", "ask how do I", "Ask the whole question, as in what does a 10 do"),
    ("table", "I'm lost", "Type hint"),
    ("lobby", "I want my seat back", "leave gave your seat up"),
    ("table", "let carl play too", "All seats here are taken"),
    ("table", "faster", "Type set pace 0"),
    ("table", "what does IN A ROW mean", "cards of one rank on top of the pile"),
    ("table", "where did anna go?", "Anna is not here"),
    ("table", "I'm out", "quit hangs up"),
    ("table", "I'm done", "quit hangs up"),
    ("table", "I'm winning", "Fewest cards: you with 2."),
    ("lobby", "I'm stuck", "rules tells how the game is played"),
    ("lobby", "can I play against a real person?", "meet finds people to play with"),
    ("lobby", "is anybody up for a game?", "meet finds people to play with"),
    ("table", "how long till the end", "A game takes about 2-5 minutes."),
    ("table", "what does the 10 do", "A 10 goes on anything and burns the pile"),
    ("table", "what does a ten do?", "A 10 goes on anything and burns the pile"),
    ("table", "what does the king do?", "A king is an ordinary card."),
    ("lobby", "what does the 5 do in life", "A 5 goes on anything and reverses"),
    ("table", "what is a burn", "burns the pile"),
    ("table", "what is the stock", "draw up to 3, while the stock lasts"),
    ("table", "what is the pile for", "If you cannot play, take the whole pile"),
    ("table", "what are face-down cards", "You turn them over last"),
    ("table", "what does face up mean", "are seen by all"),
    ("table", "what is hand 3", "the cards that only their player sees, as in hand 3"),
    ("lobby", "what does hand mean", "the cards that only their player sees"),
    ("table", "what's the deck", "the cards to draw from, 0 now: all are drawn."),
    ("table", "what's the pile", "the cards that were played. Pile of 1, top 4."),
    ("table", "what does order mean", "who plays next"),
    ("table", "how many cards does bo have", "bo has 3 cards: 3 in hand."),
    ("table", "how many cards do I have?", "You have 2 cards: 2 in hand."),
    ("table", "how many cards are left in the stock", "0 cards in the stock."),
    ("table", "who's turn", "Your turn."),
    ("table", "can I play a 9 on a 9?", "Yes: a 9 goes on a 9."),
    ("table", "can you put a three on a four", "No: 2 4 5 6 7 8 9 10 J Q K A go on a 4."),
    ("lobby", "can I play a king on a nine?", "Yes: a king goes on a 9."),
    ("lobby", "can a 9 go on a 7 in life", "No: "),
    ("lobby", "does a 2 beat an ace", "Yes. A 2 goes on anything and resets the pile"),
    ("table", "can I play an 8 on a 10", "burns the pile"),
    ("lobby", "what can I play on a king", "2 10 K A go on a king."),
    ("lobby", "can I play my 9", "A 9 is an ordinary card."),
    ("table", "hi there", "Hello, ana. AI players do not talk."),
    ("lobby", "hello", "Hello, ana. Play begins a game"),
    ("table", "gg", "Good game!"),
    ("lobby", "who won?", "No game of yours has ended since you came"),
    ("table", "who is winning", "Fewest cards: you with 2."),
    ("table", "who is going to win", "Fewest cards: you with 2."),
    ("table", "undo that", "There is no undo"),
    ("table", "stop i want to read", "Read on: a page stays until you press Enter"),
    ("lobby", "starting soon?", "Type play: it begins a game"),
    ("lobby", "password", "There is no password: your ssh key says who you are."),
    ("lobby", "passwd", "There is no password: your ssh key says who you are."),
    ("table", "these cards are terrible", "This deal stays"),
    ("table", "deal again please", "This deal stays"),
    ("table", "too fast, slow down", "Type set pace 4"),
    ("table", "the ai is cheating", "fair tells what proves it"),
    ("table", "why should I swap cards?", "keep low ones in hand"),
    ("table", "can my friend join this game", "All seats here are taken: they can watch"),
    ("table", "I don't understand", "Type hint"),
    ("table", "why queen", "No queen in your hand."),
    ("table", "why q", "No queen in your hand."),
    ("table", "can I see my face down cards", "No: nobody"),
    ("table", "how many players can play", "This table has 2 seats; Quatch is for 2 to"),
    ("lobby", "how many players", "2-"),
    ("table", "I want to play life instead", "type leave, then play life."),
    ("table", "no boxes please", "set mode line shows plain lines"),
    ("lobby", "help plain", "set mode line shows plain lines"),
    ("table", "no bots please", "type leave, then new seats=2, a table for two."),
    ("lobby", "just the three of us", "Type new seats=3, a table for three."),
    ("table", "go slower", "Type set pace 4"),
    ("table", "can they play slower", "Type set pace 4"),
    ("lobby", "I'm colour blind", "set cards letters"),
    ("table", "make it 4 players", "play 4: a game with four seats"),
    ("table", "faster", "Type set pace 0"),
    ("table", "are you real people or bots", "Beside you: 1 person, bo."),
    ("lobby", "am i playing against bots", "AI players have their level beside the name"),
    ("lobby", "are you a bot", "This is Quatch"),
    ("table", "thanks", "You are welcome. Hint proposes a move"),
    ("lobby", "thank you so much", "You are welcome. Play begins a game"),
    ("table", "smaller font", "Your terminal sets the size of the text."),
    ("table", "stop reading everything", "set tips off"),
    ("lobby", "next", "Play begins a game"),
    ("table", "enter", "to press"),
    ("lobby", "can I play offline", "quatch play"),
    ("table", "can I swap cards", "No: cards are swapped only before the first one is played."),
    ("table", "how do I put cards down", "type the rank of a card"),
    ("table", "why did bo pick up", "take the whole pile"),
    ("table", "what does ready do", "ready ends your arranging"),
    ("table", "can we play without the clock", "new clock=300"),
    ("table", "stop", "quit hangs up; at a table it keeps your seat"),
    ("table", "close", "quit hangs up; at a table it keeps your seat"),
    ("table", "wait a minute", "Nothing gets lost"),
    ("table", "hold on, let me think", "Nothing gets lost"),
    ("table", "wait, I didn't mean to play that", "There is no undo"),
    ("lobby", "how do I send a private message", "as in tell Anna hello"),
    ("lobby", "I don't want to learn, just play", "Type play"),
    ("lobby", "dark mode", "Your terminal sets the background"),
    ("lobby", "my friend's name is Bo where is he", "Bo is not here: new"),
    ("table", "my friend's name is Bo where is he", "Bo is disconnected"),
    ("lobby", "where is Bo", "Bo is not here: new"),
    ("table", "what does enter do?", "it never makes a move"),
    ("lobby", "open a private table for my brother", "new word=apple opens a table"),
    ("table", "where's Bo", "Bo is disconnected"),
    ("table", "where is bo now?", "Bo is disconnected; their seat is kept."),
    ("table", "I don't understand the cards", "You can play a 7 or a king."),
    ("lobby", "texas holdem", "Only these are played here"),
    ("lobby", "anyone human here?", "Nobody else is here now."),
    ("table", "anyone human here?", "Beside you: 1 person, bo."),
    ("lobby", "what do I type", "Play begins a game"),
    ("lobby", "I only have 5 minutes", "play 2 begins a short game"),
    ("table", "play with friends", "All seats here are taken: they can watch"),
    ("table", "can I play 2 cards", "7 7 plays two sevens."),
    ("table", "can I play 2 sevens?", "7 7 plays two sevens."),
    ("table", "draw a card", "that is done for you. After playing from your hand draw up to 3"),
    ("table", "hit me", "You can play a 7 or a king."),
    ("table", "do I have to use my two", "If you can play, you must. You can play a 7 or a king."),
    ("table", "I'd rather take the cards", "If you can play, you must."),
    ("table", "I have nothing that fits", "You can play a 7 or a king."),
    ("table", "am I doing well", "Fewest cards: you with 2."),
    ("table", "can I take that back", "There is no undo"),
    ("lobby", "is this for children", "no money is played for"),
    ("lobby", "something easy please", "set level changes how well"),
    ("lobby", "is 970 bad", "a newcomer has 1000"),
    ("lobby", "what happens if I go away", "Nothing gets lost"),
    ("table", "what beats a 9?", "2 9 10 J Q K A go on a 9."),
    ("lobby", "what beats a ten?", "burns the pile"),
    ("lobby", "what beats a two", "Anything goes on a 2."),
    ("table", "is this a real person", "Beside you: 1 person, bo."),
    ("lobby", "are you there?", "Nobody else is here now."),
    ("lobby", "am I registered?", "No: you are a guest, ana."),
    ("table", "mulligan", "This deal stays"),
    ("lobby", "what is a rating?", "A rating says how strong a player is."),
    ("table", "what does rated mean", "A rating says how strong a player is."),
    ("lobby", "unrated", "A rating says how strong a player is."),
    ("lobby", "what is the bin", "Burned cards lie in the bin"),
    ("table", "where did the pile go?", "Burned cards lie in the bin"),
    ("table", "why do I have 3 cards", "After playing from your hand draw up to 3"),
    ("table", "check", "none can be skipped"),
    ("lobby", "mau mau", "Only these are played here"),
    ("table", "what happens if my last card is a 2", "A 2 goes on anything and resets the pile: anything"),
    ("table", "what happens if my last card is a 2", "cannot be your last card"),
    ("table", "can I finish with a 9 as my last card", "Yes: a 9 may be your last card"),
    ("table", "play the four of a kind", "7 7 plays two sevens."),
    ("lobby", "did I play well?", "When a game is over"),
    ("lobby", "show me my best move", "When a game is over"),
    ("table", "what happens when the time runs out", "an AI player plays for them until they type back"),
    ("table", "how much time has she got", "with other people a turn has some seconds"),
    ("lobby", "I'm here again", "Hello, ana."),
    ("table", "why can't I play my lowest card", "You can play a 7 or a king."),
    ("lobby", "which cards are special", "A 10 goes on anything and burns the pile"),
    ("table", "which cards are special", "A 10 goes on anything and burns the pile"),
    ("table", "any wild cards?", "A 10 goes on anything and burns the pile"),
    ("lobby", "how many cards are in the deck", "The deck has 46 cards: only one 2 and one 10."),
    ("lobby", "how many cards are in the deck in life", "The deck has 52 cards."),
    ("table", "how many cards are in the deck", "The deck has 46 cards: only one 2 and one 10. In the stock: 0 now."),
    ("table", "how many cards are left in the deck", "In the stock: 0 now."),
    ("lobby", "how many decks are used", "The deck has 46 cards"),
    ("table", "how many cards are in the game", "The deck has 46 cards"),
    ("lobby", "how many cards does cathedral have", "The deck has 52 cards"),
    ("table", "why is the stock 27", "The stock is what is left of 46 cards"),
    ("table", "why is the stock empty", "0 now: all are drawn"),
    ("lobby", "play a private game with my friend bob", "new word=apple"),
    ("table", "why is the stock so small", "The stock is what is left of 46 cards"),
    ("table", "why is the pile 1", "The pile is the cards that were played."),
    ("table", "why is the bin 0", "Burned cards lie in the bin"),
    ("lobby", "wat is dis", "Get rid of all your cards first."),
    ("table", "wats burn", "burns the pile"),
    ("lobby", "whats the diff between life and quatch", "life: A 7 goes on anything"),
    ("table", "can i see the other guys cards", "Nobody sees the hands of others"),
    ("table", "can i play more than 1", "7 7 plays two sevens."),
    ("table", "put it on the pile", "On your turn type the rank of a card"),
    ("table", "why is it taking so long", "Type set pace 0"),
    ("table", "why is there no computer player?", "when the cards are dealt. Beside you: 1 person, bo."),
]
"""Questions, and a part of their answers."""


@for_each(("place", "typed", "said"), ANSWERED)
def test_a_question_is_answered(place: str, typed: str, said: str) -> None:
    """In plain words."""
    assert said in " ".join(answer(placed(place), typed))


@pytest.mark.parametrize(
    ("places", "said"), [((0,), "You have won: you are out first"), ((1, 0), "You are out second")]
)
def test_a_player_who_is_out_is_told_whether_they_have_won(places: tuple[int, ...], said: str) -> None:
    """While the others play on."""
    context = asking("table")
    assert context.snapshot is not None
    assert context.snapshot.view is not None
    out = replace(context.snapshot, view=replace(context.snapshot.view, places=places))
    (told,) = answer(Asking(TABLE, Scene("ana", snapshot=out)), "did I win?")
    assert told == f"{said}, and the others play on."


def test_what_the_table_shows_is_in_the_answer() -> None:
    """The time that is left, of whom; the levels of AI players; that luck chooses among face-down cards."""
    view = view_of(at("quatch", "down 4c 5c", OTHER, pile="4d"), 0)
    snapshot = Snapshot(1, view.rules, 0, (Sitter("ana"), Sitter("Fox", "easy")), view, 1)
    context = Asking(TABLE, Scene("ana", snapshot=snapshot, clock_left=12))
    for typed, said in (
        ("how much time have I got", "Your turn. 12 seconds."),
        ("how good are they", "Fox is easy, of the levels easy, "),
        ("which one is best", "Nobody knows"),
    ):
        assert said in " ".join(answer(context, typed))


@pytest.mark.waiting_takes_no_time
async def test_a_sentence_that_wants_to_join_a_player_accepts_their_invitation() -> None:
    """By their name."""
    async with lobby_at(Clock()) as lobby, person(lobby, "ana") as ana, person(lobby, "bo") as bo:
        await ana.type("new")
        bo.session.player_session.hear("ana", "come to table 1", "sit 1")
        await bo.type("yes i want to join Ana")
        assert bo.session.player_session.table_number == 1


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
        ("table", "wait for bo"),
        ("table", "how long is the pile"),
        ("lobby", "this is taking forever"),
        ("lobby", "how long have I been here"),
        ("table", "save the ten for later"),
        ("table", "clear the pile"),
        ("lobby", "can two people share a key"),
        ("table", "do hearts matter"),
        ("table", "refresh my memory"),
        ("table", "the king is too strong"),
        ("lobby", "I want to win money"),
    ],
)
def test_one_word_of_a_line_is_not_answered_for_the_rest(place: str, typed: str) -> None:
    """A wrong answer is worse than none."""
    assert meaning(spoken(typed), placed(place)) == ""


NEEDED: Final = {
    "lesson": "lesson",
    "replay": "replay",
    "daily": "daily",
    "puzzle": "puzzles",
    "me": "own_page",
    "nights": "seasons",
}
"""The features that some places and commands are of."""
MEANT_OTHERWISE: Final = {
    ("lobby", "new"): "i just played a game with my wife and lost, i don't want to play with my friends again, "
    "no game with friends today, is it possible to play with my friends later, "
    "when can i play a game with my friends online, play a private game with my friend bob, "
    "i don't want to play with my friends, i won the game with my brother",
    ("replay", "fair"): "how do i report a cheater, to be honest i like it, honest question who won, "
    "is cheating possible, he cheats",
    ("replay", "leave goes back"): "how do i go out, can i go out with a 2, how does going out work, "
    "how did ana go out, can you find out who won, how many cards are out",
    ("lesson", "leave goes back"): "how do i go out, can i go out with a 2, how does going out work",
}
"""What has words of a command or an answer and does not mean it, by the place and what is not meant."""


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
        assert "set level medium" in ana.session.display.answer
        await ana.type("play", "what do I do now?")
        assert "Type ready to keep your cards as they are." in ana.session.display.answer
        await ana.type("what just happened?")
        assert "Unknown" not in ana.session.display.answer
        await ana.type("can i change cards")
        assert "then type ready" in ana.session.display.answer
        await ana.type("who starts")
        assert "starts" in ana.session.display.answer
        await ana.type("stop")
        assert ana.session.player_session.at_table
        await ana.type("undo that please")
        assert "No swap of yours is to be taken back" in ana.session.display.answer
        view = ana.session.player_session.view
        assert view is not None
        given, taken = (rank_label(min(cards_in(cards)) >> 2) for cards in (view.hands[0], view.ups[0]))
        await ana.type(f"s {given} {taken}", "undo that please")
        assert f"Type s {given} {taken} again: the " in ana.session.display.answer
        await ana.type(f"s {given} {taken}", "unswap")
        assert "your cards lie as they were dealt" in ana.session.display.answer
        await ana.type("I need the toilet")
        assert "Your seat is kept" in ana.session.display.answer
        await ana.type("teach me the game")
        assert "In the lobby lesson teaches" in ana.session.display.answer


@pytest.mark.virtual_time
async def test_why_a_player_cannot_play_is_no_reason_of_an_earlier_turn() -> None:
    """Without a refusal in this turn they are told what they can play."""
    async with open_lobby(features=FEATURES) as lobby:
        ana = TerminalPlayer(lobby, "ana")
        await ana.type("play quatch 2", "ready")
        table = lobby.tables.here[1]
        table.journal.state = replace(table.journal.state, game=at("quatch", "hand 7c Kh", OTHER, pile="9d"))
        table.show()
        ana.session.player_session.feed.reason = "You chose to pick up the pile."
        await ana.type("why can't i play")
        assert "You can play" in ana.session.display.answer
        await ana.type("7", "why can't i play")
        assert "lower than" in ana.session.display.answer


UNDERSTOOD: Final = {
    ("table", "ask"): "esc, how long is my turn, is fox a bot, are they bots, "
    "what goes where, play them both, my name is wrong, what do 2s do?, is it hard, "
    "is a 2 good, do twos go on everything, how do I pick up, is there a time limit, what if my internet dies, "
    "are you a computer, can I trade cards, do I have to play, what's the highest card, "
    "another game, restart, what does ## mean, I made a mistake, take back my move, sort my cards, "
    "show me his cards, pause the game, save my game, refresh, burn it, I need to go home now please, "
    "what's a rule set, go away, change the rules, new game with 4 players, do suits matter, can fox see my cards, "
    "what does the 10 do, what does a ten do?, what is the stock, who is winning, undo that, brb, "
    "no bots please, seats 2, start with bo only, without any bots, "
    "how long does a game take?, why should I swap cards?, too fast!, slow down please, the ai is cheating, "
    "why did I lose?, I need to go to the toilet, I don't understand, can my friend join this game, "
    "hi, hello!, gg, glhf, good game, well played, hi everybody, good luck all, "
    "how do I win, can I play with my friend, how can I play with friends, "
    "skip, skip my turn, can i play two different cards, how does she join, a game of four, "
    "can the others see what I type, let the computer play for me, I don't want these cards, my friend wants to play, "
    "is it ok to play two eights, when do I get new cards, "
    "throw away the sevens, what is this, can ben join, how does the game end, what do these mean, how long do I have",
    ("lobby", "ask"): "what's new, who is the admin, is it hard, my name is wrong, "
    "how many games are there, how do I come back later, is there an app, is fox a real person, "
    "how many players can play, "
    "is this rated, what do the special cards do, what version is this, does it work on windows, nobody is here, "
    "speed up, who are you, can I play on my phone, do I need an account, how do I exit, this sucks, "
    "do you have chess, I am colour blind, what is this game?, what is cathedral, how are games rated, "
    "what's a rule set, private game, which game is the shortest, "
    "can I play against a real person?, make it easier please, "
    "how long does a game take?, what's the difference between the games, what does a 2 do?, what is quatch original, "
    "can anyone see my cards, can I play in German, what cards are good, how does she join, how does the rating work, "
    "can I stack 10s, compare life and college, which is shortest, I'm in, "
    "how many people can play, what level am I, am I logged in, how do I get a key, what happens when I quit, "
    "telnet, help telnet, screen reader, i am blind, how do i get plain text, is this saved",
    ("table", "hand"): "what are my face up cards",
    ("lobby", "meet"): "play with a stranger, i want to play someone real, I want to play against strangers",
    ("table", "back"): "I'm here again",
    ("lobby", "set"): "plain, lines, set plain on, plain text",
    ("table", "why"): "can I play a 4, can I put a 10 on this, can I put a 10 on the pile",
    ("lobby", "name"): "change my username please, change my nick to Marvin, change nick",
    ("table", "where"): "can he finish now, how many cards do the others have, who is losing, show opponents, "
    "what are the other players doing, is the deck empty, what's left in the deck, what is bo holding",
    ("table", "pile"): "what's under the pile, can I see the discard pile",
    ("table", "hint"): "what can I do, move my highest card up, lay my best cards, what are good cards, "
    "which card should I play, can I have a hint?, "
    "which card is best, what would you do?, what do I do now?, what's my best option",
    (
        "table",
        "turn",
    ): "what is he doing, what is fox doing, i can't beat that, why can't I play this, why cant i play this card, "
    "what's the highest I can play, I don't have anything, is it me, am i next, then what can I play, done, "
    "wait whose turn is it, hold on who plays, what do I type, "
    "must I take the pile, can we start?, can I go now, I'm next",
    ("table", "log"): "what did I miss, how did our games end, "
    "who played the ten, did Fox take the pile, what was bo's last card, show me how Bo won",
    ("table", "odds"): "how many 2s are gone, are there any kings left",
    ("table", "repeat"): "can I see what happened, read that again",
    ("lobby", "play"): "start with two bots, play life with 4 players, start, I'm ready, start an easy game, "
    "start life, let's try cathedral, I choose life, I want to play the college game, I'd like to play life",
    ("lobby", "rules"): "what are good cards, what are the best cards, "
    "what are the rules again, let me see the rules first, what are the special rules",
    ("lesson", "skip"): "next, n, ok next, continue, got it",
    (
        "lesson",
        "hint",
    ): "i don't know, i'm lost, i'm stuck, what do I do, idk, huh, what card, which one, this makes no sense, "
    "ok, okay, alright",
    ("lesson", "turn"): "i cant, I can't, I can't do it, it doesnt work, nothing happens",
    ("lesson", "leave"): "exit lesson, quit the tutorial",
    ("lesson", "ask"): "what does the 10 do, i want to play now, let me play, enough, i know this already",
    ("watching", "help"): "what can I do",
    ("replay", "fair"): "fair, is this fair, was the deal fair, is it rigged",
    ("replay", "play"): "play it, play on",
    ("replay", "back"): "previous, previous move, go back 5, back 5 moves",
    ("replay", "move"): "go to move 20, back to the beginning, play it from the start, from the beginning, replay it, "
    "again, start over",
    ("replay", "replay"): "last game, replay my last game, show that again",
    ("puzzle", "leave"): "back, go back",
    ("replay", "leave"): "back to the game, back to my game, back to the table",
    ("replay", "end"): "how did he win, how did the game end",
    ("watching", "sit"): "let me in",
    ("watching", "ask"): "can I join, can I sit down",
    ("lobby", "nights"): "who won yesterday, who played last night",
    ("table", "quit"): "ok thanks and bye",
    ("table", "invite"): "invite bo bye",
    ("lobby", "tables"): "what did I miss, watch a game, I want to watch someone, can i just watch them",
    (
        "lobby",
        "replay",
    ): "show me the last game anna played, how did our games end, "
    "where are my games, are my games saved, where are my old games, show my games, watch the last game again, "
    "show the game with life again, show me the game with life again, show that again, see the game, look again, "
    "view that game again, i want to see my game again, look at the game with bo, show me my last game, "
    "watch my last game, record my last game, last game",
    ("lobby", "daily"): "yesterday's results, share my result, who won the daily yesterday",
    ("table", "me"): "my scores, my results",
    ("lobby", "me"): "my scores, where can I see the results, what's the score, where do I see my statistics, "
    "how many games have I won",
    ("table", "who"): "where is everyone, where are they all",
    ("lobby", "who"): "where is everybody, is my friend Anna online, who's playing right now, how many people are here",
    ("lobby", "sit"): "go to table 2, connect bo",
    ("lobby", "leave"): "back to the start, back to the menu",
    ("lobby", "new"): "i want to play with my sister she is at home, play with friends, play with a friend",
}
"""What players mean by what they type, by the place where they are and the command that they mean."""


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


LIKINGS: Final = "life game, the college one, I'd like life please, I like life, we prefer to play college, I want life"
"""That somebody likes a rule set, which begins no game."""


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
        await ana.type("new seats=2")
        await bo.type("sit 1")
        talk = (
            "stay here, snap, not sure, it does not work, double trouble, is bo thinking, can you, this makes no sense"
        )
        for typed in talk.split(", "):
            await ana.type(typed)
            assert "Enter says it to the others" in ana.session.display.answer, typed


WAITING: Final = (
    "another friend is coming, one more person comes, one more seat please, we wait for one more, don't start yet, "
    "not yet, wait for bo, ready when bo comes, start game when bo comes, start when bo is here, do not deal, "
    "please don't add bots, one more, another game, go get bo, start in a minute, starting in 2 minutes"
)
"""What players say at a table who wait for somebody."""


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
        assert meaning(said, context) == meaning(said, context, SENTENCES[::-1]), typed
