"""The units of systemd for hosts."""

import re
from collections import defaultdict
from pathlib import Path
from typing import Final

from tests.support.sources import ROOT

UNIT: Final = ROOT / "deploy" / "quatch.service"
"""That of a single server."""


def unit(path: Path = UNIT) -> dict[str, list[str]]:
    """The settings of a unit; each may occur several times."""
    found = defaultdict[str, list[str]](list)
    for name, value in re.findall(r"^(\w+)=(.*)$", path.read_text("utf-8"), re.MULTILINE):
        found[name].append(value)
    return found
