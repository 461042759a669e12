"""`quatch completion`: the scripts that complete the command line."""

import subprocess
from pathlib import Path
from typing import Final

import pytest

from server.cli.arguments import SHELLS, build_parser
from server.cli.main import main

WAYS_TO_ASK: Final = {
    "bash": "COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _shtab_quatch; echo ${{COMPREPLY[@]}}",
    "fish": r"complete -C '{line}' | string split -f 1 \t",
}
"""How to ask a shell for the words that complete a line. zsh tells them only to a person at a terminal."""


def needing(*shells: str) -> pytest.MarkDecorator:
    """Run a test with each of these shells."""
    return pytest.mark.parametrize("shell", [pytest.param(shell, marks=pytest.mark.needs(shell)) for shell in shells])


@pytest.fixture
def script(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A file with the script for a shell."""
    assert main(["completion", shell]) == 0
    file = tmp_path / shell
    file.write_text(capsys.readouterr().out, "utf-8")
    return file


@needing(*SHELLS)
def test_a_script_can_be_read_by_its_shell_and_has_every_sub_command_and_option(shell: str, script: Path) -> None:
    """Whatever the parser takes."""
    subprocess.run([shell, "-n", script], check=True)
    text = script.read_text("utf-8")
    for name, (_, command) in build_parser().sub_commands.items():
        assert name in text
        for option in (option for argument in command.arguments for option in argument.option_strings):
            assert option.lstrip("-") in text


@needing(*WAYS_TO_ASK)
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("ref", "referee"),
        ("play --level e", "easy extreme"),
        ("play co", "college"),
        ("rules li", "life"),
        ("serve --proc", "--processes"),
    ],
)
def test_words_are_completed(shell: str, script: Path, typed: str, completed: str) -> None:
    """Sub-commands, values of options, rule sets, options."""
    ask = f"source {script}; {WAYS_TO_ASK[shell].format(line=f'quatch {typed}')}"
    told = subprocess.run([shell, "-c", ask], capture_output=True, text=True, check=True).stdout
    assert sorted(told.split()) == completed.split()
