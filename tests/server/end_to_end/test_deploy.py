"""The files for hosts: the unit starts the server with few rights, and the image installs only locked packages."""

import json
import re
import shlex
import subprocess
from collections import defaultdict
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from server.cli.arguments import build_parser
from server.config import PREFIX, Config, setting_names
from tests.support.people import running_server
from tests.support.programs import as_a_host

ROOT = Path(__file__).parents[3]
CLUSTER = ROOT / "deploy" / "cluster"
UNIT = ROOT / "deploy" / "quatch.service"
IMAGE = (ROOT / "deploy" / "Containerfile").read_text("utf-8")
README = (ROOT / "deploy" / "README.md").read_text("utf-8")
MOST_EXPOSED = 1.5
"""Of 10, as systemd counts what a service could do to its system."""


def unit(path: Path = UNIT) -> dict[str, list[str]]:
    """The settings of a unit; each may occur several times."""
    found = defaultdict[str, list[str]](list)
    for name, value in re.findall(r"^(\w+)=(.*)$", path.read_text("utf-8"), re.MULTILINE):
        found[name].append(value)
    return found


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


def test_the_unit_of_a_node_has_the_rights_of_the_single_server() -> None:
    """And starts it with a database, a name and settings that exist."""
    node, single = unit(CLUSTER / "quatch@.service"), unit()
    assert {name for name in {*node, *single} if node.get(name) != single.get(name)} == {
        *("Description", "Documentation", "Wants", "After", "Environment", "EnvironmentFile", "User")
    }
    environment = dict(pair.split("=") for line in node["Environment"] for pair in shlex.split(line))
    settings = Config.load(ROOT / "deploy" / "quatch.toml", environment | {"QUATCH_NODE": "a"}, {})
    assert (settings.data, settings.hostkeys) == ("%S/quatch/%i", "%S/quatch/hostkeys")


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("path", [UNIT, CLUSTER / "quatch@.service"])
def test_systemd_reads_the_units(path: Path) -> None:
    """Nothing is wrong with them but that the program is not installed here."""
    told = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True, check=False)
    problems = [
        line for line in told.stderr.splitlines() if path.name.partition("@")[0].removesuffix(".service") in line
    ]
    assert all("is not executable" in line for line in problems), told.stderr


@pytest.mark.needs("haproxy")
def test_haproxy_reads_its_file() -> None:
    """With the three nodes that the environment names."""
    nodes = as_a_host(NODE_A="192.0.2.1", NODE_B="192.0.2.2", NODE_C="192.0.2.3")
    told = subprocess.run(
        ["haproxy", "-c", "-f", CLUSTER / "haproxy.cfg"], capture_output=True, text=True, env=nodes, check=False
    )
    assert told.returncode == 0, told.stderr


def test_the_containers_of_a_cluster_name_settings_and_files_that_exist() -> None:
    """For want of a reader of YAML: what has the form of a setting, of a file, and of a volume."""
    compose = (CLUSTER / "compose.yaml").read_text("utf-8")
    settings = set(re.findall(rf"{PREFIX}(\w+):", compose))
    assert settings
    assert settings <= {*map(str.upper, setting_names())}
    for file in re.findall(r'[ "](\./[\w./]+):/', compose):
        assert (CLUSTER / file).exists()
    assert (CLUSTER / re.findall(r"context: (\S+)", compose)[0]).resolve() == ROOT


async def test_the_board_shows_metrics_that_exist(tmp_path: Path) -> None:
    """Every panel has one."""
    async with running_server(tmp_path) as running:
        text = await running.app.measure()
    told = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE)) | set(re.findall(r"^(\w+)[{ ]", text, re.MULTILINE))
    panels = json.loads((CLUSTER / "grafana.json").read_text("utf-8"))["panels"]
    for panel in panels:
        named = set(re.findall(r"\b(?:quatch|process)_\w+", " ".join(target["expr"] for target in panel["targets"])))
        assert named
        assert named <= told, panel["title"]
    assert len({panel["id"] for panel in panels}) == len(panels)


def test_the_page_of_the_cluster_lists_its_files() -> None:
    """All of them, and in lines that fit."""
    page = (CLUSTER / "README.md").read_text("utf-8")
    listed = {
        name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`([\w.@]+)`", row)
    }
    assert {file.name for file in CLUSTER.iterdir()} - {"README.md", "DECISIONS.md"} <= listed
    assert max(map(len, page.splitlines())) <= 120


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


async def test_the_readme_names_metrics_and_files_that_exist(tmp_path: Path) -> None:
    """An alarm on a metric that does not exist would never ring."""
    async with running_server(tmp_path) as running:
        families = [*text_string_to_metric_families(await running.app.measure())]
    told = {family.name for family in families} | {sample.name for family in families for sample in family.samples}
    named = set(re.findall(r"\b(?:quatch|process)_[a-z_]+\b", README))
    assert named
    assert named <= told, named - told
    files = {file.name for file in (ROOT / "deploy").iterdir()} - {"README.md", "__pycache__"}
    assert set(re.findall(r"^\| `([\w.-]+)/?` \|", README, re.MULTILINE)) == files
