"""The server makes checked copies of its database by itself, and keeps the last ones."""

from pathlib import Path

import pytest

from server.cli.main import main
from server.config import Config, ConfigError
from server.features import load
from server.lobby.lobby import Lobby
from server.people.accounts import Accounts
from server.storage.sqlite_database import SqliteDatabase
from server.timed_backups.making import Backups
from tests.support.faulty_disk import faulty_disk
from tests.support.people import running_server

HOUR = 3600.0


class Clock:
    """A time of day that tests put on."""

    now = 1_800_000_000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def names(folder: Path) -> list[str]:
    """The copies that there are."""
    return sorted(each.name for each in folder.glob("*"))


@pytest.mark.features("privacy")
async def test_copies_are_made_in_time_and_the_last_ones_stay(tmp_path: Path) -> None:
    """By one of two processes; a copy is a database. What else lies in the folder stays."""
    clock, folder = Clock(), tmp_path / "backups"
    folder.mkdir()
    (folder / "quatch-by-hand.db").touch()
    settings = {"data": str(tmp_path), "backup_every": 6, "backup_keep": 3, "backup_days": 2}
    async with (
        running_server(tmp_path, SqliteDatabase(tmp_path / "quatch.db"), clock, **settings) as server,
        running_server(tmp_path, SqliteDatabase(tmp_path / "quatch.db"), clock, **settings) as other,
    ):
        both = [each.app.lobby.service(Backups) for each in (server, other)]

        async def later(hours: float) -> list[str]:
            clock.now += hours * HOUR
            for each in both:
                await each.look()
            return names(folder)

        assert await later(0) == ["quatch-2027-01-15T080000Z.db", "quatch-by-hand.db"]
        assert len(await later(5.9)) == 2
        assert len(await later(0.1)) == 3
        await later(6)
        assert await later(6) == [*(f"quatch-2027-01-15T{hour}0000Z.db" for hour in (14, 20)), *names(folder)[2:]]
        assert await later(60) == ["quatch-2027-01-18T140000Z.db", "quatch-by-hand.db"]
        assert min(age for each in both for _, _, age in each.gauges() if age is not None) == 0.0
        assert "deleted after 2 days" in (await server.run("privacy"))[1]
    async with SqliteDatabase(folder / "quatch-2027-01-18T140000Z.db") as copy:
        assert await Accounts(copy).count_accounts() == 0


async def test_a_copy_that_fails_is_told_and_tried_again(tmp_path: Path) -> None:
    """What did not arrive is no copy, and the older ones stay."""
    clock, config = Clock(), Config.load(None, {}, {"data": str(tmp_path), "backup_every": 1, "backup_keep": 1})
    lobby = Lobby(config, SqliteDatabase(tmp_path / "quatch.db"), wall=clock, features=load())
    await lobby.open()
    try:
        backups = lobby.service(Backups)
        await backups.look()
        first = names(tmp_path / "backups")
        clock.now += HOUR
        with faulty_disk() as disk:
            disk.forgetful = True
            await backups.look()
        assert names(tmp_path / "backups") == first
        await backups.look()
        assert len(first) == len(names(tmp_path / "backups")) == 1
        assert names(tmp_path / "backups") != first
    finally:
        await lobby.close()


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ({"backup_every": -1}, "backup_every: must be hours, or 0 for never, not -1.0"),
        ({"backup_keep": 0}, "backup_keep: must be at least 1, not 0"),
        ({"backup_days": 0}, "backup_days: must be more than 0 days, not 0.0"),
    ],
)
def test_a_setting_that_cannot_be_is_named(setting: dict[str, int], problem: str) -> None:
    """With what would be right."""
    with pytest.raises(ConfigError, match=f"^{problem}$"):
        Config.load(None, {}, setting)


@pytest.mark.features("postgres")
def test_postgresql_is_not_copied(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Neither by the server nor by hand, and no file that lies where a server on a file would have it."""
    url = "postgresql://quatch@127.0.0.1/quatch"
    with pytest.raises(ConfigError, match="backup_every: copies are made of the file alone"):
        Config.load(None, {}, {"database": url, "backup_every": 1})
    (settings := tmp_path / "quatch.toml").write_text(f'database = "{url}"\ndata = "{tmp_path}"\n')
    (tmp_path / "quatch.db").touch()
    assert main(["backup", "--config", str(settings), str(tmp_path / "copy.db")]) != 0
    assert "use pg_dump" in capsys.readouterr().err
    assert not (tmp_path / "copy.db").exists()
