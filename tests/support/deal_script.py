"""The script with which anybody checks a deal without this program."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "deploy" / "verify_deal.py"


def deal_again_of_script() -> Callable[[str], list[str]]:
    """Its function that deals a record's cards again; returns the lines that follow from that."""
    spec = importlib.util.spec_from_file_location("verify_deal", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    deal_again: Callable[[str], list[str]] = module.deal_again
    return deal_again
