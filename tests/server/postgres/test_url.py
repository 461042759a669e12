"""The setting `database`: which addresses of PostgreSQL are understood, and that the password is never shown."""

from pathlib import Path

import pytest

from server.cli.main import main
from server.config import Config, ConfigError
from server.postgres.url import DatabaseUrl
from tests.support.each import for_each


def test_the_parts_of_an_address() -> None:
    """A port behind the last host counts for all without one."""
    url = DatabaseUrl.read("postgresql://quatch:p%40ss%2Fword@db1,db2:6432,[::1]:6433/cards?sslmode=require")
    assert (url.hosts, url.ports) == (("db1", "db2", "::1"), (6433, 6432, 6433))
    assert url.name == "cards"
    assert str(url) == "postgresql://db1:6433,db2:6432,[::1]:6433/cards"
    assert DatabaseUrl.read("postgres://localhost/cards").ports == (5432,)
    assert DatabaseUrl.read("postgresql:///cards").hosts == ()


@for_each(
    "text",
    [
        "mysql://ana:secret@db/cards",
        "ana:secret@db/cards",
        "postgresql://ana:secret@db",
        "postgresql://ana:secret@db/",
        "postgresql://ana:se@cret@db/cards",
        "postgresql://ana:se/cret@db/cards",
        "postgresql://ana:secret@db:port/cards",
        "postgresql://ana:secret@db:0/cards",
        "postgresql://ana:secret@db:65536/cards",
        "postgresql://ana:secret@db,,db2/cards",
        "postgresql://ana:secret@db/cards and more",
    ],
)
def test_another_text_is_refused_without_its_password(text: str) -> None:
    """In one line that says what would be right."""
    with pytest.raises(ConfigError) as caught:
        Config.load(None, {"QUATCH_DATABASE": text}, {})
    line = str(caught.value)
    assert line.startswith("database: ")
    assert "secret" not in line
    assert "cret" not in line


def test_without_the_feature_no_database_is_named() -> None:
    """One line says so, which does not repeat the address."""
    with pytest.raises(ConfigError, match=r"^database: must be empty: no feature here keeps data elsewhere$"):
        Config.load(None, {"QUATCH_DATABASE": "postgresql://ana:secret@db/cards"}, {"without": "postgres"})


def test_settings_do_not_show_the_password() -> None:
    """Nor does the address itself."""
    config = Config.load(None, {}, {"database": "postgresql://ana:secret@db/cards?sslpassword=secret"})
    url = DatabaseUrl.read(config.database)
    assert "secret" not in f"{config!r} {config} {url!r} {url}"


@pytest.mark.features("timed_backups")
def test_a_database_in_postgresql_has_tools_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says which, without the password."""
    monkeypatch.setenv("QUATCH_DATABASE", "postgresql://ana:secret@db/cards")
    assert main(["backup", str(tmp_path / "copy")]) == 1
    said = capsys.readouterr().err
    assert f"pg_dump --format=custom --file={tmp_path / 'copy'} postgresql://db:5432/cards\n" in said
    assert "secret" not in said
