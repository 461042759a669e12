"""The files for hosts of several nodes: they start them with settings and files that exist."""

import re
import shlex
import subprocess

import pytest

from server.config import PREFIX, Config, setting_names
from tests.support.programs import as_a_host
from tests.support.sources import ROOT
from tests.support.units import UNIT, unit

CLUSTER = ROOT / "deploy" / "cluster"


def test_the_unit_of_a_node_has_the_rights_of_the_single_server() -> None:
    """And starts it with a database, a name and settings that exist."""
    node, single = unit(CLUSTER / "quatch@.service"), unit(UNIT)
    assert {name for name in {*node, *single} if node.get(name) != single.get(name)} == {
        *("Description", "Documentation", "Wants", "After", "Environment", "EnvironmentFile", "User")
    }
    environment = dict(pair.split("=") for line in node["Environment"] for pair in shlex.split(line))
    settings = Config.load(ROOT / "deploy" / "quatch.toml", environment | {"QUATCH_NODE": "a"}, {})
    assert (settings.data, settings.hostkeys) == ("%S/quatch/%i", "%S/quatch/hostkeys")


@pytest.mark.needs("haproxy")
def test_haproxy_reads_its_file() -> None:
    """With the three nodes that the environment names."""
    nodes = as_a_host(NODE_A="192.0.2.1", NODE_B="192.0.2.2", NODE_C="192.0.2.3")
    told = subprocess.run(
        ["haproxy", "-c", "-f", CLUSTER / "haproxy.cfg"], capture_output=True, text=True, env=nodes, check=False
    )
    assert told.returncode == 0, told.stderr


@pytest.mark.features("metrics")
def test_the_containers_of_a_cluster_name_settings_and_files_that_exist() -> None:
    """For want of a reader of YAML: what has the form of a setting, of a file, and of a volume."""
    compose = (CLUSTER / "compose.yaml").read_text("utf-8")
    settings = set(re.findall(rf"{PREFIX}(\w+):", compose))
    assert settings
    assert settings <= {*map(str.upper, setting_names())}
    for file in re.findall(r'[ "](\./[\w./]+):/', compose):
        assert (CLUSTER / file).exists()
    assert (CLUSTER / re.findall(r"context: (\S+)", compose)[0]).resolve() == ROOT


def test_the_page_of_the_cluster_lists_its_files() -> None:
    """All of them, and in lines that fit."""
    page = (CLUSTER / "README.md").read_text("utf-8")
    listed = {
        name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall(r"`([\w.@]+)`", row)
    }
    assert {file.name for file in CLUSTER.iterdir()} - {"README.md", "DECISIONS.md"} <= listed
    assert max(map(len, page.splitlines())) <= 120
