"""Weight files: a damaged one is reported and replaced, and tables agree with the features."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.ai import LEVELS, uses_search, weight_problems, weights
from engine.ai.extreme_and_master import choose_by_search, choose_by_weights
from engine.ai.features import feature_names
from engine.ai.value import Value, value_features, value_names
from engine.ai.weights import GENERAL, Weights, model_for, read_weights, weights_json, weights_of
from engine.legality import legal_moves
from engine.rulesets import rulesets
from engine.view import view_of
from tests.support.each import for_each
from tests.support.positions import OTHER, at
from tests.support.random_games import TABLES, Table, random_game


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder for weight files, which stands in for the one that ships."""
    monkeypatch.setattr(weights, "files", lambda _: tmp_path)
    (made := tmp_path / "weights").mkdir()
    forget()
    yield made
    forget()


def forget() -> None:
    """Clear the caches, so that weights are read again."""
    weights_of.cache_clear()
    model_for.cache_clear()


def some_weights(seed: int) -> Weights:
    """Random weights."""
    rng = Random(seed)
    return Weights(
        [round(rng.uniform(-2, 2), 3) for _ in value_names()], [round(rng.uniform(-2, 2), 3) for _ in feature_names()]
    )


def test_every_rule_set_ships_with_weights() -> None:
    """No file that ships is missing, damaged or all zeros."""
    assert weight_problems([*rulesets()]) == []
    for name in (*rulesets(), GENERAL):
        for each in weights_of(name)[0].values():
            assert any(each.value)
            assert any(each.moves)


def test_weights_survive_a_file() -> None:
    """What is written is read back."""
    two, more = replace(some_weights(1), simulations=7), some_weights(2)

    assert read_weights(json.dumps(weights_json({"two": two, "more": more}))) == {"two": two, "more": more}


DAMAGED = {
    "not JSON": "{",
    "not an object": "[]",
    "half of it missing": '{"two": {"value": {}, "moves": {}}}',
    "an unknown name": '{"two": {"value": {"magic": 1}, "moves": {}}, "more": {"value": {}, "moves": {}}}',
    "no number": '{"two": {"value": {"stock down": "x"}, "moves": {}}, "more": {"value": {}, "moves": {}}}',
    "no number of looks": '{"two": {"looks": -1, "value": {}, "moves": {}}, "more": {"value": {}, "moves": {}}}',
    "not a finite number": '{"two": {"value": {"stock down": NaN}, "moves": {}}, "more": {"value": {}, "moves": {}}}',
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_told_and_general_weights_stand_in(folder: Path, damage: str) -> None:
    """One sentence names the file, and the general weights are used."""
    general = {"two": some_weights(1), "more": some_weights(2)}
    (folder / "quatch.json").write_text(DAMAGED[damage])
    (folder / f"{GENERAL}.json").write_text(json.dumps(weights_json(general)))  # type: ignore[arg-type]

    assert weights_of("quatch")[0] == general
    (problem,) = weight_problems(["quatch"])
    assert problem.startswith("weights of quatch: ")


@pytest.mark.usefixtures("folder")
def test_without_any_file_every_level_still_moves() -> None:
    """Even the general weights may be gone."""
    view = view_of(at("quatch", "hand 8c 9c Kc", OTHER, pile="6h"), 0)

    assert len(weight_problems(["quatch"])) == 2
    for choose in LEVELS.values():
        assert choose(view, Random(1)) in legal_moves(view, 0)


def test_extreme_looks_ahead_where_its_weights_say_so(folder: Path) -> None:
    """With the number of simulations that they give; otherwise it chooses by weights alone."""
    made = weights_json({"two": replace(some_weights(1), simulations=40), "more": some_weights(2)})
    (folder / "life.json").write_text(json.dumps(made))
    two, more = (
        at("life", "hand 4c 5c 9c Kc", OTHER, pile="6h"),
        at("life", "hand 4c 9c Kc", OTHER, "hand 8d 9d", pile="6h"),
    )

    for state, budget in ((two, 40), (more, 0)):
        view, known = view_of(state, 0), model_for(state.rules, len(state.hands))
        assert uses_search("extreme", view) == bool(budget)
        for seed in range(8):
            rng = Random(seed)
            expected = choose_by_search(view, rng, known, budget) if budget else choose_by_weights(view, rng, known)
            assert LEVELS["extreme"](view, Random(seed)) == expected
    assert uses_search("master", view_of(more, 0))
    assert not uses_search("hard", view_of(two, 0))


@for_each("table", TABLES)
def test_tables_weigh_what_the_features_say(table: Table) -> None:
    """The score from tables, which search uses, is the weighted sum of the features, which are fitted."""
    numbers = some_weights(3).value
    value = Value(table.read(), numbers)
    for step in random_game(table, "0").steps[::9]:
        for seat in range(table.seats):
            features = value_features(step.state, seat, value.classes)
            assert value.score(step.state, seat) == pytest.approx(sum(numbers[index] * n for index, n in features))


def test_house_rules_play_by_the_weights_of_their_base() -> None:
    """Rules with options have tables of their own, made from their base's weights."""
    rules = rulesets()["quatch"]
    house_rules = rules.with_options({"special.3.effect": "mirror", "special.3.on": "any"})
    three = at("quatch", "hand 3c", OTHER)

    assert model_for(house_rules, 2).moves == model_for(rules, 2).moves
    assert model_for(house_rules, 2).value.score(three, 0) != model_for(rules, 2).value.score(three, 0)
