"""Random draws from a seed: the same on every machine, for ever.

Numbers come from HMAC-SHA256 over a counter. Rejection sampling makes every outcome equally likely. A seed of 32 random
bytes makes a deal that nobody can guess. Nothing here is random by itself.
"""

import hashlib
import hmac
from collections.abc import MutableSequence
from typing import Final, TypeVar

T = TypeVar("T")

KEY_LABEL: Final = b"quatch-deal-v1\0"
_WORD: Final = 1 << 32


class Draws:
    """A stream of numbers that depends only on its seed."""

    __slots__ = ("_counter", "_key", "_words")

    def __init__(self, seed: str) -> None:
        """Start the stream. Any text is a valid seed, even one with lone surrogates."""
        self._key = hashlib.sha256(KEY_LABEL + seed.encode("utf-8", "surrogatepass")).digest()
        self._counter = 0
        self._words: list[int] = []

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit - 1``, each equally likely; ``limit`` is 1 to 2**32."""
        unbiased = _WORD - _WORD % limit
        while (word := self._next_word()) >= unbiased:
            pass
        return word % limit

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffle the items in place (Fisher-Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def _next_word(self) -> int:
        if not self._words:
            block = hmac.digest(self._key, self._counter.to_bytes(8, "big"), "sha256")
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(28, -1, -4)]
            self._counter += 1
        return self._words.pop()
