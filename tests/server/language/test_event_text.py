"""What lines say of events: what a seat did, who came and went, how a game ended."""

from typing import Final

import pytest
from msgspec.structs import replace

import engine.events
from engine.ai.rank_classes import EFFECTS
from engine.cards import RANK_NAMES, rank_from
from engine.game import play
from engine.lessons import lesson
from engine.moves import PASS, Flip, parse_move, play_of
from engine.powers import Effect
from engine.rulesets import DEFAULT, rulesets
from engine.wording.rules_sheet import power_note, rules_sheet
from server.language.event_text import sentences
from server.language.tips import Tips
from server.people.settings import Settings
from server.player.table_feed import TableFeed
from server.table.snapshot import GameStats, Sitter
from server.table.table_events import (
    AIPlayerAdded,
    CameBack,
    Disconnected,
    GameBegan,
    PlayerRemoved,
    Reconnected,
    SatDown,
    StoodIn,
    StoodUp,
    WentAway,
)
from tests.support.each import for_each
from tests.support.positions import OTHER, after, at
from tests.support.random_games import TABLES, power, random_game
from tests.support.snapshots import snapshot_of
from tests.support.told import AWAY, asked, shown_to, told

NOT_RATED: Final = "An AI player plays on with your cards, and this game is not rated for you."


def test_a_move_made_for_an_absent_player_is_not_called_theirs() -> None:
    """Until they are back; to the others it is as if they played."""
    state = at("quatch", "hand 7c 9d", OTHER, pile="4h", stock="Kc Qc 6c 5c")
    lines = told(state, "play 7", stood_in=True)
    assert lines == ["Your AI player plays a 7.", "Your AI player draws a king and a queen."]
    assert told(state, "play 7", seat=1, stood_in=True) == ["ana plays a 7."]
    lines = sentences([StoodIn(0), CameBack(0, 3, 1), *play(state, 0, parse_move("play 7"))[1]], shown_to(state))
    assert lines[:2] == [
        "You are back. While you were away: 3 moves, 1 of them by an AI player for you.",
        "You play a 7.",
    ]


def test_a_players_own_moves_stay_theirs_in_the_log_of_a_game_in_which_they_were_away_at_the_end() -> None:
    """The AI player made only those after they had gone."""
    state = at("quatch", "hand 7c 9d", OTHER, pile="4h", stock="Kc Qc 6c 5c")
    events, stats = (
        play(state, 0, parse_move("play 7"))[1],
        GameStats(("ana", "bo"), (0, 0), (), stood_in=frozenset({0})),
    )
    lines = sentences([*events, StoodIn(0), *events], replace(shown_to(state), stats=stats))
    assert [line for line in lines if "7" in line] == ["You play a 7.", "Your AI player plays a 7."]


@for_each(
    ("event", "mine", "others"),
    [
        (
            PlayerRemoved(0, "ana", 1, counts=None),
            "bo has removed you from this table: you cannot sit here again.",
            "You remove ana.",
        ),
        (
            PlayerRemoved(0, "ana", 1, counts=True),
            "bo has removed you from this table: you cannot sit here again. Your place in this game counts.",
            "You remove ana.",
        ),
        (
            PlayerRemoved(0, "ana", 1, counts=False),
            f"bo has removed you from this table. {NOT_RATED}",
            "You remove ana and are last in this game for it.",
        ),
        (
            PlayerRemoved(0, "ana", 2, counts=False),
            f"Fox has removed you from this table. {NOT_RATED}",
            "Fox removes ana and is last in this game for it.",
        ),
        (
            PlayerRemoved(0, "ana", None, counts=False),
            f"You were removed from this table. {NOT_RATED}",
            "ana was removed.",
        ),
        (PlayerRemoved(0, "dee", 1, counts=None), "bo removes dee.", "You remove dee."),
        (
            WentAway(0, "clock"),
            f"Time is up. {AWAY}",
            "ana's time is up: an AI player plays for them until they are back.",
        ),
        (WentAway(0, "gone"), AWAY, "ana is gone: an AI player plays for them until they are back."),
        (CameBack(0, 0, 0), "You are back.", "ana is back."),
        (CameBack(0, 1, 1), "You are back. While you were away: 1 move, by an AI player for you.", "ana is back."),
        (CameBack(0, 2, 0), "You are back. While you were away: 2 moves, none of them yours.", "ana is back."),
        (Reconnected(0), "", "ana is back."),
        (
            Disconnected(0, hung_up=False, seconds=10.0),
            "",
            "ana was disconnected: in 10 seconds an AI player plays for them, until they are back.",
        ),
        (Disconnected(0, hung_up=True, seconds=None), "", "ana has hung up."),
        (AIPlayerAdded("Fox", "easy", "plain"), "Fox (easy) sits down.", "Fox (easy) sits down."),
        (SatDown(0, "ana", None), "You sit down.", "ana sits down."),
        (StoodUp(2, "cy", "Fox"), "cy leaves; Fox plays on.", "cy leaves; Fox plays on."),
        (
            GameBegan(),
            "New game: Quatch, played by you and bo with AI players Fox and Owl.",
            "New game: Quatch, played by you and ana with AI players Fox and Owl.",
        ),
    ],
)
def test_coming_and_going_is_told_to_each_from_their_own_view(event: WentAway, mine: str, others: str) -> None:
    """The player concerned is also told what they can do about it."""
    state = at("quatch", OTHER, "hand 6c", "hand 7d", "hand 8d")
    assert sentences([event], shown_to(state)) == ([mine] if mine else [])
    assert sentences([event], shown_to(state, 1)) == [others]


@pytest.mark.parametrize(
    ("before", "stats"),
    [
        ([StoodUp(1, "bo", "Hex", "easy")], None),  # an AI player went on with the cards of bo
        ([], GameStats(("ana", "Hex"), (0,) * 2, (None, "easy"))),  # it was dealt in
    ],
)
def test_an_ai_player_whose_seat_has_been_taken_is_still_told_as_one(
    before: list[StoodUp], stats: GameStats | None
) -> None:
    """A player who comes later reads what happened before as those read it who were there."""
    now = replace(shown_to(at("quatch", OTHER, "hand 6c"), seat=None), stats=stats)
    name = stats.names[1] if stats else "Hex"
    assert sentences([*before, GameBegan(), SatDown(1, "bo", None)], now)[-2:] == [
        f"New game: Quatch, played by ana with AI player {name}.",
        "bo sits down.",
    ]


def test_a_deal_says_which_players_are_away() -> None:
    """They need not guess why the game goes on without them."""
    feed = TableFeed(lambda _: None)
    snapshot = shown_to(at("quatch", OTHER, OTHER.replace("s", "d")), away=True)
    assert feed.update(None, snapshot, (GameBegan(),), Settings(), drawn=False) == [
        "New game: Quatch, played by you and bo.",
        AWAY,
    ]


@pytest.mark.parametrize("later", [GameBegan(), engine.events.Played(0, "hand", (20,))])
def test_why_tells_nothing_of_what_is_long_past(later: engine.events.Event) -> None:
    """What happened in the game before, or before the player's last move, explains nothing now."""
    feed = TableFeed(lambda _: None)
    snapshot = shown_to(at("quatch", OTHER, OTHER.replace("s", "d")))
    feed.update(snapshot, snapshot, (engine.events.PickedUp(0, (), 0, "stuck"),), Settings(), drawn=False)
    assert feed.reason.startswith("You had nothing to play")
    feed.update(snapshot, snapshot, (later,), Settings(), drawn=False)
    assert not feed.reason


def test_a_returning_player_does_not_read_that_they_were_away_at_an_old_deal() -> None:
    """What happened before is told as it was."""
    feed = TableFeed(lambda _: None)
    snapshot = shown_to(at("quatch", OTHER, OTHER.replace("s", "d")), away=True)
    feed.recall(snapshot, (GameBegan(),))
    assert list(feed.log) == ["New game: Quatch, played by you and bo."]


def test_what_ai_players_do_alone_is_told_in_a_line() -> None:
    """The player is out, and so reads neither what they lay nor what they take, but who is out and who loses."""
    feed = TableFeed(lambda _: None)
    state = at("life", "hand", "hand 7c 9d", "hand 3h 4h", to_move=1, places=[0], pile="4s")
    sitters = (Sitter("ana"), Sitter("Fox", "easy"), Sitter("Owl", "easy"))
    read, before, ply = list[str](), None, 20
    for move in ("", "play 7", "pickup", "play 9"):
        state, events = play(state, state.to_move or 0, parse_move(move)) if move else (state, ())
        ply += bool(move)
        snapshot = replace(shown_to(state), sitters=sitters, ply=ply)
        lines = feed.update(before, snapshot, tuple(events), Settings(), drawn=True)
        read += [line for line in lines if isinstance(line, str)]
        before = snapshot
    assert read[0] == "AI players made the last 3 moves at once."
    assert "Fox" in read[1]
    assert "Owl" in " ".join(read[1:4])
    assert not any("7" in line for line in read)


@for_each(
    ("down", "pile", "told"),
    [
        ("down 2c", "Ks", "it cannot be the last card."),
        ("down 2c 9c", "Ks", "good."),
        ("down 9c", "Ks", "it cannot be played."),
    ],
)
def test_a_card_that_goes_on_anything_is_not_said_to_be_too_low(down: str, pile: str, told: str) -> None:
    """It may only not be the last one."""
    state, events = play(at("quatch", down, "hand 7c", pile=pile), 0, Flip(0))
    assert sentences(events, shown_to(state))[0].endswith(f": {told}")


@pytest.mark.parametrize(("seat", "seen"), [(0, "You turn over a 4: good."), (None, "ana turns over a 4: good.")])
def test_an_end_by_ai_players_alone_shows_how_the_player_went_out(seat: int | None, seen: str) -> None:
    """A spectator sees how the winner did."""
    feed = TableFeed(lambda _: None)
    state = at("life", "down 4c", "hand 7c", "hand 3h 4h", pile="3s")
    sitters, before = (Sitter("ana"), Sitter("Fox", "easy"), Sitter("Owl", "easy")), None
    for ply, move in enumerate(("", "flip 1", "play 7")):
        state, events = play(state, state.to_move or 0, parse_move(move)) if move else (state, ())
        snapshot = replace(shown_to(state, seat), sitters=sitters, ply=ply)
        feed.update(before, snapshot, tuple(events), Settings(), drawn=True)
        before = snapshot
    assert list(feed.log)[-3::2] == [seen, "AI players made the last 1 move at once."]


def test_a_last_card_and_the_end_of_the_stock_are_said_once() -> None:
    """When it comes to that, whosever it is."""
    assert told(at("quatch", "hand 7c 9d", OTHER, pile="4h"), "play 7")[-1] == "You have one card left."
    assert told(at("quatch", "hand 7c 9d", OTHER, pile="4h"), "play 7", seat=1)[-1] == "ana has one card left."
    assert told(at("quatch", "hand 7c 9d", OTHER, pile="4h", stock="Kc"), "play 7")[-1] == "The stock is empty."
    assert told(at("quatch", "hand 7c 9d Ad", OTHER, pile="4h"), "play 7") == ["You play a 7."]


@pytest.mark.parametrize(
    ("rules", "seats", "mine", "spectator"),
    [
        (
            "quatch",
            ("hand 9d", "hand 4c 5c", "hand 4d 5d 6d"),
            ["You play a 9.", "You win the game!", "Cards left: bo 2 and Fox 3."],
            ["ana plays a 9.", "ana wins the game!", "Cards left: bo 2 and Fox 3."],
        ),
        (
            "life",
            ("hand 9d", "hand 4c 5c"),
            ["You play a 9.", "You win the game!", "First you; bo loses."],
            ["ana plays a 9.", "ana wins the game!", "First ana; bo loses."],
        ),
    ],
)
def test_the_end_of_a_game_names_every_place(
    rules: str, seats: tuple[str, ...], mine: list[str], spectator: list[str]
) -> None:
    """That the winner is out of cards goes without saying; one's own place is said to oneself."""
    state = at(rules, *seats, pile="4h")
    assert told(state, "play 9") == mine
    assert told(state, "play 9", seat=None) == spectator
    theirs = told(state, "play 9", seat=1)[1]
    assert (
        theirs == {"quatch": "ana wins the game! You have 2 cards left.", "life": "ana wins the game! You lose."}[rules]
    )
    assert asked(after(state, "play 9"), "results")[:2] == ["You won the game.", mine[2]]


def test_four_of_a_rank_are_called_what_these_rules_mean_by_them() -> None:
    """In a row, or in one play."""
    four = "hand 9c 9d 9h 9s 4c"
    assert "Four in a row, the pile burns: 5 cards to the bin." in told(
        at("quatch", four, OTHER, pile="4h"), "play 9 9 9 9"
    )
    assert "Four at once, the pile burns: 5 cards to the bin." in told(
        at("life", four, OTHER, pile="4h"), "play 9 9 9 9"
    )


def test_every_event_of_a_game_is_told_to_the_player_whom_it_is_about() -> None:
    """In random games with every power: an event without a sentence would come with a new power."""
    steps = [step for table in TABLES for step in random_game(table, "0").steps]
    seen = [(step.after, getattr(event, "seat", step.seat), event) for step in steps for event in step.events]
    passing = at("quatch", "hand 2c", OTHER)
    seen += [(passing, 0, event) for event in play(passing, 0, PASS)[1]]
    said = [(event.kind, sentences([event.seen_by(seat)], snapshot_of(state, seat))) for state, seat, event in seen]
    kinds = {kind.kind for kind in vars(engine.events).values() if isinstance(kind, type) and hasattr(kind, "kind")}
    assert {kind for kind, told_of_it in said if not told_of_it} == set()
    assert {kind for kind, _ in said} == kinds


@for_each("effect", EFFECTS)
def test_a_power_is_known_wherever_powers_are(effect: Effect) -> None:
    """The words that are missing are those of places that a new power needs, as CONTRIBUTING.md lists them."""
    rank = rank_from("J") or 0
    rules = rulesets()[DEFAULT].with_options(power(effect, "J"))
    note = power_note(rank, rules.special[rank])
    laid = after(at(DEFAULT, "hand Jc Kc", OTHER, pile="4h", options=power(effect, "J")), "play J")
    moved, events = play(at(DEFAULT, "hand Jc Kc", OTHER, pile="4h", options=power(effect, "J")), 0, play_of(rank, 1))
    tips, seen = Tips(), [event.seen_by(0) for event in events]
    given = [tips.tip(snapshot_of(laid), snapshot_of(moved, ply=1), seen) or "" for _ in range(9)]
    known = {
        "the rules sheet": note in rules_sheet(rules),
        "a lesson": f"The {RANK_NAMES[rank]}" in [step.title for step in lesson(rules)],
        "a tip": any(note[1:] in tip for tip in given),
    }
    assert [place for place, is_there in known.items() if not is_there] == []
