"""The algorithms: none that is weak, and all usual clients can still come in."""

import asyncio
import re
from pathlib import Path

import pytest

from tests.server.people import House, house


async def audit(port: int) -> str:
    """What ssh-audit says."""
    process = await asyncio.create_subprocess_exec(
        *("ssh-audit", "-n", "-4", "-p", str(port), "127.0.0.1"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    text = out.decode("utf-8", "replace")
    assert "# key exchange algorithms" in text, text
    return text


@pytest.mark.needs("ssh-audit")
@pytest.mark.parametrize("crypto", ["compatible", "strict"])
async def test_ssh_audit_finds_nothing(tmp_path: Path, crypto: str) -> None:
    """No failure in either profile, and nothing to warn of in the strict one."""
    async with house(tmp_path, crypto=crypto) as running:
        text = await audit(running.port)
    found = {level: re.findall(rf"^.*\[{level}\].*$", text, re.MULTILINE) for level in ("fail", "warn")}
    print(f"{crypto}: {len(found['fail'])} fail, {len(found['warn'])} warn")
    assert not found["fail"]
    # An ssh-audit that is older than an algorithm warns of not knowing it.
    assert crypto != "strict" or not [line for line in found["warn"] if "unknown algorithm" not in line]


@pytest.mark.needs("dbclient")
async def test_dropbear_comes_in(open_house: House) -> None:
    """A small client, found in routers and phones."""
    process = await asyncio.create_subprocess_exec(
        *("dbclient", "-y", "-y", "-T", "-p", str(open_house.port), "ana@127.0.0.1", "who"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, error = await asyncio.wait_for(process.communicate(), 20)
    assert b"0 here" in out, error


@pytest.mark.needs("plink")
async def test_putty_comes_in(open_house: House) -> None:
    """Its command-line sister, that is, which has the same protocol code."""
    process = await asyncio.create_subprocess_exec(
        *("plink", "-ssh", "-batch", "-T", "-hostkey", open_house.fingerprint),
        *("-P", str(open_house.port), "ana@127.0.0.1", "who"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, error = await asyncio.wait_for(process.communicate(), 20)
    assert b"0 here" in out, error
