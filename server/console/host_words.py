"""What hosts type at a console in their own words, and the console's way to it: it stands in the place of a refusal."""

import re
import shutil
import sys
from pathlib import Path
from typing import Final

from engine.wording.phrases import quantity
from server.commands.finding import HostWords, bare_words, spoken
from server.commands.registry import command_named
from server.lobby.lobby import Lobby
from server.table.place import PROMPT

_LEAD_IN: Final = re.compile(
    r"^((ask|help|how|where|what|is|are|can|could|do|does|i|we|you|to|the|a|an|my|let's|lets|"
    r"make|take|get|show|open|see|list|me|us|all|phones?(?= address)) )*"
)
"""Words before the one that tells what is wanted."""


def _stop(lobby: Lobby, _: str) -> str:
    waits = "drain stops the server when the games are over, " if command_named("drain", lobby.features) else ""
    return f"{waits}quit closes the console: where the server was started, it stops the server."


STOP: Final = HostWords(
    "(stop|close (the )?server|shut ?down|halt|end|kill|terminate|power ?off|turn off"
    "|send( (all|everybody|everyone|people|them))+ home)",
    _stop,
)
STATUS: Final = HostWords(
    "(status|stats?|uptime|load|state|health)",
    lambda _, __: "the first row tells how the server is; people, tables and log show the rest.",
)
GUESTS: Final = HostWords(
    "(guests|visitors|users)( (is|are|here|there|online|playing))*", lambda _, __: "who lists the players."
)
LOGGED: Final = HostWords("(logs?|errors?|logged|log ?file)", lambda _, __: "log shows what was logged, Esc all parts.")
JOIN: Final = HostWords(
    "(join|(qr|code|scan)( .*)?|address(es)?( .*)?|url|link|phones?|(guests|people|others) (join|come in|connect))",
    lambda _, __: "join shows what guests type and open, the QR code, and the server's key in words.",
)
MANY: Final = HostWords(
    "many( (people|players|guests|games|tables|are|is|there|here|playing|online|connected|in))*",
    lambda lobby, _: (
        f"the first row counts them: {quantity(len(lobby.visitors.everybody()), 'player')} here now, and the tables."
    ),
)
LOCK: Final = HostWords(
    "((lock|shut|bar)( .*)?|close (the )?door|(let )?(nobody|no ?one|no more)( .*)?|keep .* out)",
    lambda _, __: (
        "allow_file in the settings lets in listed keys alone; new word=apple, in a session, opens a table "
        "for those who know the word."
    ),
)
STANDS: Final = HostWords(
    "(who|which)( (is|are|has))* (winning|losing|ahead|leading|won|lost|playing|here|online|there)",
    lambda _, __: "tables lists the games and their players, who the players, top the best of them.",
)


def way_for(text: str, lobby: Lobby) -> str:
    """What to tell a host who has typed this, which is no command; empty if it says nothing that is known."""
    said, words_typed = _LEAD_IN.sub("", spoken(text)), bare_words(text)
    name, is_led_in = said.partition(" ")[0], said != spoken(text)
    if is_led_in and (named := command_named(name, lobby.features)) and named.works(PROMPT):
        return f"Type {named.usage.partition(' [')[0]}: {named.help}."
    for words in (*lobby.features.all(HostWords), STOP, STATUS, LOGGED, MANY, JOIN, GUESTS, LOCK, STANDS):
        if found := re.match(rf"{words.said}(?: (.*))?$", said):
            behind = (found[found.re.groups] or "").split()
            told = words.told(lobby, " ".join(words_typed[len(words_typed) - len(behind) :]))  # names in their letters
            return told[:1].upper() + told[1:].replace(" quatch ", f" {own_program()} ")
    return ""


def own_program() -> str:
    """What starts this program in a shell, as the host has typed it."""
    typed = sys.argv[0]
    is_found = Path(typed).name != "quatch" or shutil.which("quatch") == str(Path(typed).absolute())
    return "quatch" if is_found else typed
