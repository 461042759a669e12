"""Keeps the start from looking for libraries of the operating system that the server has no use for.

When asyncssh is imported it looks for liboqs and nettle, for algorithms that the server does not offer. Python looks
for a library by running ldconfig and the compiler, which takes a tenth of the start.
"""

import ctypes.util
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

UNUSED: Final = frozenset({"oqs", "liboqs", "nettle", "libnettle", "libnettle-6"})


@contextmanager
def without_unused_libraries() -> Iterator[None]:
    """Inside the context, the unused libraries seem to be missing."""
    find = ctypes.util.find_library
    ctypes.util.find_library = lambda name: None if name in UNUSED else find(name)
    try:
        yield
    finally:
        ctypes.util.find_library = find
