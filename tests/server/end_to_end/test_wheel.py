"""The package as a wheel, unpacked where there is no repository; in the soak it is installed, as by `pipx install`."""

import stat
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest

from tests.soak import SOAKING
from tests.support.patience import PATIENCE
from tests.support.people import openssh
from tests.support.programs import as_a_host, take_compiled

ROOT: Final = Path(__file__).parents[3]
KEPT: Final = {"data": "var", "host key": "hostkeys", "house rules": "rules"}
"""What a server keeps in folders of the one in which it was started."""
pytest.importorskip("hatchling", reason="the wheel is built by hatchling, which is not installed")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built without fetching anything."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


def test_all_files_of_the_packages_are_in_the_wheel(wheel: Path) -> None:
    """Rule sets, their documents, weights, the file of settings; and the manual page where man finds it."""
    with ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    files = {
        str(file.relative_to(ROOT))
        for package in ("engine", "server")
        for file in (ROOT / package).rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    assert files - packed == set()
    assert {"server/quatch.toml", "engine/rulesets/README.md"} <= packed
    assert any(name.endswith(".data/data/share/man/man1/quatch.1") for name in packed)


@pytest.mark.needs("ssh")
def test_the_wheel_serves_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    """The ready lines are as published. They say where everything is kept: in the folder where it was started.

    SIGTERM ends it with status 0.
    """
    home, folder = tmp_path / "home", tmp_path / "empty"
    home.mkdir()
    folder.mkdir()
    libraries = sysconfig.get_path("purelib")
    if SOAKING:
        program, path = [str(installed(wheel, tmp_path / "venv"))], libraries
    else:
        with ZipFile(wheel) as archive:
            archive.extractall(tmp_path / "unpacked")
        take_compiled(tmp_path / "unpacked")
        program, path = [sys.executable, "-P", "-m", "server"], f"{tmp_path / 'unpacked'}:{libraries}"
    environment = as_a_host(HOME=str(home), PYTHONPATH=path, PYTHONDONTWRITEBYTECODE="1")
    with subprocess.Popen(
        [*program, "serve", "--host", "127.0.0.1", "--host", "::1", "--port", "0"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        try:
            assert server.stdout is not None
            first, second, key, line, places = [server.stdout.readline() for _ in range(5)]
            port = first.split()[-1]
            assert (first, second) == tuple(f"ready ssh {address} {port}\n" for address in ("127.0.0.1", "::1"))
            assert key.startswith("SHA256:")
            assert line.startswith(f"ssh -p {port} ")
            assert places == ", ".join(f"{name} in {folder / place}" for name, place in KEPT.items()) + "\n"
            client = openssh(int(port), "-T", "127.0.0.1")
            typed = "play quatch seats=2\nhand\nquit\n"
            told = subprocess.run(client, input=typed, capture_output=True, text=True, check=True).stdout
            assert "Three face-down cards" in told
            server.terminate()
            assert server.wait(PATIENCE) == 0
        finally:
            server.kill()
    made = {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}
    assert made == {"var/quatch.db", "hostkeys/ssh_host_ed25519_key"}
    assert stat.S_IMODE((folder / "var").stat().st_mode) == 0o700
    assert list(home.iterdir()) == []


def installed(wheel: Path, environment: Path) -> Path:
    """The program `quatch` in a new environment with nothing else in it. Libraries come from that of the tests."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    install = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*install, "--no-index", "--no-deps", "--no-compile", str(wheel)], check=True)
    assert (environment / "share" / "man" / "man1" / "quatch.1").exists()
    return environment / "bin" / "quatch"
