"""Machines whose announcements stay inside."""

from pathlib import Path

from server.lan.surroundings import CONTAINER, WSL, what_keeps_announcements_inside


def test_a_usual_machine_keeps_nothing_inside(tmp_path: Path) -> None:
    """Nor does one without /proc."""
    assert what_keeps_announcements_inside(tmp_path) == ""
    (tmp_path / "proc/sys/kernel").mkdir(parents=True)
    (tmp_path / "proc/sys/kernel/osrelease").write_text("6.8.0-45-generic\n")
    assert what_keeps_announcements_inside(tmp_path) == ""


def test_wsl_is_recognised(tmp_path: Path) -> None:
    """By its kernel."""
    (tmp_path / "proc/sys/kernel").mkdir(parents=True)
    (tmp_path / "proc/sys/kernel/osrelease").write_text("5.15.167.4-microsoft-standard-WSL2\n")
    assert what_keeps_announcements_inside(tmp_path) == WSL


def test_a_container_is_recognised_unless_it_has_the_network_of_its_host(tmp_path: Path) -> None:
    """A real network card is seen only there."""
    (tmp_path / ".dockerenv").touch()
    (tmp_path / "sys/class/net/eth0").mkdir(parents=True)
    assert what_keeps_announcements_inside(tmp_path) == CONTAINER
    (tmp_path / "sys/class/net/eth0/device").mkdir()
    assert what_keeps_announcements_inside(tmp_path) == ""
