"""The files for hosts: the unit starts the server with few rights, and the image installs only locked packages."""

import re
import shlex
import subprocess
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest

from server.cli.arguments import build_parser
from server.config import PREFIX, Config
from tests.support.sources import ROOT
from tests.support.units import UNIT, unit

IMAGE = (ROOT / "deploy" / "Containerfile").read_text("utf-8")
README = (ROOT / "deploy" / "README.md").read_text("utf-8")
MOST_EXPOSED = 1.5
"""Of 10, as systemd counts what a service could do to its system."""


def test_the_unit_starts_the_server_with_options_and_settings_that_exist() -> None:
    """Its command line, its config file and its environment."""
    (start,) = unit()["ExecStart"]
    program, *arguments = shlex.split(start)
    options = build_parser().parse_args(arguments)
    assert Path(program).name == "quatch"
    assert options.config.parent == Path("/etc/quatch")
    environment = dict(pair.split("=") for line in unit()["Environment"] for pair in shlex.split(line))
    settings = Config.load(ROOT / "deploy" / options.config.name, environment, {})
    assert (settings.data, settings.hostkeys) == ("%S/quatch", "%S/quatch/hostkeys")
    assert unit()["StateDirectory"] == ["quatch"]


def test_the_unit_has_room_for_what_the_settings_allow() -> None:
    """Enough descriptors for the connections, and a timeout that lets our own watchdog act first."""
    assert int(unit()["LimitNOFILE"][0]) > 2 * Config().connections
    assert int(unit()["WatchdogSec"][0]) > 2 * Config().watchdog
    assert unit()["Type"] == ["notify"]


@pytest.mark.needs("systemd-analyze")
def test_the_unit_exposes_little() -> None:
    """By systemd's own measure."""
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", UNIT],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    exposed = re.search(r"Overall exposure level for quatch.service: ([\d.]+)", told)
    assert exposed
    print(f"exposure {exposed[1]}")
    assert float(exposed[1]) <= MOST_EXPOSED, told


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("path", [UNIT, ROOT / "deploy" / "cluster" / "quatch@.service"])
def test_systemd_reads_the_units(path: Path) -> None:
    """Nothing is wrong with them but that the program is not installed here."""
    told = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True, check=False)
    problems = [
        line for line in told.stderr.splitlines() if path.name.partition("@")[0].removesuffix(".service") in line
    ]
    assert all("is not executable" in line for line in problems), told.stderr


def test_the_image_installs_locked_packages_and_does_not_run_as_root() -> None:
    """Every package is checked by its hash; the settings and folders that it names exist."""
    commands = re.findall(r"(?<![\w-])pip [^&\n]*", IMAGE)
    assert len(commands) == 3
    assert all("--require-hashes" in command or "--no-index" in command for command in commands)
    settings = dict(re.findall(rf"({PREFIX}\w+)=(\S+)", IMAGE))
    assert Config.load(None, settings, {}).data == re.findall(r"^VOLUME (\S+)", IMAGE, re.MULTILINE)[0]
    assert re.findall(r"^USER (\d+):", IMAGE, re.MULTILINE)[-1] != "0"
    for sources in re.findall(r"^COPY (?!--from)(.*) \S+$", IMAGE, re.MULTILINE):
        assert all((ROOT / source).exists() for source in sources.split())
    (arguments,) = re.findall(r'^CMD \["(\w+)"\]', IMAGE, re.MULTILINE)
    build_parser().parse_args([arguments])


def test_the_licences_of_all_packages_are_named() -> None:
    """Of those that the program needs, with what these need."""
    page = (ROOT / "deploy" / "LICENSES.md").read_text("utf-8")
    named = dict(re.findall(r"^\| ([\w-]+) \| (.+) \|$", page, re.MULTILINE))
    needed, left = set[str](), [each for each in requires("quatch") or () if each]
    while left:
        name = re.sub(r"[-_.]+", "-", re.split(r"[^\w.-]", left.pop())[0]).lower()
        with suppress(PackageNotFoundError):
            if name not in needed:
                left += [each for each in requires(name) or () if "extra ==" not in each]
                needed.add(name)
    assert named.keys() - {"package", "---"} == needed
    assert all(licence not in {"", "?", "UNKNOWN"} for licence in named.values())


def test_the_readme_lists_its_files() -> None:
    """All that lie beside it."""
    files = {file.name for file in (ROOT / "deploy").iterdir()} - {"README.md", "__pycache__"}
    assert set(re.findall(r"^\| `([\w.-]+)/?` \|", README, re.MULTILINE)) == files
