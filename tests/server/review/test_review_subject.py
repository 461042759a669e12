"""What a review judges: whose turns, in which game, and only by what the seat could know."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from engine.ai.judging import Judgement
from engine.ai.verdict import Depth
from engine.errors import InputError
from engine.moves import Move
from engine.view import View
from server.ai.pool import AIPool
from server.pieces import at_once
from server.records.record import decisions_of
from server.records.results import Finish, Result
from server.review.review import ReviewSubject, review_game, review_subject, seat_and_game
from server.review.text import review_lines
from tests.server.review.reviews import golden
from tests.soak import long
from tests.support.each import for_each
from tests.support.random_games import TABLES, Table
from tests.support.recorded import GAME, random_record


async def test_what_is_thought_about_is_what_the_seat_could_know() -> None:
    """A worker gets only views of that seat and the seat's own moves, turn by turn, for any player who asks."""
    asked = list[tuple[View, Move]]()

    class Listening(AIPool):
        async def judge(self, view: View, made: Move, seed: str, depth: Depth) -> Judgement:
            asked.append((view, made))
            return await super().judge(view, made, seed, depth)

    ticks = list[tuple[int, int]]()
    found = await review_game(review_subject(golden(), "1"), Listening(), lambda *tick: ticks.append(tick))
    assert ticks == [(done, 20) for done in range(21)]
    assert all(isinstance(view, View) and view.seat == 0 for view, _ in asked)
    assert [made for _, made in asked[:20]] == [turn.made for turn in found.turns]
    assert found == await review_game(review_subject(golden(), "1"), AIPool())


@pytest.mark.parametrize("at", TABLES[15 :: long(len(TABLES), 8)], ids=str)
async def test_any_game_can_be_looked_back_on(at: Table) -> None:
    """Whatever its rules, from every seat that had a turn; long games take no longer than others."""
    record = random_record(at, 5)
    for seat in range(len(record.players)):
        turns = at_once(decisions_of(record, seat))
        past = ReviewSubject(record, seat, is_own=False)
        if not turns:
            with pytest.raises(InputError, match="had no turn"):
                await review_game(past, AIPool())
            continue
        found = await review_game(past, AIPool())
        assert f"{len(turns)} turn" in review_lines(found)[0]


def test_whose_turns_are_meant() -> None:
    """The seat that is named, that of the key, of the name, of the only person; else one is asked."""
    record = random_record(TABLES[2], 1)
    names = [player.name for player in record.players]
    assert names[:3] == ["ana", "Fox", "bo"]
    keys = ("account:x", "ai:hard", "account:ana", "ai:easy")[: len(names)]
    result = Result(tuple(Finish(key, "", 1) for key in keys), drawn=False, plies=1)
    assert review_subject(record, "2", name="ana") == ReviewSubject(record, 1, is_own=False)
    assert review_subject(record, "fox", name="ana") == ReviewSubject(record, 1, is_own=False)
    assert review_subject(record, "", name="bo") == ReviewSubject(record, 2, is_own=True)
    assert review_subject(record, "", result=result, account="account:x", name="bo") == ReviewSubject(
        record, 0, is_own=True
    )
    for named in ("", "0", "9", "x", "01", "0010", "1000"):
        with pytest.raises(InputError, match=r"whose turns\? Name a seat of game .*: 1 \(ana\), 2 \(Fox\)"):
            review_subject(record, named, name="cy")
    owl = structs.replace(record.players[1], name="Owl")
    alone = replace(record, players=(record.players[0], *[owl] * (len(names) - 1)))
    assert review_subject(alone, "", name="cy") == ReviewSubject(alone, 0, is_own=False)


@for_each(
    ("typed", "meant"),
    [("", ("", "")), ("2", ("", "2")), (GAME, (GAME, "")), (f"{GAME} 2", (GAME, "2")), (f"{GAME} Fox", (GAME, "Fox"))],
)
def test_what_was_typed_names_a_game_or_a_seat(typed: str, meant: tuple[str, str]) -> None:
    """Both may be left out."""
    assert seat_and_game(typed.split()) == meant
