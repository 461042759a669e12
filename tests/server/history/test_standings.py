"""Who plays how well: what a game counts for, and for whom."""

import asyncio
import json
import random
from collections.abc import Iterable

import pytest
from structlog.testing import capture_logs
from wcwidth import wcswidth

from server.history.standings import SETTLED, Standing, Standings, best_players, standings_note, top_lines
from server.records.results import GUEST, Finish, Result, ai_key, write_result
from server.storage.table_log import EMPTY, FinishedGame, LogEntry, MemoryLog
from server.typed_json import json_line

ANA, BO, CY = "SHA256:ana", "SHA256:bo", "SHA256:cy"
HARD, EASY = ai_key("hard"), ai_key("easy")


def result(*finishes: tuple[str, int], drawn: bool = False) -> Result:
    """The result of a game with these keys and ranks."""
    return Result(tuple(Finish(key, key[-3:], rank) for key, rank in finishes), drawn, 50)


def counted(*results: Result, rules: str = "life") -> Standings:
    """The standings after these games."""
    standings = Standings()
    for each in results:
        standings.add(rules, each)
    return standings


def only(standings: Standings, key: str) -> Standing:
    """The one standing of a player who knows only one set of rules."""
    (standing,) = standings.of(key)
    return standing


async def finish(log: MemoryLog, table: int, text: str, rules: str = "life") -> None:
    """Have a game finished in the log."""
    await log.append(EMPTY, LogEntry(table, 1, b"", 0.0, b""), FinishedGame(f"game{table}", rules, 0.0, text, ""))


def many(count: int) -> Iterable[tuple[str, Result]]:
    """Games of all sorts, by rules."""
    chance = random.Random(11)
    for _ in range(count):
        cast = chance.choices([ANA, BO, CY, HARD, HARD, EASY, GUEST], k=chance.choice([2, 3, 4]))
        finishes = [(key, chance.randint(1, len(cast))) for key in cast]
        yield chance.choice(["life", "college"]), result(*finishes, drawn=chance.random() < 0.2)


def test_what_is_counted() -> None:
    """Games, wins, draws, places and streaks."""
    won, lost, drew = (ANA, 1), (ANA, 2), (ANA, 1)
    games = [result(won, (BO, 2)), result(won, (BO, 2)), result(lost, (BO, 1)), result(won, (BO, 2))]
    standing = only(counted(*games, result(drew, (BO, 1), drawn=True)), ANA)
    assert (standing.games, standing.wins, standing.draws, standing.places) == (5, 3, 1, (4, 1))
    assert (standing.streak, standing.best_streak) == (0, 2)
    assert only(counted(*games), ANA).streak == 1
    assert only(counted(*games), BO).places == (1, 3)


def test_a_tie_is_no_win_and_only_a_drawn_game_is_a_draw() -> None:
    """Whoever is alone at the top of a drawn game has won it."""
    tied = only(counted(result((ANA, 1), (BO, 1), (CY, 3))), ANA)
    assert (tied.wins, tied.draws, tied.streak) == (0, 0, 0)
    drawn = counted(result((ANA, 1), (BO, 2), (CY, 2), drawn=True))
    assert (only(drawn, ANA).wins, only(drawn, ANA).draws) == (1, 0)
    assert (only(drawn, BO).wins, only(drawn, BO).draws) == (0, 1)


def test_equal_newcomers_who_tie_stay_equal() -> None:
    """And both are better known than before."""
    standings = counted(result((ANA, 1), (BO, 1), (CY, 3)))
    ana, bo, cy = (only(standings, key) for key in (ANA, BO, CY))
    assert ana.mu == bo.mu > cy.mu
    assert ana.sigma == bo.sigma < Standing(ANA, "life").sigma


def test_the_order_of_seats_does_not_matter() -> None:
    """Also among ties of players who differ."""
    finishes = [(ANA, 2), (BO, 1), (CY, 2), (HARD, 4)]
    before = [result((ANA, 1), (CY, 2)), result((BO, 1), (ANA, 2))]
    one, other = counted(*before, result(*finishes)), counted(*before, result(*finishes[::-1]))
    for key, _ in finishes:
        assert only(one, key).mu == pytest.approx(only(other, key).mu)
        assert only(one, key).sigma == pytest.approx(only(other, key).sigma)


def test_each_set_of_rules_has_its_own() -> None:
    """Playing well by one says nothing of another."""
    standings = counted(result((ANA, 1), (BO, 2)))
    standings.add("college", result((ANA, 2), (BO, 1)))
    assert [(standing.rules, standing.wins) for standing in standings.of(ANA)] == [("life", 1), ("college", 0)]
    assert [standing.key for standing in standings.top("life", 9)] == [ANA, BO]
    assert [standing.key for standing in standings.top("college", 9)] == [BO, ANA]
    assert len(standings.top(None, 9)) == 4
    assert len(standings.top(None, 3)) == 3
    assert standings.top("cathedral", 9) == standings.of(CY) == []


def test_guests_take_part_but_are_not_kept() -> None:
    """Each is a newcomer every time, however often a guest has lost."""
    standings = counted(*[result((ANA, 1), (GUEST, 2)) for _ in range(20)])
    assert [standing.key for standing in standings.top(None, 9)] == [ANA]
    assert standings.of(GUEST) == []
    standings.add("life", result((BO, 1), (GUEST, 2)))
    fresh = counted(result((BO, 1), (GUEST, 2)))
    assert only(standings, BO) == only(fresh, BO)


@pytest.mark.parametrize(
    "cast", [(), (ANA,), (GUEST,), (HARD, HARD, HARD)], ids=["nobody", "one", "a guest", "one level"]
)
def test_a_game_against_oneself_counts_for_nothing(cast: tuple[str, ...]) -> None:
    """Copies of one AI player say nothing about it."""
    assert counted(result(*((key, rank) for rank, key in enumerate(cast, 1)))).top(None, 9) == []


def test_copies_of_an_ai_player_are_one_player() -> None:
    """Its rating is the mean of theirs, and each of them has played."""
    standing = only(counted(result((HARD, 1), (ANA, 2), (HARD, 3), (HARD, 4))), HARD)
    apart = counted(result((BO, 1), (ANA, 2), (CY, 3), (EASY, 4)))
    copies = [only(apart, key) for key in (BO, CY, EASY)]
    assert standing.mu == pytest.approx(sum(copy.mu for copy in copies) / 3)
    assert standing.sigma == pytest.approx(sum(copy.sigma for copy in copies) / 3)
    assert (standing.games, standing.wins, standing.places) == (3, 1, (1, 0, 1, 1))
    assert standing.name == "hard AI player"


def test_copies_do_not_make_an_ai_player_stronger_than_it_is() -> None:
    """Of equals, one alone at the table ends where three of a kind do."""
    chance = random.Random(2)
    standings = Standings()
    for _ in range(1_000):
        cast = chance.sample([ANA, HARD, HARD, HARD], 4)
        standings.add("life", result(*((key, rank) for rank, key in enumerate(cast, 1))))
    assert abs(only(standings, ANA).mu - only(standings, HARD).mu) < 2 * only(standings, ANA).sigma


def test_ratings_follow_strength() -> None:
    """Six players of known strength are in its order after some hundred games; the settled are around 1500."""
    chance = random.Random(1)
    strength = {f"SHA256:{n}": 1.6**n for n in range(6)}
    standings = Standings()
    for _ in range(800):
        cast = chance.sample(list(strength), chance.choice([2, 3, 4]))
        cast.sort(key=lambda key: chance.expovariate(strength[key]))
        standings.add("life", result(*((key, rank) for rank, key in enumerate(cast, 1))))
    top = standings.top("life", 10)
    assert [standing.key for standing in top] == sorted(strength, key=lambda key: -strength[key])
    assert 1400 < sum(standing.rating for standing in top) / len(top) < 1600


def test_who_has_hardly_played_is_not_on_top() -> None:
    """One win by luck is worth less than many won and some lost."""
    games = [result((ANA, 1), (BO, 2)), result((ANA, 1), (BO, 2)), result((BO, 1), (ANA, 2))] * 10
    standings = counted(*games, result((CY, 1), (BO, 2)))
    assert [standing.key for standing in standings.top("life", 9)] == [ANA, BO, CY]
    assert Standing(CY, "life").rating == 1000 < only(standings, CY).rating
    assert only(standings, CY).mu > only(standings, BO).mu


def test_a_rating_settles() -> None:
    """After so many games."""
    games = [result((ANA, 1), (BO, 2))] * SETTLED
    assert only(counted(*games[1:]), ANA).provisional
    assert not only(counted(*games), ANA).provisional


def test_the_last_name_is_shown() -> None:
    """A key may go by another name every day."""
    standings = counted(
        Result((Finish(ANA, "ana", 1), Finish(BO, "bo", 2)), drawn=False, plies=9),
        Result((Finish(ANA, "anna", 1), Finish(BO, "bo", 2)), drawn=False, plies=9),
    )
    assert only(standings, ANA).name == "anna"


async def test_reading_in_parts_is_reading_at_once() -> None:
    """However often one catches up, and with two at it at the same time, each game counts once."""
    log, in_parts, at_once, added = MemoryLog(), Standings(), Standings(), Standings()
    for table, (rules, each) in enumerate(many(700)):
        await finish(log, table, write_result(each), rules)
        added.add(rules, each)
        if table % 97 == 0:
            await asyncio.gather(in_parts.catch_up(log), in_parts.catch_up(log))
    await in_parts.catch_up(log)
    await at_once.catch_up(log)
    assert in_parts.top(None, 99) == at_once.top(None, 99) == added.top(None, 99)
    assert len(at_once.top(None, 99)) == 10


async def test_others_get_their_turn() -> None:
    """Catching up with many games leaves the event loop again and again."""
    log, standings = MemoryLog(), Standings()
    for table, (rules, each) in enumerate(many(1_000)):
        await finish(log, table, write_result(each), rules)
    catching_up = asyncio.create_task(standings.catch_up(log))
    turns = 0
    while not catching_up.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 3


async def test_a_result_that_cannot_be_read_is_left_out() -> None:
    """And said; the games after it count."""
    log, standings = MemoryLog(), Standings()
    await finish(log, 1, '{"v":2}')
    await finish(log, 2, write_result(result((ANA, 1), (BO, 2))))
    with capture_logs() as said:
        await standings.catch_up(log)
    assert [line["game"] for line in said] == ["game1"]
    assert only(standings, ANA).games == 1


def test_lines_fit_and_say_who_is_who() -> None:
    """Numbers in columns also where names are wide; words for everything; within 78 cells."""
    standings = Standings()
    for _ in range(SETTLED):
        standings.add("life", Result((Finish(ANA, "\u6f22" * 8, 1), Finish(HARD, "Fox", 2)), drawn=False, plies=9))
    standings.add("house-" * 9, result((BO, 1), (ANA, 2)))
    title, *rows = top_lines("Life", standings.top("life", 9), ANA)
    assert title == "Life"
    assert rows[0].startswith("  1. " + "\u6f22" * 8 + " (you) ")
    assert rows[1].startswith("  2. hard AI player  ")
    assert "you" not in rows[1]
    assert rows[0].endswith("10 games,    10 won, best streak 10")
    assert wcswidth(rows[0].partition(" games")[0]) == wcswidth(rows[1].partition(" games")[0])
    mixed = top_lines("All", standings.top(None, 9), ANA)
    assert [line.rpartition(" at ")[2][:12] for line in mixed[1:-1]] == ["life", "house-house-", "house-house-", "life"]
    assert "fewer than 10 games" in mixed[-1]
    assert all(wcswidth(line) <= 78 for line in [title, *rows, *mixed])
    assert top_lines("Life", []) == ["Life: no finished games yet."]


def test_who_is_not_listed_is_told_why() -> None:
    """Guests, and who has not finished a game; that a level of AI players is one row."""
    top = counted(result((ANA, 1), (HARD, 2))).top("life", 9)
    assert standings_note(top, ANA) == ["All AI players of one level share a row."]
    assert standings_note(top, None)[1].startswith("Guests are not listed")
    assert standings_note(top, BO)[1].startswith("You are not listed")


def test_json_tells_programs_all_but_the_keys() -> None:
    """Whose key is whose is not published."""
    best = best_players(counted(result((ANA, 1), (HARD, 2))).top("life", 9), ANA)
    first, second = json.loads(json_line({"top": best}))["top"]
    assert (first["place"], first["name"], first["you"], first["level"]) == (1, "ana", True, None)
    assert (second["place"], second["name"], second["you"], second["level"]) == (2, "hard AI player", False, "hard")
    assert (first["games"], first["places"], first["provisional"]) == (1, [1], True)
    assert list(first) == [
        *("place", "name", "level", "you", "rules", "rating", "provisional", "games", "wins", "draws", "places"),
        *("streak", "best_streak"),
    ]
