"""`quatch bots --check COMMAND`: good bots pass, and of others it says what they do wrong."""

import shlex
import sys
from pathlib import Path

import pytest

from server.bot_protocol.check import TRIALS, check_bot

EXAMPLE = Path(__file__).parents[3] / "deploy" / "bots" / "first_legal.py"
pytestmark = pytest.mark.needs("ssh")


async def checked(bot: Path, *promises: str) -> list[str]:
    """What is reported of a bot in Python: of each trial whose promise has one of these words."""
    trials = {promise: trial for promise, trial in TRIALS.items() if any(word in promise for word in promises)}
    lines = list[str]()
    failed = await check_bot(shlex.join([sys.executable, str(bot)]), lines.append, trials)
    assert failed == sum(line.startswith("WRONG") for line in lines)
    return lines


async def test_the_example_passes_all_trials() -> None:
    """Each kind of trouble, and a seat that was kept by each rule set."""
    assert [line for line in await checked(EXAMPLE, "") if not line.startswith("good")] == []


@pytest.mark.parametrize(
    ("right", "wrong", "promise", "told"),
    [
        ('message["legal"][0]', '"play 2 3"', "asks", "makes the move play 2 3: "),
        ('message["ply"]', "0", "asks", "answers ply 0, not 2, which is that of the turn"),
        ("        case _:\n            continue", "        case _:\n            break", "passes over", "ends where"),
        ('"type": "back"', '"type": "bacK"', "takes its seat", 'sends {"type": "bacK"}: type: must be one of'),
        ('"seats": 3', '"seats": "3"', "asks", "seats: expected a whole number"),
        ('["ssh", *sys.argv[1:], "bot"]', '["true"]', "", "ends before it connects"),
        ('case "turn":', 'case "event":\n            ssh.kill()\n        case "turn":', "asks", "ends "),
        ('message["legal"][0]', "legal[0]", "asks", "ends where move or back is needed (NameError: name 'legal'"),
    ],
)
async def test_what_a_bot_does_wrong_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, promise: str, told: str
) -> None:
    """In the words of the protocol."""
    monkeypatch.delenv("PYTHONDEVMODE", raising=False)  # with it a warning may stand behind the error
    bot, text = tmp_path / "bot.py", EXAMPLE.read_text("utf-8")
    assert right in text
    bot.write_text(text.replace(right, wrong), "utf-8")
    (line,) = await checked(bot, promise)
    assert line.startswith("WRONG")
    assert told in line
