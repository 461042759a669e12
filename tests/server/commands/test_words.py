"""Natural words: what people type in the first minute is understood, or answered in one line that helps.

The words are those of other places: of chess servers (FICS, lichess), of MUDs, of chats (IRC, ssh-chat), of shells, and
what a person says who has never seen any of them.
"""

import pytest

from engine.errors import InputError
from server.commands.typed_line import parse
from tests.support.asking import meant, placed
from tests.support.each import for_each
from tests.support.emulator import people
from tests.support.features import FEATURES
from tests.support.positions import OTHER, at
from tests.support.sentences import WORDS_ANSWERED, WORDS_UNDERSTOOD
from tests.support.tables import put


@pytest.mark.features("plain_questions")
@for_each(
    ("place", "typed", "command"),
    [(place, typed, command) for (place, command), words in WORDS_UNDERSTOOD.items() for typed in words.split(", ")],
)
def test_natural_words_are_understood(place: str, typed: str, command: str) -> None:
    """As the command that people mean by them."""
    assert meant(typed, placed(place)) == command


@pytest.mark.features("daily", "plain_questions", "replay")
@for_each(("place", "typed", "answer"), WORDS_ANSWERED)
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


@pytest.mark.waiting_takes_no_time
async def test_letters_drawn_out_make_no_other_word() -> None:
    """But a name has all of its letters."""
    async with people("") as (newcomer,):
        player = newcomer.session.player_session
        await newcomer.type("Annaaa")
        assert player.player.name == "Annaaa"
    async with people("") as (newcomer,):
        await newcomer.type("playyy")
        assert newcomer.session.player_session.at_table


@pytest.mark.features("plain_questions")
@pytest.mark.waiting_takes_no_time
async def test_who_exclaims_something_first_is_understood_by_what_they_say_then() -> None:
    """Behind a comma, if nobody hears it, and if it means something; what others hear is for them to read."""
    async with people("ana", features=FEATURES) as (ana,):
        player = ana.session.player_session
        for typed in ("sorry, name Joe", "name Joe, play"):
            await ana.type(typed)
            assert not player.at_table, typed
        await ana.type("ok let's go, deal me in")
        assert player.in_game
        put(ana.lobby.tables.here[1], at("quatch", "hand 7c Kh 2d", OTHER, pile="4d"))
        await ana.type("cool, 7")
        assert "You play a 7." in player.feed.log
    async with people("ana", "bo", features=FEATURES) as (ana, _):
        await ana.type("ok let's go, deal me in")
        assert not ana.session.player_session.at_table
