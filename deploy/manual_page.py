#!/usr/bin/env python3
"""Prints the manual page of `quatch`, made from the parser: `make man` writes it to deploy/quatch.1."""

import argparse
import re
from collections.abc import Iterator
from typing import Final

from engine.wording.phrases import sentence_case
from server.cli.arguments import Parser, build_parser

SECTIONS: Final = r"""
.SH EXIT STATUS
0 for success; 1 if a file, the network or a record fails; 2 for wrong usage; 141 if its output is closed;
130 after Ctrl-C; 3 if the server was reloaded without house rules that are wrong.
.SH ENVIRONMENT
.TP
.BI QUATCH_ NAME
The setting with this name: QUATCH_PACE=0.3 is
.B pace = 0.3
in the file of settings.
The environment counts more than the file, and an option more than both.
.SH FILES
The settings
.BR data ,
.B hostkeys
and
.B rules_dir
name other folders than these, which are in the folder where the server starts.
.TP
.I var/quatch.db
All that the server must keep.
.B quatch backup
copies it.
.TP
.I hostkeys/ssh_host_ed25519_key
The host key, made at the first start.
.TP
.I rules/*.toml
House rules; each file adds a rule set.
.SH SEE ALSO
.BR ssh (1)"""
"""What stands behind the sub-commands."""


def manual() -> str:
    """The page in the language of man(7)."""
    parser = build_parser()
    commands = parser.sub_commands.items()
    lines = [
        '.TH QUATCH 1 "" Quatch "User Commands"',
        ".SH NAME",
        rf"quatch \- {_text(parser.description or '').rstrip('.')}",
        ".SH SYNOPSIS",
        *(f".B quatch {_synopsis(name, command)}\n.br" for name, (_, command) in commands),
        r".B quatch \-\-version",
        ".SH COMMANDS",
    ]
    for name, (help_line, command) in commands:
        lines += [f".SS quatch {_synopsis(name, command)}", _sentence(help_line), *_arguments(command)]
    return "\n".join(lines) + SECTIONS + "\n"


def _synopsis(name: str, command: Parser) -> str:
    positional = [_value(action) for action in command.arguments if not action.option_strings]
    options = [] if len(command.arguments) - len(positional) < 2 else ["[OPTION ...]"]
    return _text(" ".join([name, *options, *positional]))


def _arguments(command: Parser) -> Iterator[str]:
    for action in command.arguments:
        if action.dest != "help":
            values = "" if action.nargs == 0 else _value(action)
            yield ".TP"
            yield _text(" ".join(filter(None, [*action.option_strings, values])))
            yield _sentence(action.help or "")


def _value(action: argparse.Action) -> str:
    """What stands for the value of an argument, as in a line of usage."""
    shown = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    return {"?": f"[{shown}]", "+": f"{shown} ..."}.get(str(action.nargs), str(shown))


def _sentence(text: str) -> str:
    return _text(f"{sentence_case(text)}.")


def _text(text: str) -> str:
    """Text in which nothing is taken for a request or an escape."""
    return re.sub(r"^([.'])", r"\\&\1", text.replace("\\", r"\e").replace("-", r"\-"))


if __name__ == "__main__":
    print(manual(), end="")
