"""First-time tips: once each, one at a time, and true of the rules that are played."""

import re

import pytest
from msgspec.structs import replace

from engine.errors import InputError
from engine.game import play
from engine.moves import READY, parse_move
from engine.rules import Json
from engine.rulesets import DEFAULT, ruleset, rulesets
from engine.state import State
from engine.wording.rules_sheet import power_note
from server.cells import wrap
from server.language.parsing import parse_typed_move
from server.language.tips import Tips
from server.table.snapshot import Sitter
from server.table.table_events import GameBegan
from tests.support.each import for_each
from tests.support.positions import OTHER, at
from tests.support.random_games import MIRROR, SKIPS, TABLES, Table, random_game
from tests.support.snapshots import snapshot_of

KEYS = "The right arrow key shows what you can do; Esc clears the line."
TYPED = re.compile(r"^its rank, like |^the rank of each, like |( to |,|\.).*$")
"""What stands around that which a tip says to type."""


def after(state: State, move: str, tips: Tips, seat: int | None = 0) -> str | None:
    """The tip that this seat gets for a move by the seat to move."""
    mover = state.to_move if state.phase == "play" else 0
    moved, events = play(state, mover or 0, parse_move(move))
    told = [event.seen_by(seat) for event in events]
    return tips.tip(snapshot_of(state, seat), snapshot_of(moved, seat, 1), told)


def first(state: State, seat: int | None = 0) -> str | None:
    """The tip for a player in this position."""
    return Tips().tip(None, snapshot_of(state, seat), [])


def test_a_first_turn_says_how_to_play_and_a_second_does_not() -> None:
    """With a card of one's own that can go; later tips are about other things."""
    state = at("quatch", "hand 4c 9d Kh", OTHER, pile="8c", stock="Qs")
    tips = Tips()
    told = tips.tip(None, snapshot_of(state), [])
    assert told == (
        "Tip: To play a card type its rank, like 9, and press Enter. "
        "Cards in (parentheses), or raised ones, can be played; arrow keys choose."
    )
    assert tips.tip(None, snapshot_of(state), []) is None


def test_the_first_example_wastes_no_card_with_a_power() -> None:
    """A newcomer types what they read."""
    told = first(at("life", "hand 2c 6d 8h", OTHER, pile="3c")) or ""
    assert "like 6, and" in told


def test_the_first_example_is_of_as_many_cards_as_it_says() -> None:
    """Where all cards of a rank go together, the lowest play may be of more cards than the example."""
    state = at("life", "hand 2c 2d 9h", OTHER, pile="8c", options={"play.whole_sets": True})
    assert "a card type its rank, like 9, and" in (first(state) or "")


def test_lines_do_not_mention_arrow_keys() -> None:
    """There are none."""
    state, tips = at("quatch", "hand 9c 9d Kh", OTHER, pile="8c"), Tips()
    told = [tips.tip(None, snapshot_of(state), [], drawn=False) or "" for _ in range(2)]
    assert told == [
        "Tip: To play a card type its rank, like 9, and press Enter.",
        "Tip: Two 9s can be played together: type 9 9.",
    ]


def test_as_many_cards_are_said_to_go_together_as_the_player_has() -> None:
    """Of the rank that they have most of."""
    state, tips = at("quatch", "hand 9c 9d Kh Kc Ks", OTHER, pile="8c"), Tips()
    told = [tips.tip(None, snapshot_of(state), [], drawn=False) for _ in range(2)]
    assert told[1] == "Tip: Three kings can be played together: type K K K."


def test_cards_that_have_to_go_together_are_said_to() -> None:
    """As at a table of level easy."""
    state, tips = at("quatch", "hand 9c 9d Kh", OTHER, pile="8c", options={"play.whole_sets": True}), Tips()
    told = [tips.tip(None, snapshot_of(state), [], drawn=False) for _ in range(2)]
    assert told[1] == "Tip: Two 9s must be played together: type 9 9."


@pytest.mark.parametrize(
    ("state", "tip"),
    [
        (at("quatch", "hand 4c", OTHER, pile="8c"), "You have nothing to play. You can type p to pick up the pile."),
        (
            at("life", "up 4c 4d 6h", OTHER, pile="8c"),
            "You have nothing to play. You can type p to pick up the pile, or type p 4 to take a face-up card with it.",
        ),
        (
            at("quatch", "down - 9c 9d", OTHER, pile="8c"),
            "You have only face-down cards left. Type 2 to turn over the first.",
        ),
        (at("quatch", "hand 4c / up Kc", OTHER, phase="arrange"), KEYS),
    ],
)
def test_what_is_to_be_done(state: State, tip: str) -> None:
    """The first time that it is."""
    assert first(state) == f"Tip: {tip}"


@for_each(
    ("rules", "state", "move", "tip"),
    [
        ("quatch", {"hand": "Ts 4c 9d"}, "play T", "Your card gives you another turn."),
        ("life", {"hand": "Ts 4c 9d"}, "play T", "You may play again; type d to pass."),
        (
            "quatch",
            {"hand": "4c"},
            "pickup",
            "The cards you took are in your hand. If you cannot play, take",
        ),
        (
            "quatch",
            {"down": "4c 9d"},
            "flip 1",
            "A face-down card that cannot be played goes to your hand",
        ),
        ("quatch-original", {"hand": "Ts"}, "play T", "If your last play resets or burns"),
        ("life", {"hand": "2s 9d"}, "play 2", "A 2 goes on anything and resets the pile"),
        (
            "quatch-original",
            {"hand": "9d 9h 9c 9s 4c"},
            "play 9 9 9 9",
            "Four of a rank in a row, from any players, burn the",
        ),
    ],
)
def test_what_one_has_done(rules: str, state: dict[str, str], move: str, tip: str) -> None:
    """In the words of these rules. The tip about a turn has been given."""
    before = at(rules, " / ".join(f"{zone} {cards}" for zone, cards in state.items()), OTHER, pile="8c")
    tips = Tips()
    tips.tip(None, snapshot_of(at(rules, "hand 9d", OTHER)), [])
    told = after(before, move, tips)
    assert told is not None
    assert told.startswith(f"Tip: {tip}")
    again = after(before, move, tips)
    assert again != told


def test_who_draws_fewer_cards_than_they_play_is_told_why_the_hand_shrinks() -> None:
    """Where one draws one card only; not where the hand is filled up again."""
    for rules, told in (
        ("college", "Tip: You draw one card, however many you play, so your hand shrinks."),
        ("life", None),
    ):
        before = at(rules, "hand 9d 9h 4c", OTHER, pile="8c", stock="Kd Kh Ks")
        assert after(before, "play 9 9", Tips()) == told


def test_the_starter_is_told_with_the_reason() -> None:
    """If the lowest card is laid without asking, or a rank must be led. Other players are not told."""
    ready, _ = play(at("quatch", "hand 4c 9d Kh", "hand 5c 6c 8d", phase="arrange"), 1, READY)
    told = after(ready, "ready", Tips())
    assert told == "Tip: You had the lowest card in hand, a 4, so you start: it is played for you."
    assert after(ready, "ready", Tips(), seat=1) != told
    others = "hand 5d 6c 8d / up 6d 6h 7c"
    ready, _ = play(at("life", "hand 4h 9d Kh / up 4c 4d 5c", others, phase="arrange"), 1, READY)
    assert after(ready, "ready", Tips()) == "Tip: You start, and the first card must be a 4: type 4."


def test_another_turn_is_told_only_after_a_play() -> None:
    """Events of players who come and go change nothing."""
    state = at("college", "hand 9d Kh", OTHER, pile="8c")
    tips = Tips()
    tips.tip(None, snapshot_of(state), [])
    told = tips.tip(snapshot_of(state), snapshot_of(state), [])
    assert told is None


def test_another_rule_set_is_offered_after_some_games_alike() -> None:
    """At the beginning of the next one; once, and not where the rule sets change."""
    snapshot = snapshot_of(at("quatch", "hand 4c 9d Kh", "hand 5c 6c 8d", phase="arrange"))
    life = snapshot_of(at("life", "hand 4c 9d Kh / up 3c", "hand 5c 6c 8d / up 3d", phase="arrange"))
    tips, changing = Tips(), Tips()
    for each in (tips, changing):
        each.known()
    begins = [GameBegan()]
    told = [tips.tip(None, snapshot, begins) for _ in range(5)]
    assert [bool(line) for line in told] == [False, False, False, True, False]
    other = next(name for name in rulesets() if name != "quatch")
    assert told[3] == (
        f"Tip: For a change play {ruleset(other).title} after this game: {ruleset(other).about}. "
        f"Type leave, then play {other}."
    )
    others = [changing.tip(None, shown, begins) or "" for shown in (snapshot, life) * 3]
    assert not any("for a change" in line.lower() for line in others)


def test_a_rule_set_is_introduced_at_the_first_game_of_it() -> None:
    """In its own words; the default one needs none."""
    told = {name: Tips().tip(None, snapshot_of(at(name, "hand 4c", OTHER)), [GameBegan()]) or "" for name in rulesets()}
    played = " To play a card type its rank, like 4, and press Enter."
    introduced = {name: line.partition(played) for name, line in told.items() if "rules tells" in line}
    sets = [ruleset(name) for name in rulesets() if name != DEFAULT]
    assert {name: line for name, (line, _, _) in introduced.items()} == {
        each.name: f"Tip: {each.title}: {each.about}; rules tells how it is played." for each in sets
    }
    assert all(also for _, also, _ in introduced.values()), "what to do is told with it"
    tips, snapshot = Tips(), snapshot_of(at("life", "hand 4c", OTHER))
    assert tips.tip(None, snapshot, [GameBegan()]) != tips.tip(None, snapshot, [GameBegan()])


@pytest.mark.parametrize("cards", ["hand 4c 9d Kh", "hand 4c / down 9d", "down 9c 9d 9h"])
def test_who_has_few_cards_left_reads_what_the_last_one_may_not_be(cards: str) -> None:
    """Before they find it out; once, and where not every card may be the last one."""
    told = {}
    for rules in ("quatch", "quatch-original", "life"):
        tips, snapshot = Tips(), snapshot_of(at(rules, cards, OTHER, pile="3c"))
        told[rules] = [line for _ in range(4) if "few cards left" in (line := tips.tip(None, snapshot, []) or "")]
        drawing, tips = snapshot_of(at(rules, cards, OTHER, pile="3c", stock="Qs")), Tips()
        assert not any("few cards" in (tips.tip(None, drawing, []) or "") for _ in range(4))
    few = "Tip: You have few cards left."
    assert told == {
        "quatch": [f"{few} A card that resets or burns cannot be your last card."],
        "quatch-original": [
            f"{few} If your last play resets or burns, it has no effect and the whole pile comes to your hand."
        ],
        "life": [],
    }


def test_being_passed_over_is_explained() -> None:
    """By the card that did it; a five does it too where two are left."""
    options: dict[str, Json] = {**SKIPS}
    state = at("quatch", "hand 8c 9d", "hand 4h", "hand 5h", pile="7c", options=options)
    told = after(state, "play 8", Tips(), seat=1)
    why = "An 8 goes on anything and skips the next player, once for each card."
    assert told == f"Tip: You were passed over because of the 8. {why}"
    assert after(state, "play 8", Tips(), seat=2) != told
    told = after(at("life", "hand 5c 9d", "hand 4h", pile="4c"), "play 5", Tips(), seat=1)
    assert told is not None
    assert "because of the 5." in told
    assert "with two players left it skips the next" in told


def test_what_others_lay_is_told_too() -> None:
    """A special rank is explained when it is first seen, whichever seat laid it, also from the face-down row."""
    laid = at("life", "hand 7c 9d", "hand 4h 5h", "hand 6h", pile="8d")
    note = power_note(5, ruleset("life").special[5])
    assert after(laid, "play 7", Tips(), seat=2) == f"Tip: {note}"
    flipped = at("life", "down 7c 9d", "hand 4h", "hand 6h", pile="8d")
    assert after(flipped, "flip 1", Tips(), seat=2) == f"Tip: {note}"
    failed = at("college", "down 9d 9h", "hand 4h", "hand 6h", pile="Td", options={**MIRROR})
    assert after(failed, "flip 1", Tips(), seat=2) is None


def test_a_spectator_gets_no_tips() -> None:
    """Nor does a player while an AI player plays in their seat."""
    state = at("quatch", "hand 9d Kh", OTHER, pile="8c")
    assert first(state, None) is None
    away = replace(snapshot_of(state), sitters=(Sitter("ana", away=True), Sitter("bo")))
    assert Tips().tip(None, away, []) is None
    assert first(state) is not None


@for_each("table", TABLES)
def test_in_whole_games_each_tip_comes_once_and_can_be_followed(table: Table) -> None:
    """At most three lines long; about the rules that are played; and what it says to type is a move."""
    game = random_game(table, "tips")
    tips, told = Tips(), list[str]()
    before = snapshot_of(game.dealt)
    for ply, step in enumerate(game.steps):
        snapshot = snapshot_of(step.after, 0, ply + 1)
        tip = tips.tip(before, snapshot, [event.seen_by(0) for event in step.events])
        before = snapshot
        if tip is None:
            continue
        told.append(tip)
        assert len(wrap(tip, 76)) <= 3
        if "ype " in tip and snapshot.view is not None:
            typed = TYPED.sub("", tip.partition("ype ")[2])
            try:
                move = parse_typed_move(typed, snapshot.view)
            except InputError:
                pytest.fail(f"{typed!r} cannot be typed")
            assert move is not None
            play(step.after, 0, move)
    assert told
    assert len(told) == len(set(told))
