"""The server offers no weak algorithm. test_clients proves that common clients can still log in."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from tests.soak import Figure
from tests.support.people import running_server


async def audit(port: int) -> tuple[str, int | None]:
    """The report of ssh-audit, with its test of the connection rate, and its exit status."""
    process = await asyncio.create_subprocess_exec(
        *(Path(sys.executable).with_name("ssh-audit"), "-n", "-4", "-p", str(port), "127.0.0.1"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    text = out.decode("utf-8", "replace")
    assert "# key exchange algorithms" in text, text
    return text, process.returncode


@pytest.mark.parametrize(("crypto", "warnings", "status"), [("compatible", 3, 2), ("strict", 0, 0)])
async def test_ssh_audit_finds_nothing(tmp_path: Path, crypto: str, warnings: int, status: int, figure: Figure) -> None:
    """10: no failure in either profile, nothing to warn of in the strict one, and no flood of key exchanges.

    What it warns of in the other is meant: clients without post-quantum key exchange, and dropbear's only MAC.
    """
    async with running_server(tmp_path, crypto=crypto, exempt=[]) as running:
        text, ended = await audit(running.port)
    found = {level: re.findall(rf"^.*\[{level}\].*$", text, re.MULTILINE) for level in ("fail", "warn")}
    figure(f"{crypto}: {len(found['fail'])} fail, {len(found['warn'])} warn")
    assert not found["fail"]
    assert len(found["warn"]) <= warnings
    assert ended == status
    assert "(nfo)" not in text
