"""What dashboards, alarms and the pages for hosts name is measured."""

import json
import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.people import running_server
from tests.support.sources import ROOT

DEPLOY = ROOT / "deploy"


@pytest.mark.features("timed_backups")
async def test_the_board_shows_metrics_that_exist(tmp_path: Path) -> None:
    """Every panel has one."""
    async with running_server(tmp_path) as running:
        text = await running.app.measure()
    told = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE)) | set(re.findall(r"^(\w+)[{ ]", text, re.MULTILINE))
    panels = json.loads((DEPLOY / "cluster" / "grafana.json").read_text("utf-8"))["panels"]
    for panel in panels:
        named = set(re.findall(r"\b(?:quatch|process)_\w+", " ".join(target["expr"] for target in panel["targets"])))
        assert named
        assert named <= told, panel["title"]
    assert len({panel["id"] for panel in panels}) == len(panels)


async def test_the_page_for_hosts_names_metrics_that_exist(tmp_path: Path) -> None:
    """An alarm on a metric that does not exist would never ring."""
    async with running_server(tmp_path) as running:
        families = [*text_string_to_metric_families(await running.app.measure())]
    told = {family.name for family in families} | {sample.name for family in families for sample in family.samples}
    named = set(re.findall(r"\b(?:quatch|process)_[a-z_]+\b", (DEPLOY / "README.md").read_text("utf-8")))
    assert named
    assert named <= told, named - told
