"""What is wrong, in the words of the bot protocol: messages for people say what to type, a bot sends JSON instead."""

import re
from typing import Final

from engine.errors import InputError, Refused

_SENT: Final = tuple(
    (re.compile(typed), sent)
    for typed, sent in (
        (r"since you typed that: look again", r"since that ply: answer the newest turn"),
        (r"type start", r"send start"),
        (r"type ready", r"send the move ready"),
        (r"type sit (?:to take one|to take a seat|between games to take a seat)", r"send leave, then join"),
        (r"type watch \S+(?: and its word)? to look on(?:; |, or )", r""),
        (r"\bsit takes an AI player's", r"join takes an AI player's seat"),
        (r"with (?:sit|watch) (\S+)", r"with join, table \1"),
        (r"type tables\b", r"send tables"),
        (r"\bnew opens one", r"send new to open one"),
        (r"type its word after the number", r"send its key, too"),
        (r"\b([\w.]+)=\.\.\.", r'"\1"'),
        (r"\bclock=30\b", r'"clock":30'),
    )
)
"""What people are told to type, and what a bot sends for it."""


def for_bots(message: str) -> str:
    """A message for people in the words of the protocol."""
    for typed, sent in _SENT:
        message = typed.sub(sent, message)
    return message


def refusal_for_bots(error: InputError) -> str:
    """Why a move is refused. What the rules allow instead is in the bot's `turn`, as moves."""
    if isinstance(error, Refused):
        return f"{error.message.partition('. ')[0].rstrip('.')}: send a move that turn has in legal, or means by may"
    return for_bots(error.message)
