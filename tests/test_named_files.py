"""Files named in docstrings, comments and pages exist in the repository."""

import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
FOLDERS: Final = ("server", "engine", "tests", "deploy")
PAGES: Final = [*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))]
SOURCES: Final = [file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")]
NAME: Final = re.compile(r"(?<![\w./{*<-])((?:[\w-]+/)*[\w-]+\.(?:py|md|toml|sh|service))(?![\w/*])")
COMMENT: Final = re.compile(r'""".*?"""|#[^\n]*', re.DOTALL)
"""A comment, or a string with three quotes."""
MADE_BY_HOSTS: Final = {"rules/nan.toml", "quatch.toml"}


@cache
def exists(name: str, near: Path) -> bool:
    """Whether a name is a path from the root, from the top of a package, or from this folder or one above."""
    folders = [ROOT, ROOT / "server", ROOT / "engine", near, *near.parents]
    return any((folder / name).exists() for folder in folders)


def texts(file: Path) -> list[str]:
    """The whole of a page; the comments and the strings with three quotes of a source."""
    text = file.read_text("utf-8")
    return [text] if file.suffix == ".md" else COMMENT.findall(text)


def test_files_named_in_docstrings_comments_and_pages_exist() -> None:
    """A page or a docstring sends its reader only to places that the repository has."""
    missing = {
        f"{file.relative_to(ROOT)} names {name}"
        for file in [*PAGES, *SOURCES]
        for text in texts(file)
        for name in NAME.findall(text)
        if name not in MADE_BY_HOSTS and not exists(name, file.parent)
    }
    assert not missing
