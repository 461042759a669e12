"""What a host meets: settings, the host key, the command line."""

import json
import os
import re
import shlex
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from server.cli.arguments import build_parser
from server.cli.main import OUTPUT_CLOSED, main
from server.config import Config, ConfigError, setting_names
from server.features import FEATURES
from server.transport.host_keys import KEY_NAME, HostKeyError, load_or_create
from tests.support.patience import PATIENCE
from tests.support.people import running_server
from tests.support.programs import as_a_host

ROOT = Path(__file__).parents[3]


def test_the_host_key_is_made_once_and_private(tmp_path: Path) -> None:
    """The first start makes it, mode 0600 whatever the umask; the next ones keep it."""
    before = os.umask(0)
    try:
        key = load_or_create(tmp_path / "keys")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "keys" / KEY_NAME).stat().st_mode) == 0o600
    assert load_or_create(tmp_path / "keys").get_fingerprint() == key.get_fingerprint()


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """With the words that say what to do."""
    load_or_create(tmp_path)
    (tmp_path / KEY_NAME).chmod(0o644)
    with pytest.raises(HostKeyError, match="chmod 600"):
        load_or_create(tmp_path)


def test_a_damaged_key_is_never_made_anew(tmp_path: Path) -> None:
    """A new key would cost returning players their trust."""
    load_or_create(tmp_path)
    (tmp_path / KEY_NAME).write_text("nonsense")
    with pytest.raises(HostKeyError, match="cannot be used"):
        load_or_create(tmp_path)
    assert (tmp_path / KEY_NAME).read_text() == "nonsense"


def test_settings_come_from_file_then_environment_then_flags(tmp_path: Path) -> None:
    """The later one wins."""
    file = tmp_path / "quatch.toml"
    file.write_text('pace = 2\nport = 1\nlevel = "easy"\n')
    config = Config.load(file, {"QUATCH_PACE": "0", "QUATCH_PORT": "2", "HOME": "/"}, {"port": 3, "data": None})
    assert (config.pace, config.port, config.level, config.data) == (0.0, 3, "easy", "var")


def test_an_environment_variable_takes_several_texts_with_commas() -> None:
    """As the fingerprints of two ops."""
    ops = tuple(f"SHA256:{letter * 43}" for letter in "ab")
    assert Config.load(None, {"QUATCH_OPS": ",".join(ops)}, {}).ops == ops


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("prot = 1", "prot: no such setting (did you mean port?)"),
        (
            'prot = 1\nport = "x"\npac = 2',
            "prot: no such setting (did you mean port?); port: must be a whole number, not 'x'; pac: no such",
        ),
        ('port = "x"', "port: must be a whole number, not 'x'"),
        ("port = 70000", "port: must be 0 to 65535, not 70000"),
        ("public_port = -1", "public_port: must be 0 to 65535, not -1"),
        ('public_host = "-oProxyCommand=x"', "public_host: must be a name or address, like cards.example"),
        ('public_host = "cards.example;x"', "public_host: must be a name or address, like cards.example"),
        ('node = "a b"', "node: must be letters, digits, dots and hyphens: cards-1, not 'a b'"),
        ('level = "god"', "level: must be easy, medium, hard, extreme, master or auto, not 'god'"),
        ('ops = ["ana"]', "ops: must be fingerprints, SHA256:..., as ssh-keygen -lf KEY.pub tells them, not 'ana'"),
        ("host = 7", "host: must be a list of texts, not 7"),
        ("pace = -1", "pace: must be 0 to 100000000 seconds, not -1.0"),
        ("pace = nan", "pace: must be 0 to 100000000 seconds, not nan"),
        (
            "pace = fast",
            "quatch.toml: pace: Invalid value (at line 1, column 8); a text stands in quotes, a number does",
        ),
        ('level = "easy"\nclock\n', "quatch.toml: clock: Expected '='"),
        ("processes = 1.5", "processes: must be a whole number, not 1.5"),
        ("although_moved = 2", "although_moved: must be true or false, not 2"),
        ("clock = nan", "clock: must be 5"),
        ("clock = inf", "clock: must be 5"),
        ("host = []", "host: name at least one address"),
        ('host = [""]', "host: must not hold empty texts"),
        ('data = "a\\u0000b"', "data: must not hold control characters"),
        ('allow_file = "a\\nb"', "allow_file: must not hold control characters"),
        ("processes = 65", "processes: must be 0 to 64, where 0 is one for each core, not 65"),
        ("reload_limit = -1", "reload_limit: must be 0 to 100000000 seconds, not -1.0"),
        ("keep_games = 0", "keep_games: must be more than 0 days"),
        ("not toml", "quatch.toml"),
    ],
)
def test_a_setting_that_cannot_be_is_named(tmp_path: Path, text: str, problem: str) -> None:
    """One line that says what would be right."""
    file = tmp_path / "quatch.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        Config.load(file, {}, {})
    assert problem in str(caught.value)


def taken_out(names: Iterable[str]) -> set[str]:
    """Of these settings those of features that this program does not have: no setting begins like them."""
    known = {each.partition("_")[0] for each in (*setting_names(), *FEATURES)}
    return {name for name in names if name.partition("_")[0] not in known}


def test_the_example_config_says_every_default(capsys: pytest.CaptureFixture[str]) -> None:
    """deploy/quatch.toml and the code agree, and `quatch settings` prints it."""
    text = (ROOT / "deploy" / "quatch.toml").read_text("utf-8")
    assert main(["settings"]) == 0
    assert capsys.readouterr().out == text
    given = set(tomllib.loads(text))
    config = Config.load(ROOT / "deploy" / "quatch.toml", {}, {})
    assert (set(config.passed_over), replace(config, passed_over=())) == (taken_out(given), Config())
    assert given - taken_out(given) == set(setting_names())


def test_the_settings_for_a_game_night_exist_and_differ_from_the_usual_ones() -> None:
    """Those that are only shown as examples, too."""
    file = ROOT / "deploy" / "game-night.toml"
    text = file.read_text("utf-8")
    named = set(tomllib.loads(text)) | set(re.findall(r"^# (\w+) = ", text, re.MULTILINE))
    assert named - taken_out(named) <= set(setting_names()), named - set(setting_names())
    config = Config.load(file, {}, {})
    changed = {name for name in tomllib.loads(text) if getattr(config, name, None) != getattr(Config(), name, None)}
    assert changed | config.of_features.keys() | {*config.passed_over} == tomllib.loads(text).keys()


NEEDS_NOTHING = {"serve", "play", "rules", "referee", "settings", "help", "doctor", "find", "join"}
"""The sub-commands that mean something without arguments."""


def usage_error(arguments: list[str]) -> object:
    """The exit status of `quatch` with these arguments."""
    try:
        return main(arguments)
    except SystemExit as end:
        return end.code


@pytest.mark.parametrize("command", build_parser().sub_commands)
def test_every_sub_command_tells_wrong_usage_in_one_line(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing that it needs, an option that it does not have, and one without its value."""
    monkeypatch.chdir(tmp_path)
    wrong = [["--no-such-option"], ["--help=x"], *([] if command in NEEDS_NOTHING else [[]])]
    for arguments in wrong:
        assert usage_error([command, *arguments]) == 2
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n"), said.err[:6]) == ("", 1, "quatch")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["play", "chess"], "no rule set 'chess'"),
        (["rules", "chess"], "no rule set 'chess'"),
        (["serve", "--without", "keeper", "--config", "/no.toml"], "quatch: /no.toml: No such file or directory"),
        (["serve", "--port", "x"], "quatch serve: --port: a whole number, not 'x'; try quatch serve --help"),
        (
            ["play", "life", "level=easy"],
            "quatch play: no option 'level': did you mean --level? try quatch play --help",
        ),
        (["play", "--seats", "9"], "--seats: Quatch has 2 to 4, not 9"),
        (["verify"], "quatch verify: the following arguments are required: FILE_OR_ID; try quatch verify --help"),
        (["referee", "x"], "quatch referee: unrecognized arguments: x; try quatch referee --help"),
        (["rules", "/nowhere/x.toml"], "/nowhere/x.toml: No such file or directory"),
        (["play", "--level", "godlike"], "no level 'godlike', there is easy, medium, hard, extreme, master; try"),
        pytest.param(
            ["puzzles", "/nowhere/puzzles.json"],
            "quatch: /nowhere: there is no such folder",
            marks=pytest.mark.features("puzzles"),
        ),
        (["bench"], "quatch bench: the following arguments are required: PART; try"),
    ],
)
def test_wrong_usage_exits_with_two_and_one_line(
    capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    """What is wrong, on standard error."""
    assert usage_error(arguments) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert error.count("\n") == 1


def test_the_rules_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """All by name, one as its sheet."""
    assert main(["rules"]) == 0
    assert "cathedral        three cards put aside" in capsys.readouterr().out
    assert main(["rules", "life"]) == 0
    assert "asks for a lower card next" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"host": ["300.1.1.1"]}, "host: 300.1.1.1: "),
        ({"host": ["a..b"]}, "host: a..b: Name or service not known"),
        ({"host": ["192.0.2.1"]}, "host: 192.0.2.1: Cannot assign requested address"),
    ],
)
async def test_a_setting_that_nothing_can_listen_on_is_named(
    tmp_path: Path, settings: dict[str, object], problem: str
) -> None:
    """In the one line that the host reads."""
    with pytest.raises(OSError, match="host: ") as caught:
        async with running_server(tmp_path, None, **settings):
            pass
    assert str(caught.value.strerror).startswith(problem)


@pytest.mark.parametrize("command", ["rules", "serve --host 127.0.0.1 --port 0"])
def test_closed_standard_output_ends_every_command_but_the_server(tmp_path: Path, command: str) -> None:
    """As with `quatch rules life | head`: it ends without a word, as if by SIGPIPE. The server says so and goes on."""
    reader, writer = os.pipe()
    os.close(reader)
    with subprocess.Popen(
        [sys.executable, "-m", "server", *command.split()],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=as_a_host(QUATCH_HOSTKEYS=str(tmp_path), QUATCH_DATA=str(tmp_path)),
    ) as program:
        os.close(writer)
        assert program.stderr is not None
        if command != "rules":
            assert "Broken pipe" in program.stderr.readline()
            program.terminate()
        said = program.stderr.readline()
        assert "the server stops" in said if command != "rules" else said == ""
        assert program.wait(PATIENCE) == (OUTPUT_CLOSED if command == "rules" else 0)


@pytest.mark.parametrize("command", ["play", "referee"])
def test_closed_standard_input_is_its_end(command: str) -> None:
    """As with `quatch play <&-` in a shell."""
    closed = ["bash", "-c", f'exec "$0" -m server {command} <&-', sys.executable]
    run = subprocess.run(closed, capture_output=True, cwd=ROOT, env=as_a_host(), check=False)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("command", "status", "problem"),
    [
        ("arena quatch easy hard --jobs -1", 2, "--jobs: 1 or more, not -1"),
        ("bench engine --seconds nan", 2, "--seconds: 'nan' is no number of seconds"),
        ("verify .", 1, "name the file of a record"),
        (f"verify {__file__}", 1, "must be 'Quatch record 1'"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    status: int,
    problem: str,
) -> None:
    """With the status of wrong usage, or of a game that is not there."""
    monkeypatch.setenv("QUATCH_DATA", str(tmp_path))
    assert usage_error(shlex.split(command)) == status
    told = capfd.readouterr().err
    assert told.count("\n") == 1
    assert problem in told


def test_logs_are_lines_of_ascii_json() -> None:
    """Away from a terminal: whatever a name holds, one line a fact."""
    script = (
        "from server.process import logs; import structlog; logs.configure();"
        "structlog.get_logger().info('came in', name='\\x1b[31m\\u202e\\nx')"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, cwd=ROOT, check=True)
    assert run.stderr.count(b"\n") == 1
    assert all(0x20 <= byte < 0x7F for byte in run.stderr.rstrip(b"\n"))
    assert json.loads(run.stderr)["event"] == "came in"


def test_help_is_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    """As everywhere in the game; alone it lists the commands."""
    assert (main(["help"]), main(["help", "verify"])) == (0, 0)
    alone, found, verify = capsys.readouterr().out.partition("usage: quatch verify")
    assert found
    assert "run the server" in alone
    assert "FILE_OR_ID" in verify
