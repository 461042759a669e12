"""Natural words: what people type in the first minute is understood, or answered in one line that helps.

The words are those of other places: of chess servers (FICS, lichess), of MUDs, of chats (IRC, ssh-chat), of shells, and
what a person says who has never seen any of them.
"""

import pytest

from engine.errors import InputError
from server.commands.typed_line import parse
from tests.support.asking import meant, placed
from tests.support.each import for_each

UNDERSTOOD = {
    ("lobby", "play"): "play, begin, go, game, new game, play a game, let's play, lets play!, deal, again, rematch, "
    "start a new game please, play again, another game, solo, singleplayer, quick game, play now, pla, start game, "
    "i want to play, "
    "I'd like to play against the computer, play hard, play life vs medium",
    ("lobby", "new"): "new, create, host, friends, multiplayer, new table, new game 3 players",
    ("lobby", "tables"): "tables, list, games, ls, rooms, matches, list games, show tables",
    (
        "lobby",
        "who",
    ): "who, players, online, users, names, who is here?, who is on, /who, who is online, is anyone there?",
    ("lobby", "set"): "set, settings, options, config, preferences, theme, colors, prefs, difficulty, hard mode, "
    "turn off colors, language",
    ("lobby", "name"): "name bo, nick bo, rename bo, register, username bo, change my name, "
    "change my name to Eva, call me bo, my name is bo, "
    "please call me bo, I want to call myself Anna",
    ("lobby", "meet"): "meet, join a game, find players, play online",
    ("lobby", "help"): "help, ?, h, commands, man, manual, info, about, --help, -h, /help, /?, "
    "what can I do here?, what do I do, what now, i need help, wtf, huh?",
    ("lobby", "quit"): "quit, exit, q, bye, logout, log out, disconnect, :q, :q!, goodbye, quit game, "
    ":wq, :x, exit(), quit(), ZZ, ^D, ctrl-c",
    ("lobby", "rules"): "rules, instructions, variants, modes, rule sets, what are the rules?, explain the rules, "
    "game rules, rules life, can I see the rules please, show me the rules, explain the game",
    ("lobby", "say"): "say hello?, say hello, chat hello, shout hello, talk hello, /hello there, 'hello, /me waves, "
    "/who are you, /again?, /say hello, /tell me about it, '/who, /r u ok",
    ("lobby", "tell"): "tell bo hi, whisper bo hi, msg bo hi, dm bo hi, pm bo hi, /msg bo hi, /w bo hi, tell bo hi?",
    ("lobby", "sit"): "sit 3, join 3, join table 3",
    ("lobby", "watch"): "watch 3, observe 3, spectate 3",
    ("lobby", "where"): "where, look, status",
    ("lobby", "leave"): "back, lobby, leave",
    ("table", "leave"): "leave, lobby, menu, home, resign, surrender, I give up, go back, "
    "leave the table, forfeit, I want to leave, exit, exit game, "
    "back to the lobby, go back to the lobby",
    ("table", "hint"): "hint, h, suggest, advice, tip, what should I do?, what should I play, best move, no idea",
    ("table", "where"): "where, w, look, status, show table, cards",
    ("table", "hand"): "hand, my cards, show my cards, my hand, show my cards again",
    ("table", "remove"): "remove bo, kick bo",
    (
        "table",
        "turn",
    ): "turn, whose turn is it?, whose turn, is it my turn?, my turn, how do I play a card, I can't play anything",
    ("table", "rules"): "rules, what are the rules, instructions, r",
    ("table", "say"): "say I need the toilet, shout other people are cheating, wow, /thanks, lol, nice one, "
    "nice one all, oops, /hi",
    ("table", "start"): "begin, again, rematch, play again",
    ("table", "back"): "back, I'm back",
    ("table", "why"): "why, why q, why queen, why can't I use my queen",
    ("table", "odds"): "odds, chances",
    ("table", "results"): "results, score, who won?",
    ("table", "quit"): "quit, bye, logout",
    ("table", "invite"): "invite, share, invite a friend",
    ("watching", "leave"): "leave, stop, go back, lobby",
}
"""What players mean by what they type, by the place where they are and the command that they mean."""
ANSWERED = [
    ("lobby", "lol", "nobody hears you here: play begins a game"),
    ("lobby", "lol everybody", "nobody hears you here"),
    ("replay", "hi", "nobody hears you here: leave goes back"),
    ("lobby", "yes", "nothing was asked just now: play begins a game"),
    ("lobby", "no", "nothing was asked just now: play begins a game"),
    ("lobby", "y", "nothing was asked just now: play begins a game"),
    ("lobby", "kick bo", "remove works at a table"),
    ("lobby", "/join #chess", "here that is sit N, without a slash"),
    ("watching", "/Nick Eva", "here that is name Eva, without a slash"),
    *((place, f"{word}?", "type quit: ") for place in ("lobby", "table") for word in ("quit", "bye")),
    ("lobby", "exit?", "type quit: "),
    ("table", "exit?", "type leave: "),
    ("table", "can we leave please", "type leave: "),
    ("table", "leave?", "type leave: "),
    ("table", "again?", "the game is going on"),
    ("lobby", "meet?", "meet: "),
    ("lobby", "again?", "play: "),
    ("lobby", "play now?", "play: "),
    ("lobby", "can we play please", "play: "),
    ("lobby", "can I see the daily", "daily: play today's deal, the same for all. Enter does it"),
    ("table", "yes", "nothing was asked just now"),
    ("lobby", "give everybody the rules", "did you mean rules?"),
    ("lobby", "plya", "Did you mean play?"),
    ("lobby", "qiut", "Did you mean quit?"),
    ("lobby", "tabels", "Did you mean tables?"),
    ("lobby", "plya", "Enter does it"),
    ("table", "I have nothing to say about that", "say TEXT, or /TEXT: talk"),
    ("table", "just go already", "that is not understood"),
    ("table", "am too tired", "that is not understood"),
    ("lobby", "finger", "play begins a game"),
    ("lobby", "xyzzy", "help lists all"),
    ("lobby", "north", "play begins a game"),
    ("lobby", "asdf", "play begins a game"),
    ("lobby", "life", "Did you mean play life?"),
    ("lobby", "cathedral please", "cathedral is a rule set. Did you mean play cathedral?"),
    ("lobby", "college, please", "Did you mean play college? Enter does it"),
    ("lobby", "cathedrl pls", "Did you mean play cathedral?"),
    ("lobby", "original", "Did you mean play quatch-original?"),
    ("lobby", "hint", "hint works at a table: type play or new"),
    ("lobby", "7 7", "no game is running here: type play to begin one"),
    ("lobby", "can I block bo?", "ignore bo: stop hearing a player, or hear them again. Enter does it"),
    ("table", "can I block bo", "ignore bo: stop hearing"),
    ("lobby", "can I play with my brother", "new: open a table for friends"),
    ("lobby", "block bo?", "ignore bo: stop hearing"),
    ("lobby", "can I set colour none", "set colour none: show or change your settings. Enter does it"),
    ("table", "do I leave now", "type leave: go back to the lobby and give up your seat"),
    ("table", "could we remove bo", "remove bo: remove a player"),
    ("table", "king?", "that is a question: type king alone if you mean it"),
    ("table", "take the pile?", "that is a question: type take the pile alone"),
    ("table", "xyzzy", "hint proposes a move, rules tells how it is played, help lists all"),
]
"""What has no meaning there, and what must be in its answer."""


@pytest.mark.features("plain_questions")
@for_each(
    ("place", "typed", "command"),
    [(place, typed, command) for (place, command), words in UNDERSTOOD.items() for typed in words.split(", ")],
)
def test_natural_words_are_understood(place: str, typed: str, command: str) -> None:
    """As the command that people mean by them."""
    assert meant(typed, placed(place)) == command


@pytest.mark.features("daily", "plain_questions", "replay")
@for_each(("place", "typed", "answer"), ANSWERED)
def test_what_means_nothing_is_answered_with_what_helps(place: str, typed: str, answer: str) -> None:
    """In one line, without advice that would harm."""
    with pytest.raises(InputError) as caught:
        parse(typed, placed(place))
    assert answer in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.features("lesson", "puzzles")
@for_each("typed", ["type 7", "Type seven", "enter 7", "press 7"])
@for_each("place", ["table", "puzzle", "lesson"])
def test_a_player_may_say_that_they_type_what_they_type(place: str, typed: str) -> None:
    """As they read it in the lesson; also before a command."""
    assert parse(typed, placed(place)) == parse("7", placed(place))
    assert meant("type hint", placed("table")) == "hint"


@for_each("typed", ["tuto", "sett", "opti", "curr", "leaderb"])
def test_natural_words_count_only_in_full(typed: str) -> None:
    """So that no beginning of a command's name becomes unclear."""
    with pytest.raises(InputError):
        parse(typed, placed("lobby"))
