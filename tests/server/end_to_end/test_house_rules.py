"""House rules: a short file adds a rule set that can be played at once and is listed with its differences."""

import json
from dataclasses import replace
from pathlib import Path

import asyncssh
import pytest

from engine.errors import BadRules, InputError
from engine.rulesets import ruleset
from server.bot_protocol.bots import BotOptions, run_bots
from server.cells import wrap
from server.cli.main import main
from server.rulebook import Rulebook, read_house_rules, read_rules_file, sheet
from tests.support.bots import bot
from tests.support.people import running_server

pytestmark = pytest.mark.waiting_takes_no_time

NAN = """title = "Nan's Life"
base = "life"
pickup.lift_up = 0
[special.8]
effect = "skip"
on = "any"
"""


def test_a_file_overrides_its_base(tmp_path: Path) -> None:
    """Everything else is as in the base; the changed options are described in words."""
    (tmp_path / "nan.toml").write_text(NAN)
    rules = read_rules_file(tmp_path / "nan.toml")
    assert rules.title == "Nan's Life"
    assert rules.pickup_lift_up == 0
    assert rules.special.keys() == {*ruleset("life").special.keys(), 6}
    assert "* An 8 goes on anything and skips the next player, once for each card." in sheet(rules)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('base = "live"', "bad.toml, line 1: base: must be quatch, cathedral"),
        ('base = "life"\nfour.scop = "off"', "bad.toml, line 2: four.scop: no such key (did you mean four.scope?)"),
        (
            'base = "life"\nspecial.8 = { effect = "skipp", on = "any" }',
            "bad.toml, line 2: special.8.effect: must be reset, burn",
        ),
        (
            'base = "life"\n[special.8]\neffect = "skip"\n[special.9]\neffect = "skipp"',
            "bad.toml, line 5: special.9.effect: must be reset, burn",
        ),
        ('base = "life"\n\nbeat = "up"', "bad.toml, line 3: beat: must be equal-or-higher or higher, not 'up'"),
        ('base = "life"\n[special.4]\non = "any"', "special.4: needs an effect"),
        ('base = "life"\n[deal]\nhand = 40', "more than the deck has"),
        (
            'base = "quatch"\n[arrange]\nmode = "lay-up"',
            "bad.toml, line 3: arrange.lay: must be 1 or more if arrange.mode is lay-up",
        ),
        ("base = ", "bad.toml: not TOML"),
        ("title = 5", "the file.title: must be text"),
    ],
)
def test_a_fault_is_named_by_file_line_and_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, problem: str
) -> None:
    """`quatch rules FILE` says each fault on its own line and exits with 2."""
    file = tmp_path / "bad.toml"
    file.write_text(text)
    with pytest.raises(BadRules) as caught:
        read_rules_file(file)
    assert problem in caught.value.problems[0]
    assert main(["rules", str(file)]) == 2
    assert capsys.readouterr().err.splitlines() == caught.value.problems


def test_each_fault_of_a_file_is_told_in_the_order_of_its_lines(tmp_path: Path) -> None:
    """Also if the base is wrong: what is then wrong whatever the base."""
    file = tmp_path / "bad.toml"
    file.write_text('base = "live"\nfour.scop = "off"\nbeat = "up"\n[special.4]\non = "any"\n')
    with pytest.raises(BadRules) as caught:
        read_rules_file(file)
    told = [problem.partition(": ")[0] for problem in caught.value.problems]
    assert told == [f"bad.toml, line {line}" for line in (1, 2, 3, 4)]


def test_a_broken_file_does_not_keep_the_others_from_loading(tmp_path: Path) -> None:
    """Its faults are reported, sound files count, and no file replaces a rule set that ships."""
    (tmp_path / "nan.toml").write_text(NAN)
    (tmp_path / "bad.toml").write_text("base = ")
    (tmp_path / "life.toml").write_text(NAN)
    (tmp_path / "College.toml").write_text("base = ")
    found, problems = read_house_rules(tmp_path)
    assert list(found) == ["nan"]
    assert len(problems) == 3
    assert "College.toml: there is a rule set of that name already" in problems
    assert "life.toml: there is a rule set of that name already" in problems


async def test_house_rules_may_allow_twelve_seats(tmp_path: Path) -> None:
    """There are enough names and places for all, to the end of the game."""
    (tmp_path / "rules").mkdir()
    big = 'base = "life"\nseats.max = 12\n[deal]\ndown = 0\nhand = 4\n[arrange]\nlay = 1\n'
    (tmp_path / "rules" / "big.toml").write_text(big)
    async with running_server(tmp_path, rules_dir=str(tmp_path / "rules")) as running, running.person(term=None) as ana:
        await ana.press(b"play big seats=12\n", "Choose 1 card")
        number = running.app.lobby.tables.listings()[0].number
        async with running.person("fan", term=None) as fan:
            await fan.until("Type play")
            fan.send(f"watch {number}\n".encode())
            ana.send(b"leave\nleave\n")
            told = await fan.until("This game is not kept")
        # The last two may end in a draw: nobody but the deal decides that.
        assert "is out 10th!" in told
        assert "wins the game!" in told or "The game is drawn between" in told


def test_the_name_of_a_rule_set_may_be_shortened() -> None:
    """As long as it is unique."""
    book = Rulebook()
    assert book.find("cath").name == "cathedral"
    assert book.find("quatch").name == "quatch"
    with pytest.raises(InputError):
        book.find("c")


def test_the_sheet_of_a_rule_set_tells_how_it_differs_from_the_default() -> None:
    """For players who know one of the rule sets."""
    title, *lines = sheet(ruleset("cathedral"))
    assert title == "Cathedral: 2 to 4 players. Lines with * differ from Quatch."
    assert "* Each player is dealt 6 in hand." in lines
    assert "From low to high: 2 3 4 5 6 7 8 9 10 J Q K A." in lines
    assert not [line for line in sheet(ruleset("quatch")) if line.startswith("*")]


async def test_house_rules_are_played_over_ssh(tmp_path: Path) -> None:
    """Once the file is in the host's folder, they are listed with their differences and can be played."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "nan.toml").write_text(NAN)
    async with running_server(tmp_path, rules_dir=str(tmp_path / "rules")) as running:
        async with running.person(term=None, command="rules") as ana:
            assert await ana.until_gone() == 0
            assert "nan              Nan's Life: Life, but: An 8 goes on anything" in ana.text
        async with running.person() as ana:
            await ana.enter("play nan", "Nan's Life")
            await ana.enter("rules", "Nan's Life: 2 to 4 players.")


async def test_a_sheet_is_wrapped_at_words_for_a_terminal(tmp_path: Path) -> None:
    """As `quatch rules` wraps it; a pipe gets whole lines, and a program its JSON in one."""
    async with running_server(tmp_path) as running:
        async with running.person(size=(60, 20), command="rules quatch") as ana:
            await ana.until_gone()
        rows = [row for line in sheet(ruleset("quatch")) for row in wrap(line, 60)]
        assert ana.text.splitlines() == rows
        async with running.person(size=(60, 20), command="rules quatch --json") as ana:
            await ana.until_gone()
        assert ana.text.count("\n") == 1


@pytest.mark.features("replay")
async def test_our_bots_ask_for_the_rule_sets_of_the_server(tmp_path: Path) -> None:
    """House rules are among them, and named if there are none of that name."""
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "nan.toml").write_text(NAN)
    async with running_server(tmp_path, rules_dir=str(tmp_path / "rules"), pace=0) as running:
        errand = BotOptions("127.0.0.1", running.port, count=2, rules="nan", games=1, pace=0, keys=str(tmp_path))
        await run_bots(errand, lambda _: None)
        assert "  Nan's Life: hard" in (await running.run("replay"))[1]
        with pytest.raises(InputError, match=r"no rule set 'dad': there are .*, nan"):
            await run_bots(replace(errand, rules="dad"), lambda _: None)


@pytest.mark.features("own_page", "rankings", "replay")
async def test_house_rules_have_ratings_of_their_own(tmp_path: Path) -> None:
    """Under their name, not that of their base; changed again they have none, and everybody is told before the deal."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "nan.toml").write_text(NAN)
    async with running_server(tmp_path, rules_dir=str(tmp_path / "rules"), pace=0) as running:
        async with bot(running.port, "hal", key) as hal:
            hal.send(type="new", rules="nan", seats=2, fill="easy")
            assert (await hal.until("joined"))["rating"] == "rated"
            await hal.play()
            for command in ("tables", "tables --json"):
                assert "not rated" not in (await running.run(command))[1]
            await hal.ask("left", type="leave")
            hal.send(type="new", rules="nan", seats=2, options={"deal.hand": 5})
            assert (await hal.until("joined"))["rating"] == "not rated: changed rules"
            for command in ("tables", "tables --json"):
                assert "not rated: changed rules" in (await running.run(command))[1]
        for command in ("replay", "me"):
            assert "  Nan's Life: " in (await running.run(command, key))[1]
        for rules, names in [("nan", ["easy AI player", "hal"]), ("life", [])]:
            top = json.loads((await running.run(f"top {rules} --json"))[1])
            assert sorted(each["name"] for each in top["top"]) == names
            assert {each["rules"] for each in top["top"]} <= {"nan"}
            assert top["complete"] is True
