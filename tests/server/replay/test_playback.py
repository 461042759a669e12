"""Looking at a finished game again: every step is what the table saw, from any seat or with all cards open."""

import json
from itertools import chain
from random import Random

import pytest
from msgspec.structs import asdict, replace

from engine.cards import card_set
from engine.errors import InputError
from engine.events import Burned, Event, GameOver, PickedUp, WentOut
from engine.game import deal, play
from engine.moves import parse_move
from engine.protocol.referee import answer_line
from engine.state import State
from engine.view import view_of
from server.language.event_text import sentences
from server.language.position_text import table_text
from server.people.players import Player
from server.pieces import at_once
from server.records.fairness import deal_seed
from server.records.record import Note, Record, rules_of, seat_taken
from server.records.record_reader import read_record
from server.records.syntax import BadRecord
from server.render.frame import draw
from server.render.scene import Scene
from server.replay.playback import OPEN, Playback, PlaybackPosition, Viewpoint, open_view, record_json, transcript
from server.table.snapshot import Sitter, Snapshot
from tests.soak import long
from tests.support.each import for_each
from tests.support.random_games import PLAIN_TABLES, TABLES, Table
from tests.support.recorded import GOLDEN, dealt, played, random_record

SOME_TABLES = TABLES[:: long(5, 1)]


def live(record: Record) -> list[tuple[State, list[Event]]]:
    """The game as a table plays it: dealt from its seed, move after move."""
    seed = deal_seed(record.seed, record.cuts)
    state, events = deal(rules_of(record), len(record.players), seed, record.dealer)
    found = [(state, events)]
    for move in record.moves:
        state, events = play(state, move.seat, parse_move(move.text))
        found.append((state, events))
    return found


@for_each("at", SOME_TABLES)
def test_every_step_is_what_was_seen_at_the_table(at: Table) -> None:
    """State, view and sentences of each ply, from every seat and for a spectator."""
    record = random_record(at, 3)
    for seat in (None, *range(at.seats)):
        replay = Playback(record, seat)
        for ply, (state, events) in enumerate(live(record)):
            moment = replay.to(ply)
            assert moment.snapshot.view == view_of(state, seat)
            assert moment.snapshot.ply == ply
            lines = sentences([event.seen_by(seat) for event in events], moment.snapshot)
            assert list(moment.sentences[: len(lines)]) == lines
        assert replay.length == ply == len(record.moves)


@for_each("at", SOME_TABLES)
def test_with_all_cards_open_nothing_is_hidden(at: Table) -> None:
    """Every card of the deck but the stock is somewhere to be seen, and everything else is as a spectator sees it."""
    record = random_record(at, 4)
    replay = Playback(record)
    deck = sum(rules_of(record).deck_copies)
    for ply, (state, events) in enumerate(live(record)):
        moment = replay.to(ply)
        view = moment.snapshot.view
        assert view is not None
        shown = [*view.hands, *view.ups, *view.reserves, card_set(view.pile), card_set(view.bin)]
        shown.append(card_set(card for row in view.downs for card in row if card is not None))
        assert sum(zone.bit_count() for zone in shown) == deck - view.stock_left
        lines = sentences(events, moment.snapshot)
        assert list(moment.sentences[: len(lines)]) == lines
        spectator = view_of(state, None)
        hidden = ("hands", "ups", "downs", "reserves")
        assert replace(view, **{name: getattr(spectator, name) for name in hidden}) == spectator


def seen_at(moment: PlaybackPosition) -> object:
    """What makes two positions the same."""
    return asdict(moment.snapshot), moment.sentences


def test_stepping_and_jumping_look_at_the_right_ply() -> None:
    """However one got there, a ply is the same; before the deal and after the end there is nothing."""
    record = random_record(TABLES[1], 5)
    replay, rng = Playback(record), Random(0)
    fixed = [seen_at(replay.to(ply)) for ply in range(replay.length + 1)]
    assert seen_at(replay.to(0)) == fixed[0]
    assert seen_at(replay.to(replay.ply - 1)) == fixed[0]
    assert seen_at(replay.to(replay.ply + 1)) == fixed[1]
    assert seen_at(replay.to(replay.length)) == fixed[-1]
    assert seen_at(replay.to(replay.ply + 1)) == fixed[-1]
    assert seen_at(replay.to(replay.ply - 1)) == fixed[-2]
    assert seen_at(replay.to(-5)) == fixed[0]
    assert seen_at(replay.to(10**9)) == fixed[-1]
    for _ in range(100):
        ply = rng.randint(0, replay.length)
        assert seen_at(replay.to(ply)) == fixed[ply] == seen_at(replay.now())
        assert replay.ply == ply


@for_each("at", PLAIN_TABLES)
def test_jumps_go_to_what_is_worth_seeing(at: Table) -> None:
    """From burn to pick-up to going out to the end, and all the way back."""
    record = random_record(at, 6)
    kinds = (Burned, PickedUp, WentOut, GameOver)
    worth = [ply for ply, (_, events) in enumerate(live(record)) if any(isinstance(each, kinds) for each in events)]
    assert worth[-1] == len(record.moves)
    replay = Playback(record)
    assert [replay.to(replay.next_highlight).snapshot.ply for _ in worth] == worth
    assert replay.to(replay.next_highlight).snapshot.ply == worth[-1]
    assert [replay.to(replay.previous_highlight).snapshot.ply for _ in worth] == [*worth[-2::-1], 0]
    assert replay.to(replay.previous_highlight).snapshot.ply == 0


def test_eyes_can_change_without_losing_one_s_place() -> None:
    """The same ply from another seat."""
    record = random_record(TABLES[0], 7)
    replay = Playback(record)
    state, _ = live(record)[9]
    replay.to(9)
    looks: list[Viewpoint] = [0, 1, None]
    for viewpoint in looks:
        replay.viewpoint = viewpoint
        view = replay.now().snapshot.view
        assert view is not None
        assert view == view_of(state, view.seat)
        assert view.seat == viewpoint
    replay.viewpoint = OPEN
    assert replay.now().snapshot.view == open_view(state)


def test_notes_come_after_the_ply_that_they_came_after() -> None:
    """Each note that a player went away or came back stands in its place, the first and the last included."""
    record = replace(played(dealt("quatch", 2)), steps=())
    moves = played(dealt("quatch", 2)).moves
    record = replace(record, steps=(Note("first"), moves[0], Note("a"), Note("b"), *moves[1:], Note("last")))
    replay = Playback(record)
    assert replay.to(0).sentences == ("first",)
    assert replay.to(1).sentences[-2:] == ("a", "b")
    assert replay.to(replay.length).sentences[-1] == "last"
    assert list(chain.from_iterable(replay.to(ply).sentences for ply in range(2, 5))).count("b") == 0


def test_a_replay_speaks_of_players_by_name() -> None:
    """A spectator is never "you" and is not told to start another game."""
    record = read_record(GOLDEN.read_text("utf-8"))
    looks: list[Viewpoint] = [OPEN, 0, None]
    for viewpoint in looks:
        text = "\n".join(transcript(Playback(record, viewpoint)))
        assert "You" not in text
        assert "start for another" not in text
        assert "Fox wins the game!" in text
        assert ("   3. Fox lays face up two 7s and a 3." in text) == (viewpoint == OPEN)
        assert ("   1. ana lays face up a king, an ace and a 10.\n" in text) == (viewpoint in {OPEN, 0})


def test_names_and_notes_from_a_file_reach_no_terminal_as_they_are() -> None:
    """A record may come from anywhere: what it calls people is cleaned like everything typed."""
    record = played(replace(dealt("quatch", 2), title="\x1b]0;x\x07Q\u202e", options={"draw.to": 3}))
    evil = replace(
        record, players=(Player("", "\x1b[2Jana\u202e"), Player("", "\x1b")), steps=(*record.steps, Note("\x1b[2J!"))
    )
    text = "\n".join(transcript(Playback(evil)))
    assert all(char == "\n" or char.isprintable() for char in text)
    assert "Seat 1: ana, person." in text
    assert "Seat 2: seat 2, person." in text
    assert Playback(evil).now().snapshot.sitters == (Sitter("ana"), Sitter("seat 2"))


def test_a_seat_that_was_given_up_is_an_ai_players() -> None:
    """From the note that says so on; the record does not say at which level."""
    record = read_record(GOLDEN.read_text("utf-8"))
    taken = seat_taken(record.players[0].name, "Zoe", 0)
    replay = Playback(replace(record, steps=(record.steps[0], taken, *record.steps[1:])))
    before, after = (replay.to(ply).snapshot.sitters[0] for ply in (0, 2))
    assert before is not None
    assert not before.is_ai
    assert after is not None
    assert after.is_ai


def test_what_cannot_be_played_is_not_replayed() -> None:
    """A wrong move is named, a seat that is not there refused with those that are."""
    record = read_record(GOLDEN.read_text("utf-8").replace("play 8 8", "play 9 9"))
    with pytest.raises(BadRecord, match="move 7 of seat 1 is not possible: play 9 9"):
        Playback(record)
    for seat in (-1, 2):
        with pytest.raises(InputError, match=f"there are seats 1 to 2, not {seat + 1}"):
            Playback(read_record(GOLDEN.read_text("utf-8")), seat)


# What draws tables draws replays.


def test_an_open_game_is_told_and_drawn_with_all_its_cards() -> None:
    """Hands, reserves and face-down cards of all seats stand in the words and on the screen."""
    replay = Playback(read_record(GOLDEN.read_text("utf-8")))
    snapshot = replay.to(7).snapshot
    assert list(table_text(snapshot))[2:] == [
        "ana: hand 2 (a 4 and a 9), face up a 10, a king and an ace, face down 3 (a 7, an 8 and a 9).",
        "Fox: hand 2 (a 4 and a queen), face up a 3 and two 7s, face down 3 (a 3, a queen and an ace).",
    ]
    screen = _screen(snapshot)
    assert screen[0].startswith(" Game 7KQ2M9XA  College with mirrors   move 7   order: Fox > ana")
    assert any("Fox" in row and "down [Ac][3s][Qs]" in row for row in screen)
    assert "      4d Qh" in [row.rstrip() for row in screen]


def test_a_spectator_s_screen_shows_no_hidden_card() -> None:
    """The same ply for a player who may not see the cards."""
    replay = Playback(read_record(GOLDEN.read_text("utf-8")), None)
    screen = _screen(replay.to(7).snapshot)
    assert any("Fox" in row and "down [##][##][##]" in row for row in screen)
    assert not [row for row in screen if "4d" in row]


@for_each("at", SOME_TABLES)
def test_every_moment_can_be_drawn(at: Table) -> None:
    """With all cards open, at the smallest size too."""
    replay = Playback(random_record(at, 8))
    for _ in range(0, replay.length, 7):
        snapshot = replay.to(replay.ply + 7).snapshot
        for columns, rows in ((60, 20), (80, 24)):
            frame = draw(Scene("ana", snapshot=snapshot), columns, rows)
            assert len(frame.rows) <= rows


def _screen(snapshot: Snapshot) -> list[str]:
    return [row.text for row in draw(Scene("ana", snapshot=snapshot), 100, 30).rows]


# JSON.


@for_each("at", SOME_TABLES)
def test_as_json_the_referee_plays_it_again(at: Table) -> None:
    """The deal and the moves are what `quatch referee` takes, the events and the result what it answers."""
    record = random_record(at, 9)
    found = json.loads(json.dumps(at_once(record_json(record))))
    steps = [step for step in found["steps"] if "move" in step]
    moves = [{"seat": step["seat"], "move": step["move"]} for step in steps]
    answer = answer_line(json.dumps({"op": "play", "position": found["deal"], "moves": moves}).encode())
    position = json.loads(answer or "")
    assert position["ok"], position
    assert position["events"] == [event for step in steps for event in step["events"]]
    end = position["position"]
    assert found["result"] == {"outcome": end["outcome"], "places": end["places"], "plies": len(steps)}
    assert [step["ply"] for step in steps] == list(range(1, len(steps) + 1))
    assert len(found["steps"]) == len(record.steps)


def test_json_says_who_played_and_what_was_committed_to() -> None:
    """The keys that are documented, and no other."""
    found = at_once(record_json(read_record(GOLDEN.read_text("utf-8"))))
    deal, steps = found.pop("deal"), found.pop("steps")
    assert isinstance(deal, dict)
    assert isinstance(steps, list)
    assert deal["phase"] == "arrange"
    assert steps[9:11] == [
        {"note": "ana went away, an AI player plays for them."},
        {
            "ply": 10,
            "seat": 1,
            "move": "play 4",
            "events": [
                {"kind": "played", "seat": 1, "zone": "hand", "cards": ["4d"]},
                {"kind": "drew", "seat": 1, "count": 1, "cards": ["Qd"]},
            ],
        },
    ]
    assert found == {
        "v": 1,
        "game": "7KQ2M9XA",
        "rules": "college",
        "title": "College with mirrors",
        "options": {"special.3.effect": "mirror", "special.3.on": "any", "deck.copies": {"2": 1, "10": 2}},
        "players": [{"name": "ana", "kind": "person", "level": None}, {"name": "Fox", "kind": "ai", "level": "hard"}],
        "began": "2026-11-21T19:03:22.25Z",
        "ended": "2026-11-21T19:05:03Z",
        "version": "0.1.0",
        "commitment": "f08d184cacf62143272d32e204764d2c5951819accb05779b817c4de730c7086",
        "seed": "11ee69ec7dc51874f7b61a91bd70cda635e6f710e344697abf74a67da938128d",
        "cuts": [{"name": "ana", "text": "the seven of spades ♠", "seal": None}],
        "no_one_could_choose": False,
        "dealer": 1,
        "result": {"outcome": {"kind": "won", "winner": 1}, "places": [1], "plies": 43},
    }
