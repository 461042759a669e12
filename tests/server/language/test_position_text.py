"""What lines say of a position: whose turn it is, what can be played now and why, and what a player asks for."""

import re
from typing import Final

import pytest
from msgspec.structs import replace

from engine.cards import ALL_CARDS, RANK_NAMES
from engine.errors import InputError, Refused
from engine.game import play
from engine.moves import parse_move
from engine.rules import Json
from engine.state import State
from engine.wording.pile_text import play_sentence
from server.language.position_text import news_text, seats_text, table_text, turn_prompt, turn_text
from server.language.table_list import listing_text
from server.table.snapshot import Listing, PublicDeal
from tests.support.asking import Asking, answer
from tests.support.each import for_each
from tests.support.positions import OTHER, after, at
from tests.support.random_games import TABLES, Table, random_game
from tests.support.told import AWAY, SITTERS, asked, shown_to

FOUR_AND_KING: Final = at("quatch", "hand 4c Kd", OTHER, pile="8h")


def test_one_s_turn_is_told_with_the_clock_the_pile_and_the_cards_that_are_next() -> None:
    """The urgent word first; with an empty hand, what one plays from then."""
    state = at("quatch", "hand 9d 9h Kc / up Ac", OTHER, pile="8c 8d")
    assert list(turn_prompt(shown_to(state), 20)) == [
        "Your turn. 20 seconds. Pile of 2, top 8, two 8s in a row. Play an 8 or higher, or a 2.",
        "Your hand, 3: two 9s and a king.",
        "You can play a 9 or a king.",
    ]
    state = at("life", "up Kc Kd Ac / down 3c", OTHER, pile="8c 8d")
    assert list(turn_prompt(shown_to(state)))[1:] == [
        "Your hand is empty.",
        "Your face-up cards: two kings and an ace.",
        "You can play a king or an ace, or type p to pick up the pile.",
    ]
    assert turn_text(shown_to(state, 1)) == "ana's turn. Pile of 2, top 8. Play an 8 or higher, or a 2, 5 or 7."
    arranging = at("life", "hand 3c 4c 5c 9c Kc Kd", OTHER, phase="arrange")
    assert next(iter(turn_prompt(shown_to(arranging), 1))) == "Arrange your cards. 1 second."
    assert list(turn_prompt(shown_to(arranging)))[-1].startswith(
        "Choose 3 cards to lay face up: type them, like 5 k k;"
    )


@for_each(
    ("rules", "pile", "says"),
    [
        ("quatch", "", "Play any card."),
        ("quatch", "2c", "Play any card."),
        ("quatch", "Ac", "Play an ace, or a 2 or 10."),
        ("cathedral", "Ac", "Nothing is above an ace; only a 2 or 10 can go."),
        ("life", "7c", "Play a card lower than a 7, or a 7 or 10."),
    ],
)
def test_what_goes_on_the_pile_names_the_cards_that_go_on_anything(rules: str, pile: str, says: str) -> None:
    """Not only what is high enough."""
    assert play_sentence(at(rules, "hand 4c 5c", OTHER, pile=pile)) == says


@for_each(
    ("rules", "hand", "pile", "says"),
    [
        ("quatch", "2c", "", "Play any card, but no 2 or 10."),
        ("quatch", "2c", "Ac", "Play an ace."),
        ("quatch", "2c Td", "", "Play any card."),
        ("cathedral", "2c", "Ac", "Nothing is above an ace; only a 2 or 10 can go."),
    ],
)
def test_no_rank_is_named_that_may_not_be_the_last_card_where_one_is_left(
    rules: str, hand: str, pile: str, says: str
) -> None:
    """Whichever it is: all players read the same."""
    assert play_sentence(at(rules, f"hand {hand}", OTHER, pile=pile)) == says


def ranks_said(sentence: str) -> set[str]:
    """The ranks that a sentence about the pile allows, as a listener would take it."""
    sentence, _, but = sentence.partition(", but no ")
    if sentence.startswith("Play any card"):
        return set(RANK_NAMES) - set(re.findall(r"\w+", but))
    main, _, also = re.sub(r"; (only|nothing)", ", or", sentence).partition(", or ")
    rank = next((word for word in re.findall(r"\w+", main) if word in RANK_NAMES), "")
    at_rank = RANK_NAMES.index(rank)
    said = {
        "Nothing is above a": set[str](),
        "Play a card lower": set(RANK_NAMES[:at_rank]),
        "Play a card above": set(RANK_NAMES[at_rank + 1 :]),
    }.get(
        " ".join(main.split()[:4]).replace("above an", "above a"),
        set(RANK_NAMES[at_rank:]) if "or higher" in main else {rank},
    )
    return (said | {word for word in re.findall(r"\w+", also) if word in RANK_NAMES}) - set(re.findall(r"\w+", but))


@for_each("table", TABLES)
def test_in_whole_games_exactly_what_may_follow_is_named(table: Table) -> None:
    """Whatever rules are mixed: of the ranks of their deck no more and no less."""
    for state in random_game(table, "lay").states:
        if state.phase == "play" and state.must_lead is None:
            deck = {RANK_NAMES[rank] for rank, copies in enumerate(state.rules.deck_copies) if copies}
            goes, is_last = state.powers.follow[state.top], state.cards_of(state.to_move or 0) == 1
            goes &= ~state.powers.never_last if is_last and not state.stock_left else ALL_CARDS
            follows = {RANK_NAMES[rank] for rank in range(13) if goes >> 4 * rank & 1}
            assert ranks_said(play_sentence(state)) & deck == follows & deck, play_sentence(state)


SWAP: Final = " You can swap cards, like s k 4: the king of your hand for the face-up 4; then type ready."


@for_each(
    ("state", "move", "says"),
    [
        (FOUR_AND_KING, "play 9", "No 9 in your hand. You can play a king."),
        (FOUR_AND_KING, "play K K", "Only one king in your hand. You can play a king."),
        (
            at("quatch", "hand Kd / up Kc", OTHER, pile="8h"),
            "play K K",
            "Only one king in your hand: another lies face up, and your hand comes first. You can play a king.",
        ),
        (FOUR_AND_KING, "play Kc", "No king of clubs in your hand. You can play a king."),
        (FOUR_AND_KING, "play 4", "A 4 is lower than an 8. You can play a king."),
        (
            at("life", "hand 9c 4c", OTHER, pile="7h"),
            "play 9",
            "A 9 is too high: the 7 asks for a lower card. You can play a 4, or type p to pick up the pile.",
        ),
        (
            at("quatch", "hand Kd / up Ac", OTHER, pile="8h"),
            "play A",
            "Your ace lies face up: play your hand first. You can play a king.",
        ),
        (
            at("quatch", "up Ac / down 3c", OTHER, pile="8h"),
            "play K",
            "No king among your face-up cards. You can play an ace.",
        ),
        (
            at("quatch", "down 3c - 4c", OTHER, pile="8h"),
            "play K",
            "You have only face-down cards. You can type 1 or 3 to turn over a face-down card.",
        ),
        (at("quatch", "hand 5c Kd / up 4c Ac", OTHER, phase="arrange"), "swap Q 4", f"No queen in your hand.{SWAP}"),
        (
            at("quatch", "hand 5c Kd / up 4c Ac", OTHER, phase="arrange"),
            "swap K 9",
            f"No 9 among your face-up cards.{SWAP}",
        ),
        (
            at("life", "hand 3c 4c 5c 9c Kc Kd", OTHER, phase="arrange"),
            "lay K K",
            "That is 2 cards. Type three of these to lay: a 3, a 4, a 5, a 9 and two kings.",
        ),
        (
            at("life", "hand 3c 4c 5c 9c Kc Kd", OTHER, phase="arrange"),
            "lay 2 3 4",
            "No 2 among your cards. Type three of these to lay: a 3, a 4, a 5, a 9 and two kings.",
        ),
        (
            at("cathedral", "hand 3c 4c 5c / reserve 9c Kc Kd", OTHER, phase="arrange"),
            "lay 2 3 4",
            "No 2 among your cards. Your cards are laid: type ready, or three cards to lay those instead.",
        ),
    ],
)
def test_a_refusal_says_what_stops_it_first_and_no_clause(state: State, move: str, says: str) -> None:
    """Words, not letters; what would be legal is taken from one's own cards."""
    with pytest.raises(Refused) as caught:
        play(state, 0, parse_move(move))
    assert caught.value.message == says


def test_why_says_why_a_card_can_or_cannot_go_and_no_clause() -> None:
    """Programs have the clause beside the message."""
    state = FOUR_AND_KING
    assert asked(state, "why", "4") == ["A 4 is lower than an 8. You can play a king."]
    assert asked(at("quatch-original", "hand Tc Kd", OTHER, pile="Jh"), "why", "10") == [
        "A 10 is lower than a jack, and must beat the pile here. You can play a king."
    ]
    none = {"special.10.effect": "none"}
    assert asked(at("quatch", "hand Tc Kd", OTHER, pile="Jh", options=none), "why", "10") == [
        "A 10 is lower than a jack, and has no power here. You can play a king."
    ]
    assert asked(state, "why", "k") == ["You can play a king now: it is higher than an 8."]


def test_where_says_whose_turn_it_is_who_is_away_and_who_is_out() -> None:
    """And nothing of zones that these rules do not have."""
    state = at("life", "hand 9d", "hand 4c 4d / up Kd / down 3c -", "hand 4h", pile="8c")
    away = replace(shown_to(state, 2), sitters=(SITTERS[0], replace(SITTERS[1], away=True), SITTERS[2]))
    first = next(iter(table_text(away, 9)))
    assert first == "ana's turn. 9 seconds. Pile of 1, top 8. Play an 8 or higher, or a 2, 5 or 7."
    assert "bo (away, an AI player plays): hand 2, face up a king, face down 1." in list(table_text(away))
    assert "ana: out first." in list(table_text(shown_to(after(state, "play 9"), 1)))
    mine = list(table_text(shown_to(state, away=True)))
    assert mine[-1] == AWAY
    assert "bo: hand 1." in asked(at("cathedral", "hand 9d", "hand 4c"), "where")


def test_every_state_can_be_asked_for() -> None:
    """One answer each, also where there is nothing to tell."""
    state = at("quatch", "hand 9d Kc / up Ac / down 3c", OTHER, pile="8c")
    assert asked(state, "hand") == [
        "Your hand, 2: a 9 and a king.",
        "Your face-up cards: an ace.",
        "One face-down card, number 1.",
    ]
    whose = "Your turn. 7 seconds. Pile of 1, top 8. Play an 8 or higher, or a 2."
    assert asked(state, "turn", left=7) == [f"{whose} You can play a 9 or a king."]
    assert asked(state, "clock", left=7) == ["You have 7 seconds left."]
    assert asked(state, "clock", seat=1, left=7) == ["There are 7 seconds left."]
    assert asked(state, "clock") == ["No clock is running. With two people or more a turn has 20 seconds."]
    assert asked(state, "results") == ["The game is going on.", "No player is out yet."]
    with pytest.raises(InputError, match="you are in the lobby: type play, or sit N for a table"):
        answer(Asking(), "where")


def test_a_table_says_its_players_and_its_clock() -> None:
    """When one comes to it, and in the lobby."""
    state = at("quatch", "hand 9d", "hand 4c", "hand 4d")
    assert list(seats_text(shown_to(state))) == [
        "Table 1: Quatch.",
        "Seats: you, bo, Fox (AI player, hard).",
        "bo is its host.",
        (
            "With two people or more a turn has 20 seconds. "
            "If you run out of time, an AI player plays for you until you type back."
        ),
    ]
    listing = Listing(
        2, "quatch", "Quatch", (None, *SITTERS[1:3]), playing=False, ply=0, watching=0, asleep=True, clock=20
    )
    assert listing_text(listing) == (
        "Table 2: Quatch; 2 seats free, asleep, rated. Seats: free, bo, Fox (AI player, hard). "
        "With two people or more a turn has 20 seconds."
    )


def test_the_news_of_a_table_say_whose_turn_it_is_only_to_who_looks_at_something_else() -> None:
    """At the table the player's own seat says it. Before the deal they say when it comes, wherever the player looks."""
    mine = shown_to(at("quatch", "hand 4c 9d", "hand 5c", pile="8h"), 0)
    theirs = shown_to(at("quatch", "hand 4c 9d", "hand 5c", pile="8h", to_move=1), 0)
    assert news_text(mine, 20, is_behind=True) == "* YOUR TURN *"
    assert not news_text(mine, 20, is_behind=False)
    assert not news_text(theirs, 20, is_behind=True)
    assert not news_text(None, None, is_behind=True)
    before = replace(mine, view=None)
    assert [news_text(before, 20, is_behind=each) for each in (True, False)] == ["dealt in 0:20"] * 2
    assert not news_text(before, None, is_behind=True)


def test_during_a_game_a_table_offers_nothing_that_has_to_wait_for_the_next() -> None:
    """Not a seat."""
    during = replace(shown_to(at("quatch", "hand 9d", "hand 4c"), None), deal=PublicDeal("7KQ2M9XA", ""), word="apple")
    said = list(seats_text(during))
    assert "Private: others type watch 1 apple" in said
    before = list(seats_text(replace(during, view=None)))
    assert "Private: others type sit 1 apple" in before


def test_ranks_that_may_not_follow_are_left_out() -> None:
    """House rules may forbid a rank on another."""
    options: dict[str, Json] = {
        "special.7.effect": "lower",
        "special.7.on": "rank-or-lower",
        "special.7.blocks": ["10"],
    }
    said = play_sentence(at("quatch", "hand 4c", OTHER, pile="7c", options=options))
    assert said.startswith("Play a card lower than a 7")
    assert "10" not in said


def test_where_all_cards_of_a_rank_go_together_the_choices_say_so() -> None:
    """A 7 alone would be refused."""
    state = at("quatch", "hand 7d 7h 8c", OTHER, pile="6c", options={"play.whole_sets": True})
    assert list(turn_prompt(shown_to(state)))[-1] == "You can play two 7s or an 8."
