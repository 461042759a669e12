"""The bot protocol over real ssh: whole games, seats that are kept, and sealed cuts."""

import json

import asyncssh
import pytest

from engine.rulesets import rulesets
from server.bot_protocol.requests import NESTING
from server.records.fairness import seal_of
from tests.support.bots import bot, nested
from tests.support.people import RunningServer

pytestmark = pytest.mark.waiting_takes_no_time


@pytest.mark.parametrize("rules", rulesets())
async def test_a_bot_plays_a_whole_game_of_every_rule_set(open_server: RunningServer, rules: str) -> None:
    """By taking the first move it is offered, arranging included."""
    async with bot(open_server.port, subsystem=True) as fox:
        joined = await fox.ask("joined", type="new", rules=rules, seats=3, fill="easy")
        sits = {"type": "joined", "table": 1, "seat": 0, "seats": 3, "rules": rules}
        assert joined == {**sits, "rating": "not rated: only guests play", "state": "open"}
        over = await fox.play()
    if over["outcome"]["kind"] == "won":
        assert over["places"][0] == over["outcome"]["winner"]
    assert len({*over["places"]} & {0, 1, 2}) == len(over["places"])
    assert over["game"] is None, "games of programs without keys are not kept"
    turns = [message for message in fox.told if message["type"] == "turn"]
    assert [turn["ply"] for turn in turns] == sorted(turn["ply"] for turn in turns)
    seqs = [message["seq"] for message in fox.told if message["type"] == "event"]
    assert seqs == list(range(1, len(seqs) + 1))


async def test_two_bots_and_a_person_at_one_table(open_server: RunningServer) -> None:
    """A bot joins any open table. People see that its seat is a bot's. No player is told another's cards."""
    async with open_server.person("ana") as ana, bot(open_server.port, "hal") as hal:
        await ana.enter("new seats=2", "seat 1   ana")
        hal.send(type="tables")
        assert (await hal.until("tables"))["tables"] == [
            {
                "table": 1,
                "rules": "quatch",
                "seats": 2,
                "open": 1,
                "state": "open",
                "rating": "not rated: only guests play",
            }
        ]
        hal.send(type="join", table="any")
        assert (await hal.until("joined"))["seat"] == 1
        await ana.until("hal")
        turn = await hal.ask("turn", type="start")
        assert turn["deadline_s"] == pytest.approx(120, abs=2)
        assert turn["may"] == ["swap"]
        assert turn["view"]["seats"][0]["hand"] == ["??"] * 3
        assert "??" not in turn["view"]["seats"][1]["hand"]


async def test_a_bot_gets_its_seat_back(open_server: RunningServer) -> None:
    """A login with the same key is told of its seat, and asked for the pending decision; also after the game."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    async with bot(open_server.port, key=key) as fox:
        assert fox.told[0]["table"] is None
        first = await fox.ask("turn", type="new", seats=2, fill="hard")
    async with bot(open_server.port, key=key) as fox:
        assert fox.told[0]["table"] == 1
        joined = await fox.until("joined")
        assert (joined["seat"], joined["state"]) == (0, "playing")
        again = await fox.until("turn")
        assert again["view"]["seats"][0] == first["view"]["seats"][0]
        fox.send(type="move", ply=again["ply"], move=again["legal"][0])
        await fox.play()
    async with bot(open_server.port, key=key) as fox:
        assert fox.told[0]["table"] == 1
        assert (await fox.until("joined"))["state"] == "open"


async def test_an_id_comes_back_as_it_was_sent(open_server: RunningServer) -> None:
    """Nested as deep as is allowed, in ASCII, whatever the parser of this Python could take."""
    ids: list[object] = [None, 10**40, -1.5, "\u2028\x85\u00e9\U0001f3b2", [[], {"[": "}"}]]
    async with bot(open_server.port) as fox:
        for sent in (*ids, json.loads(nested(NESTING - 1))):
            fox.send(type="ping", id=sent)
            assert (await fox.until("pong"))["id"] == sent


async def test_bots_seal_their_cuts_and_open_them(open_server: RunningServer) -> None:
    """A bot that sealed is told when to open; one that did not is told nothing new. Then both play on as ever."""
    async with bot(open_server.port, "hal") as hal, bot(open_server.port, "sue") as sue:
        await hal.ask("joined", type="new", seats=2)
        await sue.ask("joined", type="join", table=1)
        hal.send(type="cut", seal=seal_of("a text"))
        await hal.ask("pong", type="ping", id=1)
        sue.send(type="start")
        asked = await hal.until("open")
        assert asked["deadline_s"] == pytest.approx(10, abs=2)
        assert asked["cuts"] == [{"name": "hal", "text": None, "seal": seal_of("a text")}]
        assert (asked["table"], len(asked["game"]), len(asked["commitment"])) == (1, 8, 64)
        sue.send(type="again")  # somebody else has started a game already
        hal.send(type="cut", open="another text")
        assert (await hal.until("error"))["message"] == "that is not the text that you sealed"
        await hal.ask("turn", type="cut", open="a text")
        await sue.until("turn")
    assert {message["type"] for message in sue.told} == {"hello", "joined", "turn"}
