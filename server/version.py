"""The version of the program."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("quatch")
except PackageNotFoundError:
    VERSION = "(not installed)"
