"""A folder that two servers use."""

from contextlib import ExitStack
from pathlib import Path

from server.storage.folder_in_use import folder_in_use


def test_a_folder_is_in_use_as_long_as_a_server_runs_there(tmp_path: Path) -> None:
    """Not the first server, but each further one is told so, whichever of them ends first."""
    folder = tmp_path / "var"
    with ExitStack() as second:
        with folder_in_use(folder) as first:
            assert not first
            assert second.enter_context(folder_in_use(folder))
        with folder_in_use(folder) as third:
            assert third
    with folder_in_use(folder) as fourth:
        assert not fourth


def test_a_folder_that_cannot_be_made_counts_as_free(tmp_path: Path) -> None:
    """The database says why it cannot be opened."""
    (tmp_path / "file").touch()
    with folder_in_use(tmp_path / "file") as in_use:
        assert not in_use
