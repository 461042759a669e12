"""Texts, accounts, games and standings, as every log promises them (see `test_database`)."""

import asyncio

import pytest

from server.history.ratings import Standing, Standings
from server.people.accounts import Account, Accounts
from server.storage import sql
from server.storage.database import EMPTY, EVERY, Conflict, FinishedGame
from tests.support.log_entries import Logs, entry, finished, grow, texts_of


async def test_texts_are_read_in_the_order_of_their_last_write(logs: Logs) -> None:
    """By kind. None deletes a text, and may delete one that does not exist."""
    one, other = logs
    assert await texts_of(other, "name") == {}
    for key in "abcd":
        await one.put_text("name", key, f"{key}1")
    await one.put_text("ban", "a", "why")
    await one.put_text("name", "b", "b2")
    await one.put_text("name", "c", None)
    await one.put_text("name", "never", None)
    assert list((await texts_of(other, "name")).items()) == [("a", "a1"), ("d", "d1"), ("b", "b2")]
    await one.put_text("name", "b", None)
    await one.put_text("name", "e", "\u05d0\U0001f0a1")
    await one.put_text("name", "a", "a1")
    assert list((await texts_of(other, "name")).items()) == [("d", "d1"), ("e", "\u05d0\U0001f0a1"), ("a", "a1")]
    assert await texts_of(other, "ban") == {"a": "why"}


async def test_texts_changed_after_a_number_are_read(logs: Logs) -> None:
    """Each changed or deleted text comes once; a number is never used again."""
    one, other = logs
    read = 0

    async def feed() -> list[tuple[str, str | None]]:
        nonlocal read
        found = await other.read_texts("name", read)
        numbers = [row.number for row in found]
        assert numbers == sorted({*numbers})
        read = max([read, *numbers])
        return [(row.key, row.text) for row in found]

    for key in "abc":
        await one.put_text("name", key, f"{key}1")
    assert await feed() == [("a", "a1"), ("b", "b1"), ("c", "c1")]
    assert await feed() == []
    await one.put_text("name", "c", None)
    await one.put_text("name", "d", "d1")
    await one.put_text("ban", "e", "why")
    assert await feed() == [("c", None), ("d", "d1")]
    for text in ("a2", "a3"):
        await other.put_text("name", "a", text)
    await one.put_text("name", "d", None)
    await one.put_text("name", "d", "d2")
    assert await feed() == [("a", "a3"), ("d", "d2")]
    assert await texts_of(one, "ban") == {"e": "why"}


async def test_the_texts_that_were_saved_longest_ago(logs: Logs) -> None:
    """The oldest first: a text that is saved again is the newest, and a deleted text is not listed."""
    one, other = logs
    for key in "abcd":
        await one.put_text("seen", key, f"{key}1")
    await one.put_text("name", "x", "another kind")
    await one.put_text("seen", "a", "a2")
    await one.put_text("seen", "b", None)
    oldest = [(row.key, row.text) for row in await other.oldest_texts("seen", 2)]
    assert oldest == [("c", "c1"), ("d", "d1")]
    assert [row.key for row in await other.oldest_texts("seen", 9)] == ["c", "d", "a"]


async def test_texts_are_found_and_counted_by_kind(logs: Logs) -> None:
    """One under its key, and those of one kind by their number."""
    one, other = logs
    for key, text in (("a", "x"), ("b", "x"), ("c", "y"), ("a", "y"), ("b", None), ("b", "y")):
        await one.put_text("kind", key, text)
    await one.put_text("settings", "a", "y")
    assert [await other.text("kind", key) for key in "abcd"] == ["y", "y", "y", None]
    assert await other.text("settings", "b") is None
    assert [await other.count_texts(kind) for kind in ("kind", "settings", "ban")] == [3, 1, 0]
    await one.put_text("kind", "c", None)
    assert (await other.text("kind", "c"), await other.count_texts("kind")) == (None, 2)


async def test_what_is_kept_of_an_account_is_read_at_once(logs: Logs) -> None:
    """By its id or by a key; what is not given stays, and an empty name is none."""
    one, other = map(Accounts, logs)
    await one.keep_account("ana", 7, name="Ana", looks=["ana"])
    await one.keep_account("ana", 8, settings='{"v":1}')
    await one.keep_account("bo", 6, settings="{}")
    assert await other.account("ana") == Account("ana", "Ana", 8, '{"v":1}')
    assert await other.account("eve") == Account("eve")
    assert [account.id for account in await other.accounts_seen_first(9)] == ["bo", "ana"]
    assert len(await other.accounts_seen_first(1)) == 1
    await one.keep_account("bo", 9)
    assert [account.id for account in await other.accounts_seen_first(9)] == ["ana", "bo"]
    assert await other.count_accounts() == 2
    await one.keep_account("ana", 8, name="")
    assert await other.account("ana") == Account("ana", None, 8, '{"v":1}')
    ana = await other.account("ana")
    for _ in range(2):
        await one.delete_account(ana)
    assert (await other.account("ana"), await other.count_accounts()) == (Account("ana"), 1)


async def test_an_account_is_deleted_with_its_texts_unless_its_player_has_come_since(logs: Logs) -> None:
    """Everything, or nothing."""
    (log, _), (one, other) = logs, map(Accounts, logs)
    for kind in ("habits", "streak", "other"):
        await log.put_text(kind, "ana", "{}")
    await one.keep_account("ana", 7, name="Ana", looks=["ana"])
    before = await other.account("ana")
    await one.keep_account("ana", 8)
    await other.delete_account(before, ["habits", "streak"])
    now = await one.account("ana")
    assert (now, await log.text("habits", "ana")) == (Account("ana", "Ana", 8), "{}")
    await other.delete_account(now, ["habits", "streak"])
    assert (await one.account("ana"), await one.name_owners(["ana"])) == (Account("ana"), [])
    assert [await log.count_texts(kind) for kind in ("habits", "streak", "other")] == [0, 0, 1]


async def test_a_key_has_an_account_of_its_own_until_it_is_linked_to_another(logs: Logs) -> None:
    """By its key it is found, and the keys of an account are listed in the order of linking."""
    one, other = map(Accounts, logs)
    assert await other.account_of("a") is None
    for account, key in (("ana", "a"), ("bo", "b"), ("new", "a")):
        await one.add_account(account, key, 7)
    for key, account in (("b", "ana"), ("c", "ana"), ("b", "bo"), ("b", "ana"), ("d", "bo"), ("d", "ana")):
        await one.link(key, account, f"new {key}")
    assert await other.keys_of("ana") == {"a": "ana", "c": "new c", "b": "bo", "d": "new d"}
    assert await other.account_of("b") == Account("ana", None, 7)
    assert (await other.keys_of("bo"), await other.count_linked_keys(), await other.count_accounts()) == ({}, 3, 2)
    await one.unlink("b", "unused", 8)
    assert (await other.account_of("b"), await other.count_linked_keys()) == (Account("bo", None, 7), 2)
    await one.unlink("a", "newer", 8)
    assert (await other.account_of("a"), await other.count_linked_keys()) == (Account("newer", None, 8), 2)
    assert (await other.keys_of("ana"), await other.count_accounts()) == ({"c": "new c", "d": "new d"}, 3)


async def test_the_keys_of_a_deleted_account_have_none_or_their_own_one_back(logs: Logs) -> None:
    """No key stands for what is gone."""
    one, other = map(Accounts, logs)
    for account, key in (("ana", "a"), ("bo", "b")):
        await one.add_account(account, key, 7)
    await one.link("b", "ana", "unused")
    await one.delete_account(Account("ana", None, 7))
    assert (await other.account_of("a"), await other.account_of("b")) == (None, Account("bo", None, 7))
    assert (await other.count_linked_keys(), await other.count_accounts()) == (0, 1)


async def test_a_name_belongs_to_the_first_with_its_look(logs: Logs) -> None:
    """Until its owner has another name or none; then to whoever claims it."""
    one, other = map(Accounts, logs)
    await one.keep_account("ana", 1, name="Ana", looks=["ana"])
    with pytest.raises(Conflict):
        await other.keep_account("eve", 1, name="ANA", looks=["ana", "ANA"])
    assert await other.account("eve") == Account("eve")
    await one.keep_account("eve", 1, name="EVE", looks=["eve", "EVE"])
    assert await other.name_owners(["EVE", "nobody", "ana"]) == ["eve", "ana"]
    await one.keep_account("ana", 1, name="Bo", looks=["bo"])
    assert await other.name_owners(["ana", "bo"]) == ["ana"]
    await other.keep_account("eve", 1, name="ANA", looks=["ana", "ANA"])
    assert await one.name_owners(["ana", "bo", "eve"]) == ["eve", "ana"]
    await one.keep_account("ana", 2)
    assert await one.name_owners(["bo"]) == ["ana"]
    await one.delete_account(await one.account("eve"))
    await one.keep_account("ana", 2, name="")
    assert await other.name_owners(["ana", "ANA", "bo"]) == []


async def test_the_write_decides_who_has_a_name(logs: Logs) -> None:
    """Of two who claim names that look alike at one moment, one has it. The other keeps the name that they had."""
    one, other = map(Accounts, logs)
    await other.keep_account("bo", 1, name="Bo", looks=["bo"])
    claims = (
        one.keep_account("ana", 1, name="Vesna", looks=["vesna"]),
        other.keep_account("bo", 1, name="VESNA", looks=["VESNA", "vesna"]),
    )
    outcomes = await asyncio.gather(*claims, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {type(None), Conflict}
    owner, loser = ("ana", "bo") if outcomes[0] is None else ("bo", "ana")
    assert await other.name_owners(["vesna"]) == [owner]
    assert (await other.account(loser)).name == ("Bo" if loser == "bo" else None)


async def test_a_game_is_kept_with_the_entry_that_ends_it(logs: Logs) -> None:
    """It stays after the table has closed, and a second game with its id changes nothing."""
    one, other = logs
    head = await grow(one, 1, 1)
    last = entry(1, 2)
    await one.append(head, last, finished("g1"))
    await one.delete(1, last.head)
    assert await other.game("g1") == finished("g1")
    assert await other.game("g2") is None
    again = FinishedGame("g1", "life", 1.0, "{}", "another")
    await one.append(EMPTY, entry(1, 1), again)
    assert await other.game("g1") == finished("g1")
    assert len(await other.games()) == 1


async def test_games_are_listed_by_growing_numbers(logs: Logs) -> None:
    """Page by page from the oldest, or the last few from the newest; without their records."""
    one, other = logs
    names = [f"g{number}" for number in (3, 1, 4, 15, 9)]
    for table, name in enumerate(names):
        await one.append(EMPTY, entry(table, 1), finished(name))
    seen, after = list[str](), 0
    while page := await other.games(after, limit=2):
        assert len(page) <= 2
        for number, game in page:
            assert number > after
            after = number
            seen.append(game.id)
            assert (game.rules, game.at, game.result) == ("quatch", 1_750_000_000.5, '{"won": "Ана"}')
            assert game.record == ""
    assert seen == names
    assert [game.id for game in await other.latest(3)] == names[:1:-1]
    assert {game.record for game in await other.latest(9)} == {""}
    assert await other.latest(0) == []


def standing(key: str, rules: str, strength: float, name: str = "") -> Standing:
    """A standing of this strength."""
    return Standing(key, rules, name, mu=strength, sigma=0.0)


async def test_standings_are_listed_by_strength_and_found_by_player(logs: Logs) -> None:
    """Under one set of rules or under all; one without rules is found by its player, and in no list."""
    one, other = map(Standings, logs)
    ana, bo = standing("ana", "life", 3.5), standing("bo", "life", 20.25)
    also_ana, cy, dee = standing("ana", "college", -1.0), standing("cy", "college", 3.5), standing("dee", "", 99.0)
    assert (await other.top(None, 9), await other.every("ana")) == ([], [])
    await one.put(0, 7, [ana, bo, also_ana, cy, dee])
    assert await other.counted() == 7
    assert await other.top("life", 9) == [bo, ana]
    assert await other.top(None, 3) == [bo, cy, ana]
    assert await other.top("quatch", 9) == await other.top(None, 0) == []
    assert await other.every("ana") == [also_ana, ana]
    assert (await other.every("dee"), await other.of("dee")) == ([dee], [])
    again = standing("ana", "life", 30.0, "ana again")
    await one.put(7, 8, [again])
    assert await other.top("life", 9) == [again, bo]


async def test_games_are_counted_once(logs: Logs) -> None:
    """Of two that have counted the same games one wins; what the other counted changes nothing."""
    one, other = map(Standings, logs)
    first, second = standing("ana", "life", 1.0, "first"), standing("ana", "life", 2.0, "second")
    await one.put(0, 3, [first])
    for before in (0, 2, 4):
        with pytest.raises(Conflict):
            await other.put(before, 5, [second])
    assert await one.counted() == 3
    assert await one.top("life", 9) == [first]


async def test_a_players_games_are_found_however_many_others_have_finished(logs: Logs) -> None:
    """The latest first, until they are deleted or the player is forgotten."""
    one, other = logs
    for number in range(1, 8):
        players = ("account:ana", "account:bo") if number in {2, 3} else ("account:bo",)
        game = FinishedGame(f"g{number}", "life", float(number), "{}", "text", players)
        await one.append(EMPTY, entry(number, 1), game)

    async def of(account: str, limit: int = 9, before: int = EVERY) -> list[str]:
        return [game.id for _, game in await other.games_of(account, limit, before)]

    assert await of("account:ana") == ["g3", "g2"]
    assert await of("account:ana", limit=1) == ["g3"]
    assert await of("account:ana", before=3) == ["g2"]
    for delete in (sql.DELETE_GAME_PLAYERS, sql.DELETE_GAMES):
        await other.execute(delete, 2)
    assert await of("account:ana") == ["g3"]
    await one.execute(sql.FORGET_GAMES, "account:ana")
    assert await of("account:ana") == []
    assert len(await of("account:bo")) == 5
