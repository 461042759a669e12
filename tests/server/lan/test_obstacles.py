"""Machines whose announcements stay inside."""

from pathlib import Path

from server.lan.interfaces import CONTAINER, WSL, obstacle, send_problem


def test_a_usual_machine_keeps_nothing_inside(tmp_path: Path) -> None:
    """Nor does one without /proc."""
    assert obstacle(tmp_path) == ""
    (tmp_path / "proc/sys/kernel").mkdir(parents=True)
    (tmp_path / "proc/sys/kernel/osrelease").write_text("6.8.0-45-generic\n")
    assert obstacle(tmp_path) == ""


def test_wsl_is_recognised(tmp_path: Path) -> None:
    """By its kernel."""
    (tmp_path / "proc/sys/kernel").mkdir(parents=True)
    (tmp_path / "proc/sys/kernel/osrelease").write_text("5.15.167.4-microsoft-standard-WSL2\n")
    assert obstacle(tmp_path) == WSL


def test_a_container_is_recognised_unless_it_has_the_network_of_its_host(tmp_path: Path) -> None:
    """A real network card is seen only there."""
    (tmp_path / ".dockerenv").touch()
    (tmp_path / "sys/class/net/eth0").mkdir(parents=True)
    assert obstacle(tmp_path) == CONTAINER
    (tmp_path / "sys/class/net/eth0/device").mkdir()
    assert obstacle(tmp_path) == ""


def test_an_address_from_which_nothing_can_be_sent_is_named() -> None:
    """Here one that this machine does not have."""
    assert send_problem(["127.0.0.1"]) == ""
    assert send_problem(["127.0.0.1", "192.0.2.77"]).startswith("multicast cannot be sent from 192.0.2.77: ")
